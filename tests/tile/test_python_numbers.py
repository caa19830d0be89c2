"""Which Python numbers may leave their type, and that only those are turned into Triton values."""

import pytest

from porter.analysis.ranges import Interval
from porter.cuda.kir import INT32, INT64
from porter.tile import ir
from porter.tile.python_numbers import ARGUMENT, interval_of, wrapping

INT = ir.TileType(INT32)
K = ir.Name("k", INT, weak=True)
NUMBERS = {"k": Interval(0, 9), "n": ARGUMENT}


def infix(op: str, left: ir.Expr, right: ir.Expr, type_: ir.TileType = INT) -> ir.Infix:
    return ir.Infix(op, left, right, type_)


def number(value: int) -> ir.Literal:
    return ir.Literal(value, INT)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (K, Interval(0, 9)),
        (ir.Prefix("-", K, INT), Interval(-9, 0)),
        (infix("*", K, number(-3)), Interval(-27, 0)),
        (infix("-", number(1), K), Interval(-8, 1)),
        (infix("<<", number(1), K), Interval(1, 512)),
        (infix("//", K, number(2)), Interval(0, 4)),
        (infix(">>", infix("-", K, number(5)), number(1)), Interval(-(2**31), 2**31 - 1)),
        (infix("+", K, ir.Name("m", INT, weak=True)), None),
    ],
)
def test_ranges(value: ir.Expr, expected: Interval | None) -> None:
    assert interval_of(value, NUMBERS) == expected


@pytest.mark.parametrize(
    "value",
    [
        infix("*", K, number(238609294)),  # times 9 it is 2**31 - 2
        infix("<<", number(1), infix("+", K, number(21))),
        infix("*", K, ir.Literal(3000000000, ir.TileType(INT64)), ir.TileType(INT64)),
        infix("*", ir.Name("n", INT, weak=True), number(2000000000)),
        infix("*", ir.Name("m", INT, weak=True), number(2000000000)),
        infix("*", ir.Name("t", INT), number(2000000000)),
        infix("<", K, number(2000000000)),
    ],
)
def test_stays(value: ir.Expr) -> None:
    assert wrapping(value, NUMBERS) is value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (infix("*", K, number(238609295)), infix("*", ir.Convert(K, INT), number(238609295))),
        (infix("*", number(-300000000), K), infix("*", number(-300000000), ir.Convert(K, INT))),
        (infix("+", K, number(2**31 - 9)), infix("+", ir.Convert(K, INT), number(2**31 - 9))),
        (infix("<<", number(1 << 23), K), infix("<<", ir.Convert(number(1 << 23), INT), K)),
    ],
)
def test_wraps(value: ir.Expr, expected: ir.Expr) -> None:
    assert wrapping(value, NUMBERS) == expected
