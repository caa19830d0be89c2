"""Puts a barrier between a store and a load that may be of the same place within one barrier phase.

In CUDA a thread sees its own stores. In Triton the threads of the hardware that carry out a store and a later
load of the same elements may differ, because each operation has a layout of its own; `tl.debug_barrier()`
between them restores what the source relies on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from porter.cuda.kir import INT32
from porter.tile import ir

BARRIER = ir.Do(ir.Invoke("tl.debug_barrier", (), ir.TileType(INT32)))


@dataclass(frozen=True)
class Phase:
    """Buffers touched since the last barrier."""

    stored: frozenset[str] = frozenset()
    loaded: frozenset[str] = frozenset()

    def join(self, other: Phase) -> Phase:
        return Phase(self.stored | other.stored, self.loaded | other.loaded)

    def after(self, access: Phase) -> Phase:
        return self.join(access)


def insert_barriers(kernel: ir.TileKernel, scratch: frozenset[str]) -> ir.TileKernel:
    """`scratch` names the buffers that stand for shared memory: there every conflict counts.

    In the source's own global buffers only a load after a store does; what else may conflict there is
    ordered by the values themselves.
    """
    body, _ = _Inserter(scratch).block(kernel.body, Phase())
    return replace(kernel, body=tuple(body))


@dataclass(frozen=True)
class _Inserter:
    scratch: frozenset[str]

    def block(self, body: Iterable[ir.Stmt], phase: Phase) -> tuple[list[ir.Stmt], Phase]:
        out: list[ir.Stmt] = []
        for statement in body:
            if statement == BARRIER:
                phase = Phase()
                if not (out and out[-1] == BARRIER):
                    out.append(statement)
                continue
            access = _accesses(ir.own_expressions(statement))
            if self.conflict(phase, access):
                out.append(BARRIER)
                phase = Phase()
            statement, phase = self.inside(statement, phase.after(access))
            out.append(statement)
        return out, phase

    def inside(self, statement: ir.Stmt, phase: Phase) -> tuple[ir.Stmt, Phase]:
        if isinstance(statement, ir.IfElse):
            then, after_then = self.block(statement.then, phase)
            otherwise, after_else = self.block(statement.otherwise, phase)
            changed = replace(statement, then=tuple(then), otherwise=tuple(otherwise))
            return changed, after_then.join(after_else)
        if isinstance(statement, (ir.ForRange, ir.WhileLoop)):
            _, once = self.block(statement.body, phase)
            body, again = self.block(statement.body, phase.join(once))
            if isinstance(statement, ir.WhileLoop) and self.conflict(again, _tested(statement)):
                body, again = [*body, BARRIER], Phase()
            return replace(statement, body=tuple(body)), phase.join(again)
        return statement, phase

    def conflict(self, phase: Phase, access: Phase) -> bool:
        reads = _meet(phase.stored, access.loaded)
        writes = _meet(phase.stored | phase.loaded, access.stored) & (self.scratch | {"?"})
        return bool(reads or writes)


def _tested(loop: ir.WhileLoop) -> Phase:
    return _accesses((loop.condition,))


def _meet(before: frozenset[str], now: frozenset[str]) -> frozenset[str]:
    """Common buffers; "?" may be any."""
    if ("?" in before and now) or ("?" in now and before):
        return (before & now) | {"?"}
    return before & now


def _accesses(exprs: tuple[ir.Expr, ...]) -> Phase:
    stored: set[str] = set()
    loaded: set[str] = set()
    pending = list(exprs)
    while pending:
        expr = pending.pop()
        pending += ir.operands(expr)
        if isinstance(expr, ir.Invoke) and expr.arguments:
            buffer = expr.arguments[0].type.pointer
            if expr.function == "tl.load":
                loaded.add(buffer)
            elif expr.function == "tl.store" or (expr.function.startswith("tl.atomic") and buffer):
                stored.add(buffer)
    return Phase(frozenset(stored), frozenset(loaded))
