"""Raises a histogram in shared memory to `DeclareBins`, `CountBins` and `ForEachBin`.

The form: every bin set to zero; barrier; `atomicAdd(&bins[index], 1)` and nothing else on the array; barrier;
a visit of each bin exactly once, by whichever thread. Licences: the zeroing and the visit are run for the
whole block and cover each bin once; the visit depends on the bin's number and count, not on the thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from porter.analysis.expressions import (
    bodies,
    definitions,
    evaluates,
    key,
    map_reads,
    own_expressions,
    reads,
    statements,
)
from porter.analysis.staging import StagingRun
from porter.analysis.stop import Stop
from porter.analysis.thread_varying import thread_varying, varies
from porter.analysis.walk import walk
from porter.core.span import Span
from porter.cuda.kir import (
    INT32,
    AddressOf,
    Array,
    Assign,
    Barrier,
    Break,
    Call,
    Cast,
    Const,
    Continue,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Index,
    Kernel,
    Return,
    Stmt,
    Storage,
    Variable,
    VarRef,
)
from porter.tile.idioms import CountBins, DeclareBins, ForEachBin, NoMatch, Raising


class _Declined(Exception):
    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.why = NoMatch(reason, span)


def raise_histogram(kernel: Kernel, block: tuple[int, int, int]) -> Raising:
    """The kernel with its shared histograms as bins; looks at the kernel's outermost statements only."""
    raised: list[tuple[str, Span]] = []
    declined: list[NoMatch] = []
    for stmt in kernel.body:
        if not isinstance(stmt, Declare) or not _is_counted(kernel.body, stmt.variable):
            continue
        try:
            body = _Histogram(kernel, block, stmt.variable).raised_body()
        except _Declined as problem:
            declined.append(problem.why)
            continue
        kernel = replace(kernel, body=body)
        raised.append((f"`{stmt.variable.name}` -> histogram", stmt.span))
    return Raising(kernel, tuple(raised), tuple(declined))


def _is_counted(body: Sequence[Stmt], array: Variable) -> bool:
    """A shared array that atomics add to."""
    if array.storage is not Storage.SHARED or not isinstance(array.type, Array):
        return False
    return any(_counted_index(s, array) is not None for s in statements(body))


def _counted_index(stmt: Stmt, array: Variable) -> Expr | None:
    """The index of `atomicAdd(&array[index], 1);`."""
    match stmt:
        case Evaluate(
            call=Call(
                name="atomicAdd",
                arguments=(
                    AddressOf(lvalue=Index(base=VarRef(variable=counted), index=index)),
                    Const(value=1),
                ),
            )
        ) if counted is array:
            return index
        case _:
            return None


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value == 0


