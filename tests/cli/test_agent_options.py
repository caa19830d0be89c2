"""The options that choose a model: what they mean together, and what is refused before any work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from porter.agent.budget import Budget
from porter.cli.agent_options import AgentOptions, chosen_agent, given_budget
from porter.core.errors import InputError, PorterError
from porter.pipeline.agent.strategy import Strategy

NONE = AgentOptions(
    name=None,
    models=(),
    base_url=None,
    price=None,
    mailbox=None,
    replay=None,
    strategy=None,
    candidates=None,
    budget=None,
)
OWN = "http://localhost:1/v1"
MIX = ("one", "anthropic:two")


def test_without_an_agent_no_model_is_asked() -> None:
    assert chosen_agent(NONE, checked=True) is None
    assert chosen_agent(replace(NONE, name="none"), checked=False) is None


def test_a_mailbox_needs_no_other_option(tmp_path: Path) -> None:
    agent = chosen_agent(replace(NONE, mailbox=tmp_path), checked=True)
    assert agent is not None
    assert [model.name for model in agent.models] == [f"mailbox:{tmp_path}"]
    assert (agent.strategy, agent.candidates, agent.account.budget) == (
        Strategy.COMPILER,
        1,
        Budget(),
    )
    named = chosen_agent(replace(NONE, name=f"mailbox:{tmp_path}"), checked=True)
    assert named is not None
    assert named.models == agent.models


def test_models_are_mixed() -> None:
    options = replace(NONE, name="openai", models=MIX, base_url=OWN, strategy=Strategy.RACE)
    agent = chosen_agent(options, checked=True)
    assert agent is not None
    assert [model.name for model in agent.models] == [f"openai:one at {OWN}", f"anthropic:two at {OWN}"]
    assert (agent.strategy, agent.candidates) == (Strategy.RACE, 2)
    more = chosen_agent(replace(options, candidates=5), checked=True)
    assert more is not None
    assert more.candidates == 5


def test_a_limit_leaves_the_usual_ones_in_force() -> None:
    assert given_budget(None, None, None, None) is None
    assert given_budget(0.5, None, 3, None) == Budget(steps=3, tokens=Budget().tokens, usd=0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (replace(NONE, name="genie"), "--agent genie: there is no such agent"),
        (replace(NONE, name="openai"), "--agent openai needs the name of a model"),
        (replace(NONE, name="mailbox"), "--agent mailbox needs a place"),
        (replace(NONE, replay=Path("/nowhere.json")), "--replay /nowhere.json: there is no such file"),
        (replace(NONE, name="openai:m", mailbox=Path("box")), "--mailbox is for --agent mailbox"),
        (replace(NONE, mailbox=Path("a"), replay=Path("b")), "--mailbox and --replay do not go together"),
        (
            replace(NONE, mailbox=Path("a"), models=("m",)),
            "--agent-model is for --agent anthropic and openai",
        ),
        (replace(NONE, mailbox=Path("a"), base_url=OWN), "--base-url is for --agent anthropic and openai"),
        (replace(NONE, models=("m",)), "--agent-model is for --agent, which is not given"),
        (replace(NONE, strategy=Strategy.RACE), "--strategy is for --agent, which is not given"),
        (replace(NONE, candidates=3), "--candidates is for --agent, which is not given"),
        (replace(NONE, budget=Budget(usd=1.0)), "--budget-usd is for --agent, which is not given"),
        (replace(NONE, budget=Budget(seconds=9.0)), "--budget-seconds is for --agent, which is not given"),
        (
            replace(NONE, name="openai", models=MIX, base_url=OWN, candidates=1),
            "--candidates 1 is less than the 2 models",
        ),
        (
            replace(NONE, name="openai:unheard-of", budget=Budget(usd=1.0)),
            "the price of openai:unheard-of is not known",
        ),
    ],
)
def test_what_does_not_go_together(options: AgentOptions, message: str) -> None:
    with pytest.raises(PorterError) as error:
        chosen_agent(options, checked=True)
    assert message in str(error.value)


def test_a_price_makes_a_budget_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    options = replace(NONE, name="openai:unheard-of", price="3:15", budget=Budget(usd=1.0))
    assert chosen_agent(options, checked=True) is not None


def test_a_key_that_is_missing_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr("porter.agent.models.keys._from_key_ring", lambda _provider: None)
    with pytest.raises(InputError, match="OPENAI_API_KEY is not set"):
        chosen_agent(replace(NONE, name="openai:m"), checked=True)
    assert chosen_agent(replace(NONE, name="openai:m", base_url=OWN), checked=True) is not None


def test_a_port_that_is_not_checked_is_not_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--agent and --no-check do not go together"):
        chosen_agent(replace(NONE, mailbox=tmp_path), checked=False)
