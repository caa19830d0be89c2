"""Expressions of a kernel that computes attention: scores, their running maximum, and sums weighted by them.

A sum of products that is used as one number is a `dot`, a leaf with its number and the thread that computed
it; what a thread makes of one dot is a score once it is compared or exponentiated. From there on values are
those of `softmax_values.py`, each behind a leaf `soft`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from porter.analysis.block_values import FUSED
from porter.analysis.product_rounds import ProductRun
from porter.analysis.product_sums import plain
from porter.analysis.softmax_values import (
    NOTHING,
    Conditions,
    Difference,
    Maximum,
    Member,
    NoSoftmax,
    Softmax,
    Weighted,
    chosen,
    exponential,
    largest,
    product,
    scaled,
    total,
)
from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import Polynomial, number, same
from porter.analysis.thread_terms import (
    Mask,
    Product,
    Sum,
    Term,
    Value,
    both,
    conjuncts,
    either,
    is_nothing,
    is_same,
    map_numbers,
    mentions,
    negation,
    positive,
)
from porter.core.span import Span
from porter.cuda.kir import Binary, Call, Const, Scalar, Type

_MAXIMA = frozenset({"fmax", "max"})
_EXPONENTIALS = frozenset({"exp", "__expf"})
_SHUFFLES = frozenset({"__shfl_sync", "__shfl_xor_sync", "__shfl_down_sync", "__shfl_up_sync"})
_COMPARISONS = frozenset({"<", "<=", ">", ">="})


@dataclass
class AttentionValues(ProductRun):
    """`dots`, `scores` and `conditions` are what the leaves number."""

    dots: list[Sum] = field(default_factory=list)
    scores: list[Term] = field(default_factory=list)
    conditions: list[Term] = field(default_factory=list)
    values: list[Softmax] = field(default_factory=list)
    scale: Term | None = None  # of every exponent
    _has_exponents: bool = False
    _dot_of: dict[int, Term] = field(default_factory=dict)
    _bounds: dict[int, tuple[str, Polynomial, Polynomial]] = field(default_factory=dict)

    # --- leaves ----------------------------------------------------------------------------------------

    def single(self, value: Value) -> Term:
        if isinstance(value, Term):
            return value
        if not is_nothing(value.base) or any(mentions(t, "soft") for p in value.products for t in _terms(p)):
            return plain(value)
        if id(value) not in self._dot_of:
            index = number(len(self.dots))
            self._dot_of[id(value)] = Term(("dot",), value.type, (), (index, self.owners))
            self.dots.append(value)
        return self._dot_of[id(value)]

    def leaf(self, value: Softmax, type_: Type) -> Term:
        self.values.append(value)
        return Term(("soft",), type_, (), (number(len(self.values) - 1), self.owners))

    def softmax(self, term: Term, span: Span) -> Softmax:
        """The value behind a leaf, or a choice between two. Raises Stop."""
        try:
            return self._softmax(term, span)
        except NoSoftmax as reason:
            raise Stop(str(reason), span) from None

    def _softmax(self, term: Term, span: Span) -> Softmax:
        if term.kind == "soft":
            which = term.numbers[0].constant
            if not isinstance(which, int) or not same(term.numbers[1], self.owners):
                raise Stop("a weight that another thread has computed", span)
            return self.values[which]
        if term.kind == "select" and is_soft(term):
            return self._choice(term, span)
        if is_nothing(term):
            return NOTHING
        return self.maximum(term, span)

    def _chosen(self, select: Term, span: Span) -> Softmax:
        try:
            return self._choice(select, span)
        except NoSoftmax as reason:
            raise Stop(str(reason), span) from None

    def _choice(self, select: Term, span: Span) -> Softmax:
        condition, a, b = select.parts
        first, second = self._like(a, b, span), self._like(b, a, span)
        if _is_comparison(condition):
            first, second = self._compared_choice(condition, first, second, span)
            return chosen(frozenset(), first, second)
        if _extends(second, first):
            condition, first, second = negation(condition), second, first
        return chosen(self._numbered(condition, span), first, second)

    def _like(self, term: Term, other: Term, span: Span) -> Softmax:
        """What is no leaf itself, as what stands beside it is."""
        if not is_soft(term) and not is_nothing(term):
            return self.maximum(term, span)
        if is_nothing(term) and isinstance(self.softmax(other, span), Maximum):
            return self.maximum(term, span)
        return self.softmax(term, span)

    def _compared_choice(
        self, condition: Term, then: Softmax, other: Softmax, span: Span
    ) -> tuple[Softmax, Softmax]:
        """Under `a > b` the larger of the two is `a`, else it is `b`."""
        a, b = (self.maximum(part, span) for part in condition.parts)
        if str(condition.head[1]).startswith("<"):
            a, b = b, a
        return _renamed(then, a, largest(a, b)), _renamed(other, b, largest(a, b))

    def maximum(self, term: Term, span: Span) -> Maximum:
        """A maximum, a score or a number as a maximum. Raises Stop."""
        if term.kind == "soft" or is_soft(term):
            value = self.softmax(term, span)
            if isinstance(value, Maximum):
                return value
            raise Stop("a weight is compared with scores", span)
        known = number_of(term)
        if known is not None:
            return Maximum() if known == -math.inf else Maximum(("number", repr(known)))
        if term.kind == "select":
            condition, a, b = term.parts
            for kept, gone, holds in ((a, b, condition), (b, a, negation(condition))):
                if number_of(gone) == -math.inf:
                    return _where(self._numbered(holds, span), self.maximum(kept, span))
        return Maximum(None, frozenset({Member(self._score(term, span))}))

    def _score(self, term: Term, span: Span) -> int:
        if not mentions(term, "dot") or mentions(term, "undefined"):
            raise Stop("a maximum of something else than dot products", span)
        for index, known in enumerate(self.scores):
            if is_same(known, term):
                return index
        self.scores.append(term)
        return len(self.scores) - 1

    def _numbered(self, condition: Term, span: Span) -> Conditions:
        return frozenset(self._condition(c, span) for c in conjuncts(condition))

    def _condition(self, condition: Term, span: Span) -> int:
        if mentions(condition, "soft") or mentions(condition, "dot"):
            raise Stop("a condition on scores", span)
        for index, known in enumerate(self.conditions):
            if is_same(known, condition):
                return index
        self.conditions.append(condition)
        return len(self.conditions) - 1

    # --- operators -------------------------------------------------------------------------------------

    def operated(self, expr: Binary, first: Value, second: Value) -> Value:
        sides = [self.single(v) if isinstance(v, Term) else v for v in (first, second)]
        if expr.op in _COMPARISONS and any(isinstance(s, Term) and _is_chosen_integer(s) for s in sides):
            return self._distributed(expr, self.single(first), self.single(second))
        is_number = isinstance(expr.type, Scalar) and expr.type.kind == "float"
        if not is_number or not any(isinstance(s, Term) and is_soft(s) for s in sides):
            if expr.op == "+" and is_number and _is_product(first) and _is_product(second):
                first = Sum(_zero(expr), (_product_of(first),), expr.type)
            return super().operated(expr, first, second)
        left, right = self.single(first), self.single(second)
        return self.leaf(self._combined(expr.op, left, right, expr.span), expr.type)

    def chosen(self, condition: Term, if_true: Term, if_false: Term, span: Span) -> Term:
        """The larger of two scores, if that is what a comparison chooses."""
        is_number = isinstance(if_true.type, Scalar) and if_true.type.kind == "float"
        if not is_number or not _is_comparison(condition) or not _is_of_scores(condition):
            return super().chosen(condition, if_true, if_false, span)
        select = Term(("select",), if_true.type, (condition, if_true, if_false))
        return self.leaf(self._chosen(select, span), if_true.type)

    def _combined(self, op: str, left: Term, right: Term, span: Span) -> Softmax:
        try:
            if op == "-":
                return Difference(self.maximum(left, span), self.maximum(right, span))
            if op == "+":
                return total(self._weighted(left, span), self._weighted(right, span))
            if op == "*":
                return self._product(left, right, span)
        except NoSoftmax as reason:
            raise Stop(str(reason), span) from None
        raise Stop(f"`{op}` of weights", span)

    def _product(self, left: Term, right: Term, span: Span) -> Softmax:
        for one, other in ((left, right), (right, left)):
            if is_soft(one) and not is_soft(other):
                value = self.softmax(one, span)
                if isinstance(value, Difference) and value.scale is None:
                    return Difference(value.of, value.less, other)
                if is_nothing(other):
                    return NOTHING
                return scaled(self._weighted(one, span), other)
        return product(self._weighted(left, span), self._weighted(right, span))

    def _weighted(self, term: Term, span: Span) -> Weighted:
        value = self.softmax(term, span)
        if not isinstance(value, Weighted):
            raise Stop("a score that is used as a weight", span)
        return value

    def called(self, expr: Call, values: list[Value], active: Mask) -> Value:
        if expr.name in _SHUFFLES:
            return self._shuffled(expr, values, active)
        softs = [isinstance(v, Term) and is_soft(v) for v in values]
        if expr.name in _MAXIMA and (any(softs) or any(self._is_score(v) for v in values)):
            sides = [self.maximum(self.single(v), expr.span) for v in values]
            try:
                return self.leaf(largest(*sides), expr.type)
            except NoSoftmax as reason:
                raise Stop(str(reason), expr.span) from None
        if expr.name in FUSED and any(softs):
            a, b, c = (self.single(v) for v in values)
            if not (softs[0] or softs[1]):
                raise Stop("a weighted sum with something else added", expr.span)
            first = self.leaf(self._combined("*", a, b, expr.span), expr.type)
            return self.leaf(self._combined("+", first, c, expr.span), expr.type)
        if any(softs):
            return self._exponential(expr, self.single(values[0]))
        return super().called(expr, values, active)

    def _is_score(self, value: Value) -> bool:
        return mentions(self.single(value), "dot") and isinstance(value.type, Scalar)

    def _exponential(self, expr: Call, argument: Term) -> Term:
        value = self.softmax(argument, expr.span)
        if expr.name not in _EXPONENTIALS or not isinstance(value, Difference):
            raise Stop(f"`{expr.name}` of scores", expr.span)
        scale = self.scale
        if self._has_exponents and not (
            scale is value.scale or (scale is not None and value.scale and is_same(scale, value.scale))
        ):
            raise Stop("exponents of different scales", expr.span)
        self._has_exponents, self.scale = True, value.scale
        return self.leaf(exponential(value), expr.type)

    # --- integers that are chosen ----------------------------------------------------------------------

    def _distributed(self, expr: Binary, left: Term, right: Term) -> Value:
        """A comparison with a choice as a choice between comparisons."""
        if _is_chosen_integer(left):
            condition, a, b = left.parts
            first, second = (self._compared_terms(expr, x, right) for x in (a, b))
        else:
            condition, a, b = right.parts
            first, second = (self._compared_terms(expr, left, x) for x in (a, b))
        return either(both(condition, first), both(negation(condition), second))

    def _compared_terms(self, expr: Binary, left: Term, right: Term) -> Term:
        result = self.operated(expr, left, right)
        assert isinstance(result, Term)
        return result

    def _extremum(self, expr: Call, left: Term, right: Term) -> Term:
        """As one more number of the block; a comparison with it is one with both."""
        a, b = left.numbers[0], right.numbers[0]
        if (a.constant is not None and b.constant is not None) or (a.is_uniform and b.is_uniform):
            result = super()._extremum(expr, left, right)
            terms = result.numbers[0].terms
            if result.numbers[0].constant is None and len(terms) == 1:
                ((monomial, _),) = terms.items()
                self._bounds[monomial[0]] = (expr.name, a, b)
            return result
        smaller = positive(b - a + number(1))
        first, second = (left, right) if expr.name == "min" else (right, left)
        return Term(("select",), expr.type, (smaller, first, second))

    def _compared(self, expr: Binary, a: Polynomial, b: Polynomial, type_: Type) -> Term:
        result = super()._compared(expr, a, b, type_)
        return self._unfolded(result) if expr.op in _COMPARISONS else result

    def _unfolded(self, condition: Term) -> Term:
        """`min(a, b) - x > 0` as `a - x > 0 && b - x > 0`, and so on."""
        if condition.kind != "positive":
            return condition
        value = condition.numbers[0]
        for monomial, coefficient in value.terms.items():
            if len(monomial) != 1 or monomial[0] not in self._bounds or coefficient not in (1, -1):
                continue
            name, a, b = self._bounds[monomial[0]]
            rest = Polynomial({m: c for m, c in value.terms.items() if m != monomial}, value.wide)
            parts = [self._unfolded(positive(rest + p.scaled(int(coefficient)))) for p in (a, b)]
            return both(*parts) if (name == "min") == (coefficient == 1) else either(*parts)
        return condition

    # --- lanes -----------------------------------------------------------------------------------------

    def _shuffled(self, expr: Call, values: list[Value], active: Mask) -> Value:
        """What another lane of the warp has; all its lanes have to be there, under the same conditions."""
        width, lane = (self.single(v) for v in (values[3], values[2]))
        size = width.numbers[0].constant if width.kind == "int" else None
        at = lane.numbers[0].constant if lane.kind == "int" else None
        if not isinstance(size, int) or at is None or 32 % size:
            raise Stop("a shuffle from a lane that is not known", expr.span)
        source = _source(expr.name, np.arange(self.threads), np.broadcast_to(at, (self.threads,)), size)
        if int(source.max()) >= self.threads or not bool(active[source][active].all()):
            raise Stop("a shuffle from a lane that may not take part", expr.span)
        for guard in self.in_force():
            if not is_same(guard, _moved(guard, source)):
                raise Stop("a shuffle among lanes that may not all take part", expr.span)
        value = values[1]
        if isinstance(value, Term):
            return _moved(value, source)
        products = tuple(
            Product(
                _moved(p.left, source), _moved(p.right, source), tuple(_moved(g, source) for g in p.guards)
            )
            for p in value.products
        )
        return Sum(_moved(value.base, source), products, value.type)


def is_soft(term: Term) -> bool:
    if term.kind == "select":
        return any(is_soft(part) for part in term.parts[1:])
    return term.kind == "soft"


def number_of(term: Term) -> float | None:
    """The number that a constant is."""
    if term.kind == "const" and isinstance(term.expr, Const):
        return float(term.expr.value)
    if term.kind == "int":
        known = term.numbers[0].constant
        return float(known) if isinstance(known, int) else None
    if term.head[:2] == ("op", "-") and len(term.parts) == 1:
        inner = number_of(term.parts[0])
        return None if inner is None else -inner
    return number_of(term.parts[0]) if term.kind == "cast" else None


def _is_product(value: Value) -> bool:
    """A product of two numbers that come from memory."""
    if not isinstance(value, Term) or value.head[:2] != ("op", "*") or len(value.parts) != 2:
        return False
    return not any(mentions(value, kind) for kind in ("accumulator", "dot", "soft", "statistic"))


def _product_of(value: Value) -> Product:
    assert isinstance(value, Term)
    return Product(value.parts[0], value.parts[1], ())


def _zero(expr: Binary) -> Term:
    zero = Const(0.0, expr.type, expr.span)
    return Term(("const", repr(zero.value), expr.type), expr.type, expr=zero)


def _terms(product_: Product) -> tuple[Term, Term]:
    return product_.left, product_.right


def _is_comparison(condition: Term) -> bool:
    return condition.head[0] == "op" and condition.head[1] in _COMPARISONS


def _is_of_scores(condition: Term) -> bool:
    return any(mentions(condition, kind) for kind in ("dot", "soft"))


def _is_chosen_integer(term: Term) -> bool:
    return (
        term.kind == "select"
        and isinstance(term.type, Scalar)
        and term.type.kind == "int"
        and all(p.kind == "int" or _is_chosen_integer(p) for p in term.parts[1:])
    )


def _extends(a: Softmax, b: Softmax) -> bool:
    """Whether `a` has what `b` has, and more."""
    if isinstance(a, Maximum) and isinstance(b, Maximum):
        return a.members > b.members
    return isinstance(a, Weighted) and isinstance(b, Weighted) and len(a.parts) > len(b.parts)


def _renamed(value: Softmax, one: Maximum, other: Maximum) -> Softmax:
    """The value with one maximum in place of another that is equal there."""

    def new(maximum: Maximum | None) -> Maximum | None:
        return other if maximum == one else maximum

    if isinstance(value, Maximum):
        return other if value == one else value
    if isinstance(value, Weighted):
        return Weighted(value.parts, new(value.over), new(value.under))
    return value


def _where(conditions: Conditions, value: Maximum) -> Maximum:
    if value.base is not None:
        raise NoSoftmax("a choice between two maxima, of which none has all scores of the other")
    return Maximum(None, frozenset(Member(m.score, m.conditions | conditions) for m in value.members))


def _source(name: str, lane: np.ndarray, at: np.ndarray, size: int) -> np.ndarray:
    first, inside = lane - lane % size, lane % size
    found: dict[str, Callable[[], np.ndarray]] = {
        "__shfl_sync": lambda: at % size,
        "__shfl_xor_sync": lambda: inside ^ at,
        "__shfl_down_sync": lambda: np.where(inside + at < size, inside + at, inside),
        "__shfl_up_sync": lambda: np.where(inside >= at, inside - at, inside),
    }
    result = found[name]()
    return np.asarray(first + np.where(result < size, result, inside))


def _moved(term: Term, source: np.ndarray) -> Term:
    return map_numbers(term, lambda p: p.of_threads(source))


def moved_product(product_: Product, source: np.ndarray) -> Product:
    """What thread `source[i]` has, in thread `i`."""
    guards = tuple(_moved(g, source) for g in product_.guards)
    return Product(_moved(product_.left, source), _moved(product_.right, source), guards)
