"""The loop with a scripted model and a scripted verifier: no mocks, no network."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from porter.agent.loop import Accepted, Budget, GaveUp, fenced_code, solve
from porter.agent.protocols import Feedback, Message, ModelUnavailable, Reply, Role, Usage


@dataclass
class ScriptedModel:
    answers: list[str]
    name: str = "scripted"
    asked: list[tuple[Message, ...]] = field(default_factory=list)

    def respond(self, messages: tuple[Message, ...]) -> Reply:
        self.asked.append(messages)
        if not self.answers:
            raise ModelUnavailable("script is over")
        return Reply(self.answers.pop(0), Usage(100, 10))


@dataclass
class OnlyAccepts:
    right: str
    checked: list[str] = field(default_factory=list)

    def check(self, candidate: str) -> Feedback:
        self.checked.append(candidate)
        return Feedback(candidate.strip() == self.right, f"y[3]: expected 1.0 from {candidate.strip()}")


@dataclass
class Memory:
    steps: list[tuple[Message, ...]] = field(default_factory=list)

    def record(self, messages: tuple[Message, ...], usage: Usage) -> None:
        self.steps.append(messages)


def code(text: str) -> str:
    return f"Here it is.\n```cpp\n{text}\n```\n"


def test_the_verifier_decides_and_its_numbers_go_back() -> None:
    model, verifier, memory = ScriptedModel([code("bad"), code("good")]), OnlyAccepts("good"), Memory()
    attempt = solve("system", "task", model, verifier, memory)
    assert attempt == Accepted("good\n", 2, Usage(200, 20))
    assert model.asked[1][-1] == Message(Role.USER, "y[3]: expected 1.0 from bad")
    assert len(memory.steps) == 2


def test_a_model_that_claims_success_is_not_believed() -> None:
    model = ScriptedModel(["It is verified and correct. No code needed."] * 3)
    verifier = OnlyAccepts("good")
    attempt = solve("s", "t", model, verifier, Memory(), Budget(steps=3))
    assert isinstance(attempt, GaveUp)
    assert verifier.checked == []


@pytest.mark.parametrize(
    ("budget", "steps"), [(Budget(steps=2), 2), (Budget(tokens=250), 3), (Budget(steps=0), 0)]
)
def test_the_budget_ends_the_loop(budget: Budget, steps: int) -> None:
    attempt = solve("s", "t", ScriptedModel([code("bad")] * 9), OnlyAccepts("good"), Memory(), budget)
    assert attempt == GaveUp(
        f"no candidate was accepted in {steps} steps", steps, Usage(100 * steps, 10 * steps)
    )


def test_the_trajectory_is_saved_when_the_verifier_breaks() -> None:
    class Broken:
        def check(self, candidate: str) -> Feedback:
            raise RuntimeError(candidate)

    memory = Memory()
    with pytest.raises(RuntimeError):
        solve("s", "t", ScriptedModel([code("x")]), Broken(), memory)
    assert memory.steps[0][-1].text == code("x")


def test_a_silent_model_ends_the_attempt_with_its_reason() -> None:
    assert solve("s", "t", ScriptedModel([]), OnlyAccepts("g"), Memory()) == GaveUp(
        "script is over", 0, Usage()
    )


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("no code", ""),
        ("```\na\n```", "a\n"),
        ("```cpp\nfirst\n```\ntext\n```python\nsecond\n```\n", "second\n"),
        ("```cpp\nnever closed\n", ""),
    ],
)
def test_fenced_code(answer: str, expected: str) -> None:
    assert fenced_code(answer) == expected
