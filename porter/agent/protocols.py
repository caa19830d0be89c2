"""The three things the loop gets from outside: a model, its tools, and a verifier.

The loop trusts none of the model's words: only what the verifier accepts counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from porter.core.errors import PorterError


class Role(str, Enum):
    """Who speaks. What the system says stands in the request itself."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True)
class ToolSpec:
    """A tool as the model is told of it; `parameters` is a JSON Schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """One call that the model asks for. `malformed` is its text where that is no JSON object; the arguments
    are then empty."""

    id: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    malformed: str = ""


@dataclass(frozen=True)
class ToolResult:
    """The answer to the call of this id."""

    call_id: str
    text: str
    is_error: bool = False


@dataclass(frozen=True)
class Message:
    """An assistant's message may call tools; the user's message after it has a result for each call.

    `opaque` is what the model's provider wants back unchanged with an assistant's message (signed blocks of
    thought); nobody else reads it.
    """

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    opaque: str = ""


@dataclass(frozen=True)
class Usage:
    """Tokens, as the provider counted them. `input_tokens` counts those that no cache had."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    @property
    def total(self) -> int:
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )


@dataclass(frozen=True)
class Request:
    """All that a model is told. Equal requests may be answered from a cache: `sample` keeps candidates that
    are asked the same apart."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    temperature: float | None = None
    sample: int = 0


class Finish(str, Enum):
    """Why the model stopped."""

    COMPLETE = "complete"
    LENGTH = "length"
    REFUSED = "refused"


@dataclass(frozen=True)
class Reply:
    """One answer. `cost_usd` is None where no price is known; `opaque` goes into the message as it is."""

    text: str
    usage: Usage = field(default_factory=Usage)
    calls: tuple[ToolCall, ...] = ()
    finish: Finish = Finish.COMPLETE
    cost_usd: float | None = None
    opaque: str = ""


@dataclass(frozen=True)
class Feedback:
    """What the harness says of a candidate; `message` is all the model learns of it.

    `predicted_us` ranks candidates that were accepted: microseconds on the target; None where no model says.
    """

    accepted: bool
    message: str
    predicted_us: float | None = None


class ModelUnavailable(PorterError):
    """The model cannot be reached, or has no more recorded answers."""


class AnswerLost(ModelUnavailable):
    """An answer broke off. What had come is paid for: `usage` and `cost_usd` count like an answer's."""

    def __init__(self, message: str, usage: Usage, cost_usd: float | None, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.usage = usage
        self.cost_usd = cost_usd


class Model(Protocol):
    @property
    def name(self) -> str: ...

    def respond(self, request: Request) -> Reply:
        """Raises AnswerLost where asking again may help, else ModelUnavailable when no answer can be had."""
        ...

    def most_cost_usd(self, request: Request, /) -> float | None:
        """A bound of what an answer to this can cost; 0.0 for a model that costs nothing, None where no price
        is known."""
        ...


class Tools(Protocol):
    """What the model may call, besides submitting a candidate."""

    @property
    def specs(self) -> tuple[ToolSpec, ...]: ...

    def call(self, call: ToolCall) -> ToolResult:
        """Never raises for what the model gives it; an unknown name is a result that says so."""
        ...


class Verifier(Protocol):
    def check(self, candidate: str) -> Feedback:
        """Builds and verifies the text of a candidate; never raises for a bad candidate."""
        ...
