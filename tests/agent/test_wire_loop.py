"""The whole loop against a server on loopback: nothing is lost or paid twice, the trajectory is valid."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from porter.agent.budget import Budget, Ledger
from porter.agent.loop import Accepted, Attempt, GaveUp, solve
from porter.agent.models.choose import choose_model
from porter.agent.models.retries import Patience
from porter.agent.prices import Price
from porter.agent.protocols import Feedback, Message, Request, Role, ToolCall, ToolResult, ToolSpec
from porter.agent.trajectory import TrajectoryFile, recorded_answers
from tests.agent.model_server import Fail, ModelServer, Say, Step, model_server

KEY = "sk-test-0123456789abcdef"
ASK = Request("the rules", (Message(Role.USER, "port this"),))
PROVIDERS = pytest.mark.parametrize("provider", ["anthropic", "openai"])
GOOD = Say("", (("s", "submit", '{"text": "good"}'),), usage=(1000, 100, 0, 0))
BAD = Say("```cpp\nbad\n```\n", usage=(1000, 100, 0, 0))
LOOK = Say("", (("a", "facts", '{"kernel": "k"}'),), usage=(1000, 100, 0, 0))
PRICE = Price(10.0, 100.0, 1.0, 12.5)
COST = 0.02
"""Of each of these answers at that price."""


@dataclass
class OnlyGood:
    checked: list[str] = field(default_factory=list)

    def check(self, candidate: str) -> Feedback:
        self.checked.append(candidate.strip())
        return Feedback(candidate.strip() == "good", "y[3] is wrong")


@dataclass
class Facts:
    specs: tuple[ToolSpec, ...] = (ToolSpec("facts", "facts of a kernel", {"type": "object"}),)

    def call(self, call: ToolCall) -> ToolResult:
        return ToolResult(call.id, f"{call.name}: {call.malformed or dict(call.arguments)}")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModelServer]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path / "cache"))
    with model_server() as running:
        yield running


def run(
    server: ModelServer,
    provider: str,
    path: Path,
    *steps: Step,
    budget: Budget | None = None,
    cached: bool = False,
) -> Attempt:
    server.steps[:] = steps
    model = choose_model(
        f"{provider}:m",
        server.base_url(provider),
        price=PRICE,
        cached=cached,
        patience=Patience(sleep=lambda _: None),
    )
    assert model is not None
    attempt = solve(ASK, model, Facts(), OnlyGood(), TrajectoryFile(path), Ledger(budget or Budget()))
    said = attempt.conversation.messages
    assert TrajectoryFile(path).begun(ASK, model.name) == attempt.conversation
    assert recorded_answers(path) == tuple(m for m in said if m.role is Role.ASSISTANT)
    assert KEY not in path.read_text()
    return attempt


@PROVIDERS
def test_all_that_can_happen_in_one_run(provider: str, server: ModelServer, tmp_path: Path) -> None:
    malformed = Say("", (("b", "facts", '{"kernel": '),))
    cut = Say("```cpp\ngood\n```\n", cut_after=3)
    steps = (Fail(429, {}), LOOK, malformed, Fail(500, {}), BAD, cut, GOOD)
    attempt = run(server, provider, tmp_path / "t.json", *steps)
    assert isinstance(attempt, Accepted)
    assert attempt.candidate == "good"
    assert attempt.conversation.spent.requests == 5  # the lost one is one of them
    results = [r.text for m in attempt.conversation.messages for r in m.results]
    assert results[:2] == ["facts: {'kernel': 'k'}", 'facts: {"kernel": ']


@PROVIDERS
def test_a_lost_answer_is_paid_and_no_verdict(provider: str, server: ModelServer, tmp_path: Path) -> None:
    cut = Say("```cpp\ngood\n```\n", cut_after=3)
    attempt = run(server, provider, tmp_path / "t.json", cut, cut, cut, GOOD)
    assert isinstance(attempt, GaveUp)
    assert "3 times" in attempt.reason
    assert len(attempt.conversation.messages) == 1
    spent = attempt.conversation.spent
    assert spent.requests == 3
    assert spent.cost_usd is not None
    assert spent.cost_usd > 0.0
    again = run(server, provider, tmp_path / "t.json", GOOD)
    assert isinstance(again, Accepted)
    assert again.conversation.spent.cost_usd == pytest.approx(spent.cost_usd + COST)


@PROVIDERS
def test_the_budget_in_usd_is_not_overrun(provider: str, server: ModelServer, tmp_path: Path) -> None:
    # An answer may cost 3.2 for 32000 tokens and a little for the prompt.
    attempt = run(server, provider, tmp_path / "t.json", *([BAD] * 9), budget=Budget(steps=9, usd=3.28))
    assert isinstance(attempt, GaveUp)
    assert "next request may cost" in attempt.reason
    spent = attempt.conversation.spent
    assert spent.requests == len(server.asked) >= 1
    assert spent.cost_usd == pytest.approx(COST * spent.requests)
    assert spent.cost_usd <= 3.28


@PROVIDERS
def test_a_refusal_ends_the_loop(provider: str, server: ModelServer, tmp_path: Path) -> None:
    finish = "refusal" if provider == "anthropic" else "stop"
    attempt = run(server, provider, tmp_path / "t.json", Say("", finish=finish, refusal="not this"), GOOD)
    assert isinstance(attempt, GaveUp)
    assert "refuses to answer: not this" in attempt.reason
    assert len(server.asked) == 1


@PROVIDERS
def test_a_server_that_stays_away_ends_the_loop(provider: str, server: ModelServer, tmp_path: Path) -> None:
    attempt = run(server, provider, tmp_path / "t.json", LOOK, *([Fail(503, {})] * 9))
    assert isinstance(attempt, GaveUp)
    assert "tried 6 times" in attempt.reason
    assert len(attempt.conversation.messages) == 3
    assert isinstance(run(server, provider, tmp_path / "t.json", GOOD), Accepted)
    assert len(server.asked) == 1 + 6 + 1


@PROVIDERS
def test_a_repeated_run_is_not_paid_twice(provider: str, server: ModelServer, tmp_path: Path) -> None:
    first = run(server, provider, tmp_path / "1.json", LOOK, BAD, GOOD, cached=True)
    second = run(server, provider, tmp_path / "2.json", cached=True)
    assert isinstance(second, Accepted)
    assert len(server.asked) == 3
    assert second.conversation.messages == first.conversation.messages
    assert (first.conversation.spent.cost_usd, second.conversation.spent.cost_usd) == (
        pytest.approx(3 * COST),
        0.0,
    )
    kept = "".join(p.read_text() for p in (tmp_path / "cache").rglob("*.json"))
    assert json.dumps("bad")[1:-1] in kept
    assert KEY not in kept
