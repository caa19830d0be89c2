"""The rows, columns and steps of a matrix product, from what every thread adds up.

Each accumulator of each thread sums products of a left and a right factor. Those with the same sequence of
left factors are a row, those with the same sequence of right factors a column. If the pairs of a row and a
column are each computed once, the block computes a matrix; every number in it is then shown to be linear in
the row, the column and the step, by looking at all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from porter.analysis.thread_polynomials import Coefficient, Monomial, Polynomial
from porter.analysis.thread_terms import Term, has_shape_of, polynomials

Grid = npt.NDArray[np.int64]


class NoShape(Exception):
    """The products form no matrix product, or none whose numbers are linear."""


@dataclass(frozen=True)
class Linear:
    """`base + row * of_row + column * of_column + step * of_step`, for each monomial."""

    base: dict[Monomial, int]
    of_row: dict[Monomial, int]
    of_column: dict[Monomial, int]
    of_step: dict[Monomial, int]
    wide: frozenset[Monomial]
    row_unit: int = 1  # the row counts rounded down to a multiple of it
    column_unit: int = 1


@dataclass(frozen=True)
class Fitted:
    """A term with its numbers, in the order of `polynomials`, as linear functions."""

    term: Term
    numbers: tuple[Linear, ...]


@dataclass(frozen=True)
class Labels:
    """The row and the column that accumulator `v` of thread `t` is: `rows[v, t]`, `columns[v, t]`."""

    rows: Grid
    columns: Grid
    row_count: int
    column_count: int
    steps: Grid  # the order of the products

    def first_of_rows(self) -> tuple[Grid, Grid]:
        return _first(self.rows, self.row_count)

    def first_of_columns(self) -> tuple[Grid, Grid]:
        return _first(self.columns, self.column_count)


@dataclass(frozen=True)
class Family:
    """One term for every accumulator and step: `numbers[i][m]` is `[accumulators, steps, threads]`."""

    term: Term
    numbers: tuple[dict[Monomial, Grid], ...]
    wide: tuple[frozenset[Monomial], ...]

    def grids(self) -> list[Grid]:
        """The coefficients, those of the places that are loaded first: they say what comes after what."""
        order = sorted(range(len(self.numbers)), key=_places(self.term).__getitem__)
        return [grid for position in order for grid in self.numbers[position].values()]


def _places(term: Term) -> list[int]:
    """For every number of the term 0 where it is the place of a load, else 1."""
    own = [0 if term.kind == "load" else 1 for _ in term.numbers]
    return own + [place for part in term.parts for place in _places(part)]


def family(terms: Sequence[Sequence[Term]], threads: int) -> Family:
    """Terms by accumulator and step as one family. Raises NoShape unless they have one shape."""
    first = terms[0][0]
    flat = [t for row in terms for t in row]
    if not all(has_shape_of(first, t) for t in flat):
        raise NoShape("the factors differ in kind")
    listed = [polynomials(t) for t in flat]
    numbers, wide = [], []
    for position in range(len(listed[0])):
        column = [p[position] for p in listed]
        monomials = {m for p in column for m in p.terms}
        numbers.append({m: _grid(column, m, len(terms), threads) for m in sorted(monomials)})
        wide.append(frozenset(m for p in column for m in p.wide))
    return Family(first, tuple(numbers), tuple(wide))


def _grid(column: Sequence[Polynomial], monomial: Monomial, accumulators: int, threads: int) -> Grid:
    grid = np.empty((len(column), threads), dtype=np.int64)
    for at, polynomial in enumerate(column):
        coefficient: Coefficient = polynomial.terms.get(monomial, 0)
        grid[at] = coefficient
    return grid.reshape(accumulators, -1, threads)


def in_one_order(families: Sequence[Family]) -> list[Family]:
    """The products of each thread in the order of what their left factor, the first family, loads.

    Threads may go through the steps of a round each in its own order, against bank conflicts.
    """
    changing = [g for g in families[0].grids() if bool((g[:, 1:] != g[:, :-1]).any())]
    if not changing:
        return list(families)
    order = np.argsort(changing[0], axis=1, kind="stable")
    if bool((order == order[:1, :, :1]).all()):
        return list(families)
    return [_reordered(f, order) for f in families]


def _reordered(factor: Family, order: Grid) -> Family:
    numbers = tuple({m: np.take_along_axis(g, order, 1) for m, g in n.items()} for n in factor.numbers)
    return Family(factor.term, numbers, factor.wide)


# --- rows and columns --------------------------------------------------------------------------------


def labels_of(left: Family, right: Family, accumulators: int, steps: int, threads: int) -> Labels:
    """Which row and column each accumulator of each thread is. Raises NoShape."""
    return rows_and_columns(left, right, accumulators, threads, _order_of_steps(left, right, steps))


def rows_and_columns(left: Family, right: Family, accumulators: int, threads: int, order: Grid) -> Labels:
    """The same for factors that need not have equally many steps; `order` is that of the right one's."""
    rows, row_count = _labels(left, accumulators, threads)
    columns, column_count = _labels(right, accumulators, threads)
    if row_count * column_count != accumulators * threads:
        raise NoShape("the factors are no row and column of the block's tile")
    pairs = np.unique(rows * column_count + columns)
    if len(pairs) != accumulators * threads:
        raise NoShape("an element of the block's tile is computed more than once")
    return Labels(rows, columns, row_count, column_count, order)


