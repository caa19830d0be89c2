"""How a loop moves its variables: the ones that every iteration changes by one uniform amount."""

from __future__ import annotations

from collections.abc import Iterable

from porter.analysis.expressions import without_casts
from porter.analysis.thread_varying import varies
from porter.analysis.walk import reads, walk
from porter.cuda import kir


def assigned(body: Iterable[kir.Stmt]) -> set[kir.Variable]:
    """The variables that statements under `body` declare or assign as a whole."""
    found: set[kir.Variable] = set()
    for node in walk(tuple(body)):
        if isinstance(node, kir.Declare):
            found.add(node.variable)
        elif isinstance(node, kir.Assign) and isinstance(node.target, kir.VarRef):
            found.add(node.target.variable)
    return found


def constant_steps(
    body: tuple[kir.Stmt, ...],
    step: tuple[kir.Stmt, ...],
    changed: set[kir.Variable],
    varying: Iterable[kir.Variable],
) -> dict[kir.Variable, tuple[kir.Expr, int]]:
    """Amount and sign for each variable with the one change `v = v ± amount` on the loop's own level, where
    the amount is the same in all threads and nothing in the loop changes it."""
    known = frozenset(varying)
    found: dict[kir.Variable, tuple[kir.Expr, int]] = {}
    for statement in (*body, *step):
        if not isinstance(statement, kir.Assign) or not isinstance(statement.target, kir.VarRef):
            continue
        variable = statement.target.variable
        moved = _moved(variable, statement.value)
        if moved is None or _changes(variable, (*body, *step)) != 1:
            continue
        amount = moved[0]
        if not reads(amount) & changed and not varies(amount, known):
            found[variable] = moved
    return found


def _changes(variable: kir.Variable, body: tuple[kir.Stmt, ...]) -> int:
    return sum(
        isinstance(node, kir.Assign)
        and isinstance(node.target, kir.VarRef)
        and node.target.variable is variable
        for node in walk(body)
    )


def _moved(variable: kir.Variable, value: kir.Expr) -> tuple[kir.Expr, int] | None:
    value = without_casts(value)
    if not isinstance(value, kir.Binary) or value.op not in ("+", "-"):
        return None
    if _is_variable(value.left, variable):
        return value.right, 1 if value.op == "+" else -1
    if value.op == "+" and _is_variable(value.right, variable):
        return value.left, 1
    return None


def _is_variable(expr: kir.Expr, variable: kir.Variable) -> bool:
    expr = without_casts(expr)
    return isinstance(expr, kir.VarRef) and expr.variable is variable
