"""Which way a loop moves its variables, and how far that widens their intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from porter.analysis.extent_values import Number, Value, plain
from porter.analysis.ranges import Interval, type_interval
from porter.cuda import kir, kir_walk


def directions_of(body: Iterable[kir.Stmt]) -> dict[kir.Variable, set[str]]:
    """What a loop assigns, and whether each assignment goes "up", "down" or anywhere."""
    found: dict[kir.Variable, set[str]] = defaultdict(set)
    for statement in kir_walk.statements(body):
        if isinstance(statement, kir.Assign) and isinstance(statement.target, kir.VarRef):
            found[statement.target.variable].add(_direction(statement.target.variable, statement.value))
    return found


def steps_up(body: Iterable[kir.Stmt]) -> dict[kir.Variable, int]:
    """Variables that one statement increases by a constant, and nothing else changes."""
    every: dict[kir.Variable, list[kir.Expr]] = defaultdict(list)
    for statement in kir_walk.statements(body):
        if isinstance(statement, kir.Assign) and isinstance(statement.target, kir.VarRef):
            every[statement.target.variable].append(plain(statement.value))
    found = {}
    for variable, values in every.items():
        match values:
            case [kir.Binary(op="+", left=left, right=right)]:
                by = plain(right)
                own = plain(left)
                constant = isinstance(by, kir.Const) and isinstance(by.value, int) and by.value > 0
                if constant and isinstance(own, kir.VarRef) and own.variable is variable:
                    found[variable] = int(by.value)  # type: ignore[union-attr]
    return found


def _direction(variable: kir.Variable, value: kir.Expr) -> str:
    value = plain(value)
    if isinstance(value, kir.Binary):
        left = plain(value.left)
        if isinstance(left, kir.VarRef) and left.variable is variable:
            return {"+": "up", "*": "up", "<<": "up", "-": "down", "/": "down", ">>": "down"}.get(
                value.op, "anywhere"
            )
    return "anywhere"


def widened(start: Value | None, type_: kir.Type, directions: set[str]) -> Number:
    """What starts at `start` and moves in these directions, however often."""
    whole = type_interval(type_)
    if not isinstance(start, Number):
        return Number(whole)
    low = start.interval.low if directions == {"up"} else whole.low
    high = start.interval.high if directions == {"down"} else whole.high
    return replace(start, interval=Interval(low, high))
