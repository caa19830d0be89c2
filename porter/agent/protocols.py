"""The three things the loop gets from outside: a model, a verifier, and a place for the trajectory.

The loop trusts none of the model's words: only what the verifier accepts counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from porter.core.errors import PorterError


class Role(str, Enum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True)
class Message:
    role: Role
    text: str


@dataclass(frozen=True)
class Usage:
    """Tokens of one request, as the provider counted them."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)


@dataclass(frozen=True)
class Reply:
    text: str
    usage: Usage


@dataclass(frozen=True)
class Feedback:
    """What the harness says of a candidate; `message` is all the model learns of a rejection."""

    accepted: bool
    message: str


class ModelUnavailable(PorterError):
    """The model cannot be reached, refuses, or has no more recorded answers."""


class Model(Protocol):
    @property
    def name(self) -> str: ...

    def respond(self, messages: tuple[Message, ...]) -> Reply:
        """Raises ModelUnavailable when no answer can be had."""
        ...


class Verifier(Protocol):
    def check(self, candidate: str) -> Feedback:
        """Builds and verifies the text of a candidate; never raises for a bad candidate."""
        ...


class Recorder(Protocol):
    def record(self, messages: tuple[Message, ...], usage: Usage) -> None:
        """Saves the trajectory so far; called after every step, also after a failed one."""
        ...
