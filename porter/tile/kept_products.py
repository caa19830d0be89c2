"""Notes on loops that add up products like those of a matrix product and stay loops, with the reason.

Such a loop runs a number of rounds that all threads share; of what it multiplies and loads, one side depends
on other coordinates of the thread than the other side does. A sum of squares, a filter with the same weights
for all threads, or a dot product whose elements the threads share out, is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from porter.analysis.expressions import (
    definitions,
    key,
    own_expressions,
    statements,
    substitute,
    variables,
    without_casts,
    written,
)
from porter.analysis.thread_varying import thread_varying, varies
from porter.analysis.walk import walk
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import Span
from porter.cuda.kir import (
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Declare,
    Expr,
    For,
    Index,
    Kernel,
    Member,
    Select,
    Storage,
    Variable,
    VarRef,
)
from porter.tile.idioms import Dot, NoMatch
from porter.tile.kept_patterns import UNKNOWN_FORM, place_in_source
from porter.tile.raise_dot import has_load

_CODE = "TIL060"
_MULTIPLY_ADD = frozenset({"fma", "fmaf", "__fmaf_rn", "__fma_rn", "__hfma", "__dp4a"})
_DEPTH = 16


def kept_products(kernel: Kernel, declined: Sequence[NoMatch]) -> tuple[Diagnostic, ...]:
    """A note where the kernel has such a loop; `declined` is why `raise_products` found no product."""
    if any(isinstance(s, Dot) for s in statements(kernel.body)):
        return ()
    reason = declined[0].reason if declined else UNKNOWN_FORM
    message = f"a loop that adds up products, as a matrix product's does, stays a loop: {reason}"
    hint = (
        "a loop over k that all threads run equally often, with every element of the block's tile "
        "computed and stored once, becomes tl.dot"
    )
    return tuple(
        Diagnostic(_CODE, Severity.NOTE, message, place_in_source(span, kernel), hint)
        for span in _loops(kernel)
    )[:1]


def _loops(kernel: Kernel) -> Iterator[Span]:
    known = definitions(kernel.body)
    loaded = _loaded(kernel)
    loops = [s for s in statements(kernel.body) if isinstance(s, For)]
    varying = thread_varying(kernel.body)
    varying -= {v for loop in loops if _runs_evenly(loop, varying) for v in _counters(loop)}
    for loop in loops:
        if not _runs_evenly(loop, varying):
            continue
        for stmt in statements(loop.body):
            factors = _added_product(stmt) if isinstance(stmt, Assign) else None
            if factors is None or not all(_is_loaded(f, loaded) for f in factors):
                continue
            left, right = (_coordinates(f, known, varying) for f in factors)
            if left and right and left != right:
                yield loop.span
                break


def _runs_evenly(loop: For, varying: frozenset[Variable]) -> bool:
    """Does every thread run the same rounds? The counter itself may change under a condition of threads."""
    parts = (loop.condition, *(e for s in loop.init for e in own_expressions(s)))
    return not any(varies(e, varying - _counters(loop)) for e in parts)


def _counters(loop: For) -> set[Variable]:
    return {s.variable for s in loop.init if isinstance(s, Declare)}


def _added_product(stmt: Assign) -> tuple[Expr, Expr] | None:
    """`a` and `b` of `target = target + a * b`."""
    value, target = without_casts(stmt.value), key(stmt.target)
    if isinstance(value, Call) and value.name in _MULTIPLY_ADD and key(value.arguments[2]) == target:
        return value.arguments[0], value.arguments[1]
    if not isinstance(value, Binary) or value.op != "+":
        return None
    for own, other in ((value.left, value.right), (value.right, value.left)):
        while isinstance(other, Cast):
            other = other.operand
        if key(own) == target and isinstance(other, Binary) and other.op == "*":
            return other.left, other.right
    return None


def _loaded(kernel: Kernel) -> frozenset[Variable]:
    """Variables that get a value from memory as it is, at once or through others."""
    found: frozenset[Variable] = frozenset()
    while True:
        more = {
            changed
            for s in statements(kernel.body)
            if isinstance(s, Declare | Assign) and s.value is not None and _is_loaded(s.value, found)
            if (changed := written(s)) is not None
        }
        if more <= found:
            return found
        found |= more


def _is_loaded(expr: Expr, loaded: frozenset[Variable]) -> bool:
    """Is this what a place in memory holds, perhaps converted, or 0 where there is none?"""
    match expr:
        case Index():
            return True
        case VarRef(variable=variable):
            return variable in loaded
        case Cast(operand=inner) | Member(base=inner) | Call(arguments=(inner,)):
            return _is_loaded(inner, loaded)
        case Select(if_true=one, if_false=other):
            return _is_loaded(one, loaded) or _is_loaded(other, loaded)
        case _:
            return False


def _coordinates(
    factor: Expr, known: dict[Variable, Expr], varying: frozenset[Variable]
) -> frozenset[Variable | str]:
    """What a factor's place depends on that differs between threads: variables, axes of thread numbers."""
    for _ in range(_DEPTH):
        loads = {v: known[v] for v in variables(factor) & known.keys() if has_load(known[v])}
        if not loads:
            break
        factor = substitute(factor, loads)
    axes = {e.axis for e in walk(factor) if isinstance(e, Builtin) and e.name == "threadIdx"}
    return frozenset(axes | {v for v in variables(factor) & varying if v.storage is Storage.LOCAL})
