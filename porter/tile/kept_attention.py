"""A note on a kernel that weighs elements by exponentials of scores, as attention does, and stays so."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from porter.analysis.expressions import own_expressions, root, statements, variables, without_casts
from porter.analysis.walk import walk
from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.kir import (
    Assign,
    Binary,
    Call,
    Declare,
    Expr,
    For,
    Index,
    Kernel,
    Stmt,
    Variable,
    VarRef,
    While,
)
from porter.tile.idioms import NoMatch
from porter.tile.kept_patterns import UNKNOWN_FORM, place_in_source

_CODE = "TIL065"
_HINT = (
    "a loop over keys with a running maximum that starts below all scores, and sums that are multiplied by "
    "exp(old maximum - new maximum) in every round, becomes two tl.dot a tile of keys"
)


def kept_attention(kernel: Kernel, declined: tuple[NoMatch, ...]) -> tuple[Diagnostic, ...]:
    """`kernel` with its functions inlined; `declined` is why it was not raised."""
    place = next(_weighted_sums(kernel), None)
    if place is None or not _adds_products(kernel):
        return ()
    reason = declined[0].reason if declined else UNKNOWN_FORM
    what = f"values that are weighted by exponentials, as in attention, are added up as they stand: {reason}"
    return (Diagnostic(_CODE, Severity.NOTE, what, place_in_source(place.span, kernel), _HINT),)


def _weighted_sums(kernel: Kernel) -> Iterator[Stmt]:
    """Additions, in a loop, of an exponential times an element of memory."""
    weights = _made_of(kernel, _is_exponential)
    elements = _made_of(kernel, lambda e: isinstance(e, Index))
    for loop in (s for s in statements(kernel.body) if isinstance(s, For | While)):
        for stmt in statements(loop.body):
            for left, right in _added_products(stmt):
                for weight, element in ((left, right), (right, left)):
                    if variables(weight) & weights and _is_element(element, elements - weights):
                        yield stmt


def _adds_products(kernel: Kernel) -> bool:
    """Whether products of two elements of memory are added up: the scores."""
    elements = _made_of(kernel, lambda e: isinstance(e, Index))
    return any(
        all(_is_element(side, elements) for side in sides)
        for loop in statements(kernel.body)
        if isinstance(loop, For | While)
        for stmt in statements(loop.body)
        for sides in _added_products(stmt)
    )


def _is_exponential(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.name.lstrip("_").startswith("exp")


def _made_of(kernel: Kernel, is_source: Callable[[Expr], bool]) -> frozenset[Variable]:
    """Variables and arrays that are given such a value."""
    found: set[Variable] = set()
    for stmt in statements(kernel.body):
        if not isinstance(stmt, Declare | Assign) or stmt.value is None:
            continue
        if is_source(without_casts(stmt.value)):
            target = stmt.variable if isinstance(stmt, Declare) else _root(stmt.target)
            found |= {target} if target is not None else set()
    return frozenset(found)


def _root(expr: Expr) -> Variable | None:
    base = root(expr)
    return base.variable if isinstance(base, VarRef) else None


def _is_element(expr: Expr, elements: frozenset[Variable]) -> bool:
    value = without_casts(expr)
    return isinstance(value, Index) or (isinstance(value, VarRef) and value.variable in elements)


def _added_products(stmt: Stmt) -> Iterator[tuple[Expr, Expr]]:
    for expr in own_expressions(stmt):
        for node in walk(expr):
            if isinstance(node, Binary) and node.op == "+":
                yield from (
                    (side.left, side.right)
                    for side in (without_casts(node.left), without_casts(node.right))
                    if isinstance(side, Binary) and side.op == "*"
                )
            elif isinstance(node, Call) and node.name.lstrip("_").startswith("fma"):
                yield node.arguments[0], node.arguments[1]
