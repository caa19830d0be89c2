"""What a variable holds at a point, as an expression over what does not change: straight-line facts only."""

from __future__ import annotations

from collections.abc import Iterable

from porter.analysis.expressions import evaluates, statements, substitute, through_pointer, variables, written
from porter.analysis.walk import walk
from porter.cuda.kir import (
    SHARED_STORAGE,
    Array,
    Assign,
    Call,
    CallFunction,
    Declare,
    Expr,
    Index,
    Stmt,
    Storage,
    Variable,
    VarRef,
)

Facts = dict[Variable, Expr]


def after(facts: Facts, stmt: Stmt) -> Facts:
    """The facts after a statement: a plain assignment adds one, anything else only forgets."""
    new = _plain(stmt)
    changed = {v for s in statements((stmt,)) if (v := written(s)) is not None}
    kept = forget(facts, changed)
    if new is None:
        return kept
    target, value = new
    held = substitute(value, facts)
    if variables(held) & changed:
        return kept
    return {**kept, target: held}


def forget(facts: Facts, changed: set[Variable]) -> Facts:
    """Without what is known of the changed variables, or in terms of their old values."""
    return {v: e for v, e in facts.items() if v not in changed and not variables(e) & changed}


def inside_loop(facts: Facts, loop: Stmt) -> Facts:
    """What holds in every round of a loop."""
    return forget(facts, {v for s in statements((loop,)) if (v := written(s)) is not None})


def expand(expr: Expr, facts: Facts) -> Expr:
    return substitute(expr, facts)


def _plain(stmt: Stmt) -> tuple[Variable, Expr] | None:
    """(variable, value) of an assignment whose value can be computed again at any later time."""
    if isinstance(stmt, Declare) and stmt.value is not None:
        target, value = stmt.variable, stmt.value
    elif isinstance(stmt, Assign) and isinstance(stmt.target, VarRef):
        target, value = stmt.target.variable, stmt.value
    else:
        return None
    is_local = target.storage in (Storage.LOCAL, Storage.PARAMETER) and not isinstance(target.type, Array)
    if not is_local or evaluates(stmt) is not None or not is_repeatable(value):
        return None
    return target, value


def is_repeatable(value: Expr) -> bool:
    """No calls and no loads: only arithmetic on variables."""
    return not any(
        isinstance(e, Call | CallFunction)
        or (isinstance(e, Index) and through_pointer(e))
        or (isinstance(e, VarRef) and e.variable.storage in SHARED_STORAGE)
        for e in walk(value)
    )


def changed_in(block: Iterable[Stmt]) -> set[Variable]:
    return {v for s in statements(block) if (v := written(s)) is not None}
