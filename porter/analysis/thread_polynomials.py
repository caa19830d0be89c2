"""Integers as polynomials over what all threads of a block share, with a coefficient for each thread.

`(blockIdx.y * 64 + tid / 8) * k` is `64 * blockIdx.y k + (tid / 8) * k`: the coefficient of `k` is an array
over the threads. Exact as long as the original's own index arithmetic does not overflow, which C leaves
undefined for `int`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Monomial: TypeAlias = tuple[int, ...]
Numbers: TypeAlias = npt.NDArray[np.int64]
Coefficient: TypeAlias = "int | Numbers"
ONE: Monomial = ()


@dataclass(frozen=True, eq=False)
class Polynomial:
    """Coefficients by monomial (sorted atom numbers): a number for all, or an array over the threads.

    `wide` are the monomials that the original computes in 64 bits.
    """

    terms: Mapping[Monomial, Coefficient]
    wide: frozenset[Monomial] = frozenset()

    @property
    def constant(self) -> Coefficient | None:
        """The value where it is known: no monomial but the empty one."""
        if not self.terms:
            return 0
        return self.terms[ONE] if len(self.terms) == 1 and ONE in self.terms else None

    @property
    def is_uniform(self) -> bool:
        return all(isinstance(c, int) for c in self.terms.values())

    def widened(self) -> Polynomial:
        return Polynomial(self.terms, frozenset(self.terms))

    def __add__(self, other: Polynomial) -> Polynomial:
        return self._summed(other, 1)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self._summed(other, -1)

    def _summed(self, other: Polynomial, sign: int) -> Polynomial:
        if not other.terms:
            return self
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + sign * coefficient
        return _tidy(terms, self.wide | other.wide)

    def __mul__(self, other: Polynomial) -> Polynomial:
        terms: dict[Monomial, Coefficient] = {}
        wide: set[Monomial] = set()
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                product = tuple(sorted((*m, *n)))
                terms[product] = terms.get(product, 0) + c * d
                if m in self.wide or n in other.wide:
                    wide.add(product)
        return _tidy(terms, frozenset(wide))

    def scaled(self, factor: int) -> Polynomial:
        if factor == 1:
            return self
        return _tidy({m: c * factor for m, c in self.terms.items()}, self.wide)

    def divided(self, divisor: int) -> Polynomial | None:
        """The exact quotient, where every coefficient has one."""
        if any(np.any(np.asarray(c) % divisor) for c in self.terms.values()):
            return None
        return _tidy({m: c // divisor for m, c in self.terms.items()}, self.wide)

    def of_threads(self, threads: Numbers) -> Polynomial:
        """The polynomial whose thread `i` has what thread `threads[i]` has here."""
        terms = {m: c if isinstance(c, int) else c[threads] for m, c in self.terms.items()}
        return Polynomial(terms, self.wide)


def number(value: Coefficient) -> Polynomial:
    return _tidy({ONE: value}, frozenset())


def atom(index: int, *, wide: bool = False) -> Polynomial:
    monomial = (index,)
    return Polynomial({monomial: 1}, frozenset({monomial}) if wide else frozenset())


def _tidy(terms: Mapping[Monomial, Coefficient], wide: frozenset[Monomial]) -> Polynomial:
    kept: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in terms.items():
        plain = _collapsed(coefficient)
        if not isinstance(plain, int) or plain:
            kept[monomial] = plain
    return Polynomial(kept, wide & kept.keys() if wide else wide)


def _collapsed(coefficient: Coefficient) -> Coefficient:
    """An array of one value everywhere as that number."""
    if isinstance(coefficient, int):
        return coefficient
    first = int(coefficient.flat[0])
    return first if bool((coefficient == first).all()) else coefficient


def same(a: Polynomial, b: Polynomial) -> bool:
    if a is b:
        return True
    return all(_equal(a.terms.get(m, 0), b.terms.get(m, 0)) for m in a.terms.keys() | b.terms.keys())


def _equal(a: Coefficient, b: Coefficient) -> bool:
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return bool(np.all(np.asarray(a) == np.asarray(b)))


def where(mask: npt.NDArray[np.bool_], a: Polynomial, b: Polynomial) -> Polynomial:
    """`a` in the threads of `mask`, `b` in the others."""
    if a is b:
        return a
    terms = {m: np.where(mask, a.terms.get(m, 0), b.terms.get(m, 0)) for m in {*a.terms, *b.terms}}
    return _tidy(terms, a.wide | b.wide)


def sum_of(parts: Iterable[Polynomial]) -> Polynomial:
    total = number(0)
    for part in parts:
        total = total + part
    return total
