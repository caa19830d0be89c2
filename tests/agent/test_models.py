import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from porter.agent.models.cached import CachedModel
from porter.agent.models.choose import choose_model
from porter.agent.models.mailbox import MailboxModel
from porter.agent.models.remote import RemoteModel
from porter.agent.prices import Price
from porter.agent.protocols import (
    Finish,
    Message,
    Model,
    ModelUnavailable,
    Reply,
    Request,
    Role,
    ToolCall,
    Usage,
)
from porter.agent.trajectory import TrajectoryFile
from porter.core.errors import PorterError

ASK = Request("rules", (Message(Role.USER, "port this"),))


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr("porter.agent.models.keys._from_key_ring", lambda provider: None)
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path / "cache"))


def price_of(model: Model | None) -> Price | None:
    inner = model.model if isinstance(model, CachedModel) else model
    assert isinstance(inner, RemoteModel)
    return inner.price


@pytest.mark.parametrize("choice", ["anthropic", "openai:gpt"])
def test_no_key_is_said_clearly(choice: str) -> None:
    model = choose_model(choice)
    assert model is not None
    with pytest.raises(ModelUnavailable, match="_API_KEY is not set"):
        model.respond(ASK)


@pytest.mark.parametrize("choice", ["gpt", "openai", "mailbox:", "replay:", "none:x"])
def test_unknown_agents_are_refused_with_the_list(choice: str) -> None:
    with pytest.raises(PorterError) as error:
        choose_model(choice)
    assert "mailbox:DIRECTORY" in error.value.hint


def test_none_is_no_model() -> None:
    assert choose_model("none") is None


def test_the_mailbox_is_chosen(tmp_path: Path) -> None:
    model = choose_model(f"mailbox:{tmp_path}", mailbox_seconds=0.0, budget_usd=1.0)
    assert isinstance(model, MailboxModel)
    assert (model.directory, model.patience_seconds) == (tmp_path, 0.0)


@pytest.mark.parametrize(
    ("choice", "base_url", "price"),
    [
        ("anthropic:claude-haiku-4-5", None, Price(1.0, 5.0, 0.1, 1.25)),
        ("anthropic:claude-haiku-4-5-20251001", None, Price(1.0, 5.0, 0.1, 1.25)),
        ("anthropic:claude-of-tomorrow", None, None),
        ("openai:qwen", "http://localhost:8000/v1", Price(0.0, 0.0, 0.0, 0.0)),
        ("openai:qwen", "http://192.168.1.7:8000/v1", Price(0.0, 0.0, 0.0, 0.0)),
        ("openai:qwen", "http://gpu-box:8000/v1", Price(0.0, 0.0, 0.0, 0.0)),
        ("openai:qwen", "https://models.example.com/v1", None),
        ("anthropic:claude-haiku-4-5", "https://models.example.com", None),
    ],
)
def test_the_price_is_the_tables_and_own_servers_are_free(
    choice: str, base_url: str | None, price: Price | None
) -> None:
    assert price_of(choose_model(choice, base_url)) == price
    mine = Price(7.0, 8.0, 7.0, 7.0)
    assert price_of(choose_model(choice, base_url, price=mine)) == mine


def test_a_budget_in_usd_needs_a_price() -> None:
    with pytest.raises(PorterError, match="price of openai:gpt-of-tomorrow is not known") as error:
        choose_model("openai:gpt-of-tomorrow", budget_usd=0.5)
    assert "--price INPUT:OUTPUT" in error.value.hint
    assert choose_model("openai:gpt-of-tomorrow", price=Price(1, 2, 1, 1), budget_usd=0.5)


@pytest.mark.parametrize(
    ("budget_usd", "tokens"), [(None, 32_000), (0.5, 12_500), (0.01, 4000), (100.0, 32_000)]
)
def test_an_answer_may_take_half_of_the_budget(budget_usd: float | None, tokens: int) -> None:
    model = choose_model("anthropic:claude-opus-5-5", budget_usd=budget_usd, cached=False)
    assert isinstance(model, RemoteModel)
    assert model.most_output_tokens == tokens
    most = model.most_cost_usd(ASK)
    assert most is not None
    assert most > tokens * 20e-6


@pytest.mark.parametrize(
    "base_url",
    [
        "localhost:8000",
        "ftp://x/v1",
        "http://",
        "http://x:port/v1",
        "https://me:sk-secret-key-1@example.com/v1",
        "https://example.com/v1?key=sk-secret-key-1",
    ],
)
def test_an_address_that_is_none_or_gives_a_key_away_is_refused(base_url: str) -> None:
    with pytest.raises(PorterError) as error:
        choose_model("openai:m", base_url)
    assert "sk-secret" not in error.value.message + error.value.hint


