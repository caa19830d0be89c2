"""The agent: ask the model for a candidate, believe only the verifier, stop at the budget."""

from __future__ import annotations

from dataclasses import dataclass, replace

from porter.agent.budget import Account, BudgetSpent, Most, Spent
from porter.agent.conversation import Conversation
from porter.agent.fenced import last_block
from porter.agent.prices import most_tokens
from porter.agent.protocols import (
    AnswerLost,
    Feedback,
    Finish,
    Message,
    Model,
    ModelUnavailable,
    Reply,
    Request,
    Role,
    ToolCall,
    ToolResult,
    Tools,
    ToolSpec,
    Verifier,
)
from porter.agent.trajectory import Trajectory


@dataclass(frozen=True)
class Accepted:
    """The last candidate of the conversation passed every check."""

    candidate: str
    feedback: Feedback
    conversation: Conversation


@dataclass(frozen=True)
class GaveUp:
    """`unanswered`: the model may still have an answer, but could not be asked, or not be paid."""

    reason: str
    conversation: Conversation
    unanswered: bool = False


Attempt = Accepted | GaveUp


def solve(
    request: Request, model: Model, tools: Tools, verifier: Verifier, trajectory: Trajectory, ledger: Account
) -> Attempt:
    """Asks until the verifier accepts a candidate, the budget is spent, or the model cannot answer.

    A trajectory that an earlier run left is gone on with: what the model has answered is not asked again.
    """
    conversation = trajectory.begun(request, model.name)
    try:
        ledger.resumed(trajectory.name, conversation.spent)
    except BudgetSpent as error:
        return GaveUp(str(error), conversation, unanswered=True)
    request = replace(request, tools=(*tools.specs, SUBMIT))
    lost = 0
    while True:
        last = conversation.messages[-1]
        if last.role is Role.ASSISTANT:
            if conversation.finish is Finish.REFUSED:
                return GaveUp(f"the model refuses to answer: {last.text[:200]}", conversation)
            reaction, accepted = _react(last, conversation.finish, tools, verifier)
            if accepted:
                return Accepted(*accepted, conversation)
            conversation = conversation.told(reaction)
            trajectory.save(conversation)
        if conversation.spent.requests >= ledger.budget.steps:
            return GaveUp(_no_more_steps(ledger.budget.steps), conversation)
        asked = replace(request, messages=conversation.messages)
        try:
            with ledger.holding(Most(most_tokens(asked), model.most_cost_usd(asked))):
                reply = _charged_answer(asked, model, trajectory.name, ledger)
        except AnswerLost as error:
            paid = Spent(1, error.usage, error.cost_usd)
            conversation = conversation.charged(paid)
            trajectory.save(conversation)
            if (lost := lost + 1) == _MOST_LOST:
                return GaveUp(f"{error} ({lost} times)", conversation, unanswered=True)
        except (ModelUnavailable, BudgetSpent) as error:
            hint = error.hint if isinstance(error, ModelUnavailable) else ""
            return GaveUp(f"{error} ({hint})" if hint else str(error), conversation, unanswered=True)
        else:
            lost = 0
            conversation = conversation.answered(reply)
            trajectory.save(conversation)


def _no_more_steps(steps: int) -> str:
    return f"no candidate was accepted in {steps} steps" if steps else "no request is allowed (0 steps)"


def _charged_answer(asked: Request, model: Model, conversation: str, ledger: Account) -> Reply:
    """Raises what the model raises; an answer that broke off is charged too."""
    try:
        reply = model.respond(asked)
    except AnswerLost as error:
        ledger.charge(conversation, Spent(1, error.usage, error.cost_usd))
        raise
    ledger.charge(conversation, Spent.on(reply))
    return reply


_MOST_LOST = 3
"""Answers in a row that break off."""


SUBMIT = ToolSpec(
    "submit",
    "Submits a candidate: the whole file. It is built and compared with the original; the verdict is told.",
    {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "the whole text of the file"}},
        "required": ["text"],
        "additionalProperties": False,
    },
)


def _react(
    answer: Message, finish: Finish, tools: Tools, verifier: Verifier
) -> tuple[Message, tuple[str, Feedback] | None]:
    """What the model is told next, or the candidate that was accepted; the calls behind that are not made."""
    if not answer.calls:
        candidate = fenced_code(answer.text)
        if not candidate:
            return Message(Role.USER, _without_code(answer.text, finish)), None
        feedback = verifier.check(candidate)
        return Message(Role.USER, feedback.message), (candidate, feedback) if feedback.accepted else None
    results: list[ToolResult] = []
    for call in answer.calls:
        candidate = submitted(call)
        if not candidate:
            results.append(_refused_submission(call) if call.name == SUBMIT.name else tools.call(call))
            continue
        feedback = verifier.check(candidate)
        results.append(ToolResult(call.id, feedback.message, is_error=not feedback.accepted))
        if feedback.accepted:
            return Message(Role.USER, results=tuple(results)), (candidate, feedback)
    return Message(Role.USER, results=tuple(results)), None


def submitted(call: ToolCall) -> str:
    """The text that this call submits, or an empty string."""
    text = call.arguments.get("text") if call.name == SUBMIT.name else None
    return text if isinstance(text, str) and text.strip() else ""


def _refused_submission(call: ToolCall) -> ToolResult:
    reason = f"the arguments are no JSON object: {call.malformed[:200]}" if call.malformed else "no text"
    return ToolResult(call.id, f"nothing was submitted: {reason}", is_error=True)


_NO_CODE = {
    Finish.COMPLETE: "The answer has no fenced code block. Submit the whole file, or answer with it in "
    "exactly one fenced code block.",
    Finish.LENGTH: "The answer was cut off at the limit of its length. Submit the whole file, without "
    "other text.",
}
_OPEN_FENCE = (
    "The last code block of the answer has no closing fence: it may have been cut off. Submit the whole "
    "file, or answer with it in one fenced code block, whose closing fence is on a line of its own."
)


def fenced_code(text: str) -> str:
    """The last fenced block of an answer, or an empty string: one that is never closed is none."""
    block = last_block(text)
    return "" if block.is_open or not block.code.strip() else block.code


def _without_code(text: str, finish: Finish) -> str:
    """What the model is told of an answer without a candidate."""
    if finish is Finish.COMPLETE and last_block(text).is_open:
        return _OPEN_FENCE
    return _NO_CODE[finish]
