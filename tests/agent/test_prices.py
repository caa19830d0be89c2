from __future__ import annotations

import sys
from datetime import date

import pytest

from porter.agent.prices import TABLE, LongPrompt, Price, listed_price, most_input_tokens, parse_price
from porter.agent.protocols import Message, Request, Role, ToolCall, ToolSpec, Usage
from porter.core.errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("3:15", Price(3.0, 15.0, 3.0, 3.75)),
        ("0:0", Price(0.0, 0.0, 0.0, 0.0)),
        (".5:2.", Price(0.5, 2.0, 0.5, 0.625)),
        ("3:15:0.3:3.75", Price(3.0, 15.0, 0.3, 3.75)),
    ],
)
def test_a_price_is_read(text: str, price: Price) -> None:
    assert parse_price(text) == price


@pytest.mark.parametrize(
    "text", ["", "3", "3:", "3:-1", "1:2:3", "1:2:3:4:5", "nan:1", "inf:1", "$3:$15", "1e3:1"]
)
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no price"):
        parse_price(text)


def test_every_row_has_a_source_and_all_was_read_on_a_day() -> None:
    table = tomllib.loads(TABLE.read_text())
    date.fromisoformat(table["read"])
    for provider in ("anthropic", "openai"):
        for model, row in table[provider].items():
            price = listed_price(provider, model)
            assert price is not None
            assert 0 < price.cache_read <= price.input <= price.cache_write <= price.output
            assert row["source"].startswith("https://")


def test_a_model_is_found_with_its_date() -> None:
    assert listed_price("anthropic", "claude-haiku-4-5-20251001") == Price(1.0, 5.0, 0.1, 1.25)
    assert listed_price("anthropic", "claude-haiku-4-5-mine") is None
    assert listed_price("openai", "claude-haiku-4-5") is None


def test_a_long_prompt_costs_more_of_everything() -> None:
    price = Price(2.0, 10.0, 0.2, 2.5, LongPrompt(1000, 2.0, 1.5))
    assert price.cost_usd(Usage(600, 100, 400, 0)) == pytest.approx((600 * 2 + 400 * 0.2 + 100 * 10) / 1e6)
    more = Usage(600, 100, 400, 1)
    assert price.cost_usd(more) == pytest.approx(((600 * 2 + 400 * 0.2 + 1 * 2.5) * 2 + 100 * 10 * 1.5) / 1e6)
    assert price.most_usd(1001, 100) >= price.cost_usd(more)


@pytest.mark.parametrize(
    "price", [Price(2.0, 10.0, 0.2, 2.5), Price(1.0, 4.0, 1.0, 1.0, LongPrompt(50, 3.0, 2.0))]
)
def test_the_bound_is_one_whatever_the_cache_does(price: Price) -> None:
    for usage in (Usage(100, 50), Usage(0, 50, 100, 0), Usage(0, 50, 0, 100), Usage(10, 0, 40, 50)):
        assert price.cost_usd(usage) <= price.most_usd(100, 50)


def test_the_bound_of_tokens_counts_all_that_is_sent() -> None:
    def tokens(**changed: object) -> int:
        fields = {"system": "", "messages": (Message(Role.USER, "x"),)} | changed
        return most_input_tokens(Request(**fields))  # type: ignore[arg-type]

    base = tokens()
    long = "a b " * 1000  # at most a token for two bytes
    assert tokens(system=long) - base >= 1900
    assert tokens(messages=(Message(Role.USER, long),)) - base >= 1900
    assert tokens(messages=(Message(Role.ASSISTANT, "x", opaque=long),)) - base >= 1900
    call = ToolCall("i", "t", {"text": long})
    assert tokens(messages=(Message(Role.ASSISTANT, "x", (call,)),)) - base >= 1900
    assert tokens(tools=(ToolSpec("t", long, {}),)) - base >= 1900
    # Each byte of another script can be a token.
    assert tokens(system="\u6c49" * 1000) - base >= 3000