def test_a_key_does_not_travel_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_model("openai:m", "http://models.example.com/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    with pytest.raises(PorterError, match="in the clear"):
        choose_model("openai:m", "http://models.example.com/v1")
    assert choose_model("openai:m", "https://models.example.com/v1")


@pytest.mark.parametrize("choice", ["mailbox:x", "replay:x", "none"])
def test_an_address_without_a_server_is_refused(choice: str) -> None:
    with pytest.raises(PorterError, match="--base-url is for"):
        choose_model(choice, "http://localhost:1/v1")


def test_a_saved_trajectory_replays(tmp_path: Path) -> None:
    path = tmp_path / "60-agent.traj.json"
    trajectory = TrajectoryFile(path)
    conversation = trajectory.begun(ASK, "scripted").answered(Reply("first", Usage(1, 1)))
    trajectory.save(conversation)
    model = choose_model(f"replay:{path}")
    assert model is not None
    assert model.respond(ASK).text == "first"
    with pytest.raises(ModelUnavailable, match="only 1 answers"):
        model.respond(replace(ASK, messages=(*conversation.messages, Message(Role.USER, "again"))))


def test_a_file_that_is_no_trajectory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[]")
    model = choose_model(f"replay:{path}")
    assert model is not None
    with pytest.raises(PorterError, match="not a porter-trajectory-2 file"):
        model.respond(ASK)


class Counting:
    name = "counting"

    def __init__(self) -> None:
        self.asked = 0

    def most_cost_usd(self, request: Request) -> float | None:
        return 0.5

    def respond(self, request: Request) -> Reply:
        self.asked += 1
        call = ToolCall("a", "facts", {"n": self.asked}, "")
        return Reply("text", Usage(10, 5), (call,), Finish.LENGTH, 0.25, "opaque")


def test_a_kept_answer_is_the_same_and_costs_nothing(tmp_path: Path) -> None:
    inner = Counting()
    first = CachedModel(inner, tmp_path / "answers").respond(ASK)
    again = CachedModel(inner, tmp_path / "answers")
    assert again.most_cost_usd(ASK) == 0.0
    assert again.respond(ASK) == replace(first, usage=Usage(), cost_usd=0.0)
    assert (first.cost_usd, inner.asked) == (0.25, 1)


def test_of_several_that_ask_the_same_at_once_one_pays(tmp_path: Path) -> None:
    """The model takes its time, so that all four ask before it has answered."""
    started = threading.Barrier(4)

    class Slow(Counting):
        def respond(self, request: Request) -> Reply:
            time.sleep(0.2)
            return super().respond(request)

    def ask(model: CachedModel) -> Reply:
        started.wait(60)
        return model.respond(ASK)

    inner = Slow()
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(ask, [CachedModel(inner, tmp_path)] * 4))
    assert inner.asked == 1
    assert sorted(reply.cost_usd or 0.0 for reply in replies) == [0.0, 0.0, 0.0, 0.25]
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]


def test_who_waits_asks_when_the_first_has_no_answer(tmp_path: Path) -> None:
    class Failing(Counting):
        def respond(self, request: Request) -> Reply:
            if not self.asked:
                self.asked += 1
                raise ModelUnavailable("no")
            return super().respond(request)

    model = CachedModel(Failing(), tmp_path)
    with pytest.raises(ModelUnavailable):
        model.respond(ASK)
    assert model.respond(ASK).text == "text"


@pytest.mark.parametrize(
    "other",
    [
        replace(ASK, sample=1),
        replace(ASK, temperature=0.5),
        replace(ASK, system="other rules"),
        replace(ASK, messages=(Message(Role.USER, "port that"),)),
    ],
    ids=["sample", "temperature", "system", "message"],
)
def test_another_request_is_asked(other: Request, tmp_path: Path) -> None:
    inner = Counting()
    model = CachedModel(inner, tmp_path)
    model.respond(ASK)
    assert model.most_cost_usd(other) == 0.5
    model.respond(other)
    assert inner.asked == 2


def test_a_damaged_answer_is_asked_for_again(tmp_path: Path) -> None:
    inner = Counting()
    model = CachedModel(inner, tmp_path)
    model.respond(ASK)
    (path,) = tmp_path.glob("*.json")
    for damage in ("", "{}", "[]", '{"reply": {"text": 1}}'):
        path.write_text(damage)
        assert model.respond(ASK).text == "text"
    assert inner.asked == 5
