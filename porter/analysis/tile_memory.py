"""A shared array during a symbolic execution of a block: what each element holds, and who touched it when.

Elements whose contents have one shape share one term, with a coefficient for each element of the array.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import Numbers, Polynomial, where
from porter.analysis.thread_terms import Mask, Term, has_shape_of, joined, map_numbers, undefined
from porter.core.span import Span
from porter.cuda.kir import Type

_NOBODY, _SEVERAL, _NEVER = -1, -2, -1


@dataclass
class TileMemory:
    """`holder` says which of `contents` an element is part of; -1 where nothing is known to be stored."""

    name: str
    type: Type
    size: int
    contents: list[Term] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.holder = np.full(self.size, -1)
        self.writer, self.reader = np.full((2, self.size), _NOBODY)
        self.written, self.read_in = np.full((2, self.size), _NEVER)

    def copy(self) -> TileMemory:
        other = replace(self, contents=list(self.contents))
        for name in ("holder", "writer", "reader", "written", "read_in"):
            setattr(other, name, getattr(self, name).copy())
        return other

    def forget(self) -> None:
        self.holder[:] = -1

    def grow(self, size: int) -> None:
        """For an array whose size only the launch says."""
        more = max(size, 2 * self.size) - self.size
        pad = {"holder": -1, "writer": _NOBODY, "reader": _NOBODY, "written": _NEVER, "read_in": _NEVER}
        for name, value in pad.items():
            setattr(self, name, np.concatenate([getattr(self, name), np.full(more, value)]))
        self.size += more
        self.contents = [map_numbers(c, lambda p: _padded(p, self.size)) for c in self.contents]

    def store(self, cells: Numbers, value: Term, active: Mask, epoch: int, span: Span) -> None:
        """`value` of each active thread to its cell. Raises Stop for a race."""
        threads = np.flatnonzero(active)
        used = cells[threads]
        if len(np.unique(used)) != len(used):
            raise Stop(f"two threads store to one element of `{self.name}`", span)
        self._check(used, threads, self.written, self.writer, epoch, span)
        self._check(used, threads, self.read_in, self.reader, epoch, span)
        self.writer[used], self.written[used] = threads, epoch
        spread = map_numbers(value, lambda p: _scattered(p, used, threads, self.size))
        chosen = np.zeros(self.size, dtype=np.bool_)
        chosen[used] = True
        for number, content in enumerate(self.contents):
            if has_shape_of(content, spread):
                merged = joined(spread, content, lambda p, q: where(chosen, p, q))
                assert merged is not None
                self.contents[number] = merged
                self.holder[used] = number
                return
        self.holder[used] = len(self.contents)
        self.contents.append(spread)

    def load(self, cells: Numbers, active: Mask, epoch: int, span: Span) -> Term:
        """What each active thread's cell holds; undefined where one has nothing stored.

        Raises Stop for a race and for cells whose contents differ in kind.
        """
        threads = np.flatnonzero(active)
        used = cells[threads]
        self._check(used, threads, self.written, self.writer, epoch, span)
        value = self.peek(cells, active, span)
        again = (self.read_in[used] == epoch) & (self.reader[used] != threads)
        self.reader[used] = np.where(again, _SEVERAL, threads)
        counts = np.bincount(used, minlength=self.size)
        self.reader[counts > 1] = _SEVERAL
        self.read_in[used] = epoch
        return value

    def peek(self, cells: Numbers, active: Mask, span: Span) -> Term:
        """The same without a trace; `undefined` where nothing is stored."""
        holders = self.holder[cells[active]]
        first = int(holders[0])
        if int(holders.min()) < 0:
            return undefined(f"`{self.name}`", self.type)
        if bool((holders != first).any()):
            raise Stop(f"the threads read elements of `{self.name}` that differ in kind", span)
        anywhere = np.where(active, cells, cells[active][0])
        return map_numbers(self.contents[first], lambda p: p.of_threads(anywhere))

    def _check(
        self, cells: Numbers, threads: Numbers, epochs: Numbers, who: Numbers, epoch: int, span: Span
    ) -> None:
        if bool(((epochs[cells] == epoch) & (who[cells] != threads)).any()):
            raise Stop(f"no barrier between two threads' accesses to one element of `{self.name}`", span)


def _scattered(polynomial: Polynomial, cells: Numbers, threads: Numbers, size: int) -> Polynomial:
    """From a coefficient for each thread to one for each element."""
    terms: dict[tuple[int, ...], int | Numbers] = {}
    for monomial, coefficient in polynomial.terms.items():
        spread = np.zeros(size, dtype=np.int64)
        spread[cells] = coefficient if isinstance(coefficient, int) else coefficient[threads]
        terms[monomial] = spread
    return Polynomial(terms, polynomial.wide)


def _padded(polynomial: Polynomial, size: int) -> Polynomial:
    terms = {
        m: c if isinstance(c, int) else np.concatenate([c, np.zeros(size - len(c), dtype=np.int64)])
        for m, c in polynomial.terms.items()
    }
    return Polynomial(terms, polynomial.wide)