@dataclass
class _Histogram:
    kernel: Kernel
    block: tuple[int, int, int]
    array: Variable
    span: Span = field(init=False)

    def __post_init__(self) -> None:
        self.span = self.array.span
        self.varying = thread_varying(self.kernel.body)
        self.definitions = definitions(self.kernel.body)
        type_ = self.array.type
        bins = type_.shape[0] if isinstance(type_, Array) and len(type_.shape) == 1 else 0
        if bins < 2 or bins & (bins - 1):
            raise _Declined(f"`{self.array.name}` has no power of two of bins in one dimension", self.span)
        self.n_bins = bins
        self.bins = Variable(self.array.name, self.array.type, Storage.LOCAL, self.span)

    def raised_body(self) -> tuple[Stmt, ...]:
        """The outermost statements with the histogram raised. Raises _Declined."""
        zero, count, visit = self._phases()
        self._check_zeroed(zero)
        opened: tuple[Stmt, ...] = (DeclareBins(self.bins, self.span),)
        kept = tuple(s for s in zero if not (isinstance(s, Declare) and s.variable is self.array))
        counted = tuple(self._with_counts(s) for s in count)
        visits = tuple(self._visited(s) if self._mentions(s) else s for s in visit)
        return (*(s for s in kept if not self._mentions(s)), *opened, *counted, *visits)

    def _phases(self) -> tuple[tuple[Stmt, ...], tuple[Stmt, ...], tuple[Stmt, ...]]:
        """The statements up to the barrier before the first count, those with counts, and the rest."""
        body = self.kernel.body
        counting = [i for i, s in enumerate(body) if self._counts(s)]
        barriers = [i for i, s in enumerate(body) if isinstance(s, Barrier) and s.scope == "block"]
        opens = max((b for b in barriers if b < counting[0]), default=None)
        closes = min((b for b in barriers if b > counting[-1]), default=None)
        if opens is None or closes is None or any(counting[0] < b < counting[-1] for b in barriers):
            raise _Declined(f"no barriers before and after `{self.array.name}` is counted", self.span)
        return body[:opens], body[opens:closes], body[closes:]

    def _counts(self, stmt: Stmt) -> bool:
        return any(_counted_index(s, self.array) is not None for s in statements((stmt,)))

    def _mentions(self, stmt: Stmt) -> bool:
        return self._mentioned(statements((stmt,))) > 0

    def _mentioned(self, block: Any) -> int:
        everything = (e for s in block for expr in own_expressions(s) for e in walk(expr))
        return sum(1 for e in everything if isinstance(e, VarRef) and e.variable is self.array)

    # --- the three phases ----------------------------------------------------------------------------

    def _check_zeroed(self, zero: Sequence[Stmt]) -> None:
        filling = [s for s in zero if self._mentions(s)]
        run = self._run(filling)
        cells = [cell for store in run.stores for cell in store.cells]
        is_zero = all(_is_zero(s.value) and s.guard is None for s in run.stores)
        if not is_zero or len(cells) != self.n_bins or len(set(cells)) != self.n_bins:
            raise _Declined(f"not every bin of `{self.array.name}` is set to zero, once", self.span)
        only_array = all(store.array is self.array for store in run.stores) and not run.assigned
        if not only_array:
            raise _Declined(f"`{self.array.name}` is cleared together with other things", self.span)

    def _run(self, block: Sequence[Stmt]) -> StagingRun:
        everyone = np.ones(self.block[0] * self.block[1] * self.block[2], dtype=np.bool_)
        run = StagingRun(block=self.block, definitions=self.definitions, everyone=everyone)
        try:
            run.run(block, everyone)
        except Stop as stop:
            raise _Declined(stop.reason, stop.span) from None
        run.assigned -= set(run.declared)
        return run

    def _with_counts(self, stmt: Stmt) -> Stmt:
        """A statement of the counting phase: the atomics become `CountBins`; nothing else may be there."""
        index = _counted_index(stmt, self.array)
        if index is not None:
            if any(isinstance(e, VarRef) and e.variable is self.array for e in walk(index)):
                raise _Declined(f"`{self.array.name}` is read while it is counted", stmt.span)
            return CountBins(self.bins, index, None, stmt.span, getattr(stmt, "comments", ()))
        if self._mentioned((stmt,)):
            raise _Declined(f"`{self.array.name}` is used otherwise while it is counted", stmt.span)
        names = [
            n for n in ("init", "then", "otherwise", "body", "step") if getattr(stmt, n, ()) and bodies(stmt)
        ]
        new = {n: tuple(self._with_counts(s) for s in getattr(stmt, n)) for n in names}
        return cast(Stmt, replace(cast(Any, stmt), **new)) if new else stmt

    def _visited(self, stmt: Stmt) -> Stmt:
        """A loop, branch or statement that visits each bin once, as `ForEachBin`."""
        index = self._visited_index(stmt)
        body = self._visiting_body(stmt, index)
        number = Variable("bin_number", INT32, Storage.LOCAL, stmt.span)
        element = cast(Array, self.array.type).element
        count = Variable("bin_count", element, Storage.LOCAL, stmt.span)
        new = tuple(map_reads(s, lambda e: self._place(e, index, number, count)) for s in body)
        new = tuple(self._check_visit(s) for s in new)
        return ForEachBin(self.bins, number, count, new, stmt.span, getattr(stmt, "comments", ()))

    def _visited_index(self, stmt: Stmt) -> Expr:
        found = [
            e
            for s in statements((stmt,))
            for expr in reads(s)
            for e in walk(expr)
            if isinstance(e, Index) and isinstance(e.base, VarRef) and e.base.variable is self.array
        ]
        if not found or len(found) != self._mentioned(statements((stmt,))):
            raise _Declined(f"`{self.array.name}` is changed where it is read", stmt.span)
        if any(key(e.index) != key(found[0].index) for e in found):
            raise _Declined(f"`{self.array.name}` is read at two indices", stmt.span)
        return found[0].index

    def _visiting_body(self, stmt: Stmt, index: Expr) -> tuple[Stmt, ...]:
        """What is done for one bin; checks that the statement does it for each bin exactly once."""
        element = cast(Array, self.array.type).element
        place = Index(VarRef(self.array, self.array.type, stmt.span), index, element, stmt.span)
        mark = Assign(place, Const(0, element, stmt.span), stmt.span)
        if isinstance(stmt, For):
            body, skeleton = stmt.body, cast(Stmt, replace(stmt, body=(mark,)))
        elif isinstance(stmt, If) and not stmt.otherwise and not self._mentioned((stmt,)):
            body, skeleton = stmt.then, cast(Stmt, replace(stmt, then=(mark,)))
        else:
            body, skeleton = (stmt,), mark
        stores = self._run([skeleton]).stores
        cells = [cell for store in stores for cell in store.cells]
        guarded = any(store.guard is not None for store in stores)
        if guarded or len(cells) != self.n_bins or len(set(cells)) != self.n_bins:
            raise _Declined(f"`{self.array.name}` is not visited bin by bin, each once", stmt.span)
        return body

    def _place(self, expr: Expr, index: Expr, number: Variable, count: Variable) -> Expr | None:
        """The bin's count for the element, and the bin's number for whatever stood for it."""
        if isinstance(expr, Index) and isinstance(expr.base, VarRef) and expr.base.variable is self.array:
            return VarRef(count, count.type, expr.span)
        core = index
        while isinstance(core, Cast):
            core = core.operand
        if key(expr) != key(core):
            return None
        reference = VarRef(number, INT32, expr.span)
        return reference if str(core.type) == str(INT32) else Cast(reference, core.type, expr.span)

    def _check_visit(self, stmt: Stmt) -> Stmt:
        inside = {s.variable for s in statements((stmt,)) if isinstance(s, Declare)}
        for s in statements((stmt,)):
            if isinstance(s, Return | Break | Continue | Barrier):
                raise _Declined("the visit of a bin leaves or waits", s.span)
            if any(varies(e, self.varying - inside) for e in own_expressions(s) if evaluates(s) is None):
                raise _Declined("what is done for a bin depends on the thread", s.span)
            call = evaluates(s)
            arguments = call.arguments if call is not None else ()
            if any(varies(e, self.varying - inside) for e in arguments):
                raise _Declined("what is done for a bin depends on the thread", s.span)
            assigned = s.target if isinstance(s, Assign) else None
            if isinstance(assigned, VarRef) and assigned.variable not in inside:
                raise _Declined("the visit of a bin changes a variable", s.span)
        return stmt
