"""Drops the block barriers that order nothing any more.

A block barrier orders shared memory, and global memory between threads of the block. Without shared memory it
is needed only between two accesses of what may be one global buffer, one of them a store, that stand on its
two sides; around a loop everything in the loop stands on both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from porter.analysis.aliasing import buffer, loads, may_be_one, stores
from porter.analysis.expressions import bodies, definitions, own_expressions, statements
from porter.analysis.walk import walk
from porter.cuda.kir import (
    SHARED_STORAGE,
    Barrier,
    CallFunction,
    Expr,
    For,
    Function,
    Kernel,
    Stmt,
    Variable,
    VarRef,
    While,
)
from porter.tile.idioms import Raising
from porter.tile.unused_functions import without_unused_functions


@dataclass(frozen=True)
class _Accesses:
    stored: frozenset[Variable | None] = frozenset()
    loaded: frozenset[Variable | None] = frozenset()

    def __or__(self, other: _Accesses) -> _Accesses:
        return _Accesses(self.stored | other.stored, self.loaded | other.loaded)

    def conflicts(self, other: _Accesses) -> bool:
        return _meet(self.stored, other.loaded | other.stored) or _meet(other.stored, self.loaded)


def drop_barriers(kernel: Kernel) -> Raising:
    """The kernel without the barriers that are not needed; unchanged while shared memory is in use."""
    if not any(isinstance(s, Barrier) for s in statements(kernel.body)) or _uses_shared(kernel):
        return Raising(kernel)
    dropper = _Dropper(definitions(kernel.body), kernel.functions)
    return Raising(replace(kernel, body=dropper.block_of(kernel.body, _Accesses(), _Accesses())))


@dataclass
class _Dropper:
    defined: Mapping[Variable, Expr]
    functions: Mapping[str, Function]
    _known: dict[int, _Accesses] = field(default_factory=dict)

    def block_of(self, block: Sequence[Stmt], before: _Accesses, after: _Accesses) -> tuple[Stmt, ...]:
        """The statements without idle barriers; `before` and `after` are what surrounds them."""
        kept: list[Stmt] = []
        for number, stmt in enumerate(block):
            earlier = before | self._of(block[:number])
            later = after | self._of(block[number + 1 :])
            if not isinstance(stmt, Barrier):
                kept.append(self._inside(stmt, earlier, later))
            elif earlier.conflicts(later):
                kept.append(stmt)
        return tuple(kept)

    def _inside(self, stmt: Stmt, before: _Accesses, after: _Accesses) -> Stmt:
        if not any(isinstance(s, Barrier) for s in statements((stmt,))):
            return stmt
        if isinstance(stmt, For | While):
            around = self._of((stmt,))
            before, after = before | around, after | around
        names = [n for n in ("then", "otherwise", "body") if getattr(stmt, n, ()) and bodies(stmt)]
        new = {n: self.block_of(getattr(stmt, n), before, after) for n in names}
        return cast(Stmt, replace(cast(Any, stmt), **new)) if new else stmt

    def _of(self, block: Iterable[Stmt]) -> _Accesses:
        total = _Accesses()
        for stmt in block:
            if id(stmt) not in self._known:
                self._known[id(stmt)] = self._compute(stmt)
            total |= self._known[id(stmt)]
        return total

    def _compute(self, stmt: Stmt) -> _Accesses:
        everything = tuple(statements((stmt,)))
        stored = {buffer(e, self.defined) for s in everything for e in stores(s)}
        loaded = {buffer(e, self.defined) for s in everything for e in loads(s)}
        if any(self._calls_memory(s) for s in everything):
            stored.add(None)
        return _Accesses(frozenset(stored), frozenset(loaded))

    def _calls_memory(self, stmt: Stmt) -> bool:
        """Does the statement call a function that loads or stores, itself or through others?"""
        pending, seen = _called(stmt), set[str]()
        while pending:
            name = pending.pop()
            if name not in self.functions:
                return True
            if name not in seen:
                seen.add(name)
                for inner in statements(self.functions[name].body):
                    if any(True for _ in stores(inner)) or any(True for _ in loads(inner)):
                        return True
                    pending |= _called(inner)
        return False


def _called(stmt: Stmt) -> set[str]:
    return {e.function for x in own_expressions(stmt) for e in walk(x) if isinstance(e, CallFunction)}


def _meet(a: Iterable[Variable | None], b: Iterable[Variable | None]) -> bool:
    others = tuple(b)
    return any(may_be_one(x, y) for x in a for y in others)


def _uses_shared(kernel: Kernel) -> bool:
    """Whether it does so itself or in a device function that it calls."""
    called = without_unused_functions(kernel).functions.values()
    return any(
        isinstance(e, VarRef) and e.variable.storage in SHARED_STORAGE
        for body in (kernel.body, *(function.body for function in called))
        for s in statements(body)
        for expr in own_expressions(s)
        for e in walk(expr)
    )
