"""Gives a parameter that the kernel changes (`input += blockIdx.x * n;`) a local of its own from there on.

After it the pointer has one definition, which the passes that need to know a buffer can look through. Only
for parameters whose every change is a plain assignment among the kernel's outermost statements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from porter.analysis.expressions import map_reads, statements, substitute, transform, written
from porter.cuda.kir import Assign, Declare, Expr, Index, Kernel, Member, Stmt, Storage, Variable, VarRef
from porter.tile.idioms import Raising


def name_parameters(kernel: Kernel) -> Raising:
    """The kernel with each changed parameter as a sequence of locals, one an assignment."""
    chosen = {p for p in kernel.parameters if _changes_at_top(kernel, p)}
    current: dict[Variable, Expr] = {}
    body: list[Stmt] = []
    for stmt in kernel.body:
        if isinstance(stmt, Assign) and isinstance(stmt.target, VarRef) and stmt.target.variable in chosen:
            parameter = stmt.target.variable
            local = replace(parameter, storage=Storage.LOCAL)
            body.append(Declare(local, substitute(stmt.value, current), stmt.span, stmt.comments))
            current[parameter] = VarRef(local, local.type, stmt.span)
        else:
            body.append(_renamed(stmt, current) if current else stmt)
    return Raising(replace(kernel, body=tuple(body)))


def _changes_at_top(kernel: Kernel, parameter: Variable) -> bool:
    changes = sum(1 for s in statements(kernel.body) if written(s) is parameter)
    at_top = sum(
        1
        for s in kernel.body
        if isinstance(s, Assign) and isinstance(s.target, VarRef) and s.target.variable is parameter
    )
    return 0 < changes == at_top


def _renamed(stmt: Stmt, current: Mapping[Variable, Expr]) -> Stmt:
    def rule(expr: Expr) -> Expr | None:
        return current.get(expr.variable) if isinstance(expr, VarRef) else None

    def retarget(inner: Stmt) -> Stmt:
        if isinstance(inner, Assign) and isinstance(inner.target, Index | Member):
            target = transform(inner.target, rule)
            assert isinstance(target, Index | Member)
            return replace(inner, target=target)
        return inner

    return _deep(map_reads(stmt, rule), retarget)


def _deep(stmt: Stmt, change: Callable[[Stmt], Stmt]) -> Stmt:
    nested = {
        n: tuple(_deep(s, change) for s in getattr(stmt, n))
        for n in ("init", "then", "otherwise", "body", "step")
        if getattr(stmt, n, ())
    }
    return change(cast(Stmt, replace(cast(Any, stmt), **nested)) if nested else stmt)
