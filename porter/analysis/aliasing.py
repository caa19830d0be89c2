"""Which global buffers a kernel loads and stores, and which of them may be one.

Two pointers are taken for two buffers when their elements differ in type, the loaded one is `const`, or one
is `__restrict__`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from porter.analysis.expressions import evaluates, reads, root, through_pointer
from porter.analysis.walk import walk
from porter.cuda.kir import (
    SHARED_STORAGE,
    Assign,
    Call,
    Expr,
    Index,
    Pointer,
    Stmt,
    Variable,
    VarRef,
)

_WRITES_THROUGH = ("atomic",)


def stores(stmt: Stmt) -> Iterator[Expr]:
    """The memory that the statement itself writes through pointers, as lvalues or addresses."""
    if isinstance(stmt, Assign) and through_pointer(stmt.target):
        yield stmt.target
    call = evaluates(stmt)
    if isinstance(call, Call) and call.name.startswith(_WRITES_THROUGH):
        yield call.arguments[0]


def loads(stmt: Stmt) -> Iterator[Expr]:
    """The loads through pointers that the statement itself makes."""
    for expr in reads(stmt):
        yield from (e for e in walk(expr) if isinstance(e, Index) and through_pointer(e))


def buffer(lvalue: Expr, definitions: Mapping[Variable, Expr]) -> Variable | None:
    """The parameter, array or global that an lvalue or address leads to; None where that is not known."""
    base = root(lvalue)
    while isinstance(base, VarRef) and base.variable in definitions:
        base = root(definitions[base.variable])
    return base.variable if isinstance(base, VarRef) else None


def may_be_one(stored: Variable | None, loaded: Variable | None) -> bool:
    """May a store to the one change what a load from the other gives?"""
    if stored is None or loaded is None or stored is loaded:
        return True
    if stored.storage in SHARED_STORAGE or loaded.storage in SHARED_STORAGE:
        return False
    if stored.restrict or loaded.restrict:
        return False
    if not isinstance(stored.type, Pointer) or not isinstance(loaded.type, Pointer):
        return False
    return not loaded.type.is_const and str(stored.type.pointee) == str(loaded.type.pointee)
