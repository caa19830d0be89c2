"""What a condition says of the numbers that it compares."""

from __future__ import annotations

from dataclasses import replace

from porter.analysis.expressions import key
from porter.analysis.extent_evaluation import ExtentEvaluation
from porter.analysis.extent_values import UNBOUNDED, Bound, Number, plain, shifted
from porter.analysis.ranges import Interval, is_integer
from porter.cuda import kir

_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class ExtentConditions(ExtentEvaluation):
    """Conditions narrow the values of variables and the facts about expressions."""

    def _assume(self, condition: kir.Expr, truth: bool) -> None:
        match condition:
            case kir.Unary(op="!", operand=operand):
                self._assume(operand, not truth)
            case kir.Cast(operand=operand) if is_integer(operand.type):
                self._assume(operand, truth)
            case kir.Binary(op="&&" | "||" as op, left=left, right=right):
                if truth == (op == "&&"):
                    self._assume(left, truth)
                    self._assume(right, truth)
            case kir.Binary(op="<" | "<=" | ">" | ">=" | "==" | "!=" as op, left=left, right=right):
                self._compare(op if truth else _NEGATED[op], left, right)

    def _compare(self, op: str, left: kir.Expr, right: kir.Expr) -> None:
        a, b = self._evaluate(left), self._evaluate(right)
        if not (isinstance(a, Number) and isinstance(b, Number) and is_integer(left.type)):
            return
        if op in (">", ">="):
            op, left, right, a, b = ("<" if op == ">" else "<="), right, left, b, a
        if op in ("<", "<="):
            gap = op == "<"
            if _block_indices(a):
                self.found.bounds.append(Bound(a, b if gap else shifted(b, 1)))
            self._narrow(left, Interval(-UNBOUNDED, b.interval.high - gap))
            self._narrow(right, Interval(a.interval.low + gap, UNBOUNDED))
        elif op == "==":
            self._narrow(left, b.interval)
            self._narrow(right, a.interval)
        elif op == "!=" and b.interval.low == b.interval.high == a.interval.low:
            self._narrow(left, Interval(a.interval.low + 1, UNBOUNDED))

    def _narrow(self, expr: kir.Expr, to: Interval) -> None:
        expr = plain(expr)
        known = self._evaluate(expr)
        if not isinstance(known, Number) or isinstance(expr, kir.Const):
            return
        low, high = max(known.interval.low, to.low), min(known.interval.high, to.high)
        interval = Interval(low, high) if low <= high else Interval(low, low)
        if isinstance(expr, kir.VarRef) and not isinstance(expr.type, kir.Array):
            self._values[expr.variable] = replace(known, interval=interval)
        self._facts[key(expr)] = interval


def _block_indices(value: Number) -> set[str]:
    return {s for s in value.sources if isinstance(s, str) and s.startswith("blockIdx")}
