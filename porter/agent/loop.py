"""The agent: ask the model for a candidate, believe only the verifier, stop at the budget."""

from __future__ import annotations

import re
from dataclasses import dataclass

from porter.agent.protocols import Message, Model, ModelUnavailable, Recorder, Role, Usage, Verifier


@dataclass(frozen=True)
class Budget:
    """The loop ends before a request once one of the two is used up."""

    steps: int = 6
    tokens: int = 400_000

    def left(self, steps: int, usage: Usage) -> bool:
        return steps < self.steps and usage.input_tokens + usage.output_tokens < self.tokens


@dataclass(frozen=True)
class Accepted:
    candidate: str
    steps: int
    usage: Usage


@dataclass(frozen=True)
class GaveUp:
    reason: str
    steps: int
    usage: Usage


Attempt = Accepted | GaveUp


def solve(
    system: str, task: str, model: Model, verifier: Verifier, recorder: Recorder, budget: Budget | None = None
) -> Attempt:
    """Asks until the verifier accepts a candidate, the budget is spent, or the model cannot answer."""
    budget = budget or Budget()
    messages: tuple[Message, ...] = (Message(Role.SYSTEM, system), Message(Role.USER, task))
    usage, steps = Usage(), 0
    while budget.left(steps, usage):
        try:
            reply = model.respond(messages)
            steps, usage = steps + 1, usage + reply.usage
            messages += (Message(Role.ASSISTANT, reply.text),)
            candidate = fenced_code(reply.text)
            feedback = verifier.check(candidate) if candidate else None
            if candidate and feedback and feedback.accepted:
                return Accepted(candidate, steps, usage)
            messages += (Message(Role.USER, feedback.message if feedback else _NO_CODE),)
        except ModelUnavailable as error:
            return GaveUp(error.message, steps, usage)
        finally:
            recorder.record(messages, usage)
    return GaveUp(f"no candidate was accepted in {steps} steps", steps, usage)


_NO_CODE = "The answer has no fenced code block. Answer with the whole file in exactly one fenced code block."
_FENCE = re.compile(r"^```[^\n]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)


def fenced_code(text: str) -> str:
    """The last fenced block of an answer (models quote the problem first), or an empty string."""
    blocks = _FENCE.findall(text)
    return blocks[-1] if blocks else ""
