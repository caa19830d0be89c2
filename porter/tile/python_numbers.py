"""The ranges of values that some execution mode holds as Python numbers, which do not wrap as C's do.

Such are literals, the counter of `tl.static_range`, in the interpreter that of `range` too, and an argument
that is 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from porter.analysis.ranges import Interval, binary_interval, type_interval
from porter.tile import arithmetic as c
from porter.tile import ir

ARGUMENT = Interval(1, 1)
"""Compiled, an argument is a number only where it is 1; interpreted, never."""
MOST_ROUNDS = 1 << 15
"""A counter without a known end is a number only in the interpreter, which goes through no more rounds."""
_GROWING = frozenset({"+", "-", "*", "<<"})


def wrapping(value: ir.Expr, numbers: Mapping[str, Interval]) -> ir.Expr:
    """`value` computed as a Triton value where as a Python number it might leave its type.

    `numbers` has the ranges of the names that are known to be Python numbers.
    """
    if not isinstance(value, ir.Infix) or value.op not in _GROWING or not ir.is_weak(value):
        return value
    whole = type_interval(value.type.dtype)
    found = interval_of(value, numbers)
    if found is None or value.type.dtype.kind not in ("int", "uint") or found.within(whole.low, whole.high):
        return value
    if isinstance(value.left, ir.Literal) and value.op != "<<":
        return replace(value, right=ir.Convert(value.right, value.right.type))
    return replace(value, left=c.strengthened(value.left, value.right))


def interval_of(value: ir.Expr, numbers: Mapping[str, Interval]) -> Interval | None:
    """The range of an integer that is a Python number; None where a name in it is not known to be one."""
    match value:
        case ir.Literal(int(number)):
            return Interval(number, number)
        case ir.Name(name):
            return numbers.get(name)
        case ir.Prefix("-", operand):
            inner = interval_of(operand, numbers)
            return None if inner is None else Interval(-inner.high, -inner.low)
        case ir.Infix(op, left, right):
            sides = interval_of(left, numbers), interval_of(right, numbers)
            if sides[0] is None or sides[1] is None:
                return None
            found = binary_interval("/" if op == "//" else op, sides[0], sides[1])
            return found or type_interval(value.type.dtype)
    return None
