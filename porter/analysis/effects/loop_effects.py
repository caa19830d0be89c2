"""What a loop does to global memory, as far as its text shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from porter.analysis.aliasing import may_be_one
from porter.analysis.effects.canonical import nodes_of
from porter.analysis.effects.expressions import buffer_of, in_memory
from porter.analysis.effects.values import Active, here, of_thread
from porter.analysis.stop import Stop
from porter.analysis.walk import root_variable
from porter.cuda.kir import (
    SHARED_STORAGE,
    AddressOf,
    Assign,
    Call,
    Evaluate,
    Expr,
    For,
    Index,
    Member,
    Pointer,
    Stmt,
    Variable,
    VarRef,
    While,
)

if TYPE_CHECKING:
    from porter.analysis.effects.execution import Execution

_IMPURE = ("atomic", "clock", "__clock", "printf", "assert", "__trap", "tex", "surf")


@dataclass(frozen=True)
class LoopMemory:
    """The buffers that a loop stores to (None: one that is not known)."""

    buffers: tuple[Variable | None, ...]
    has_atomics: bool

    @property
    def any(self) -> bool:
        return bool(self.buffers)


def uses_result(node: Any) -> bool:
    """Whether a statement takes what an atomic gives, or calls what has another effect."""
    if isinstance(node, Evaluate):
        return False
    values = [getattr(node, "value", None)]
    return any(isinstance(v, Call) and v.name.startswith(_IMPURE) for v in values)


def stored_in(on: Execution, stmt: For | While, active: Active) -> LoopMemory:
    """Raises Stop where the loop loads what the kernel has stored before, or has another effect."""
    buffers: list[Variable | None] = []
    has_atomics = False
    for node in nodes_of(stmt, on.state.functions):
        if isinstance(node, Assign) and through_memory(node.target):
            buffers.append(start_of(on, node.target, active))
            on.state.touch_loop("store", buffers[-1], active, node.span)
        elif isinstance(node, Evaluate) and isinstance(node.call, Call):
            if not node.call.name.startswith("atomic"):
                raise Stop(f"a call of `{node.call.name}`", node.span)
            has_atomics = True
            buffers.append(None)
            target = start_of(on, node.call.arguments[0], active)
            on.state.touch_loop(node.call.name, target, active, node.span)
    for lvalue in loads_in(on, stmt):
        loaded = start_of(on, lvalue, active)
        if any(may_be_one(s, loaded) for s in on.state.stored):
            raise Stop("a load of what the kernel may have stored before", lvalue.span)
        if loaded is None or not isinstance(loaded.type, Pointer) or not loaded.type.is_const:
            on.state.touch_loop("load", loaded, active, lvalue.span)
    return LoopMemory(tuple(buffers), has_atomics)


def through_memory(lvalue: Expr) -> bool:
    variable = root_variable(lvalue)
    if variable is not None and in_memory(variable):
        return True
    while isinstance(lvalue, Index | Member):
        if isinstance(lvalue.base.type, Pointer):
            return True
        lvalue = lvalue.base
    return not isinstance(lvalue, VarRef)


def loads_in(on: Execution, stmt: Stmt) -> list[Expr]:
    """Every read through a pointer or of a global in the loop."""
    targets = {id(n.target) for n in nodes_of(stmt, on.state.functions) if isinstance(n, Assign)}
    addressed = {id(n.lvalue) for n in nodes_of(stmt, on.state.functions) if isinstance(n, AddressOf)}
    return [
        n
        for n in nodes_of(stmt, on.state.functions)
        if isinstance(n, Index | Member) and id(n) not in targets | addressed and through_memory(n)
    ]


def start_of(on: Execution, lvalue: Expr, active: Active) -> Variable | None:
    """The kernel's parameter or the global that an lvalue in a loop leads to."""
    base: Expr = lvalue
    while True:
        match base:
            case Index(base=inner) | Member(base=inner) | AddressOf(lvalue=inner):
                base = inner
            case VarRef(variable=variable) if in_memory(variable):
                return variable if variable.storage not in SHARED_STORAGE else None
            case VarRef(variable=variable):
                return _held(on, variable, active)
            case _ if isinstance(base.type, Pointer) and hasattr(base, "left"):
                base = base.left
            case _ if hasattr(base, "operand"):
                base = base.operand
            case _:
                return None


def _held(on: Execution, variable: Variable, active: Active) -> Variable | None:
    """The buffer that a pointer variable leads to when the loop begins."""
    value = on.state.locals.get(variable)
    if value is None:
        return None
    found = {buffer_of(on.state, of_thread(value, t)) for t in here(active)}
    return found.pop() if len(found) == 1 else None
