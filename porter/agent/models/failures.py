"""What a server's error means: asked again, asked without something, or an end with a clear message."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from porter.agent.models.keys import Key, without_keys
from porter.agent.models.retries import Transient
from porter.agent.protocols import ModelUnavailable


class Feature(str, Enum):
    """What a request can do without where a server does not know it."""

    TEMPERATURE = "temperature"
    STREAM_OPTIONS = "stream_options"
    THOUGHTS = "thoughts"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"
    MAX_TOKENS = "max_tokens"
    TOOLS = "tools"


class Unsupported(Exception):
    """The server refused the request because of this feature."""

    def __init__(self, feature: Feature) -> None:
        super().__init__(feature.value)
        self.feature = feature


class Answered(Exception):
    """A server's answer that is an error; `status` is 200 for one in the middle of a stream."""

    def __init__(self, status: int, body: object, headers: Mapping[str, str]) -> None:
        super().__init__(status)
        self.status = status
        self.body = body
        self.headers = headers


class Lost(Exception):
    """The connection failed; `reached` is False where there never was one."""

    def __init__(self, reason: str, *, reached: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.reached = reached


@dataclass(frozen=True)
class Asked:
    """Who was asked for what, for messages."""

    provider: str
    model: str
    base_url: str | None
    key: Key | None

    @property
    def who(self) -> str:
        return f"{self.provider} at {self.base_url}" if self.base_url else self.provider

    def hidden(self, text: str) -> str:
        return without_keys(text, (self.key,) if self.key else ())


def failure(error: Answered, asked: Asked, optional: frozenset[Feature]) -> Exception:
    """A Transient, an Unsupported (of one of `optional`, which were sent), or a ModelUnavailable."""
    text, kinds = _said(error.body)
    status = _status(error.status, kinds)
    if status in _MAY_MEAN_A_FEATURE and (feature := _refused_feature(text, optional)):
        return Unsupported(feature)
    quoted = asked.hidden(" ".join(text.split())[:_QUOTED])
    if status == 402 or kinds & _QUOTA or "credit balance" in text.lower():
        return ModelUnavailable(
            f"{asked.who}: the quota or the credit is used up ({status}): {quoted}",
            hint="add credit, raise the limit, or use another model",
        )
    if status in _TRANSIENT or status >= 500:
        return Transient(
            f"{asked.who}: {_TRANSIENT.get(status, 'the server failed')} ({status}): {quoted}",
            retry_after_s=_retry_after_s(error.headers),
        )
    return _end(status, quoted, asked)


def lost(error: Lost, asked: Asked) -> Transient:
    """A connection that failed before anything of the answer came."""
    reason = asked.hidden(error.reason)[:_QUOTED]
    if error.reached:
        return Transient(f"{asked.who}: {reason}")
    hint = (
        "check --base-url, and that the server runs"
        if asked.base_url
        else "check the network and its proxy (HTTPS_PROXY)"
    )
    return Transient(f"{asked.who} cannot be reached: {reason}", hint=hint, attempts=4)


def _end(status: int, quoted: str, asked: Asked) -> ModelUnavailable:
    match status:
        case 401:
            where = f"the key from {asked.key.source}" if asked.key else "a request without a key"
            return ModelUnavailable(
                f"{asked.who} does not accept {where} (401): {quoted}",
                hint="check the key, or make a new one",
            )
        case 403:
            hint = "the key's owner, or the region, may not use this model"
            return ModelUnavailable(f"{asked.who} does not allow this (403): {quoted}", hint=hint)
        case 404:
            hint = "check the model's name" + (" and the path in --base-url" if asked.base_url else "")
            return ModelUnavailable(f"{asked.who} has no model {asked.model} (404): {quoted}", hint=hint)
        case 413:
            return ModelUnavailable(f"{asked.who}: the request is too long (413): {quoted}")
    return ModelUnavailable(f"{asked.who} does not take the request ({status}): {quoted}")


_QUOTED = 300
_TRANSIENT = {
    408: "the server's time ran out",
    409: "a conflict on the server",
    425: "too early",
    429: "too many requests",
    529: "the server is overloaded",
}
# llama.cpp answers 500 to tools that it was not started for.
_MAY_MEAN_A_FEATURE = (400, 422, 500, 501)
_QUOTA = frozenset({"insufficient_quota", "billing_error", "billing_hard_limit_reached"})
# https://docs.anthropic.com/en/api/errors, and what OpenAI's servers put into `type` and `code`.
_STATUS_OF_KIND = {
    "invalid_request_error": 400,
    "context_length_exceeded": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}


def _status(status: int, kinds: frozenset[str]) -> int:
    """An error in the middle of a stream has no status of its own; unless its kind says more, it may pass."""
    if status >= 400:
        return status
    numbers = [int(k) for k in kinds if k.isdigit() and 400 <= int(k) < 600]
    return next(iter(numbers), next((_STATUS_OF_KIND[k] for k in sorted(kinds) if k in _STATUS_OF_KIND), 500))


def _said(body: object) -> tuple[str, frozenset[str]]:
    """The text of an error, and its type and code; servers differ in where they put them."""
    inner: Any = body
    while isinstance(inner, Mapping) and isinstance(inner.get("error"), Mapping):
        inner = inner["error"]
    if not isinstance(inner, Mapping):
        return str(inner or ""), frozenset()
    text = next((inner[k] for k in ("message", "error", "detail") if inner.get(k)), "")
    kinds = (inner.get("type"), inner.get("code"), inner.get("param"))
    return str(text), frozenset(str(k) for k in kinds if k is not None)


_MOST_TOKENS = re.compile(r"\bmax_(completion_)?tokens\b|\bin the completion\b", re.I)
_WORDS = {
    Feature.TEMPERATURE: re.compile(r"\btemperature\b", re.I),
    Feature.STREAM_OPTIONS: re.compile(r"\bstream_options\b|\binclude_usage\b", re.I),
    Feature.THOUGHTS: re.compile(r"\bthinking\b", re.I),
    # Not known in this spelling, or more than the model can write.
    Feature.MAX_COMPLETION_TOKENS: _MOST_TOKENS,
    Feature.MAX_TOKENS: _MOST_TOKENS,
    Feature.TOOLS: re.compile(r"\btools?\b|\btool[-_ ]|\bfunction calling\b|\bjinja\b", re.I),
}


def _refused_feature(text: str, sent: frozenset[Feature]) -> Feature | None:
    """In the order of the features: what is lost with the last weighs most."""
    return next((f for f in Feature if f in sent and _WORDS[f].search(text)), None)


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """From `retry-after-ms`, or from `Retry-After` in seconds or as a date; None for nonsense."""
    try:
        if "retry-after-ms" in headers:
            return max(float(headers["retry-after-ms"]) / 1000.0, 0.0)
        text = headers.get("retry-after") or ""
        if re.fullmatch(r"\s*\d+(\.\d+)?\s*", text):
            return float(text)
        date = email.utils.parsedate_tz(text)
        return max(email.utils.mktime_tz(date) - time.time(), 0.0) if date else None
    except (ValueError, OverflowError):
        return None
