"""Conditions as kernel IR: joined, without repetitions, and around a value that exists where they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from porter.analysis.expressions import key
from porter.cuda.kir import BOOL, Binary, Cast, Const, Expr, Scalar, Select


def under(conditions: Sequence[Expr], value: Expr) -> Expr:
    """`value` where all conditions hold, else 0; below the conversions of the value, so that it is a load."""
    conditions = list(distinct(conditions))
    if not conditions:
        return value
    if isinstance(value, Cast):
        return replace(value, operand=under(conditions, value.operand))
    if isinstance(value, Select) and isinstance(value.if_false, Const) and not value.if_false.value:
        return replace(value, condition=all_of(list(distinct([*conditions, *parts_of(value.condition)]))))
    assert isinstance(value.type, Scalar)
    zero: int | float = 0 if value.type.kind in ("int", "uint") else 0.0
    return Select(all_of(conditions), value, Const(zero, value.type, value.span), value.type, value.span)


def without(known: Sequence[Expr], value: Expr) -> Expr:
    """`value`, which is 0 where a condition does not hold, without asking for those that are known."""
    match value:
        case Cast(operand=operand):
            return replace(value, operand=without(known, operand))
        case Select(condition=condition, if_true=kept, if_false=Const(value=other)) if not other:
            names = {key(k) for k in known}
            parts = [p for p in parts_of(condition) if key(p) not in names]
            return replace(value, condition=all_of(parts)) if parts else kept
        case _:
            return value


def parts_of(condition: Expr) -> list[Expr]:
    if isinstance(condition, Binary) and condition.op == "&&":
        return [*parts_of(condition.left), *parts_of(condition.right)]
    return [condition]


def all_of(conditions: Sequence[Expr]) -> Expr:
    result = conditions[0]
    for condition in conditions[1:]:
        result = Binary("&&", result, condition, BOOL, condition.span)
    return result


def distinct(conditions: Iterable[Expr]) -> Iterator[Expr]:
    return iter({key(c): c for c in conditions}.values())
