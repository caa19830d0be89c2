"""Removes what raising left without a purpose: shared arrays that nobody reads, and what only fills them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from porter.analysis.expressions import (
    bodies,
    evaluates,
    own_expressions,
    reads,
    root,
    statements,
    written,
)
from porter.analysis.walk import walk
from porter.cuda.kir import (
    SHARED_STORAGE,
    Assign,
    Declare,
    For,
    If,
    Kernel,
    Pointer,
    Stmt,
    Storage,
    Variable,
    VarRef,
    While,
)
from porter.tile.idioms import Raising
from porter.tile.unused_functions import without_unused_functions


def drop_staging(kernel: Kernel) -> Raising:
    """The kernel without dead shared arrays, dead stores and the locals that only served them.

    What a device function that is still called mentions is neither dead nor unread.
    """
    functions = without_unused_functions(kernel).functions.values()
    kept = {node.variable for f in functions for node in walk(f.body) if isinstance(node, VarRef)}
    body = _without_dead_arrays(_without_dead_stores(kernel.body, kept), kept)
    return Raising(replace(kernel, body=body))


def _without_dead_stores(body: tuple[Stmt, ...], kept: set[Variable]) -> tuple[Stmt, ...]:
    """Without assignments to shared arrays and locals that nothing reads, and the control left empty."""
    read = kept | {
        e.variable for s in statements(body) for expr in reads(s) for e in walk(expr) if isinstance(e, VarRef)
    }
    given = {target for s in statements(body) if evaluates(s) and (target := written(s)) is not None}
    smaller = _emptied(_filtered(body, lambda s: not _is_dead(s, read, given)))
    same = sum(1 for _ in statements(smaller)) == sum(1 for _ in statements(body))
    return smaller if same else _without_dead_stores(smaller, kept)


def _is_dead(stmt: Stmt, read: set[Variable], given: set[Variable]) -> bool:
    """`given` are what calls give a value: their statements stay, and so do the declarations."""
    if not isinstance(stmt, Declare | Assign) or evaluates(stmt) is not None:
        return False
    target = written(stmt)
    if target is None or target in read or target.storage is Storage.PARAMETER:
        return False
    return isinstance(stmt, Assign) or (target.storage not in SHARED_STORAGE and target not in given)


def _emptied(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """Without `if`s and counting loops that do nothing."""
    kept: list[Stmt] = []
    for stmt in body:
        match stmt:
            case If(then=then, otherwise=otherwise):
                new = replace(stmt, then=_emptied(then), otherwise=_emptied(otherwise))
                kept += [new] if new.then or new.otherwise else []
            case For(body=inner):
                loop = replace(stmt, body=_emptied(inner))
                kept += [loop] if loop.body else []
            case While(body=inner):
                kept.append(replace(stmt, body=_emptied(inner)))
            case _:
                kept.append(stmt)
    return tuple(kept)


def _without_dead_arrays(body: tuple[Stmt, ...], kept: set[Variable]) -> tuple[Stmt, ...]:
    used = kept | {
        e.variable
        for s in statements(body)
        for expr in own_expressions(s)
        for e in walk(expr)
        if isinstance(e, VarRef)
    }
    aliases = [s for s in statements(body) if isinstance(s, Declare) and _is_unused_alias(s, used)]
    if aliases:
        return _without_dead_arrays(_filtered(body, lambda s: s not in aliases), kept)
    return _filtered(
        body,
        lambda s: (
            not (isinstance(s, Declare) and s.variable.storage in SHARED_STORAGE and s.variable not in used)
        ),
    )


def _is_unused_alias(stmt: Declare, used: set[Variable]) -> bool:
    """A pointer into shared memory that nothing reads any more."""
    if stmt.value is None or stmt.variable in used or not isinstance(stmt.variable.type, Pointer):
        return False
    base = root(stmt.value)
    return isinstance(base, VarRef) and base.variable.storage in SHARED_STORAGE


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
