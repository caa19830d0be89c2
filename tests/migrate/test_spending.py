"""What a migration has paid survives what a kill or a full disk leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.agent.budget import Spent
from porter.agent.protocols import Usage
from porter.migrate.repository.spending import Spending


@pytest.fixture
def spending(tmp_path: Path) -> Spending:
    return Spending(tmp_path / "spending.jsonl")


def test_nothing_was_spent_where_there_is_no_file(spending: Spending) -> None:
    assert spending.by_conversation() == {}
    assert spending.total() == Spent()


def test_charges_add_up_by_conversation(spending: Spending) -> None:
    spending.add("a", Spent(1, Usage(10, 2, 3, 4), 0.25))
    spending.add("b", Spent(1, Usage(1), 0.5))
    spending.add("a", Spent(1, Usage(5), 0.125))
    assert spending.by_conversation() == {
        "a": Spent(2, Usage(15, 2, 3, 4), 0.375),
        "b": Spent(1, Usage(1), 0.5),
    }
    assert spending.total() == Spent(3, Usage(16, 2, 3, 4), 0.875)


def test_a_price_that_was_not_known_makes_the_sum_unknown(spending: Spending) -> None:
    spending.add("a", Spent(1, Usage(1), None))
    spending.add("a", Spent(1, Usage(1), 0.5))
    assert spending.total() == Spent(2, Usage(2), None)


@pytest.mark.parametrize(
    "torn", [b'{"conversation": "a", "requ', b"null\n", b"\xff\n", b'{"conversation": 1}\n']
)
def test_a_line_that_was_cut_short_costs_no_other(spending: Spending, torn: bytes) -> None:
    spending.add("a", Spent(1, Usage(1), 0.25))
    spending.path.write_bytes(spending.path.read_bytes() + torn)
    spending.add("b", Spent(1, Usage(2), 0.5))
    assert spending.total() == Spent(2, Usage(3), 0.75)
