"""Keeps loads to the threads that made them in the original: no other thread may touch those addresses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from porter.analysis.expressions import through_pointer
from porter.analysis.values import Mask
from porter.analysis.walk import walk
from porter.core.span import Span
from porter.cuda.kir import BOOL, INT32, UINT32, Binary, Builtin, Cast, Const, Expr, Index, Scalar, Select


class OnlySome(Exception):
    """The threads that made a load are in no pattern that a condition could name."""


def guarded(
    expr: Expr,
    made_by: Mask,
    active: Mask,
    block: tuple[int, int, int],
    otherwise: int | float | bool,
) -> Expr:
    """`expr`, computed only in the threads of `made_by` if it loads; `otherwise` in the rest of `active`.

    Raises OnlySome.
    """
    if bool((made_by | ~active).all()) or not loads(expr):
        return expr
    condition = condition_of(made_by, block, expr.span)
    if condition is None or not isinstance(expr.type, Scalar):
        raise OnlySome("a load that only some threads make")
    return Select(condition, expr, Const(otherwise, expr.type, expr.span), expr.type, expr.span)


def loads(expr: Expr) -> bool:
    return any(isinstance(e, Index) and through_pointer(e) for e in walk(expr))


def condition_of(threads: Mask, block: tuple[int, int, int], span: Span) -> Expr | None:
    """`number < k`, `number == k`, or one of them for the number within groups; None for any other set."""
    number = np.arange(len(threads))
    for group in _periods(len(threads)):
        inside = number % group
        chosen = np.unique(inside[threads])
        if len(chosen) == 0 or not np.array_equal(np.isin(inside, chosen), threads):
            continue
        position = linear_thread(block, span)
        if group < len(threads):
            position = Binary("%", position, Const(group, INT32, span), INT32, span)
        if len(chosen) == 1:
            return Binary("==", position, Const(int(chosen[0]), INT32, span), BOOL, span)
        if int(chosen[-1]) == len(chosen) - 1:
            return Binary("<", position, Const(len(chosen), INT32, span), BOOL, span)
    return None


def _periods(threads: int) -> Iterator[int]:
    """Powers of two below the block's size, then the block."""
    size = 2
    while size < threads:
        yield size
        size *= 2
    yield threads


def linear_thread(block: tuple[int, int, int], span: Span) -> Expr:
    """The thread's number in its block."""
    strides = (1, block[0], block[0] * block[1])
    result: Expr | None = None
    for axis, stride, extent in zip("xyz", strides, block, strict=True):
        if extent == 1 and axis != "x":
            continue
        part: Expr = Cast(Builtin("threadIdx", axis, UINT32, span), INT32, span)
        if stride != 1:
            part = Binary("*", part, Const(stride, INT32, span), INT32, span)
        result = part if result is None else Binary("+", result, part, INT32, span)
    assert result is not None
    return result
