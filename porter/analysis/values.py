"""The values of the symbolic execution: one for all threads of a block, in three degrees of knowledge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from porter.analysis.concrete import Array
from porter.analysis.expressions import key
from porter.analysis.terms import Fold, Term, Undefined
from porter.core.span import Span
from porter.cuda.kir import Const, Expr, Type

Mask: TypeAlias = npt.NDArray[np.bool_]
INACTIVE = Undefined("the value of a thread that does not take part")


@dataclass(frozen=True)
class Known:
    """Numbers, one a thread. `expr` computes them where the fragment starts, if any expression does."""

    numbers: Array
    expr: Expr | None = None


@dataclass(frozen=True)
class Own:
    """What `expr` gives in each thread, evaluated where the fragment starts."""

    expr: Expr


@dataclass(frozen=True)
class Mixed:
    """One term a thread (an object array)."""

    terms: npt.NDArray[Any]


Value: TypeAlias = Known | Own | Mixed


@dataclass
class Leaves:
    """Numbers the expressions whose per-thread values are the leaves of folds."""

    threads: int
    sites: list[Expr] = field(default_factory=list)
    _numbers: dict[object, int] = field(default_factory=dict)

    def site(self, expr: Expr) -> int:
        number = self._numbers.setdefault((key(expr), str(expr.type)), len(self.sites))
        if number == len(self.sites):
            self.sites.append(expr)
        return number

    def leaf(self, site: int, thread: int) -> Fold:
        return Fold("", 1 << (site * self.threads + thread))

    def split(self, leaves: int) -> Iterator[tuple[int, int]]:
        """The leaves as (site, set of threads), the threads as bits."""
        everyone = (1 << self.threads) - 1
        for site in range(len(self.sites)):
            threads = (leaves >> (site * self.threads)) & everyone
            if threads:
                yield site, threads

    def single(self, term: object) -> tuple[int, int] | None:
        """(site, thread) of a fold that is one bare leaf."""
        if not isinstance(term, Fold) or term.op or term.constant is not None:
            return None
        return divmod(term.leaves.bit_length() - 1, self.threads)

    def terms(self, value: Value) -> npt.NDArray[Any]:
        """The value as one term a thread."""
        if isinstance(value, Mixed):
            return value.terms
        out = np.empty(self.threads, dtype=object)
        if isinstance(value, Known):
            out[:] = value.numbers.tolist()
        else:
            site = self.site(value.expr)
            for thread in range(self.threads):
                out[thread] = self.leaf(site, thread)
        return out


def expression(value: Value, type_: Type, span: Span) -> Expr | None:
    """An expression for the value at the fragment's start; None where it differs by thread in another way."""
    if isinstance(value, Own):
        return value.expr
    if isinstance(value, Mixed):
        return None
    if value.expr is not None:
        return value.expr
    first = value.numbers[0]
    return Const(first.item(), type_, span) if bool(np.all(value.numbers == first)) else None


def uninitialised(threads: int, name: str) -> Mixed:
    out = np.empty(threads, dtype=object)
    out[:] = Undefined(f"`{name}` before it has a value")
    return Mixed(out)


def lanewise(active: Mask, operands: list[npt.NDArray[Any]], rule: Callable[..., Term]) -> Mixed:
    """`rule` applied thread by thread, for the active threads."""
    out = np.empty(len(active), dtype=object)
    out[:] = INACTIVE
    for thread in np.flatnonzero(active):
        out[thread] = rule(*(o[thread] for o in operands))
    return Mixed(out)


def blend(active: Mask, new: Value, old: Value | None, leaves: Leaves) -> Value:
    """`new` in the active threads, `old` in the others."""
    if bool(active.all()) or old is None:
        return new
    if isinstance(new, Known) and isinstance(old, Known):
        return Known(np.where(active, new.numbers, old.numbers))
    out = leaves.terms(old).copy()
    out[active] = leaves.terms(new)[active]
    return Mixed(out)
