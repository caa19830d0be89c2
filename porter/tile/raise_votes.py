"""Raises counts of ballots: `__popc(ballot)` is a sum over the warp, `__popc(ballot & lanes below)` a scan.

This is how compaction ranks what it keeps. A ballot whose every use is such a count goes away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from porter.analysis import warp_collectives
from porter.analysis.block_evaluation import Evaluator
from porter.analysis.expressions import bodies, definitions, map_reads, own_expressions, statements, written
from porter.analysis.stop import Stop
from porter.analysis.walk import walk
from porter.core.span import Span
from porter.cuda.kir import Call, Declare, Expr, Kernel, Stmt, Variable, VarRef
from porter.tile.explain import Explainer, Unexplained
from porter.tile.idioms import NoMatch, Raising

_COUNTS = frozenset({"__popc", "__popcll", "popc"})


def raise_votes(kernel: Kernel, block: tuple[int, int, int]) -> Raising:
    """The kernel with the counts of its ballots as reductions and scans."""
    raiser = _Raiser(kernel, block)
    body = raiser.block_of(kernel.body)
    return Raising(replace(kernel, body=body), tuple(raiser.raised), tuple(raiser.declined))


@dataclass
class _Raiser:
    kernel: Kernel
    block: tuple[int, int, int]
    raised: list[tuple[str, Span]] = field(default_factory=list)
    declined: list[NoMatch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.definitions = definitions(self.kernel.body)

    def block_of(self, block: Sequence[Stmt]) -> tuple[Stmt, ...]:
        done: list[Stmt] = []
        pending = list(block)
        while pending:
            stmt = pending.pop(0)
            ballot = self._ballot(stmt)
            if ballot is not None:
                nodes, pending = self._counted(*ballot, stmt, pending)
                done += nodes
            else:
                done.append(self._inside(stmt))
        return tuple(done)

    def _inside(self, stmt: Stmt) -> Stmt:
        names = [n for n in ("then", "otherwise", "body") if getattr(stmt, n, ()) and bodies(stmt)]
        new = {n: self.block_of(getattr(stmt, n)) for n in names}
        return cast(Stmt, replace(cast(Any, stmt), **new)) if new else stmt

    def _ballot(self, stmt: Stmt) -> tuple[Variable, Call] | None:
        """The variable, and the call, of a ballot whose result never changes."""
        if not isinstance(stmt, Declare) or not isinstance(stmt.value, Call):
            return None
        is_ballot = stmt.value.name == "__ballot_sync" and not self._changes(stmt.variable)
        return (stmt.variable, stmt.value) if is_ballot else None

    def _changes(self, variable: Variable) -> bool:
        return sum(1 for s in statements(self.kernel.body) if written(s) is variable) != 1

    def _counted(
        self, mask: Variable, call: Call, stmt: Stmt, rest: list[Stmt]
    ) -> tuple[list[Stmt], list[Stmt]]:
        """What stands for the ballot, and the rest with the counts replaced."""
        everyone = np.ones(self.block[0] * self.block[1] * self.block[2], dtype=np.bool_)
        evaluator = Evaluator(self.block, self.definitions)
        try:
            evaluator.locals[mask] = warp_collectives.evaluate(evaluator, call, everyone)
        except Stop as stop:
            self.declined.append(NoMatch(stop.reason, stop.span))
            return [stmt], rest
        explainer = Explainer(self.block, evaluator.leaves, stmt.span, everyone, evaluator.made_by)

        def count(expr: Expr) -> Expr | None:
            is_count = isinstance(expr, Call) and expr.name in _COUNTS and _reads(expr, mask)
            if not is_count:
                return None
            try:
                value = evaluator.evaluate(expr, everyone)
                return explainer.explain(value, everyone, expr.type, mask.name)
            except (Stop, Unexplained) as problem:
                self.declined.append(NoMatch(str(problem), expr.span))
                return None

        replaced = [map_reads(s, count) for s in rest]
        if not explainer.nodes:
            return [stmt], rest
        self.raised.append(("counts of a ballot -> reduction or scan over 32 lanes", stmt.span))
        is_left = any(_reads(e, mask) for s in statements(replaced) for e in own_expressions(s))
        nodes: list[Stmt] = list(explainer.nodes.values())
        return ([stmt] if is_left else []) + nodes, replaced


def _reads(expr: Expr, variable: Variable) -> bool:
    return any(isinstance(e, VarRef) and e.variable is variable for e in walk(expr))
