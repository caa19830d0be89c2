"""Notes on threads that work together in a way that no idiom explains: what stays as it stands, and why.

Such a kernel is right, but slower than the idiom. A pattern is told of only where it is plain to see: a step
that combines the values of several lanes or elements, or a shared array that is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from porter.analysis.expressions import (
    evaluates,
    key,
    own_expressions,
    root,
    statements,
    variables,
    without_casts,
)
from porter.analysis.walk import walk
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import Span
from porter.cuda.clang_unit import INCLUDE_DIRECTORY
from porter.cuda.kir import (
    SHARED_STORAGE,
    AddressOf,
    Assign,
    Call,
    Declare,
    Expr,
    Index,
    Kernel,
    Stmt,
    Variable,
    VarRef,
)
from porter.tile.idioms import NoMatch

COLLECTIVE, TILE, HISTOGRAM = "TIL061", "TIL062", "TIL063"
UNKNOWN_FORM = "it has none of the forms that the compiler knows"

_WHAT = {
    COLLECTIVE: "threads' values are combined step by step, as in a reduction or a scan, and stay so",
    TILE: "shared memory `{}` becomes a buffer in global memory",
    HISTOGRAM: "counters in shared memory `{}` become a buffer in global memory",
}
_HINTS = {
    COLLECTIVE: "a tree over a whole warp or block with one operator (a sum, product, minimum, maximum, "
    "or one of bits) becomes tl.sum and its like",
    TILE: "a tile that is filled once between two barriers, each element with an expression of its place, "
    "becomes loads from where it came",
    HISTOGRAM: "counters that are set to zero, counted up by 1 and read bin by bin, with barriers in "
    "between, become tl.histogram where their number is a constant power of two",
}


def kept_patterns(kernel: Kernel, declined: Sequence[NoMatch]) -> tuple[Diagnostic, ...]:
    """A note for each pattern that `raise_idioms` left in the kernel; `declined` are its passes' reasons."""
    found = _Patterns(kernel, declined)
    return tuple(dict.fromkeys((*found.steps(), *found.arrays())))


def place_in_source(span: Span, kernel: Kernel) -> Span:
    """What stands in porter's own headers is told of the kernel."""
    return kernel.span if span.path.startswith(str(INCLUDE_DIRECTORY)) else span


@dataclass
class _Patterns:
    kernel: Kernel
    declined: Sequence[NoMatch]

    def __post_init__(self) -> None:
        self.bodies = (self.kernel.body, *(f.body for f in self.kernel.functions.values()))
        self.everything = [s for body in self.bodies for s in statements(body)]

    def steps(self) -> Iterator[Diagnostic]:
        """The first combination of lanes in each body."""
        for body in self.bodies:
            for step in _combining_lanes(body)[:1]:
                yield self._note(COLLECTIVE, step.span)

    def arrays(self) -> Iterator[Diagnostic]:
        for array in dict.fromkeys(v for s in self.everything for v in sorted(_shared_in(s), key=_name)):
            uses = [s for s in self.everything if array in _shared_in(s)]
            steps = [s for s in uses if _combines_elements(s, array)]
            if any(_counts(s, array) for s in uses):
                yield self._note(HISTOGRAM, array.span, array)
            elif steps:
                yield self._note(COLLECTIVE, steps[0].span, array)
            elif any(_reads(s, array) for s in uses):
                yield self._note(TILE, array.span, array)

    def _note(self, code: str, span: Span, array: Variable | None = None) -> Diagnostic:
        name = array.name if array is not None else ""
        message = f"{_WHAT[code].format(name)}: {self._reason(code, span, name)}"
        return Diagnostic(code, Severity.NOTE, message, place_in_source(span, self.kernel), _HINTS[code])

    def _reason(self, code: str, span: Span, name: str) -> str:
        """Of the reasons of the idiom's own passes one that names the array, else the nearest one."""
        fitting = [d for d in self.declined if d.code in (code, "")]
        named = [d for d in fitting if name and f"`{name}`" in d.reason]
        nearest = sorted(named or fitting, key=lambda d: abs(d.span.line - span.line))
        return nearest[0].reason if nearest else UNKNOWN_FORM


def _name(variable: Variable) -> str:
    return variable.name


def _combining_lanes(body: Iterable[Stmt]) -> list[Stmt]:
    """Assignments of a value that another lane has, or of what is computed from that and the old one."""
    shuffled: set[Variable] = set()
    found: list[Stmt] = []
    for stmt in statements(body):
        call = evaluates(stmt)
        if isinstance(call, Call) and call.name.startswith("__shfl"):
            shuffled |= _changed(stmt)
        elif isinstance(stmt, Assign):
            value, used = without_casts(stmt.value), variables(stmt.value)
            is_taken = isinstance(value, VarRef) and value.variable in shuffled
            if is_taken or (used & shuffled and used & _changed(stmt)):
                found.append(stmt)
    return found


def _changed(stmt: Stmt) -> set[Variable]:
    if isinstance(stmt, Declare):
        return {stmt.variable}
    base = root(stmt.target) if isinstance(stmt, Assign) else None
    return {base.variable} if isinstance(base, VarRef) else set()


def _shared_in(stmt: Stmt) -> set[Variable]:
    return {v for e in own_expressions(stmt) for v in variables(e) if v.storage in SHARED_STORAGE}


def _reads(stmt: Stmt, array: Variable) -> bool:
    return array not in _changed(stmt) or (isinstance(stmt, Assign) and array in variables(stmt.value))


def _combines_elements(stmt: Stmt, array: Variable) -> bool:
    """`a[i] = a[i] + a[j]`, whatever the operator."""
    if not isinstance(stmt, Assign) or array not in _changed(stmt):
        return False
    elements = {key(e) for e in walk(stmt.value) if _is_element(e, array)}
    return key(stmt.target) in elements and len(elements) > 1


def _is_element(expr: Expr, array: Variable) -> bool:
    base = root(expr) if isinstance(expr, Index) else None
    return isinstance(base, VarRef) and base.variable is array


def _counts(stmt: Stmt, array: Variable) -> bool:
    call = evaluates(stmt)
    if not isinstance(call, Call) or not call.name.startswith(("atomicAdd", "atomicInc")):
        return False
    return isinstance(call.arguments[0], AddressOf) and array in variables(call.arguments[0])