def _labels(factor: Family, accumulators: int, threads: int) -> tuple[Grid, int]:
    """Equal numbers for equal sequences of factors, in the order of their first factor."""
    grids = factor.grids()
    if not grids:
        return np.zeros((accumulators, threads), dtype=np.int64), 1
    parts = [g.transpose(0, 2, 1).reshape(accumulators * threads, -1) for g in grids]
    sequences = np.ascontiguousarray(np.concatenate([p[:, _varying(p)] for p in parts], axis=1))
    if sequences.shape[1] == 0:
        return np.zeros((accumulators, threads), dtype=np.int64), 1
    mixed = (
        sequences.view(np.uint64) @ _MIXERS[: sequences.shape[1]]
        if sequences.shape[1] <= len(_MIXERS)
        else sequences.view(np.uint64) @ _mixers(sequences.shape[1])
    )
    _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
    inverse = inverse.reshape(-1)
    if not np.array_equal(sequences, sequences[first][inverse]):
        raise NoShape("the factors are no row and column of the block's tile")
    ranks = np.empty(len(first), dtype=np.int64)
    ranks[np.lexsort(sequences[first].T[::-1])] = np.arange(len(first))
    return ranks[inverse].reshape(accumulators, threads), len(first)


def _varying(part: Grid) -> npt.NDArray[np.bool_]:
    return np.asarray((part != part[:1]).any(axis=0))


