"""Integers of a kernel as every thread of a block has them: numbers by thread times what all threads share.

A `LaneValue` is a polynomial over symbols (kernel arguments, block indices, loop counters: one value for all
threads of the block) whose coefficients are numbers, one a thread. Assumes that index arithmetic does not
overflow and that symbols are not negative, as sizes and block indices are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from porter.analysis.values import Mask
from porter.core.span import Span

Numbers: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, order=True)
class Symbol:
    """`number` tells symbols of one name apart; `name` is for messages."""

    number: int
    name: str


Monomial: TypeAlias = tuple[Symbol, ...]


@dataclass(frozen=True)
class Unknown:
    """A value of which nothing is known that could be used, and why."""

    reason: str
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class LaneValue:
    """The sum of `coefficients × monomial`; the empty monomial is the part that is a number."""

    terms: tuple[tuple[Monomial, Numbers], ...]

    @property
    def numbers(self) -> Numbers:
        """The part without symbols."""
        return dict(self.terms)[()]

    @property
    def symbolic(self) -> tuple[tuple[Monomial, Numbers], ...]:
        return tuple((m, c) for m, c in self.terms if m)

    @property
    def is_known(self) -> bool:
        return not self.symbolic

    @property
    def is_uniform(self) -> bool:
        return all(is_constant(c) for _, c in self.terms)

    def known_constant(self) -> int | None:
        """The number that all threads have, where it is one."""
        return int(self.numbers[0]) if self.is_known and self.is_uniform else None

    def symbols(self) -> set[Symbol]:
        return {symbol for monomial, _ in self.terms for symbol in monomial}


Value: TypeAlias = LaneValue | Unknown


def is_constant(numbers: Numbers) -> bool:
    return bool((numbers == numbers[0]).all())


def of_numbers(numbers: npt.NDArray[Any]) -> LaneValue:
    return LaneValue((((), numbers.astype(np.int64)),))


def constant(value: int, threads: int) -> LaneValue:
    return of_numbers(np.full(threads, value, dtype=np.int64))


def of_symbol(symbol: Symbol, threads: int) -> LaneValue:
    zero, one = np.zeros(threads, dtype=np.int64), np.ones(threads, dtype=np.int64)
    return LaneValue((((), zero), ((symbol,), one)))


def _collect(terms: Iterable[tuple[Monomial, Numbers]]) -> LaneValue:
    total: dict[Monomial, Numbers] = {}
    for monomial, numbers in terms:
        total[monomial] = total[monomial] + numbers if monomial in total else numbers
    kept = {m: c for m, c in total.items() if m == () or c.any()}
    return LaneValue(tuple(sorted(kept.items(), key=lambda item: item[0])))


def plus(a: LaneValue, b: LaneValue, sign: int = 1) -> LaneValue:
    return _collect((*a.terms, *((m, sign * c) for m, c in b.terms)))


def times(a: LaneValue, b: LaneValue) -> LaneValue:
    return _collect((tuple(sorted((*m, *n))), c * d) for m, c in a.terms for n, d in b.terms)


def scaled(a: LaneValue, factor: int) -> LaneValue:
    return _collect((m, c * factor) for m, c in a.terms)


def chosen(mask: Mask, a: LaneValue, b: LaneValue) -> LaneValue:
    """`a` in the threads of `mask`, `b` in the others."""
    own, other = dict(a.terms), dict(b.terms)
    zero = np.zeros_like(a.numbers)
    return _collect((m, np.where(mask, own.get(m, zero), other.get(m, zero))) for m in {**own, **other})


def split(a: LaneValue, divisor: int) -> tuple[LaneValue, LaneValue] | None:
    """Quotient and remainder by a positive number, where the symbols' part is a multiple of it.

    `blockIdx.x * 256 + threadIdx.x` by 4 is `blockIdx.x * 64 + threadIdx.x / 4` and `threadIdx.x % 4`.
    """
    if divisor <= 0 or any((c % divisor).any() for _, c in a.symbolic) or (a.numbers < 0).any():
        return None
    quotient = _collect((m, c // divisor) for m, c in a.terms)
    return quotient, of_numbers(a.numbers % divisor)


def relative(a: LaneValue, pitch: int) -> tuple[Numbers, tuple[Symbol, ...]]:
    """Distances of every thread's value from a common origin.

    A symbol that threads have in different multiples (the pitch of a matrix) is taken as a large multiple of
    `pitch`, another one for each symbol; the second part names these. What all threads have alike drops out.
    """
    distances = a.numbers.copy()
    taken: list[Symbol] = []
    for monomial, coefficients in a.symbolic:
        if is_constant(coefficients):
            continue
        product = 1
        for symbol in monomial:
            if symbol not in taken:
                taken.append(symbol)
            product *= pitch << (6 + 3 * taken.index(symbol))
        distances += coefficients * product
    return distances, tuple(taken)


def step(a: LaneValue) -> int:
    """The greatest number that divides every coefficient: what the value is a multiple of for any symbols."""
    result = 0
    for _, coefficients in a.terms:
        result = int(np.gcd.reduce(np.append(np.abs(coefficients), result)))
    return result
