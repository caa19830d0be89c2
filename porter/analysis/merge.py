"""What a symbolic execution knows after a branch on data: each side's outcome, chosen by the condition."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import partial

import numpy as np

from porter.analysis.barriers import SharedArray
from porter.analysis.terms import Term, Undefined, is_number
from porter.analysis.values import Leaves, Mixed, Own, Value, expression
from porter.cuda.kir import Array, Const, Expr, Scalar, Select, Type, Variable

_DEPENDS = Undefined("a choice that depends on data")


def merged_value(condition: Expr, if_true: Value, if_false: Value, type_: Type, leaves: Leaves) -> Value:
    """`condition ? if_true : if_false`, where both can be computed at the start; undefined otherwise."""
    span = condition.span
    a, b = expression(if_true, type_, span), expression(if_false, type_, span)
    if a is not None and b is not None:
        return Own(Select(condition, a, b, type_, span))
    out = np.empty(leaves.threads, dtype=object)
    for thread, (x, y) in enumerate(zip(leaves.terms(if_true), leaves.terms(if_false), strict=True)):
        out[thread] = x if x == y else _DEPENDS
    return Mixed(out)


def merged_memory(
    condition: Expr,
    if_true: Mapping[Variable, SharedArray],
    if_false: Mapping[Variable, SharedArray],
    leaves: Leaves,
) -> dict[Variable, SharedArray]:
    """The shared arrays after the branch, element by element."""
    merged: dict[Variable, SharedArray] = {}
    for array in {*if_true, *if_false}:
        type_ = array.type
        while isinstance(type_, Array):
            type_ = type_.element
        left, right = if_true.get(array, SharedArray()), if_false.get(array, SharedArray())
        choose = partial(_merged_term, condition, leaves, type_)
        merged[array] = left.merged(right, choose)
    return merged


def _merged_term(condition: Expr, leaves: Leaves, type_: Type, if_true: Term, if_false: Term) -> Term:
    if if_true == if_false:
        return if_true
    a, b = leaves.single(if_true), leaves.single(if_false)
    threads = {leaf[1] for leaf in (a, b) if leaf is not None}
    if len(threads) != 1:
        return _DEPENDS
    parts = [_term_expression(t, type_, condition, leaves) for t in (if_true, if_false)]
    left, right = parts
    if left is None or right is None:
        return _DEPENDS
    chosen = Select(condition, left, right, type_, condition.span)
    return leaves.leaf(leaves.site(chosen), threads.pop())


def _term_expression(term: Term, type_: Type, condition: Expr, leaves: Leaves) -> Expr | None:
    leaf = leaves.single(term)
    if leaf is not None:
        return leaves.sites[leaf[0]]
    if is_number(term) and isinstance(term, int | float) and isinstance(type_, Scalar):
        return Const(term, type_, condition.span)
    return None


def copied(memory: Mapping[Variable, SharedArray]) -> dict[Variable, SharedArray]:
    """The shared arrays, independent of the originals."""
    return {a: SharedArray({i: copy(cell) for i, cell in m.cells.items()}) for a, m in memory.items()}
