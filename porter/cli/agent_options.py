"""The options that choose a model, what it is asked for, and what it may cost."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from porter.agent.budget import Account, Budget, Ledger
from porter.agent.models.choose import choose_model
from porter.agent.models.keys import PROVIDERS, find_key
from porter.agent.models.remote import TimeLimits
from porter.agent.prices import parse_price
from porter.agent.protocols import Model
from porter.core.errors import InputError
from porter.pipeline.agent.agent import Agent
from porter.pipeline.agent.strategy import Strategy

_KINDS = ("none", "anthropic", "openai", "mailbox", "replay")
_AGENTS = "anthropic, openai (any server that speaks like it: --base-url), mailbox, replay or none"

AgentName = Annotated[
    str | None,
    typer.Option("--agent", help=f"model for what the compilers decline: {_AGENTS}", show_default="none"),
]
AgentModel = Annotated[
    list[str] | None,
    typer.Option("--agent-model", help="name of the model, or AGENT:NAME to mix agents (repeatable)"),
]
BaseUrl = Annotated[str | None, typer.Option("--base-url", help="server of the model, if not the vendor's")]
PriceOption = Annotated[
    str | None,
    typer.Option(
        "--price", help="of the models, in USD per million tokens: INPUT:OUTPUT", show_default=False
    ),
]
Mailbox = Annotated[
    Path | None, typer.Option("--mailbox", help="folder for --agent mailbox: questions out, answers in")
]
Replay = Annotated[
    Path | None, typer.Option("--replay", help="recorded trajectory that answers, for --agent replay")
]
AgentStrategy = Annotated[
    Strategy | None,
    typer.Option(
        "--strategy",
        help="compiler: the model only for what was declined or failed; agent: the model for all; "
        "race: both, and the better one that is verified",
        show_default="compiler",
    ),
]
Candidates = Annotated[
    int | None,
    typer.Option(
        "--candidates",
        min=1,
        help="ports that the models write of a task at once; from 2 on the best is improved",
        show_default="1, or one a model",
    ),
]
BudgetUsd = Annotated[
    float | None, typer.Option("--budget-usd", min=0, help="most that the run's requests may cost")
]
BudgetTokens = Annotated[
    int | None, typer.Option("--budget-tokens", min=0, help="most tokens of the run", show_default="2000000")
]
BudgetSteps = Annotated[
    int | None, typer.Option("--budget-steps", min=0, help="most requests a conversation", show_default="6")
]
BudgetSeconds = Annotated[
    float | None, typer.Option("--budget-seconds", min=0, help="no request after this time of the run")
]


@dataclass(frozen=True)
class AgentOptions:
    """What was given on the command line; None: not given."""

    name: str | None
    models: tuple[str, ...]
    base_url: str | None
    price: str | None
    mailbox: Path | None
    replay: Path | None
    strategy: Strategy | None
    candidates: int | None
    budget: Budget | None


def described(options: AgentOptions) -> str:
    """What of the options decides what is asked and taken: what they may cost does not. Empty: no agent."""
    kind = _kind(options)
    if kind == "none":
        return ""
    place = options.mailbox or options.replay or options.base_url or ""
    strategy = options.strategy or Strategy.COMPILER
    return f"{options.name or kind} {options.models} {place} {strategy} {options.candidates}"


def given_budget(
    usd: float | None, tokens: int | None, steps: int | None, seconds: float | None
) -> Budget | None:
    """None where no limit was given: the usual ones hold then."""
    if usd is None and tokens is None and steps is None and seconds is None:
        return None
    usual = Budget()
    return Budget(
        steps=usual.steps if steps is None else steps,
        tokens=usual.tokens if tokens is None else tokens,
        usd=usd,
        seconds=seconds,
    )


@dataclass(frozen=True)
class AgentMaker:
    """Makes the agent where it is to ask: models have connections, and keys do not travel."""

    options: AgentOptions
    account: Account

    def __call__(self) -> Agent | None:
        return chosen_agent(self.options, checked=True, account=self.account)


def chosen_agent(options: AgentOptions, *, checked: bool, account: Account | None = None) -> Agent | None:
    """None without `--agent`. What is spent goes to `account`, a ledger of its own without one.

    Raises InputError for options that do not go together, and where a key is missing, before any work.
    """
    kind = _kind(options)
    if kind == "none":
        _refuse_without_agent(options)
        return None
    if not checked:
        raise InputError(
            "--agent and --no-check do not go together", hint="a model's port counts only if it is checked"
        )
    models = _models(kind, options)
    if options.candidates is not None and options.candidates < len(models):
        raise InputError(
            f"--candidates {options.candidates} is less than the {len(models)} models",
            hint="leave out --candidates: each model writes one",
        )
    return Agent(
        models,
        account or Ledger(options.budget or Budget()),
        options.strategy or Strategy.COMPILER,
        options.candidates or len(models),
    )


def _kind(options: AgentOptions) -> str:
    """The agent that `--agent` names, or that another option can only mean."""
    name = options.name.partition(":")[0] if options.name else None
    if name is not None and name not in _KINDS:
        raise InputError(f"--agent {name}: there is no such agent", hint=f"one of {_AGENTS}")
    for option, value in (("mailbox", options.mailbox), ("replay", options.replay)):
        if value is not None and name not in (None, option):
            raise InputError(f"--{option} is for --agent {option}, not for --agent {name}")
    if options.mailbox is not None and options.replay is not None:
        raise InputError("--mailbox and --replay do not go together", hint="leave out one of them")
    implied = "mailbox" if options.mailbox else "replay" if options.replay else "none"
    return name or implied


def _refuse_without_agent(options: AgentOptions) -> None:
    given = {
        "--agent-model": options.models,
        "--base-url": options.base_url,
        "--price": options.price,
        "--strategy": options.strategy,
        "--candidates": options.candidates,
        _limit_in(options.budget): options.budget,
    }
    for option, value in given.items():
        if value not in (None, ()):
            raise InputError(f"{option} is for --agent, which is not given", hint=f"--agent {_AGENTS}")


def _limit_in(budget: Budget | None) -> str:
    """The option that gave a limit of its own: the first one that is not the usual one."""
    given, usual = asdict(budget or Budget()), asdict(Budget())
    return f"--budget-{next((name for name in given if given[name] != usual[name]), 'steps')}"


def _models(kind: str, options: AgentOptions) -> tuple[Model, ...]:
    if kind in ("mailbox", "replay"):
        return (_only(kind, options),)
    names = options.models or ((options.name or "").partition(":")[2],)
    choices = [name if name.partition(":")[0] in _KINDS else f"{kind}:{name}" for name in names]
    if "openai:" in choices:
        raise InputError("--agent openai needs the name of a model", hint="--agent-model NAME")
    price = parse_price(options.price) if options.price else None
    budget = options.budget or Budget()
    seconds = min(TimeLimits.answer_seconds, budget.seconds or TimeLimits.answer_seconds)
    models = [
        choose_model(choice, options.base_url, price=price, budget_usd=budget.usd, answer_seconds=seconds)
        for choice in choices
    ]
    if options.base_url is None:
        _check_keys(choices)
    return tuple(model for model in models if model is not None)


def _check_keys(choices: list[str]) -> None:
    """A key that is missing is told at once, not after the compilers' work."""
    kinds = {choice.partition(":")[0] for choice in choices}
    for provider in PROVIDERS:
        if provider.name in kinds and find_key(provider) is None:
            raise InputError(
                f"--agent {provider.name}: {provider.variable} is not set, and the key ring has no key",
                hint="export the key, name a server with --base-url, or leave out --agent",
            )


def _only(kind: str, options: AgentOptions) -> Model:
    """A mailbox or a recorded trajectory: there is one, and no name of a model."""
    for option, value in (
        ("--agent-model", options.models),
        ("--base-url", options.base_url),
        ("--price", options.price),
    ):
        if value:
            raise InputError(f"{option} is for --agent anthropic and openai, not for --agent {kind}")
    place = options.mailbox if kind == "mailbox" else options.replay
    named = str(place or "") or (options.name or "").partition(":")[2]
    if not named:
        raise InputError(f"--agent {kind} needs a place", hint=f"--{kind} PATH")
    if kind == "replay" and not Path(named).exists():
        raise InputError(f"--replay {named}: there is no such file")
    seconds = options.budget.seconds if options.budget else None
    model = choose_model(f"{kind}:{named}", mailbox_seconds=3600.0 if seconds is None else seconds)
    if model is None:
        raise InputError(f"--agent {kind} cannot be used")
    return model
