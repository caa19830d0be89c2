"""What a piece of code puts into shared memory: each store as a function of the element's place.

The piece runs symbolically for the whole block (`lockstep.py`), with stores kept apart instead of done.
A store under a condition that depends on data keeps the condition as its guard.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from porter.analysis.lockstep import Lockstep, _Loop
from porter.analysis.stop import Stop
from porter.analysis.values import Known, Mask, Value, expression
from porter.cuda.kir import (
    BOOL,
    SHARED_STORAGE,
    Array,
    Assign,
    Binary,
    Declare,
    Expr,
    If,
    Index,
    Unary,
    Variable,
    VarRef,
)


@dataclass(frozen=True)
class Store:
    """One store the active threads do: `value` to `array[indices]` where `guard` holds (None: always).

    The expressions hold where the piece starts. `cells` are the places written (whatever the guard says).
    `fixed` are the axes along which all these threads have one number, and the number: a halo's column is
    filled by the threads with `threadIdx.x == 0`.
    """

    array: Variable
    indices: tuple[Expr, ...]
    value: Expr
    guard: Expr | None
    cells: frozenset[tuple[int, ...]]
    fixed: tuple[tuple[str, int], ...] = ()


@dataclass
class StagingRun(Lockstep):
    """A symbolic execution that lists the stores to shared memory in `stores`."""

    stores: list[Store] = field(default_factory=list)
    guards: list[Expr] = field(default_factory=list)

    def _assign(self, stmt: Assign, active: Mask) -> None:
        place = self.array(stmt.target)
        if place is None:
            if self.guards:
                raise Stop("a variable changes under a condition that depends on data", stmt.span)
            super()._assign(stmt, active)
            return
        value = self.right_hand_side(stmt.value, active)
        held = expression(value, stmt.value.type, stmt.value.span)
        if held is None:
            raise Stop("a stored value that is combined from several threads", stmt.span)
        chain = zip(index_chain(stmt.target), extents(place), strict=True)
        indices = tuple(self._index(e, length, active) for e, length in chain)
        written = tuple(e for e, _ in indices)
        columns = [numbers[active].tolist() for _, numbers in indices]
        cells = list(zip(*columns, strict=True))
        if len(set(cells)) != len(cells):
            raise Stop("two threads store to one element", stmt.span)
        fixed = self._common_numbers(active)
        self.stores.append(Store(place, written, held, self._guard(), frozenset(cells), fixed))

    def _common_numbers(self, active: Mask) -> tuple[tuple[str, int], ...]:
        x, y, _ = self.block
        threads = np.flatnonzero(active)
        numbers = {"x": threads % x, "y": threads // x % y, "z": threads // (x * y)}
        return tuple((axis, int(n[0])) for axis, n in numbers.items() if n.size and bool((n == n[0]).all()))

    def _index(self, index: Expr, length: int, active: Mask) -> tuple[Expr, np.ndarray]:
        value = self.evaluate(index, active)
        held = expression(value, index.type, index.span)
        if not isinstance(value, Known) or held is None:
            raise Stop("a shared-memory index that depends on data", index.span)
        used = value.numbers[active]
        if bool(((used < 0) | (used >= (length or np.iinfo(np.int64).max))).any()):
            raise Stop("an index outside the shared array", index.span)
        return held, value.numbers

    def _guard(self) -> Expr | None:
        result: Expr | None = None
        for guard in self.guards:
            result = guard if result is None else Binary("&&", result, guard, BOOL, guard.span)
        return result

    def _branch(self, stmt: If, active: Mask, loop: _Loop | None) -> None:
        condition = self.evaluate(stmt.condition, active)
        if isinstance(condition, Known):
            super()._branch(stmt, active, loop)
            return
        held = expression(condition, BOOL, stmt.condition.span)
        if held is None:
            raise Stop("a condition on values of several threads", stmt.condition.span)
        with self._under(held):
            self.run(stmt.then, active, loop)
        with self._under(Unary("!", held, BOOL, held.span)):
            self.run(stmt.otherwise, active, loop)

    @contextmanager
    def _under(self, guard: Expr) -> Iterator[None]:
        self.guards.append(guard)
        yield
        self.guards.pop()

    def _load(self, expr: Expr, active: Mask) -> Value:
        if self.array(expr) is not None:
            raise Stop("shared memory is read where it is filled", expr.span)
        return super()._load(expr, active)

    def _declare(self, stmt: Declare, variable: Variable, value: Expr | None, active: Mask) -> None:
        if self.guards and value is None and variable.storage not in SHARED_STORAGE:
            raise Stop("a variable without a value under a condition that depends on data", stmt.span)
        super()._declare(stmt, variable, value, active)


def index_chain(lvalue: Expr) -> tuple[Expr, ...]:
    """The indices of `a[i][j]`, outermost dimension first. Raises Stop for any other form of access."""
    indices: list[Expr] = []
    while isinstance(lvalue, Index):
        indices.append(lvalue.index)
        lvalue = lvalue.base
    is_array = isinstance(lvalue, VarRef) and isinstance(lvalue.variable.type, Array)
    if not is_array or not isinstance(lvalue, VarRef) or len(indices) != len(extents(lvalue.variable)):
        raise Stop("shared memory is accessed through a pointer", lvalue.span)
    return tuple(reversed(indices))


def extents(array: Variable) -> tuple[int, ...]:
    """The length of every dimension, outermost first; 0 where it is not known (dynamic shared memory)."""
    type_, found = array.type, tuple[int, ...]()
    while isinstance(type_, Array):
        found += type_.shape
        type_ = type_.element
    return found
