"""A model behind an HTTP API: what all providers have in common."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any, Protocol

from porter.agent.models.failures import Answered, Asked, Feature, Lost, Unsupported, failure, lost
from porter.agent.models.received import Received, sendable, whole_call
from porter.agent.models.retries import Patience, Transient, ask_patiently
from porter.agent.models.text_tools import in_text, out_of_text
from porter.agent.prices import MOST_OUTPUT_TOKENS, Price, most_input_tokens
from porter.agent.protocols import AnswerLost, Finish, Reply, Request, Usage


@dataclass(frozen=True)
class TimeLimits:
    """`silence_seconds` bounds the time between two parts of an answer; servers on a CPU are silent for
    minutes before the first."""

    connect_seconds: float = 15.0
    silence_seconds: float = 600.0
    answer_seconds: float = 3600.0


class Wire(Protocol):
    """One provider's format on the wire."""

    def read(self, request: Request, sent: frozenset[Feature], most_tokens: int, received: Received) -> None:
        """Asks with these features for an answer of so many tokens, and fills `received` as it comes.

        Raises Answered for an error of the server, and Lost where the connection fails.
        """
        ...


@dataclass
class RemoteModel:
    """`optional` are the features that are left out once the server has refused them. Threads may share it.

    `price` is None where it is not known.
    """

    asked: Asked
    wire: Wire
    price: Price | None
    features: frozenset[Feature]
    optional: frozenset[Feature]
    patience: Patience = field(default_factory=Patience)
    most_output_tokens: int = MOST_OUTPUT_TOKENS
    _refused: frozenset[Feature] = frozenset()

    @property
    def name(self) -> str:
        at = f" at {self.asked.base_url}" if self.asked.base_url else ""
        return f"{self.asked.provider}:{self.asked.model}{at}"

    def most_cost_usd(self, request: Request, /) -> float | None:
        if self.price is None:
            return None
        return self.price.most_usd(most_input_tokens(request), self.most_output_tokens)

    def respond(self, request: Request) -> Reply:
        while True:
            sent = self.features - self._refused
            try:
                return ask_patiently(partial(self._attempt, request, sent), self.patience)
            except Unsupported as error:
                self._refused |= {error.feature}

    def _attempt(self, request: Request, sent: frozenset[Feature]) -> Reply:
        received = Received()
        asked = request if Feature.TOOLS in sent else in_text(request)
        reason = "the connection ended before the answer did"
        try:
            self.wire.read(asked, sent, self.most_output_tokens, received)
        except Answered as error:
            said = failure(error, self.asked, sent & self.optional)
            if not received.begun:
                raise said from None
            reason = f"the server broke off: {said}"
        except Lost as error:
            if not received.begun:
                raise lost(error, self.asked) from None
            reason = self.asked.hidden(error.reason)
        if received.finish is None:
            raise self._broken_off(reason, asked, received)
        return self._reply(asked, received, sent)

    def _broken_off(self, reason: str, request: Request, received: Received) -> Exception:
        reason = f"{self.asked.who}: {reason}"
        if not received.begun:
            return Transient(reason)
        usage = _at_least_written(_counted(received, request), received)
        return AnswerLost(reason, usage, self._cost_usd(usage))

    def _reply(self, request: Request, received: Received, sent: frozenset[Feature]) -> Reply:
        usage = _counted(received, request)
        text = sendable(received.text)
        before = sum(len(m.calls) for m in request.messages)
        calls = tuple(whole_call(c, before + i) for i, c in enumerate(received.calls, 1))
        if Feature.TOOLS not in sent:
            text, calls = out_of_text(text, request)
        finish = received.finish or Finish.COMPLETE
        return Reply(text, usage, calls, finish, self._cost_usd(usage), received.opaque)

    def _cost_usd(self, usage: Usage) -> float | None:
        return self.price.cost_usd(usage) if self.price else None


def _counted(received: Received, request: Request) -> Usage:
    """What the server counted, else a bound: so much was sent, and so much had come."""
    usage = received.usage or Usage()
    if usage.total == usage.output_tokens:
        usage += Usage(input_tokens=most_input_tokens(request))
    return usage if usage.output_tokens else _at_least_written(usage, received)


def _at_least_written(usage: Usage, received: Received) -> Usage:
    """A token for two characters is more than models write."""
    written = math.ceil(received.written / 2)
    return usage + Usage(output_tokens=max(written - usage.output_tokens, 0))


def events_until(stream: Any, error_class: type[Exception], limits: TimeLimits) -> Iterator[Any]:
    """The parts of an answer. Passes the SDK's own errors, which are `error_class`; raises Lost for others.

    The transport's errors are the classes of another package, and which one depends on the SDK's version:
    so every other error that the stream raises, and nothing else is called here, is one of them, or of JSON
    that was cut.
    """
    deadline = monotonic() + limits.answer_seconds
    try:
        for event in stream:
            yield event
            if monotonic() > deadline:
                raise Lost(f"the answer took longer than {limits.answer_seconds:g} s")
    except (error_class, Lost):
        raise
    except Exception as error:
        raise Lost(_cut(error)) from error


def connection_failure(error: Exception, *, begun: bool) -> Lost:
    """Of the SDK's error for a connection; `begun` where a part of the answer had come."""
    cause = error.__cause__ or error
    kind = type(cause).__name__
    if begun:
        return Lost(_cut(cause))
    if kind == "ReadTimeout":
        return Lost("no answer came in time")
    reached = "Connect" not in kind and "Proxy" not in kind
    return Lost(_cut(cause) if reached else str(cause) or kind, reached=reached)


def _cut(error: BaseException) -> str:
    if type(error).__name__ == "ReadTimeout":
        return "the answer stopped coming"
    return f"the connection was cut ({type(error).__name__}: {error})"
