"""Scores of a kernel that computes attention, their running maximum, and sums weighted by them, as leaves.

A sum of products that is used as one number is a `dot`, a leaf with its number and the thread that computed
it; what a thread makes of one dot is a score once it is compared or exponentiated. From there on values are
those of `softmax_values.py`, each behind a leaf `soft`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from porter.analysis.product_rounds import ProductRun
from porter.analysis.product_sums import plain
from porter.analysis.softmax_values import (
    NOTHING,
    Conditions,
    Maximum,
    Member,
    NoSoftmax,
    Softmax,
    Weighted,
    chosen,
    largest,
)
from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import Numbers, number, same
from porter.analysis.thread_terms import (
    Product,
    Sum,
    Term,
    Value,
    conjuncts,
    fingerprint,
    is_nothing,
    mentions,
    negation,
)
from porter.core.span import Span
from porter.cuda.kir import Const, Scalar, Type

COMPARISONS = frozenset({"<", "<=", ">", ">="})


@dataclass
class AttentionLeaves(ProductRun):
    """`dots`, `scores` and `conditions` are what the leaves number."""

    dots: list[Sum] = field(default_factory=list)
    scores: list[Term] = field(default_factory=list)
    conditions: list[Term] = field(default_factory=list)
    values: list[Softmax] = field(default_factory=list)
    _dot_of: dict[int, Term] = field(default_factory=dict)
    _numbers: dict[Hashable, int] = field(default_factory=dict)

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
            which, owner = (n.constant for n in term.numbers)
            if isinstance(which, int) and same(term.numbers[1], self.owners):
                return self.values[which]
            assert which is not None
            assert owner is not None
            return self.of_other_threads(np.asarray(which), np.asarray(owner), span)
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
        if is_comparison(condition):
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
        return Maximum(None, frozenset({Member(self.score_number(term, span))}))

    def score_number(self, term: Term, span: Span) -> int:
        if not mentions(term, "dot") or mentions(term, "undefined"):
            raise Stop("a maximum of something else than dot products", span)
        return self._number_in(self.scores, term)

    def _numbered(self, condition: Term, span: Span) -> Conditions:
        return frozenset(self.condition_number(c, span) for c in conjuncts(condition))

    def condition_number(self, condition: Term, span: Span) -> int:
        if mentions(condition, "soft") or mentions(condition, "dot"):
            raise Stop("a condition on scores", span)
        return self._number_in(self.conditions, condition)

    def _number_in(self, known: list[Term], term: Term) -> int:
        name = (known is self.scores, fingerprint(term))
        found = self._numbers.setdefault(name, len(known))
        if found == len(known):
            known.append(term)
        return found

    def chosen(self, condition: Term, if_true: Term, if_false: Term, span: Span) -> Term:
        """The larger of two scores, if that is what a comparison chooses."""
        is_number = isinstance(if_true.type, Scalar) and if_true.type.kind == "float"
        if not is_number or not is_comparison(condition) or not is_of_scores(condition):
            return super().chosen(condition, if_true, if_false, span)
        select = Term(("select",), if_true.type, (condition, if_true, if_false))
        return self.leaf(self._chosen(select, span), if_true.type)

    def of_other_threads(self, which: Numbers, owner: Numbers, span: Span) -> Softmax:
        """For each thread the value of the leaf `which`, as thread `owner` has it. Raises Stop."""
        raise NotImplementedError


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


def _terms(product_: Product) -> tuple[Term, Term]:
    return product_.left, product_.right


def is_comparison(condition: Term) -> bool:
    return condition.head[0] == "op" and condition.head[1] in COMPARISONS


def is_of_scores(condition: Term) -> bool:
    return any(mentions(condition, kind) for kind in ("dot", "soft"))


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
