"""How many steps the loop of a matrix product makes, in terms of the original's loop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from porter.analysis.product_rounds import ProductRun, Rounds
from porter.analysis.product_shape import Fitted, Linear
from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import Monomial, Polynomial, number
from porter.analysis.thread_terms import Term, integer, is_nothing
from porter.core.span import Span
from porter.cuda.kir import INT32, INT64, Binary, Call, Const, Expr, For, While


class Loop(Protocol):
    """A loop that goes on while `first - step * n > 0` for its round n; `at_least` rounds are made."""

    @property
    def first(self) -> Polynomial: ...
    @property
    def step(self) -> int: ...
    @property
    def at_least(self) -> int: ...
    @property
    def stmt(self) -> For | While: ...


@dataclass(frozen=True)
class Bound:
    """Steps 0 to `end` - 1. `guarded`: both factors are zero from there on, or the steps fill whole tiles."""

    end: Expr
    guarded: bool


def bound_of(
    run: ProductRun, rounds: Rounds, per_round: int, factors: list[list[Fitted]], tile: int
) -> Bound:
    """`factors` are, for the left and the right, the conditions and then the factor itself."""
    total = total_steps(run, rounds, per_round)
    for limit in _limits(factors[0], rounds, per_round):
        if any(limit == other for other in _limits(factors[1], rounds, per_round)):
            end = Polynomial(dict(limit))
            if reaches(run, rounds, per_round, end):
                return Bound(_expression(run, end, rounds.stmt.span), guarded=True)
    if isinstance(total, Const) and int(total.value) % tile == 0:
        return Bound(total, guarded=True)
    return Bound(total, guarded=False)


def _expression(run: ProductRun, value: Polynomial, span: Span) -> Expr:
    wide = any(getattr(run.atoms[n].type, "bits", 0) == 64 for m in value.terms for n in m)
    type_ = INT64 if wide else INT32
    found = run.rebuilt(integer(value, type_), span)
    assert found is not None
    return found


def total_steps(run: ProductRun, rounds: Loop, per_round: int) -> Expr:
    """`per_round` times the number of rounds, `ceil(first / step)`."""
    first, step, span = rounds.first, rounds.step, rounds.stmt.span
    known = first.constant
    if isinstance(known, int):
        count = max(-(-known // step), rounds.at_least)
        return Const(count * per_round, INT32, span)
    if step == 1:
        total = _expression(run, first.scaled(per_round), span)
    elif step == per_round == 1:
        total = _expression(run, first, span)
    else:
        raised = _expression(run, first + number(step - 1), span)
        quotient = Binary("/", raised, Const(step, raised.type, span), raised.type, span)
        total = Binary("*", quotient, Const(per_round, raised.type, span), raised.type, span)
    if rounds.at_least:
        least = Const(per_round * rounds.at_least, total.type, span)
        return Call("max", (total, least), total.type, span)
    return total


def reaches(run: ProductRun, rounds: Loop, per_round: int, end: Polynomial) -> bool:
    """Whether the rounds make at least `end` steps."""
    first, step = rounds.first, rounds.step
    if step == per_round:  # ceil((end + c) / step) * step, with c >= 0
        gap = (first - end).constant
        return isinstance(gap, int) and gap >= 0
    if step != 1:
        return False
    return any(_covers(run, first, m, c, per_round, end) for m, c in first.terms.items())


def _covers(
    run: ProductRun, first: Polynomial, monomial: Monomial, count: object, per_round: int, end: Polynomial
) -> bool:
    """`(end + d) / per_round + c` rounds, with d + c * per_round >= per_round - 1."""
    if len(monomial) != 1 or count != 1:
        return False
    more = (first - Polynomial({monomial: 1})).constant
    quotient = run.atoms[monomial[0]]
    match quotient:
        case Binary(op="/", left=numerator, right=Const(value=divisor)) if int(divisor) == per_round:
            try:
                value = run.term(numerator, run.everyone)
            except Stop:
                return False
            gap = (value.numbers[0] - end).constant if value.kind == "int" else None
        case _:
            return False
    if not isinstance(gap, int) or not isinstance(more, int):
        return False
    return gap + more * per_round >= per_round - 1


def _limits(parts: list[Fitted], rounds: Rounds, per_round: int) -> list[frozenset[tuple[Monomial, int]]]:
    """Each X with which the factor is zero from step X on."""
    *conditions, factor = parts
    found: list[frozenset[tuple[Monomial, int]]] = []
    for linear in [n for c in conditions for n in _upper(c.term, iter(c.numbers))] + _own(factor):
        if (
            linear.of_row.get((), 0)
            or linear.of_column.get((), 0)
            or linear.of_step.get((), 0) not in (0, -1)
        ):
            continue
        if linear.base.get((rounds.round,), 0) != -per_round:
            continue
        rest = {m: c for m, c in linear.base.items() if rounds.round not in m and c}
        slopes = (*linear.of_row.values(), *linear.of_column.values())
        if not any(slopes):
            found.append(frozenset(rest.items()))
    return found


def _own(factor: Fitted) -> list[Linear]:
    """Of `condition ? value : 0`."""
    term = factor.term
    while term.kind == "cast":
        term = term.parts[0]
    if term.kind != "select" or not is_nothing(term.parts[2]):
        return []
    return list(_upper(term.parts[0], iter(factor.numbers)))


def _upper(condition: Term, numbers: Iterator[Linear]) -> Iterator[Linear]:
    """The numbers of the `positive` conditions that all have to hold."""
    if condition.kind == "positive":
        yield next(numbers)
    elif condition.kind == "and":
        for part in condition.parts:
            yield from _upper(part, numbers)
    else:
        for _ in range(_count(condition)):
            next(numbers)


def _count(term: Term) -> int:
    return len(term.numbers) + sum(_count(part) for part in term.parts)
