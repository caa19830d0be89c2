"""Numbers that depend on the step of a product, but not linearly: `k % 4`, `k / 8`, `min(k, 7)`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from porter.analysis.expressions import substitute
from porter.analysis.walk import walk
from porter.cuda.kir import Binary, Call, CallFunction, Expr, Index, Stmt, Variable, VarRef


def over_steps(atoms: Sequence[Expr], round_: Variable, step: Expr) -> list[Expr]:
    """The atoms with the step in place of the round, where a round is one step.

    Beyond the last step they are computed too: one that may fail there stays as it is.
    """
    return [
        substitute(atom, {round_: step}) if not isinstance(atom, VarRef) and _is_total(atom, round_) else atom
        for atom in atoms
    ]


def reads_any(part: Stmt | Expr, of: Collection[Variable]) -> bool:
    return any(isinstance(node, VarRef) and node.variable in of for node in walk(part))


def _is_total(atom: Expr, variable: Variable) -> bool:
    """Whether it has a value whatever that of the variable is: no load, no quotient by it."""
    for node in walk(atom):
        if isinstance(node, Index | CallFunction):
            return False
        if isinstance(node, Call) and node.name not in ("min", "max"):
            return False
        if isinstance(node, Binary) and node.op in ("/", "%") and reads_any(node.right, {variable}):
            return False
    return True
