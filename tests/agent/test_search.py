"""The search with scripted models: which candidate it takes, what it asks next, and when it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from porter.agent.budget import Budget, Ledger
from porter.agent.protocols import (
    Feedback,
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
from porter.agent.search import Candidate, Found, Problem, Question, Seat, search, seats_for

ANSWER = "```\n{}\n```\n"


@dataclass
class Answering:
    """Answers each question from `answers`, those of later samples behind those of earlier ones."""

    answers: dict[str, list[str]]
    name: str = "scripted"
    asked: list[tuple[str, int]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def most_cost_usd(self, _request: Request, /) -> float | None:
        return 0.0

    def respond(self, request: Request) -> Reply:
        question = request.messages[0].text
        with self._lock:
            self.asked.append((question, request.sample))
        answers = self.answers.get(question, [])
        if len(request.messages) > 1 or request.sample >= len(answers):
            raise ModelUnavailable("script is over")
        return Reply(ANSWER.format(answers[request.sample]), Usage(10, 1), cost_usd=0.0)


@dataclass(frozen=True)
class Timed:
    """Accepts what has a time."""

    times: dict[str, float | None]

    def check(self, candidate: str) -> Feedback:
        text = candidate.strip()
        return Feedback(text in self.times, "no" * (text not in self.times), self.times.get(text))


class NoTools:
    specs: tuple[ToolSpec, ...] = ()

    def call(self, call: ToolCall) -> ToolResult:
        return ToolResult(call.id, "none", is_error=True)


def question(text: str) -> Question:
    return Question("port" if text == "port" else "tune", Request("", (Message(Role.USER, text),)))


def faster(candidate: Candidate) -> Question:
    return question(f"faster than {candidate.text.strip()}")


def find(
    folder: Path,
    model: Answering,
    times: dict[str, float | None],
    *,
    n: int = 2,
    start: Candidate | None = None,
    improve: Callable[[Candidate], Question | None] = faster,
    budget: Budget | None = None,
    rounds: int = 4,
) -> Found:
    problem = Problem("k", question("port"), improve, NoTools(), Timed(times), start)
    ledger = Ledger(budget or Budget(steps=1))
    return search(problem, seats_for((model,), n), ledger, folder, rounds=rounds)


def test_models_take_turns_and_a_second_answer_is_at_a_higher_temperature() -> None:
    a, b = Answering({}, "a"), Answering({}, "b")
    assert seats_for((a, b), 5) == (
        Seat(a, None, 0),
        Seat(b, None, 0),
        Seat(a, 1.0, 1),
        Seat(b, 1.0, 1),
        Seat(a, 1.0, 2),
    )


def test_one_candidate_is_taken_as_it_is(tmp_path: Path) -> None:
    model = Answering({"port": ["a"], "faster than a": ["b"]})
    found = find(tmp_path, model, {"a": 2.0, "b": 1.0}, n=1)
    assert found.best == Candidate("a\n", 2.0)
    assert model.asked == [("port", 0)]


def test_the_search_goes_on_from_the_best_until_nothing_is_better(tmp_path: Path) -> None:
    answers = {
        "port": ["a", "wrong", "b"],
        "faster than b": ["wrong", "c", "d"],
        "faster than c": ["e", "e", "wrong"],
    }
    model = Answering(answers)
    found = find(tmp_path, model, {"a": 9.0, "b": 6.0, "c": 3.0, "d": 4.0, "e": 2.99}, n=3)
    assert found.best == Candidate("c\n", 3.0)
    assert found.end == "a further round brought nothing better"
    assert sorted({q for q, _ in model.asked}) == ["faster than b", "faster than c", "port"]
    assert [t.candidate.text.strip() if t.candidate else None for t in found.tried] == [
        *("a", None, "b"),
        *(None, "c", "d"),
        *("e", "e", None),
    ]


def test_what_is_there_already_is_gone_on_from_and_not_given_out(tmp_path: Path) -> None:
    answers = {"port": ["a", "a"], "faster than mine": ["b", "wrong"]}
    found = find(tmp_path, Answering(answers), {"a": 9.0, "b": 4.0}, start=Candidate("mine", 5.0), rounds=1)
    assert found.best == Candidate("b\n", 4.0)
    assert found.end == "1 rounds of improvements were made"
    only = find(tmp_path / "2", Answering({"port": ["a", "a"]}), {"a": 9.0}, start=Candidate("mine", 5.0))
    assert only.best == Candidate("a\n", 9.0)


@pytest.mark.parametrize(
    ("times", "improve", "end"),
    [
        ({"a": 1.0}, lambda _: None, "by the roofline model nothing is left to be gained"),
        ({"a": None}, faster, "no time is predicted, by which one could be preferred"),
        ({}, faster, "no candidate was accepted"),
    ],
)
def test_why_a_search_ends(
    times: dict[str, float | None],
    improve: Callable[[Candidate], Question | None],
    end: str,
    tmp_path: Path,
) -> None:
    model = Answering({"port": ["a", "a"]})
    found = find(tmp_path, model, times, improve=improve)
    assert found.end == end
    assert (found.best is not None) == bool(times)
    assert {q for q, _ in model.asked} == {"port"}


def test_a_spent_budget_keeps_what_was_found(tmp_path: Path) -> None:
    model = Answering({"port": ["a", "a"], "faster than a": ["b", "b"]})
    found = find(tmp_path, model, {"a": 2.0, "b": 1.0}, budget=Budget(steps=1, tokens=20))
    assert found.best == Candidate("a\n", 2.0)
    assert {q for q, _ in model.asked} == {"port"}
    assert "the budget of 20 tokens is used up" in str(found.tried[-1].attempt)


def test_the_same_search_again_asks_nothing(tmp_path: Path) -> None:
    answers = {"port": ["a", "b"], "faster than b": ["c", "wrong"], "faster than c": ["wrong", "wrong"]}
    times: dict[str, float | None] = {"a": 9.0, "b": 6.0, "c": 3.0}
    first = find(tmp_path, Answering(answers), times)
    silent = Answering({})
    second = find(tmp_path, silent, times)
    assert silent.asked == []
    assert (
        (second.best, second.end)
        == (first.best, first.end)
        == (
            Candidate("c\n", 3.0),
            "a further round brought nothing better",
        )
    )
