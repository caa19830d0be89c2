"""How many keys the loop of an attention goes through, from the original's loop and the keys' conditions.

A condition `j < x` of all rows, or `j <= row + c`, is an end of the keys. With one of the second kind a tile
of rows ends with its last row: later keys count for none. Every key before the end is one that the original
loads for some row of the tile, or one between two such, which the same array has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.analysis.attention_run import AttentionRun, CountedKeys, KeyRounds
from porter.analysis.product_shape import Linear, NoShape
from porter.analysis.thread_polynomials import Polynomial
from porter.analysis.thread_terms import Term
from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    INT32,
    UINT32,
    Binary,
    Builtin,
    Call,
    Cast,
    Expr,
    Select,
    Unary,
    VarRef,
)
from porter.tile.conditions import distinct
from porter.tile.find_attention import FoundAttention
from porter.tile.product_expressions import Axis, Expressions, Numbers, flag_of
from porter.tile.product_loop import reaches, total_steps


@dataclass(frozen=True)
class KeyEnd:
    """The least of `values` is the first key that is not looked at.

    `is_implied`: the keys' conditions say so too. `may_be_empty`: a row may have none of the first keys.
    """

    values: tuple[Expr, ...]
    is_implied: bool
    may_be_empty: bool


@dataclass(frozen=True)
class _Limit:
    """An end of the keys by a condition, the least of `values`. `uniform`: where it is one for all rows."""

    values: tuple[Expr, ...]
    uniform: Polynomial | None
    holds_first: bool  # for key 0, wherever the loop is entered


def least(values: tuple[Expr, ...], span: Span) -> Expr:
    result, *others = values
    for other in others:
        result = Call("min", (result, other), INT32, span)
    return result


@dataclass
class Bounds:
    run: AttentionRun
    rounds: KeyRounds
    found: FoundAttention
    make: Expressions
    row: Axis
    row_count: int

    def end(self) -> KeyEnd:
        """Raises NoShape where no end is known."""
        self.span = self.rounds.stmt.span
        limits = [self._limit(c.term, iter(c.numbers)) for c in self.found.conditions]
        known = [limit for limit in limits if limit is not None]
        reached = [k for k in known if k.uniform is None or self._reaches(k.uniform)]
        ends = [value for k in reached for value in k.values]
        loop = self.rounds.loop if not any(k.uniform is not None for k in reached) else None
        if loop is not None:
            ends.insert(0, self._total(loop))
        if not ends:
            raise NoShape("no end of the keys is known")
        holds = all(k is not None and k.holds_first and any(k is r for r in reached) for k in limits)
        return KeyEnd(tuple(distinct(ends)), loop is None, not holds)

    # --- the loop ----------------------------------------------------------------------------------------

    def _total(self, loop: CountedKeys) -> Expr:
        return total_steps(self.run, loop, self.found.per_round)

    def _reaches(self, end: Polynomial) -> bool:
        loop = self.rounds.loop
        return loop is None or reaches(self.run, loop, self.found.per_round, end)

    # --- conditions --------------------------------------------------------------------------------------

    def _limit(self, condition: Term, numbers: Iterator[Linear]) -> _Limit | None:
        """The end by a condition; None for a condition that may hold for all later keys. Raises NoShape."""
        match condition.kind:
            case "positive":
                return self._end_of(next(numbers))
            case "or":
                return self._one_of(condition, numbers)
            case _:
                raise NoShape("a condition on keys that is no comparison of their numbers")

    def _one_of(self, condition: Term, numbers: Iterator[Linear]) -> _Limit | None:
        """`flag && j <= row || !flag && j < n`."""
        flag = flag_of(condition)
        if flag is None or any(part.parts[1].kind != "positive" for part in condition.parts):
            raise NoShape("keys of which one of two conditions has to hold")
        ends = [self._end_of(next(numbers)) for _ in condition.parts]
        one, other = ends
        if one is None or other is None:
            return None
        first, second = (least(e.values, self.span) for e in (one, other))
        chosen = Select(self._flag_value(flag), first, second, INT32, self.span)
        return _Limit((chosen,), None, one.holds_first and other.holds_first)

    def _flag_value(self, flag: Term) -> Expr:
        if flag.kind == "not":
            return Unary("!", self._flag_value(flag.parts[0]), BOOL, self.span)
        assert flag.expr is not None
        return flag.expr

    def _end_of(self, linear: Linear) -> _Limit | None:
        """Of `x - j > 0` and `row + x - j > 0`."""
        terms, _ = self.make.scalars(linear)
        row = (self.make.normaliser.number(self._reference(self.row)),)
        if any(terms.get(m) != -1 for m in self.make.step_terms):
            return None
        rest = {m: c for m, c in terms.items() if m not in self.make.step_terms}
        in_others = {n for m in rest if m != row for n in m}
        if row[0] in in_others or any(m[0] in in_others for m in self.make.step_terms):
            return None
        slope = rest.pop(row, 0)
        if slope == 0:
            return _Limit((self._number(rest),), self._uniform(linear), True)
        if slope != 1:
            return None
        first = set(rest) <= {()} and rest.get((), 0) >= 1
        rest[()] = rest.get((), 0) - 1
        rest = {m: c for m, c in rest.items() if c}
        ends = self._ends_of_rows()
        if rest:
            further = self._number(rest)
            ends = tuple(Binary("+", end, further, INT32, self.span) for end in ends)
        return _Limit(ends, None, first)

    def _uniform(self, linear: Linear) -> Polynomial:
        return Polynomial({m: c for m, c in linear.base.items() if self.rounds.round not in m and c})

    # --- rows --------------------------------------------------------------------------------------------

    def _ends_of_rows(self) -> tuple[Expr, ...]:
        """The row after the last one of the tile, and after the last one of all."""
        size = Cast(Builtin("blockDim", "y", UINT32, self.span), INT32, self.span)
        end = self.make.started(self.row, size, self.span)
        for condition in self.found.row_conditions():
            if condition.term.kind == "positive":
                last = self._last_row(condition.numbers[0])
                if last is not None:
                    return last, end
        return (end,)

    def _last_row(self, linear: Linear) -> Expr | None:
        """`n` of `n - row > 0`."""
        terms, _ = self.make.scalars(linear)
        row = (self.make.normaliser.number(self._reference(self.row)),)
        if terms.pop(row, 0) != -1 or any(row[0] in m for m in terms):
            return None
        return self._number(terms)

    def _reference(self, axis: Axis) -> Expr:
        return VarRef(axis.variable, INT32, axis.variable.span)

    def _number(self, terms: Numbers) -> Expr:
        return self.make.number(terms, self.span)
