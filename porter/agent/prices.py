"""What answers cost. The table `prices.toml` has each row's source and the day it was read."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from porter.agent.protocols import Message, Request, Usage
from porter.core.errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE = Path(__file__).with_name("prices.toml")
_MILLION = 1e6
_CACHE_WRITE = 1.25
"""Times input: what providers that charge for writing their cache take for the shortest time."""


@dataclass(frozen=True)
class LongPrompt:
    """A prompt of more than `over_tokens` has its prices multiplied."""

    over_tokens: int
    input_factor: float
    output_factor: float


@dataclass(frozen=True)
class Price:
    """USD per million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    long: LongPrompt | None = None

    def cost_usd(self, usage: Usage) -> float:
        """Of one request."""
        prompt = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
        input_usd = (
            usage.input_tokens * self.input
            + usage.cache_read_tokens * self.cache_read
            + usage.cache_write_tokens * self.cache_write
        )
        input_factor, output_factor = self._factors(prompt)
        return (input_usd * input_factor + usage.output_tokens * self.output * output_factor) / _MILLION

    def most_usd(self, input_tokens: int, output_tokens: int) -> float:
        """A bound for so many tokens at most, whatever a cache does."""
        dearest = max(self.input, self.cache_read, self.cache_write)
        input_factor, output_factor = self._factors(input_tokens)
        return (
            input_tokens * dearest * input_factor + output_tokens * self.output * output_factor
        ) / _MILLION

    def _factors(self, prompt_tokens: int) -> tuple[float, float]:
        if self.long is None or prompt_tokens <= self.long.over_tokens:
            return 1.0, 1.0
        return self.long.input_factor, self.long.output_factor


def parse_price(text: str) -> Price:
    """`INPUT:OUTPUT` or `INPUT:OUTPUT:CACHE_READ:CACHE_WRITE`, USD per million tokens. With two figures what
    a cache has counts as input, and what is written to it as 1.25 times input.

    Raises InputError for anything else.
    """
    parts = text.split(":")
    if len(parts) not in (2, 4) or not all(re.fullmatch(r"\d+(\.\d*)?|\.\d+", p.strip()) for p in parts):
        raise InputError(
            f"--price {text}: no price",
            hint="INPUT:OUTPUT in USD per million tokens, as in --price 3:15; 0:0 for what costs nothing",
        )
    names = ("input", "output", "cache_read", "cache_write")
    return _price({name: float(part) for name, part in zip(names, parts, strict=False)})


def listed_price(provider: str, model: str) -> Price | None:
    """Of the table's row for this model, whatever date its name ends with; None where there is none."""
    rows = _table().get(provider, {})
    name = re.sub(r"-(\d{8}|\d{4}-\d{2}-\d{2})$", "", model)
    return _price(rows[name]) if name in rows else None


MOST_OUTPUT_TOKENS = 32_000
"""Of an answer: thoughts at length, and a file of a thousand lines."""


def most_input_tokens(request: Request) -> int:
    """A bound of the tokens of a request: one for two bytes of ASCII, one for each other byte, and some for
    what providers put around messages and tools. Code has about three bytes a token."""
    texts = [request.system, *(json.dumps(asdict(tool), default=dict) for tool in request.tools)]
    for message in request.messages:
        texts += _texts(message)
    data = "".join(texts).encode(errors="replace")
    not_ascii = sum(byte > 0x7F for byte in data)
    return (len(data) - not_ascii) // 2 + not_ascii + 1000 + 20 * len(texts)


def most_tokens(request: Request) -> int:
    """A bound of the tokens of a request and of its answer."""
    return most_input_tokens(request) + MOST_OUTPUT_TOKENS


def _texts(message: Message) -> list[str]:
    calls = [f"{c.name} {json.dumps(dict(c.arguments))} {c.malformed}" for c in message.calls]
    return [message.text, message.opaque, *calls, *(r.text for r in message.results)]


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def _price(row: Mapping[str, Any]) -> Price:
    long = None
    if "long_over" in row:
        long = LongPrompt(row["long_over"], row["long_input"], row["long_output"])
    read = row.get("cache_read", row["input"])
    return Price(row["input"], row["output"], read, row.get("cache_write", _CACHE_WRITE * row["input"]), long)
