"""The loop with a scripted model and a scripted verifier: no mocks, no network."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from porter.agent.budget import Budget, Ledger, Spent
from porter.agent.conversation import Conversation
from porter.agent.loop import Accepted, GaveUp, fenced_code, solve
from porter.agent.protocols import (
    Feedback,
    Finish,
    Message,
    ModelUnavailable,
    Reply,
    Request,
    Role,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
)
from porter.agent.trajectory import TrajectoryFile
from porter.core.errors import InputError

ASK = Request("system", (Message(Role.USER, "task"),))


@dataclass
class ScriptedModel:
    answers: list[Reply]
    name: str = "scripted"
    most_usd: float | None = 0.0
    asked: list[Request] = field(default_factory=list)

    def most_cost_usd(self, request: Request) -> float | None:
        return self.most_usd

    def respond(self, request: Request) -> Reply:
        self.asked.append(request)
        if not self.answers:
            raise ModelUnavailable("script is over")
        return self.answers.pop(0)


@dataclass
class OnlyAccepts:
    right: str
    checked: list[str] = field(default_factory=list)

    def check(self, candidate: str) -> Feedback:
        self.checked.append(candidate)
        return Feedback(candidate.strip() == self.right, f"y[3]: expected 1.0 from {candidate.strip()}")


@dataclass
class OneTool:
    specs: tuple[ToolSpec, ...] = (ToolSpec("facts", "facts of a kernel", {"type": "object"}),)
    called: list[ToolCall] = field(default_factory=list)

    def call(self, call: ToolCall) -> ToolResult:
        self.called.append(call)
        return ToolResult(call.id, "fact", is_error=call.name != "facts")


def code(text: str) -> Reply:
    return Reply(f"Here it is.\n```cpp\n{text}\n```\n", Usage(100, 10), cost_usd=0.25)


def submit(text: str, *before: ToolCall) -> Reply:
    return Reply("", Usage(100, 10), (*before, ToolCall("s", "submit", {"text": text})), cost_usd=0.25)


def run(
    folder: Path, model: ScriptedModel, verifier: OnlyAccepts, budget: Budget | None = None
) -> Accepted | GaveUp:
    return solve(
        ASK, model, OneTool(), verifier, TrajectoryFile(folder / "t.json"), Ledger(budget or Budget())
    )


@pytest.mark.parametrize("answer", [code, submit])
def test_the_verifier_decides_and_its_numbers_go_back(answer, tmp_path: Path) -> None:
    model = ScriptedModel([answer("bad"), answer("good")])
    attempt = run(tmp_path, model, OnlyAccepts("good"))
    assert isinstance(attempt, Accepted)
    assert attempt.candidate.strip() == "good"
    assert attempt.conversation.spent == Spent(2, Usage(200, 20), 0.5)
    told = model.asked[1].messages[-1]
    assert "expected 1.0 from bad" in told.text + "".join(r.text for r in told.results)


def test_a_model_that_claims_success_is_not_believed(tmp_path: Path) -> None:
    model = ScriptedModel([Reply("It is verified and correct. No code needed.")] * 3)
    verifier = OnlyAccepts("good")
    assert isinstance(run(tmp_path, model, verifier, Budget(steps=3)), GaveUp)
    assert verifier.checked == []


def test_tools_are_called_in_order_and_none_after_an_accepted_candidate(tmp_path: Path) -> None:
    tools = OneTool()
    first, last = ToolCall("a", "facts", {"kernel": "k"}), ToolCall("b", "facts")
    answers = [Reply("", calls=(first,)), Reply("", calls=(ToolCall("s", "submit", {"text": "good"}), last))]
    model = ScriptedModel(answers)
    ledger = Ledger(Budget())
    attempt = solve(ASK, model, tools, OnlyAccepts("good"), TrajectoryFile(tmp_path / "t.json"), ledger)
    assert isinstance(attempt, Accepted)
    assert tools.called == [first]
    assert model.asked[1].messages[-1].results == (ToolResult("a", "fact"),)
    assert [s.name for s in model.asked[0].tools] == ["facts", "submit"]


@pytest.mark.parametrize(
    "call",
    [
        ToolCall("s", "submit", malformed='{"text": '),
        ToolCall("s", "submit", {"text": 7}),
        ToolCall("s", "submit", {"text": " "}),
        ToolCall("s", "submit", {"code": "good"}),
    ],
)
def test_a_submission_without_a_text_is_an_error_of_the_call(call: ToolCall, tmp_path: Path) -> None:
    model = ScriptedModel([Reply("", calls=(call,)), submit("good")])
    assert isinstance(run(tmp_path, model, OnlyAccepts("good")), Accepted)
    assert model.asked[1].messages[-1].results[0].is_error


@pytest.mark.parametrize(
    ("budget", "requests", "reason"),
    [
        (Budget(steps=2), 2, "no candidate was accepted in 2 steps"),
        (Budget(tokens=250), 3, "the budget of 250 tokens is used up"),
        (Budget(steps=0), 0, "no request is allowed (0 steps)"),
        (Budget(seconds=0.0), 0, "the budget of 0 s is used up"),
        (Budget(usd=0.8), 2, "the next request may cost"),
    ],
)
def test_the_budget_ends_the_loop(budget: Budget, requests: int, reason: str, tmp_path: Path) -> None:
    model = ScriptedModel([code("bad")] * 9, most_usd=0.4)
    attempt = run(tmp_path, model, OnlyAccepts("good"), budget)
    assert isinstance(attempt, GaveUp)
    assert reason in attempt.reason
    assert attempt.conversation.spent.requests == requests == len(model.asked)


def test_without_a_price_no_budget_in_money_is_promised(tmp_path: Path) -> None:
    model = ScriptedModel([code("good")], most_usd=None)
    attempt = run(tmp_path, model, OnlyAccepts("good"), Budget(usd=5))
    assert isinstance(attempt, GaveUp)
    assert "price of the model is not known" in attempt.reason
    assert model.asked == []


def test_the_trajectory_is_saved_when_the_verifier_breaks(tmp_path: Path) -> None:
    class Broken(OnlyAccepts):
        def check(self, candidate: str) -> Feedback:
            raise RuntimeError(candidate)

    with pytest.raises(RuntimeError):
        run(tmp_path, ScriptedModel([code("x")]), Broken(""))
    saved = TrajectoryFile(tmp_path / "t.json").begun(ASK, "scripted")
    assert saved == Conversation(ASK.messages).answered(code("x"))


def test_a_run_that_was_killed_asks_nothing_twice(tmp_path: Path) -> None:
    first = run(tmp_path, ScriptedModel([code("bad"), code("worse")]), OnlyAccepts("good"))
    assert isinstance(first, GaveUp)
    assert first.reason == "script is over"
    model = ScriptedModel([code("good")])
    second = run(tmp_path, model, OnlyAccepts("good"))
    assert isinstance(second, Accepted)
    assert len(model.asked) == 1
    assert second.conversation.messages[:4] == first.conversation.messages[:4]
    again = run(tmp_path, ScriptedModel([]), OnlyAccepts("good"))
    assert isinstance(again, Accepted)
    assert again.conversation.spent.requests == 3


@pytest.mark.parametrize(
    "request_", [Request("other", ASK.messages), Request("system", (Message(Role.USER, "x"),))]
)
def test_a_trajectory_of_another_task_is_refused(request_: Request, tmp_path: Path) -> None:
    run(tmp_path, ScriptedModel([code("bad")]), OnlyAccepts("good"))
    with pytest.raises(InputError, match="another task"):
        TrajectoryFile(tmp_path / "t.json").begun(request_, "scripted")
    with pytest.raises(InputError, match="another task"):
        TrajectoryFile(tmp_path / "t.json").begun(ASK, "another model")


def test_a_silent_model_ends_the_attempt_with_its_reason(tmp_path: Path) -> None:
    assert run(tmp_path, ScriptedModel([]), OnlyAccepts("g")) == GaveUp(
        "script is over", Conversation(ASK.messages), unanswered=True
    )


def test_a_refusal_ends_the_attempt(tmp_path: Path) -> None:
    model = ScriptedModel([Reply("I cannot help with that.", finish=Finish.REFUSED)])
    attempt = run(tmp_path, model, OnlyAccepts("g"))
    assert isinstance(attempt, GaveUp)
    assert attempt.reason == "the model refuses to answer: I cannot help with that."
    assert len(model.asked) == 1


def test_an_answer_that_was_cut_off_is_asked_for_anew(tmp_path: Path) -> None:
    model = ScriptedModel([Reply("```cpp\nint", finish=Finish.LENGTH), code("good")])
    assert isinstance(run(tmp_path, model, OnlyAccepts("good")), Accepted)
    assert "cut off" in model.asked[1].messages[-1].text


def test_a_block_without_an_end_is_no_candidate(tmp_path: Path) -> None:
    unclosed = Reply("The error was\n```\nquoted\n```\nso:\n```cpp\nint a")
    model = ScriptedModel([unclosed, code("good")])
    verifier = OnlyAccepts("good")
    assert isinstance(run(tmp_path, model, verifier), Accepted)
    assert "no closing fence" in model.asked[1].messages[-1].text


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("no code", ""),
        ("```\na\n```", "a\n"),
        ("```cpp\nfirst\n```\ntext\n```python\nsecond\n```\n", "second\n"),
        ("```cpp\nnever closed\n", ""),
        ("````cpp\n// ```\na\n```\nb\n````\n", "// ```\na\n```\nb\n"),
        ("~~~python\na\n~~~\n", "a\n"),
        ("  ```\n  a\n    b\n  ```\n", "a\n  b\n"),
        ("1. The port:\n\n    ```python\n    a\n      b\n\n    ```\n", "a\n  b\n\n"),
        ("```cpp\r\na\r\n```\r\n", "a\n"),
        ("```cpp\na\n`````\n", "a\n"),
        ("```cpp\na\n~~~\n", ""),
        ("~~~~~ cpp `x`\n~~~\na\n~~~~~\n", "~~~\na\n"),
        ("```cpp\na\n    ```\nb\n```", "a\n    ```\nb\n"),
        ("```cpp\na\n``` b\n```", "a\n``` b\n"),
        ("```\nthe error\n```\nHere is the port:\n```cpp\nint a", ""),
        ("```one line```\n```cpp\na\n```", "a\n"),
        ("```cpp\n\n  \n```", ""),
        ("````\n```", ""),
        ("```\ra\r```\r", "a\n"),
    ],
)
def test_fenced_code(answer: str, expected: str) -> None:
    assert fenced_code(answer) == expected
