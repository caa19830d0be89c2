"""Removes what raising left without a purpose: shared arrays nobody reads, barriers that order nothing.

A block barrier orders shared memory, and global memory between threads of the block. It is dropped only when
no shared memory is left and no global buffer is both loaded and stored in the kernel. Two pointer parameters
count as one buffer when their elements have one type and the loaded one is not `const`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from porter.analysis.expressions import (
    bodies,
    definitions,
    evaluates,
    own_expressions,
    reads,
    root,
    statements,
    through_pointer,
)
from porter.analysis.walk import walk
from porter.cuda.kir import (
    Assign,
    Barrier,
    Call,
    CallFunction,
    Declare,
    Expr,
    Index,
    Kernel,
    Pointer,
    Stmt,
    Storage,
    Variable,
    VarRef,
)
from porter.tile.idioms import Raising

_SHARED = (Storage.SHARED, Storage.DYNAMIC_SHARED)


def drop_staging(kernel: Kernel) -> Raising:
    """The kernel without dead shared arrays and, where that is safe, without block barriers."""
    body = _without_dead_arrays(kernel.body)
    if any(isinstance(s, Barrier) for s in statements(body)) and not _needs_barriers(kernel, body):
        body = _filtered(body, lambda s: not isinstance(s, Barrier))
    return Raising(replace(kernel, body=body))


def _without_dead_arrays(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    used = {
        e.variable
        for s in statements(body)
        for expr in own_expressions(s)
        for e in walk(expr)
        if isinstance(e, VarRef)
    }
    aliases = [s for s in statements(body) if isinstance(s, Declare) and _is_unused_alias(s, used)]
    if aliases:
        return _without_dead_arrays(_filtered(body, lambda s: s not in aliases))
    return _filtered(
        body,
        lambda s: not (isinstance(s, Declare) and s.variable.storage in _SHARED and s.variable not in used),
    )


def _is_unused_alias(stmt: Declare, used: set[Variable]) -> bool:
    """A pointer into shared memory that nothing reads any more."""
    if stmt.value is None or stmt.variable in used or not isinstance(stmt.variable.type, Pointer):
        return False
    base = root(stmt.value)
    return isinstance(base, VarRef) and base.variable.storage in _SHARED


def _filtered(body: tuple[Stmt, ...], keep: Any) -> tuple[Stmt, ...]:
    kept = []
    for stmt in body:
        if not keep(stmt):
            continue
        present = bodies(stmt)
        names = [n for n in ("init", "then", "otherwise", "body", "step") if getattr(stmt, n, ()) in present]
        nested = {name: _filtered(getattr(stmt, name), keep) for name in names}
        kept.append(cast(Stmt, replace(cast(Any, stmt), **nested)) if nested else stmt)
    return tuple(kept)


def _needs_barriers(kernel: Kernel, body: tuple[Stmt, ...]) -> bool:
    everything = tuple(statements(body))
    if any(
        isinstance(e, VarRef) and e.variable.storage in _SHARED
        for s in everything
        for expr in own_expressions(s)
        for e in walk(expr)
    ):
        return True
    if any(isinstance(evaluates(s), CallFunction) for s in everything):
        return True
    defined = definitions(kernel.body)
    stored = {_buffer(e, defined) for s in everything for e in _stores(s)}
    loaded = {_buffer(e, defined) for s in everything for e in _loads(s)}
    return any(_may_be_one(a, b) for a in stored for b in loaded)


def _stores(stmt: Stmt) -> Iterator[Expr]:
    if isinstance(stmt, Assign) and through_pointer(stmt.target):
        yield stmt.target
    call = evaluates(stmt)
    if isinstance(call, Call) and call.name.startswith("atomic"):
        yield call.arguments[0]


def _loads(stmt: Stmt) -> Iterator[Expr]:
    for expr in reads(stmt):
        for e in walk(expr):
            if isinstance(e, Index) and through_pointer(e):
                yield e


def _buffer(lvalue: Expr, defined: dict[Variable, Expr]) -> Variable | None:
    base = root(lvalue)
    while isinstance(base, VarRef) and base.variable in defined:
        base = root(defined[base.variable])
    return base.variable if isinstance(base, VarRef) else None


def _may_be_one(stored: Variable | None, loaded: Variable | None) -> bool:
    if stored is None or loaded is None or stored is loaded:
        return True
    if not isinstance(stored.type, Pointer) or not isinstance(loaded.type, Pointer):
        return False
    return not loaded.type.is_const and str(stored.type.pointee) == str(loaded.type.pointee)
