"""Expressions of a kernel that computes attention: operators on scores, their maxima and weights."""

from __future__ import annotations

from dataclasses import dataclass, field

from porter.analysis.attention_leaves import COMPARISONS, is_soft
from porter.analysis.attention_threads import AttentionThreads
from porter.analysis.block_values import FUSED
from porter.analysis.softmax_values import (
    NOTHING,
    Difference,
    NoSoftmax,
    Softmax,
    Weighted,
    exponential,
    largest,
    product,
    scaled,
    total,
)
from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import Polynomial, number
from porter.analysis.thread_terms import (
    Mask,
    Product,
    Sum,
    Term,
    Value,
    both,
    either,
    is_nothing,
    is_same,
    mentions,
    negation,
    positive,
)
from porter.core.span import Span
from porter.cuda.kir import Binary, Call, Const, Scalar, Type

_MAXIMA = frozenset({"fmax", "max"})
_EXPONENTIALS = frozenset({"exp", "__expf"})
_SHUFFLES = frozenset({"__shfl_sync", "__shfl_xor_sync", "__shfl_down_sync", "__shfl_up_sync"})


@dataclass
class AttentionValues(AttentionThreads):
    """`scale` is that of every exponent."""

    scale: Term | None = None
    _has_exponents: bool = False
    _bounds: dict[int, tuple[str, Polynomial, Polynomial]] = field(default_factory=dict)

    # --- operators -------------------------------------------------------------------------------------

    def operated(self, expr: Binary, first: Value, second: Value) -> Value:
        sides = [self.single(v) if isinstance(v, Term) else v for v in (first, second)]
        if expr.op in COMPARISONS and any(isinstance(s, Term) and _is_chosen_integer(s) for s in sides):
            return self._distributed(expr, self.single(first), self.single(second))
        is_number = isinstance(expr.type, Scalar) and expr.type.kind == "float"
        if not is_number or not any(isinstance(s, Term) and is_soft(s) for s in sides):
            if expr.op == "+" and is_number and _is_product(first) and _is_product(second):
                first = Sum(_zero(expr), (_product_of(first),), expr.type)
            return super().operated(expr, first, second)
        left, right = self.single(first), self.single(second)
        return self.leaf(self._combined(expr.op, left, right, expr.span), expr.type)

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
            return self.shuffled(expr, values, active)
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
        return self._unfolded(result) if expr.op in COMPARISONS else result

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


def _is_chosen_integer(term: Term) -> bool:
    return (
        term.kind == "select"
        and isinstance(term.type, Scalar)
        and term.type.kind == "int"
        and all(p.kind == "int" or _is_chosen_integer(p) for p in term.parts[1:])
    )
