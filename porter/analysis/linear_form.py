"""A normal form of integer index arithmetic: polynomials over what is not arithmetic.

Works modulo 2**bits, separately for 32 and for 64 bits: casts between int and uint of one width keep all
bits and are looked through, a widening cast is not. Two expressions with the same normal form have the same
value (bit pattern) wherever both are evaluated; that is all that is claimed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from porter.analysis.expressions import Key, key, with_children
from porter.analysis.walk import children
from porter.core.span import Span
from porter.cuda.kir import Binary, Builtin, Cast, Const, Expr, Scalar, Type, Unary

Monomial = tuple[int, ...]


@dataclass(frozen=True)
class Polynomial:
    """Coefficients by monomial (sorted atom numbers); the empty monomial is the constant."""

    terms: tuple[tuple[Monomial, int], ...]

    def constant(self) -> int:
        return dict(self.terms).get((), 0)


def _collect(pairs: Iterator[tuple[Monomial, int]]) -> Polynomial:
    total: dict[Monomial, int] = {}
    for monomial, coefficient in pairs:
        total[monomial] = total.get(monomial, 0) + coefficient
    return Polynomial(tuple(sorted((m, c) for m, c in total.items() if c)))


def _plus(a: Polynomial, b: Polynomial, sign: int = 1) -> Polynomial:
    return _collect(iter([*a.terms, *((m, sign * c) for m, c in b.terms)]))


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    return _collect((tuple(sorted((*m, *n))), c * d) for m, c in a.terms for n, d in b.terms)


@dataclass
class Normaliser:
    """`block` makes `blockDim` a number; `replaced` gives atoms (by key) another polynomial."""

    block: tuple[int, int, int]
    atoms: list[Expr] = field(default_factory=list)
    _numbers: dict[Key, int] = field(default_factory=dict)
    replaced: Mapping[int, Polynomial] = field(default_factory=dict)

    def normal(self, expr: Expr) -> Expr:
        """The expression with every maximal piece of index arithmetic in normal form."""
        if is_index(expr.type):
            return self.rebuild(self.polynomial(expr), expr.type, expr.span)
        parts = tuple(self.normal(child) for child in children(expr))
        return with_children(expr, parts) if parts else expr

    def polynomial(self, expr: Expr) -> Polynomial:
        """The polynomial of an expression of a 32- or 64-bit integer type."""
        match expr:
            case Const(value=value):
                return _collect(iter([((), int(value))]))
            case Builtin(name="blockDim", axis=axis):
                return _collect(iter([((), self.block["xyz".index(axis)])]))
            case Binary(op="+" | "-" as op, left=left, right=right):
                return _plus(self.polynomial(left), self.polynomial(right), 1 if op == "+" else -1)
            case Binary(op="*", left=left, right=right):
                return _times(self.polynomial(left), self.polynomial(right))
            case Binary(op="<<", left=left, right=Const(value=shift)) if 0 <= int(shift) < 31:
                return _times(self.polynomial(left), _collect(iter([((), 1 << int(shift))])))
            case Unary(op="-", operand=operand):
                return _plus(_collect(iter([])), self.polynomial(operand), -1)
            case Cast(operand=operand) if is_index(operand.type) and _bits(operand.type) == _bits(expr.type):
                return self.polynomial(operand)
            case _:
                return self._atom(expr)

    def _atom(self, expr: Expr) -> Polynomial:
        parts = tuple(self.normal(child) for child in children(expr))
        number = self.number(with_children(expr, parts) if parts else expr)
        if number in self.replaced:
            return self.replaced[number]
        return _collect(iter([((number,), 1)]))

    def number(self, atom: Expr) -> int:
        number = self._numbers.setdefault(key(atom), len(self.atoms))
        if number == len(self.atoms):
            self.atoms.append(atom)
        return number

    def rebuild(self, polynomial: Polynomial, type_: Type, span: Span) -> Expr:
        """The polynomial as an expression of `type_`: shared factors outside, the constant last."""
        terms = dict(polynomial.terms)
        constant = terms.pop((), 0)
        parts = [(1 if c > 0 else -1, e) for c, e in self._parts(terms, type_, span)]
        parts.sort(key=lambda part: part[0] < 0)
        if constant or not parts:
            parts.append(_constant_part(constant, bool(parts), type_, span))
        (sign, result), *rest = parts
        if sign < 0:
            result = Unary("-", result, type_, span)
        for sign, part in rest:
            result = Binary("+" if sign > 0 else "-", result, part, type_, span)
        return result

    def _parts(self, terms: dict[Monomial, int], type_: Type, span: Span) -> list[tuple[int, Expr]]:
        """The summands with their signs; those that share a factor as one product."""
        shared = self._shared_factor(terms)
        if shared is None:
            return [(c, self._product(m, abs(c), type_, span)) for m, c in self._ordered(terms)]
        inner = {_divided(m, shared): c for m, c in terms.items() if shared in m}
        outer = {m: c for m, c in terms.items() if shared not in m}
        quotient = self.rebuild(Polynomial(tuple(sorted(inner.items()))), type_, span)
        product = Binary("*", quotient, _as_type(self.atoms[shared], type_, span), type_, span)
        return [(1, product), *self._parts(outer, type_, span)]

    def _shared_factor(self, terms: dict[Monomial, int]) -> int | None:
        """The atom that most products have in common, if at least two have one."""
        counts = Counter(n for m in terms if m for n in set(m))
        in_products = [n for n, count in counts.items() if count > 1]
        return max(in_products, key=lambda n: (counts[n], -n), default=None)

    def _ordered(self, terms: dict[Monomial, int]) -> list[tuple[Monomial, int]]:
        """The block's part first, as one writes it: `blockIdx.x * 256 + threadIdx.x`."""
        return sorted(terms.items(), key=lambda item: (not self._has_block_index(item[0]), item[0]))

    def _has_block_index(self, monomial: Monomial) -> bool:
        return any(_name(self.atoms[n]) == "blockIdx" for n in monomial)

    def _product(self, monomial: Monomial, coefficient: int, type_: Type, span: Span) -> Expr:
        result: Expr | None = None
        for number in monomial:
            factor = _as_type(self.atoms[number], type_, span)
            result = factor if result is None else Binary("*", result, factor, type_, span)
        assert result is not None
        if coefficient == 1:
            return result
        return Binary("*", result, Const(coefficient, type_, span), type_, span)


def _constant_part(constant: int, follows: bool, type_: Type, span: Span) -> tuple[int, Expr]:
    """Sign and size of the constant: a negative one is subtracted, unless it stands alone."""
    if not follows:
        return 1, Const(constant, type_, span)
    return (1 if constant > 0 else -1), Const(abs(constant), type_, span)


def _name(atom: Expr) -> str:
    return atom.name if isinstance(atom, Builtin) else ""


def _divided(monomial: Monomial, atom: int) -> Monomial:
    at = monomial.index(atom)
    return (*monomial[:at], *monomial[at + 1 :])


def is_index(type_: Type) -> bool:
    return isinstance(type_, Scalar) and type_.kind in ("int", "uint") and type_.bits in (32, 64)


def _bits(type_: Type) -> int:
    return type_.bits if isinstance(type_, Scalar) else 0


def _as_type(atom: Expr, type_: Type, span: Span) -> Expr:
    if str(atom.type) == str(type_):
        return atom
    if isinstance(atom, Const):
        return replace(atom, type=type_)
    return Cast(atom, type_, span)
