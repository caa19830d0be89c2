"""Variables whose value may differ between the threads of a block. Conservative: in doubt it differs."""

from __future__ import annotations

from collections.abc import Iterable

from porter.analysis.expressions import own_expressions, reads, written
from porter.analysis.walk import walk
from porter.cuda.kir import (
    SHARED_STORAGE,
    Builtin,
    Call,
    CallFunction,
    Declare,
    Expr,
    Extension,
    For,
    If,
    Stmt,
    Variable,
    VarRef,
    While,
)

_COLLECTIVE = (
    "atomic",
    "__shfl",
    "__ballot",
    "__match",
    "__reduce",
    "__activemask",
    "__any",
    "__all",
    "clock",
)


def thread_varying(body: Iterable[Stmt]) -> frozenset[Variable]:
    """The least set closed under data and control dependence; loads from memory follow their address."""
    block = tuple(body)
    found: set[Variable] = set()
    while True:
        size = len(found)
        _block(block, under_varying=False, found=found)
        if len(found) == size:
            return frozenset(found)


def varies(expr: Expr, varying: Iterable[Variable]) -> bool:
    """May the expression differ between threads, given the variables that may?"""
    known = frozenset(varying)
    return any(_is_source(e, known) for e in walk(expr))


def _is_source(node: object, varying: frozenset[Variable]) -> bool:
    match node:
        case Builtin(name=name):
            return name == "threadIdx"
        case VarRef(variable=variable):
            return variable in varying or variable.storage in SHARED_STORAGE
        case Call(name=name):
            return name.startswith(_COLLECTIVE)
        case CallFunction():
            return True
        case _:
            return False


def _block(block: Iterable[Stmt], *, under_varying: bool, found: set[Variable]) -> None:
    for stmt in block:
        _statement(stmt, under_varying, found)


def _statement(stmt: Stmt, under_varying: bool, found: set[Variable]) -> None:
    match stmt:
        case If(condition=condition, then=then, otherwise=otherwise):
            inside = under_varying or varies(condition, found)
            _block((*then, *otherwise), under_varying=inside, found=found)
        case For(init=init, condition=condition, step=step, body=body):
            _block(init, under_varying=under_varying, found=found)
            inside = under_varying or varies(condition, found)
            _block((*body, *step), under_varying=inside, found=found)
        case While(condition=condition, body=body):
            inside = under_varying or varies(condition, found)
            _block(body, under_varying=inside, found=found)
        case _:
            _change(stmt, under_varying, found)


def _change(stmt: Stmt, under_varying: bool, found: set[Variable]) -> None:
    target = written(stmt)
    if target is None:
        return
    own = tuple(own_expressions(stmt)) if isinstance(stmt, Extension) else tuple(reads(stmt))
    guarded = under_varying and not isinstance(stmt, Declare)
    if guarded or isinstance(stmt, Extension) or any(varies(e, found) for e in own):
        found.add(target)