def _mixers(count: int) -> npt.NDArray[np.uint64]:
    random = np.random.default_rng(5)
    return random.integers(0, 1 << 63, count, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


_MIXERS = _mixers(512)


def _order_of_steps(left: Family, right: Family, steps: int) -> Grid:
    """The steps sorted by what the first accumulator of the first thread multiplies in them."""
    keys = [g[0, :, 0] for f in (left, right) for g in f.grids()]
    return np.lexsort(keys[::-1]) if keys else np.arange(steps)


def _first(labels: Grid, count: int) -> tuple[Grid, Grid]:
    """An accumulator and a thread for each label."""
    _, first = np.unique(labels.reshape(-1), return_index=True)
    assert len(first) == count
    return np.divmod(first, labels.shape[1])


# --- linear functions --------------------------------------------------------------------------------


def fit_rows(factor: Family, labels: Labels) -> Fitted:
    """A family that depends on the row and the step alone. Raises NoShape."""
    return _fitted(factor, lambda g: _along(g, labels.rows, labels.first_of_rows(), labels.steps), "row")


def fit_columns(factor: Family, labels: Labels) -> Fitted:
    return _fitted(
        factor, lambda g: _along(g, labels.columns, labels.first_of_columns(), labels.steps), "column"
    )


@dataclass(frozen=True)
class Elements:
    """The element that store `s` of thread `t` is: `rows[s, t]`, `columns[s, t]` where `active`."""

    rows: Grid
    columns: Grid
    active: npt.NDArray[np.bool_]
    row_count: int
    column_count: int

    def are_each_once(self) -> bool:
        numbers = (self.rows * self.column_count + self.columns)[self.active]
        total = self.row_count * self.column_count
        return len(numbers) == total == len(np.unique(numbers))

    def tile(self, grid: Grid) -> Grid:
        """From `[stores, threads]` to `[rows, columns]`."""
        tile = np.empty((self.row_count, self.column_count), dtype=np.int64)
        tile[self.rows[self.active], self.columns[self.active]] = grid[self.active]
        return tile


def elements_of(labels: Labels) -> Elements:
    """Each thread's accumulators as they are."""
    everyone = np.ones(labels.rows.shape, dtype=np.bool_)
    return Elements(labels.rows, labels.columns, everyone, labels.row_count, labels.column_count)


def fit_elements(value: Family, elements: Elements) -> Fitted:
    """A family of one step, one term for each store. Raises NoShape."""
    numbers = []
    for number, wide in zip(value.numbers, value.wide, strict=True):
        base, of_row, of_column = {}, {}, {}
        units = [1, 1]
        for monomial, grid in number.items():
            plane = _plane(elements.tile(grid[:, 0, :]))
            base[monomial], of_row[monomial], of_column[monomial] = plane.base, plane.slope, plane.of_step
            units = _common(units, plane)
        numbers.append(Linear(base, of_row, of_column, {}, wide, units[0], units[1]))
    return Fitted(value.term, tuple(numbers))


def _fitted(factor: Family, spread: Callable[[Grid], Grid], axis: str) -> Fitted:
    numbers = []
    for number, wide in zip(factor.numbers, factor.wide, strict=True):
        base, slope, of_step = {}, {}, {}
        units = [1, 1]
        for monomial, grid in number.items():
            plane = _plane(spread(grid))
            base[monomial], slope[monomial], of_step[monomial] = plane.base, plane.slope, plane.of_step
            units = _common(units, plane)
        if units[1] != 1:
            raise NoShape("a place that is not linear in the step")
        if axis == "row":
            numbers.append(Linear(base, slope, {}, of_step, wide, units[0], 1))
        else:
            numbers.append(Linear(base, {}, slope, of_step, wide, 1, units[0]))
    return Fitted(factor.term, tuple(numbers))


def _along(grid: Grid, labels: Grid, first: tuple[Grid, Grid], order: Grid) -> Grid:
    """`[labels, steps]`; every element with the label has to have the label's numbers."""
    found = grid[first[0], :, first[1]]
    if not np.array_equal(grid, found[labels].transpose(0, 2, 1)):
        raise NoShape("a condition or factor that is neither the row's nor the column's")
    return found[:, order] if found.shape[1] == len(order) else found


@dataclass(frozen=True)
class _Plane:
    """`base + slope * i' + of_step * j'`, where i' is `i` rounded down to a multiple of its unit."""

    base: int
    slope: int
    of_step: int
    units: tuple[int, int]


def fit_plane(factor: Family, spread: Callable[[Grid], Grid], axes: tuple[str, str]) -> Fitted:
    """A family as a linear function of two coordinates: `spread` gives a number for every pair of them.

    `axes` are two of "row", "column" and "step". Raises NoShape.
    """
    numbers = []
    for number, wide in zip(factor.numbers, factor.wide, strict=True):
        slopes: dict[str, dict[Monomial, int]] = {"row": {}, "column": {}, "step": {}}
        base: dict[Monomial, int] = {}
        for monomial, grid in number.items():
            plane = _plane(spread(grid))
            if plane.units != (1, 1) and (plane.slope or plane.of_step):
                raise NoShape("a place that is not linear in its coordinates")
            base[monomial] = plane.base
            slopes[axes[0]][monomial], slopes[axes[1]][monomial] = plane.slope, plane.of_step
        numbers.append(Linear(base, slopes["row"], slopes["column"], slopes["step"], wide))
    return Fitted(factor.term, tuple(numbers))


def _plane(tile: Grid) -> _Plane:
    """The plane through all elements `[i, j]`. Raises NoShape."""
    base = int(tile[0, 0])
    units = _unit(tile[:, 0]), _unit(tile[0, :])
    slope = _slope(tile[:, 0], units[0])
    of_step = _slope(tile[0, :], units[1])
    rows, columns = np.ogrid[: tile.shape[0], : tile.shape[1]]
    rows, columns = rows - rows % units[0], columns - columns % units[1]
    if not np.array_equal(tile, base + rows * slope + columns * of_step):
        raise NoShape("a place that is not linear in the row and the column")
    return _Plane(base, slope, of_step, units)


def _unit(line: Grid) -> int:
    """How many neighbours share a number, if that is a power of two and they are all alike; else 1."""
    changes = np.flatnonzero(line != line[0])
    unit = int(changes[0]) if len(changes) else 1
    return unit if not unit & (unit - 1) and len(line) % unit == 0 else 1


def _slope(line: Grid, unit: int) -> int:
    if len(line) <= unit:
        return 0
    rise = int(line[unit] - line[0])
    if rise % unit:
        raise NoShape("a place that is not linear in the row and the column")
    return rise // unit


def _common(units: list[int], plane: _Plane) -> list[int]:
    """The units of a number, where all monomials that depend on a coordinate have one. Raises NoShape."""
    result = list(units)
    for axis, slope in enumerate((plane.slope, plane.of_step)):
        if slope and result[axis] not in (1, plane.units[axis]):
            raise NoShape("a place that is not linear in the row and the column")
        if slope:
            result[axis] = plane.units[axis]
    return result
