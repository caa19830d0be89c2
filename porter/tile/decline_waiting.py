"""Declines loops that only end when another thread changes memory: spin locks, barriers across the grid.

The threads of a program run in lockstep, and programs need not run at the same time, so that such a loop may
never end. It is told by what it does: nothing but look at the same places again. A loop with a counter, one
that stores, and the usual loop over `atomicCAS`, which tries a new value each time, are none.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.analysis.expressions import own_expressions, statements, variables, written
from porter.analysis.walk import walk
from porter.cuda import kir
from porter.cuda.kir_effects import is_effect_call
from porter.tile.api import Declined
from porter.tile.dropped_calls import DROPPED

_LOOKING = frozenset({"atomicCAS", "atomicExch"})
"""Atomic operations that leave memory as it is once they have failed, or have been done."""

_COUNTING = frozenset({"atomicAdd", "atomicOr"})
"""Those that do with 0 for their operand."""


def decline_waiting(kernel: kir.Kernel) -> kir.Kernel:
    """The same kernel. Assumes that device functions are inlined. Raises Declined."""
    for node in walk(kernel.body):
        if isinstance(node, kir.While | kir.For) and _waits(node):
            what = "a loop that waits until another thread changes memory: it may never end in Triton"
            hint = "split the kernel where it waits, or update the value with one atomic operation"
            raise Declined("TIL053", what, node.span, hint)
    return kernel


def _waits(loop: kir.While | kir.For) -> bool:
    if isinstance(loop.condition, kir.Const) and not loop.condition.value:
        return False
    if any(isinstance(s, kir.Break | kir.Return) for s in loop.body):
        return False  # it is left in its first round
    inside = (*statements(loop.body), *(statements(loop.step) if isinstance(loop, kir.For) else ()))
    expressions = [loop.condition, *(e for s in inside for e in own_expressions(s))]
    return (
        any(_is_memory(e) for root in expressions for e in walk(root))
        and all(_only_looks(s) for s in inside)
        and not _progress(inside)
    )


def _is_memory(node: kir.Expr) -> bool:
    match node:
        case kir.Index(base):
            return isinstance(base.type, kir.Pointer)
        case kir.VarRef(variable):
            return variable.storage in _SHARED_BY_THREADS
        case kir.Call(name):
            return name.startswith("atomic")
    return False


_SHARED_BY_THREADS = (*kir.SHARED_STORAGE, kir.Storage.GLOBAL)


def _only_looks(statement: kir.Stmt) -> bool:
    """Whether nothing that the loop looks at can be different afterwards because of this statement."""
    if isinstance(statement, kir.Extension):
        return False
    if isinstance(statement, kir.Barrier):
        return statement.scope == "fence"
    if isinstance(statement, kir.Assign) and any(_is_memory(e) for e in walk(statement.target)):
        return False
    return all(
        _is_look(call) for root in own_expressions(statement) for call in walk(root) if _is_effect(call)
    )


def _is_effect(node: kir.Expr) -> bool:
    return isinstance(node, kir.CallFunction) or (isinstance(node, kir.Call) and is_effect_call(node.name))


def _is_look(node: kir.Expr) -> bool:
    if not isinstance(node, kir.Call):
        return False
    if node.name in _COUNTING:
        operand = node.arguments[1]
        return isinstance(operand, kir.Const) and operand.value == 0
    return node.name in _LOOKING or node.name in DROPPED


def _progress(inside: tuple[kir.Stmt, ...]) -> bool:
    """Whether some variable of the loop depends on what it, or another one, was in the round before."""
    values = list(_definitions(inside))
    pending = {variable for variable, _ in values}
    while pending:
        fixed = {v for v in pending if all(not variables(e) & pending for t, e in values if t is v)}
        if not fixed:
            return True
        pending -= fixed
    return False


def _definitions(inside: tuple[kir.Stmt, ...]) -> Iterator[tuple[kir.Variable, kir.Expr]]:
    for statement in inside:
        target = written(statement)
        value = getattr(statement, "value", None)
        if target is not None and value is not None:
            yield target, value
