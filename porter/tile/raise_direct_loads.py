"""Replaces reads of a staged shared tile by the global loads that filled it (stencil, transpose, GEMM).

The stores between two barriers give every element as one expression of its place (`tile_places`); a read
after the barrier is that expression at the read's indices. Licences: all stores of the array are those; all
its reads come after the barrier in the same statement list; in a loop a barrier separates the reads from the
next round's stores; nothing the expression depends on changes in between, in memory or in variables; an
element that no thread stored is read by nobody (else it would be undefined).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from porter.analysis.aliasing import buffer, may_be_one, stores
from porter.analysis.expressions import bodies, definitions, map_reads, own_expressions, statements
from porter.analysis.ranges import Interval, Ranges
from porter.analysis.reaching import Facts, after, changed_in, inside_loop
from porter.analysis.staging import StagingRun, Store, extents, index_chain
from porter.analysis.stop import Stop
from porter.analysis.thread_varying import thread_varying
from porter.analysis.walk import walk
from porter.core.span import Span
from porter.cuda.kir import (
    SHARED_STORAGE,
    AddressOf,
    Array,
    Assign,
    Barrier,
    Binary,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    Index,
    Kernel,
    Scalar,
    Select,
    Stmt,
    Variable,
    VarRef,
    While,
)
from porter.tile.idioms import NoMatch, Raising
from porter.tile.tile_places import (
    Contents,
    NoPlaces,
    as_int32,
    contents_of,
    loads,
    mentioned,
    value_at,
    within,
)


def raise_direct_loads(kernel: Kernel, block: tuple[int, int, int]) -> Raising:
    """The kernel with every tile forwarded whose contents and readers are known. The stores stay in place."""
    forwarder = _Forwarder(kernel, block)
    body = forwarder.block_of(kernel.body, {}, in_loop=False)
    return Raising(replace(kernel, body=body), tuple(forwarder.raised), tuple(forwarder.declined))


class _Declined(Exception):
    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.why = NoMatch(reason, span)


@dataclass(frozen=True)
class _Stage:
    """A statement list cut at a barrier: `fill` stores the tile, `use` is everything after the barrier."""

    before: tuple[Stmt, ...]
    fill: tuple[Stmt, ...]
    use: tuple[Stmt, ...]
    facts: Facts
    in_loop: bool


@dataclass
class _Forwarder:
    kernel: Kernel
    block: tuple[int, int, int]
    raised: list[tuple[str, Span]] = field(default_factory=list)
    declined: list[NoMatch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.definitions = definitions(self.kernel.body)
        self.varying = thread_varying(self.kernel.body)

    def block_of(self, block: tuple[Stmt, ...], facts: Facts, *, in_loop: bool) -> tuple[Stmt, ...]:
        """A statement list with the reads of its tiles replaced, at this level and below."""
        done: list[Stmt] = []
        start, start_facts = 0, facts
        pending = list(block)
        while pending:
            stmt = pending.pop(0)
            if isinstance(stmt, Barrier) and stmt.scope == "block":
                stage = _Stage(tuple(done[:start]), tuple(done[start:]), tuple(pending), start_facts, in_loop)
                pending = list(self._forward(stage))
                start, start_facts = len(done) + 1, facts
            done.append(self._inside(stmt, facts, in_loop))
            facts = after(facts, stmt)
        return tuple(done)

    def _inside(self, stmt: Stmt, facts: Facts, in_loop: bool) -> Stmt:
        if not any(isinstance(s, Barrier) for s in statements((stmt,))) or not bodies(stmt):
            return stmt
        loops = isinstance(stmt, For | While)
        inner = inside_loop(facts, stmt) if loops else facts
        names = [n for n in ("then", "otherwise", "body") if getattr(stmt, n, ())]
        new = {n: self.block_of(getattr(stmt, n), inner, in_loop=loops or in_loop) for n in names}
        return cast(Stmt, replace(cast(Any, stmt), **new))

    def _forward(self, stage: _Stage) -> tuple[Stmt, ...]:
        """What follows the barrier, with the reads of every tile that qualifies replaced."""
        first = next((i for i, s in enumerate(stage.fill) if self._stores_shared(s)), None)
        if first is None:
            return stage.use
        facts = stage.facts
        for stmt in stage.fill[:first]:
            facts = after(facts, stmt)
        found = self._stores_of(stage.fill[first:])
        use = stage.use
        for array, array_stores in found.items():
            now = replace(stage, fill=stage.fill[first:], before=stage.before + stage.fill[:first], use=use)
            try:
                contents = contents_of(array_stores, facts, self.varying, self.block)
                use = self._replaced(array, contents, now)
            except NoPlaces as problem:
                self.declined.append(NoMatch(f"`{array.name}`: {problem}", array_stores[0].value.span))
            except _Declined as declined:
                self.declined.append(declined.why)
        return use

    def _stores_shared(self, stmt: Stmt) -> bool:
        return any(isinstance(s, Assign) and _array_of(s.target) is not None for s in statements((stmt,)))

    def _stores_of(self, fill: Sequence[Stmt]) -> dict[Variable, list[Store]]:
        everyone = np.ones(self.block[0] * self.block[1] * self.block[2], dtype=np.bool_)
        run = StagingRun(block=self.block, definitions=self.definitions, everyone=everyone)
        try:
            run.run(fill, everyone)
        except Stop as stop:
            self.declined.append(NoMatch(stop.reason, stop.span))
            return {}
        found: dict[Variable, list[Store]] = {}
        for store in run.stores:
            found.setdefault(store.array, []).append(store)
        return found

    # --- licences ------------------------------------------------------------------------------------

    def _replaced(self, array: Variable, contents: Contents, stage: _Stage) -> tuple[Stmt, ...]:
        span = stage.fill[0].span
        last = max((i for i, s in enumerate(stage.use) if _mentions((s,), array)), default=None)
        if last is None:
            raise _Declined(f"`{array.name}` is not read after the barrier", span)
        if _mentions(self.kernel.body, array) != _mentions((*stage.fill, *stage.use), array):
            raise _Declined(f"`{array.name}` is used in other places too", span)
        self._check_use(array, stage.use[: last + 1])
        self._check_rounds(array, stage, last)
        self._check_unchanged(array, contents, (*stage.fill, *stage.use[: last + 1]))
        ranges = self._ranges(stage.use)
        new = tuple(map_reads(s, lambda e: self._read(e, array, contents, ranges)) for s in stage.use)
        self.raised.append((f"`{array.name}` -> direct loads", span))
        return new

    def _check_use(self, array: Variable, use: Sequence[Stmt]) -> None:
        reads = 0
        for stmt in statements(use):
            if isinstance(stmt, Assign) and _array_of(stmt.target) is array:
                raise _Declined(f"`{array.name}` is stored again after the barrier", stmt.span)
            for expr in own_expressions(stmt):
                reads += sum(1 for e in walk(expr) if _is_element(e, array))
                reads -= sum(1 for e in walk(expr) if _is_address(e, array))
        if reads != _mentions(use, array):
            raise _Declined(f"`{array.name}` is read otherwise than element by element", use[0].span)

    def _check_rounds(self, array: Variable, stage: _Stage, last: int) -> None:
        around = (*stage.use[last + 1 :], *stage.before)
        if stage.in_loop and not any(isinstance(s, Barrier) and s.scope == "block" for s in around):
            raise _Declined(f"no barrier before the next round fills `{array.name}`", stage.use[last].span)

    def _check_unchanged(self, array: Variable, contents: Contents, between: Sequence[Stmt]) -> None:
        changed = changed_in(between) & mentioned(contents)
        if changed:
            name = min(v.name for v in changed)
            raise _Declined(f"`{name}` changes before `{array.name}` is read", between[0].span)
        loaded = [buffer(e, self.definitions) for e in loads(contents)]
        for stmt in statements(between):
            for store in stores(stmt):
                if any(may_be_one(buffer(store, self.definitions), b) for b in loaded):
                    raise _Declined(f"what `{array.name}` was loaded from may be overwritten", stmt.span)

    # --- replacing -----------------------------------------------------------------------------------

    def _ranges(self, use: Sequence[Stmt]) -> Ranges:
        known = {v: i for s in statements(use) if isinstance(s, For) for v, i in _counter(s)}
        return Ranges(self.block, self.definitions, known)

    def _read(self, expr: Expr, array: Variable, contents: Contents, ranges: Ranges) -> Expr | None:
        if not _is_element(expr, array):
            return None
        indices = tuple(as_int32(index) for index in index_chain(expr))
        value = value_at(contents, indices, self.block, ranges)
        box = contents.box()
        extent = tuple((0, length or 1 << 31) for length in extents(array))
        inside = tuple(
            extent_d if ranges.of(index).within(box_d[0], box_d[1] - 1) else box_d
            for index, box_d, extent_d in zip(indices, box, extent, strict=True)
        )
        condition = within(indices, inside, extent)
        if condition is None or not isinstance(expr.type, Scalar):
            return value
        return Select(condition, value, Const(0, expr.type, expr.span), expr.type, expr.span)


def _counter(loop: For) -> list[tuple[Variable, Interval]]:
    """The values inside the body of the counter of `for (i = a; i < b; i += c)` with numbers a, b, c > 0."""
    match loop:
        case For(
            init=(Declare(variable=variable, value=Const(value=first)),),
            condition=Binary(op="<" | "<=" as op, left=left, right=Const(value=bound)),
            step=(Assign(target=VarRef(variable=stepped), value=Binary(op="+", right=Const(value=step))),),
        ) if stepped is variable and _is_reference(left, variable) and int(step) > 0:
            if variable in changed_in(loop.body):
                return []
            last = int(bound) - (op == "<")
            return [(variable, Interval(int(first), last - (last - int(first)) % int(step)))]
        case _:
            return []


def _is_reference(expr: Expr, variable: Variable) -> bool:
    while isinstance(expr, Cast):
        expr = expr.operand
    return isinstance(expr, VarRef) and expr.variable is variable


def _mentions(block: Sequence[Stmt], array: Variable) -> int:
    return sum(
        1
        for s in statements(block)
        for expr in own_expressions(s)
        for e in walk(expr)
        if isinstance(e, VarRef) and e.variable is array
    )


def _is_element(expr: Expr, array: Variable) -> bool:
    return isinstance(expr, Index) and not isinstance(expr.type, Array) and _array_of(expr) is array


def _is_address(expr: Expr, array: Variable) -> bool:
    return isinstance(expr, AddressOf) and _is_element(expr.lvalue, array)


def _array_of(lvalue: Expr) -> Variable | None:
    while isinstance(lvalue, Index):
        lvalue = lvalue.base
    is_shared = isinstance(lvalue, VarRef) and lvalue.variable.storage in SHARED_STORAGE
    return lvalue.variable if is_shared and isinstance(lvalue, VarRef) else None
