"""`--agent NAME` to a Model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from porter.agent.models.addresses import checked_address, is_own
from porter.agent.models.cached import CachedModel
from porter.agent.models.failures import Asked, Feature
from porter.agent.models.keys import ANTHROPIC, OPENAI, Key, Provider, find_key
from porter.agent.models.mailbox import MailboxModel, on_stderr
from porter.agent.models.received import Received
from porter.agent.models.remote import RemoteModel, TimeLimits, Wire
from porter.agent.models.replay import ReplayModel
from porter.agent.models.retries import Patience
from porter.agent.prices import MOST_OUTPUT_TOKENS, Price, listed_price
from porter.agent.protocols import Model, ModelUnavailable, Request
from porter.core.cache import cache_directory
from porter.core.errors import InputError, PorterError

CHOICES = "none, anthropic[:MODEL], openai:MODEL, mailbox:DIRECTORY, replay:TRAJECTORY"
DEFAULT_ANTHROPIC = "claude-sonnet-5-5"

_LEAST_OUTPUT_TOKENS = 4000
_FREE = Price(0.0, 0.0, 0.0, 0.0)
_NO_KEY = "none"
"""A server of one's own wants no key, but the SDKs insist on one."""


def choose_model(
    choice: str,
    base_url: str | None = None,
    *,
    price: Price | None = None,
    budget_usd: float | None = None,
    cached: bool = True,
    mailbox_seconds: float = 3600.0,
    tell: Callable[[str], None] = on_stderr,
    patience: Patience | None = None,
    answer_seconds: float = TimeLimits.answer_seconds,
) -> Model | None:
    """What `--agent` names; None for `none`, which is the default.

    - `base_url` is --base-url, for `anthropic` and `openai` only.
    - `price` is --price, read with prices.parse_price. Without it the price is that of prices.toml; a server
      on this machine or in its network is free; any other price is not known, and costs are then None.
    - `budget_usd` is --budget-usd, so that it is refused at once where no price is known, and answers are no
      longer than it can pay. Budget(usd=…) keeps it.
    - `cached`: answers are kept on disk, and the same request with the same `sample` is not paid twice.
    - `mailbox_seconds` is how long each answer is waited for, and `tell` says where it is awaited.
    - `answer_seconds` bounds one answer of a server, from its first part on; for runs with a limit of time.

    Raises PorterError for anything that CHOICES does not list, and for options that do not go together. A key
    that is missing is only said when the model is asked: a run whose answers are all kept needs none.
    The SDKs are imported only when they are chosen: they cost a second each.
    """
    kind, _, rest = choice.partition(":")
    if base_url and kind not in ("anthropic", "openai"):
        raise InputError(f"--base-url is for anthropic and openai, not for --agent {choice}")
    match kind, rest:
        case "none", "":
            return None
        case "anthropic", _:
            model = _remote(ANTHROPIC, rest or DEFAULT_ANTHROPIC, base_url, price, patience, answer_seconds)
        case "openai", name if name:
            model = _remote(OPENAI, name, base_url, price, patience, answer_seconds)
        case "mailbox", directory if directory:
            return MailboxModel(Path(directory), mailbox_seconds, tell=tell)
        case "replay", trajectory if trajectory:
            return ReplayModel(Path(trajectory))
        case _:
            raise PorterError(f"unknown agent {choice!r}", hint=f"one of: {CHOICES}")
    if budget_usd is not None and model.price is None:
        raise InputError(
            f"the price of {model.name} is not known, so that no budget in USD can be kept",
            hint="give it in USD per million tokens: --price INPUT:OUTPUT (0:0 for what costs nothing)",
        )
    model.most_output_tokens = _affordable_tokens(model.price, budget_usd)
    return CachedModel(model, cache_directory("answers")) if cached else model


def _affordable_tokens(price: Price | None, budget_usd: float | None) -> int:
    """Of one answer: all of it may cost half of the budget, so that a second can follow."""
    if not price or not price.output or budget_usd is None:
        return MOST_OUTPUT_TOKENS
    half = int(budget_usd / 2 / price.output * 1e6)
    return min(max(half, _LEAST_OUTPUT_TOKENS), MOST_OUTPUT_TOKENS)


def _remote(
    provider: Provider,
    model: str,
    base_url: str | None,
    price: Price | None,
    patience: Patience | None,
    answer_seconds: float,
) -> RemoteModel:
    key = find_key(provider)
    address = checked_address(base_url, has_key=key is not None) if base_url else None
    own = address is not None and is_own(address)
    if price is None:
        price = _FREE if own else None if address else listed_price(provider.name, model)
    silence = min(TimeLimits.silence_seconds, answer_seconds)
    limits = TimeLimits(silence_seconds=silence, answer_seconds=answer_seconds)
    wire, features = _wire(provider, model, address, key, limits)
    optional = features if address else features - {Feature.TOOLS}
    asked = Asked(provider.name, model, address, key)
    return RemoteModel(asked, wire, price, features, optional, patience or Patience())


def _wire(
    provider: Provider, model: str, address: str | None, key: Key | None, limits: TimeLimits
) -> tuple[Wire, frozenset[Feature]]:
    if key is None and address is None:
        return _WithoutKey(provider), frozenset()
    value = key.value if key else _NO_KEY
    if provider is ANTHROPIC:
        from porter.agent.models import anthropic_model

        return anthropic_model.AnthropicWire(model, address, value, limits), anthropic_model.FEATURES
    from porter.agent.models import openai_model

    newer = frozenset() if address else frozenset({Feature.MAX_COMPLETION_TOKENS})
    return openai_model.OpenAIWire(model, address, value, limits), openai_model.FEATURES | newer


@dataclass(frozen=True)
class _WithoutKey:
    provider: Provider

    def read(
        self, _request: Request, _sent: frozenset[Feature], _most_tokens: int, _received: Received
    ) -> None:
        raise ModelUnavailable(
            f"{self.provider.variable} is not set, and the key ring has no key of {self.provider.name}",
            hint="export the key, name a server with --base-url, or use --agent none",
        )
