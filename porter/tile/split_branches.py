"""Takes `if (known) { a; b; }` apart into `if (known) { a; } if (known) { b; }`, and together again.

Right because the condition is about thread numbers only: nothing in between changes it. A raised fragment can
then end in the middle of a branch, before an effect or before arithmetic on what the fragment computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from porter.analysis.block_evaluation import Evaluator
from porter.analysis.expressions import key
from porter.analysis.stop import Stop
from porter.analysis.values import Known
from porter.cuda.kir import If, Stmt


def split_branch(stmt: Stmt, evaluator: Evaluator) -> tuple[Stmt, ...]:
    """One branch a statement, nested ones too; the statement itself where it cannot be taken apart."""
    if not isinstance(stmt, If) or stmt.otherwise or not _is_known(stmt, evaluator):
        return (stmt,)
    parts = [part for inner in stmt.then for part in split_branch(inner, evaluator)]
    comments = (stmt.comments, *[()] * len(parts))
    return tuple(replace(stmt, then=(p,), comments=c) for p, c in zip(parts, comments, strict=False))


def merge_branches(block: Sequence[Stmt]) -> list[Stmt]:
    """Neighbouring branches under one condition as one branch: undoes `split_branch`."""
    merged: list[Stmt] = []
    for stmt in block:
        last = merged[-1] if merged else None
        if isinstance(stmt, If) and isinstance(last, If) and _belong_together(last, stmt):
            then = merge_branches((*last.then, *stmt.then))
            merged[-1] = replace(last, then=tuple(then))
        else:
            merged.append(stmt)
    return merged


def _belong_together(first: If, second: If) -> bool:
    """Parts of one branch: the same condition at the same place in the source."""
    if first.otherwise or second.otherwise or first.span != second.span:
        return False
    return key(first.condition) == key(second.condition)


def _is_known(stmt: If, evaluator: Evaluator) -> bool:
    everyone = np.ones(evaluator.threads, dtype=np.bool_)
    try:
        return isinstance(evaluator.evaluate(stmt.condition, everyone), Known)
    except Stop:
        return False
