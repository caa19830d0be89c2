"""Finds the attention that a kernel computes: its queries, keys, values and scores by row, key and column.

Licences: every score is one function of one dot product of a query, which is the row's, and a key, which is
the same for all rows; so are the values; what a score's conditions ask is linear in row and key; each element
of the result is computed once and stored by one thread; query, key, value and result have as many columns;
queries and keys are floats; nothing else is stored but what a row has one of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from porter.analysis.aliasing import may_be_one
from porter.analysis.attention_run import AttentionRun, KeyRounds
from porter.analysis.attention_threads import moved_product
from porter.analysis.block_stores import GlobalStore
from porter.analysis.product_shape import (
    Elements,
    Family,
    Fitted,
    Grid,
    Labels,
    NoShape,
    family,
    fit_elements,
    fit_plane,
    in_one_order,
    rows_and_columns,
)
from porter.analysis.thread_polynomials import Polynomial, same
from porter.analysis.thread_terms import Mask, Product, Term, blend, constant_of, is_same, mentions
from porter.cuda.kir import INT32, Scalar, Variable
from porter.tile.find_product import Effect, accumulators_in, anonymous, is_one, loads_in, needed
from porter.tile.product_expressions import steps_agree, with_missing

_NAMELESS = ("dot", "accumulator", "statistic")
"""Terms that are the same whichever dot product, sum or thread they are of."""


@dataclass(frozen=True)
class RowEffect(Effect):
    """A store of every element, or of one number a row."""

    is_of_row: bool


@dataclass(frozen=True)
class FoundAttention:
    """`query` is over row and column, `key` and `value` over step and column, `score` and `conditions` over
    row and step; the leaf `dot` in `score` is the dot product. `effects` are in the original's order.
    """

    labels: Labels
    query: Fitted
    key: Fitted
    value: Fitted
    score: Fitted
    conditions: tuple[Fitted, ...]
    effects: tuple[RowEffect, ...]
    per_round: int

    def row_conditions(self) -> list[Fitted]:
        """The conditions on the row alone under which anything is stored."""
        first, *others = self.effects
        return [
            c
            for c in first.conditions
            if not any(s for n in c.numbers for s in n.of_column.values())
            and not mentions(c.term, "statistic")
            and all(any(is_one(c, d) for d in e.conditions) for e in others)
        ]


def find_attention(run: AttentionRun) -> FoundAttention:
    """What the run has found out. Raises NoShape."""
    if run.keys is None:
        raise NoShape("no loop over keys")
    return _Finder(run, run.keys).found()


@dataclass
class _Finder:
    run: AttentionRun
    rounds: KeyRounds

    def found(self) -> FoundAttention:
        products = [self._products(key.score) for key in self.rounds.keys]
        queries, keys = self._sides(products)
        values = self._family([[k.values[a] for k in self.rounds.keys] for a in range(self._count)])
        order = _order_of_keys(keys)
        labels = self._labels(queries, values, order)
        columns = np.lexsort([g[0, :, 0] for g in queries.grids()][::-1])
        if labels.column_count != len(columns):
            raise NoShape("the values have not as many columns as the keys")
        first = labels.first_of_rows()[1]
        query = fit_plane(queries, lambda g: g[0][columns][:, first].T, ("row", "column"))
        key = fit_plane(keys, lambda g: g[:, :, 0][order][:, columns], ("step", "column"))
        value = fit_plane(values, lambda g: _by_column(g, labels, order), ("step", "column"))
        score, *conditions = (self._by_row(f, labels, order) for f in self._score_parts())
        effects = self._effects(labels)
        if not all(isinstance(t, Scalar) and t.kind == "float" for t in (query.term.type, key.term.type)):
            raise NoShape("a dot product of integers")
        if any(self.rounds.round in m for n in query.numbers for m in n.base):
            raise NoShape("a query that is another one in every round")
        return FoundAttention(
            labels,
            query,
            self._in_steps(key),
            self._in_steps(value),
            score,
            tuple(conditions),
            effects,
            len(self.rounds.keys),
        )

    @property
    def _count(self) -> int:
        return len(self.rounds.accumulators)

    def _family(self, terms: list[list[Term]]) -> Family:
        for term in (t for row in terms for t in row):
            if any(mentions(term, kind) for kind in ("undefined", "bundle", "soft", "dot", "accumulator")):
                raise NoShape("a factor that is no value loaded from memory")
        return family(terms, self.run.threads)

    # --- scores ----------------------------------------------------------------------------------------

    def _products(self, score: Term) -> tuple[Product, ...]:
        dots = _dots_in(score)
        if not dots or not all(is_same(dots[0], d) for d in dots):
            raise NoShape("a score of several dot products")
        which, owner = (n.constant for n in dots[0].numbers)
        assert which is not None
        assert owner is not None
        products = self._of_threads(np.asarray(which), np.asarray(owner))
        if any(p.guards for p in products):
            raise NoShape("a dot product of which some products stand under conditions")
        return products

    def _of_threads(self, which: Grid, owner: Grid) -> tuple[Product, ...]:
        """For each thread the products of the dot product `which`, as thread `owner` computes it."""
        shape = (self.run.threads,)
        which, owner = np.broadcast_to(which, shape), np.broadcast_to(owner, shape)
        found: tuple[Product, ...] | None = None
        for number in np.unique(which):
            moved = tuple(moved_product(p, owner) for p in self.run.dots[number].products)
            found = moved if found is None else _blended(which == number, moved, found)
        assert found is not None
        return found

    def _sides(self, products: list[tuple[Product, ...]]) -> tuple[Family, Family]:
        """The queries and the keys: the factor that all keys share, and the other one."""
        if len({len(p) for p in products}) != 1:
            raise NoShape("dot products of unequal length")
        sides = [self._family([[getattr(p, s) for p in row] for row in products]) for s in ("left", "right")]
        for first, second in ((0, 1), (1, 0)):
            queries, keys = in_one_order([sides[first], sides[second]])
            if not _differ(queries.grids(), 0) and not _differ(keys.grids(), 2):
                return queries, keys
        raise NoShape("a dot product that is none of a row's query and a key of all rows")

    def _labels(self, queries: Family, values: Family, order: Grid) -> Labels:
        count, threads = self._count, self.run.threads
        numbers = tuple(
            {m: np.broadcast_to(g[:1], (count, *g.shape[1:])) for m, g in n.items()} for n in queries.numbers
        )
        rows = Family(queries.term, numbers, queries.wide)
        return rows_and_columns(rows, values, count, threads, order)

    def _score_parts(self) -> list[Family]:
        """The scores, and the conditions on them, a family each."""
        scores = [[anonymous(k.score, _NAMELESS)] for k in self.rounds.keys]
        lists = [needed(k.conditions) for k in self.rounds.keys]
        if any(len(c) != len(lists[0]) for c in lists):
            raise NoShape("the keys stand under unequal conditions")
        conditions = [[[c[i]] for c in lists] for i in range(len(lists[0]))]
        for term in (t for row in (*scores, *(r for c in conditions for r in c)) for t in row):
            if any(mentions(term, kind) for kind in ("undefined", "bundle", "soft", "accumulator")):
                raise NoShape("a score of something that is not known")
        return [family(rows, self.run.threads) for rows in (scores, *conditions)]

    def _by_row(self, part: Family, labels: Labels, order: Grid) -> Fitted:
        """A number of every key and thread as one of the row and the key."""
        rows, first = labels.rows[0], labels.first_of_rows()[1]

        def spread(grid: Grid) -> Grid:
            found = grid[:, 0, :]
            by_row = found[:, first]
            if not np.array_equal(found, by_row[:, rows]):
                raise NoShape("a condition that is not the row's")
            return by_row[order].T

        return self._in_steps(fit_plane(part, spread, ("row", "step")))

    def _in_steps(self, fitted: Fitted) -> Fitted:
        round_, steps = self.rounds.round, len(self.rounds.keys)
        numbers = tuple(with_missing(n, round_) for n in fitted.numbers)
        if not all(steps_agree(n, round_, steps, steps) for n in numbers):
            raise NoShape("the keys of a round do not go on in the next one")
        return replace(fitted, numbers=numbers)

    # --- what is stored --------------------------------------------------------------------------------

    def _effects(self, labels: Labels) -> tuple[RowEffect, ...]:
        groups: dict[Variable, list[GlobalStore]] = {}
        for store in self.run.stores:
            if store.atomic:
                raise NoShape("an atomic operation")
            groups.setdefault(store.buffer, []).append(store)
        self._check_order(list(groups))
        effects: list[RowEffect] = []
        for stores in groups.values():
            self._check_loads(stores, list(groups))
            if all(accumulators_in(s.value) for s in stores):
                effects.append(self._effect(stores, self._stored(stores, labels), labels.column_count))
            else:
                effects.append(self._effect(stores, self._stored_once(stores, labels), 1, is_of_row=True))
        if all(e.is_of_row for e in effects):
            raise NoShape("no weighted sum is stored")
        return tuple(effects)

    def _check_order(self, buffers: list[Variable]) -> None:
        """Buffers that may overlap are stored to one after the other."""
        order = [store.buffer for store in self.run.stores]
        for at, one in enumerate(buffers):
            last = max(i for i, b in enumerate(order) if b is one)
            if any(may_be_one(one, other) and order.index(other) < last for other in buffers[at + 1 :]):
                raise NoShape("results that are stored in turn, in places that may overlap")

    def _check_loads(self, stores: list[GlobalStore], stored: list[Variable]) -> None:
        """What is loaded for a result is not one of the buffers that are stored to."""
        for load in loads_in([t for s in stores for t in (s.value, *s.guards)]):
            buffer = load.head[1]
            assert isinstance(buffer, Variable)
            if any(may_be_one(s, buffer) for s in stored):
                raise NoShape(f"what a result loads from `{buffer.name}` may have been stored before")

    def _stored(self, stores: list[GlobalStore], labels: Labels) -> Elements:
        shape = len(stores), self.run.threads
        rows, columns = np.zeros((2, *shape), dtype=np.int64)
        for at, store in enumerate(stores):
            used = accumulators_in(store.value)
            if not all(is_same(used[0], other) for other in used):
                raise NoShape("a store of something else than an element of the result")
            which, owner = (n.constant for n in used[0].numbers)
            assert which is not None
            self._check_owner(store.value, used[0].numbers[1])
            rows[at], columns[at] = labels.rows[which, owner], labels.columns[which, owner]
        active = np.array([_active(s, self.run.threads) for s in stores])
        return Elements(rows, columns, active, labels.row_count, labels.column_count)

    def _stored_once(self, stores: list[GlobalStore], labels: Labels) -> Elements:
        """A number of each row, stored by one of its threads."""
        rows = np.broadcast_to(labels.rows[0], (len(stores), self.run.threads))
        for store in stores:
            if accumulators_in(store.value):
                raise NoShape("an element of the result is stored where others are not")
            self._check_owner(store.value, self.run.owners)
        active = np.array([_active(s, self.run.threads) for s in stores])
        return Elements(rows, np.zeros_like(rows), active, labels.row_count, 1)

    def _check_owner(self, value: Term, owner: Polynomial) -> None:
        for statistic in _statistics_in(value):
            if not same(statistic.numbers[0], owner):
                raise NoShape("a maximum or sum that another thread has computed")

    def _effect(
        self, stores: list[GlobalStore], elements: Elements, columns: int, *, is_of_row: bool = False
    ) -> RowEffect:
        if not elements.are_each_once():
            raise NoShape("not every element of the result is stored once")
        places = [[Term(("int",), INT32, (), (s.offset,))] for s in stores]
        lists = [needed([g for g in s.guards if constant_of(g) is None]) for s in stores]
        if any(len(c) != len(lists[0]) for c in lists):
            raise NoShape("the elements are stored under unequal conditions")
        conditions = tuple(self._fit([[c[i]] for c in lists], elements) for i in range(len(lists[0])))
        place = self._fit(places, elements)
        number = place.numbers[0]
        for count, slopes in ((elements.row_count, number.of_row), (columns, number.of_column)):
            if count > 1 and not any(slopes.values()):
                raise NoShape("several elements are stored in one place")
        value = self._fit([[anonymous(s.value, _NAMELESS)] for s in stores], elements)
        return RowEffect(stores[0], place, value, conditions, is_of_row)

    def _fit(self, terms: list[list[Term]], elements: Elements) -> Fitted:
        fitted = fit_elements(family(terms, self.run.threads), elements)
        if any(self.rounds.round in m for n in fitted.numbers for m in n.base):
            raise NoShape("a result that depends on the last round")
        if any(mentions(fitted.term, kind) for kind in ("undefined", "soft", "dot")):
            raise NoShape("a result that uses a value that is not known")
        return fitted


def _blended(mask: Mask, moved: tuple[Product, ...], others: tuple[Product, ...]) -> tuple[Product, ...]:
    """`moved` in the threads of `mask`. Raises NoShape."""
    found: list[Product] = []
    for one, other in zip(moved, others, strict=False):
        left, right = blend(mask, one.left, other.left), blend(mask, one.right, other.right)
        if left is None or right is None or len(moved) != len(others) or one.guards or other.guards:
            raise NoShape("scores of several kinds")
        found.append(Product(left, right, ()))
    return tuple(found)


def _dots_in(term: Term) -> list[Term]:
    return [term] if term.kind == "dot" else [d for part in term.parts for d in _dots_in(part)]


def _statistics_in(term: Term) -> list[Term]:
    return [term] if term.kind == "statistic" else [s for part in term.parts for s in _statistics_in(part)]


def _differ(grids: Sequence[Grid], axis: int) -> bool:
    """Whether the numbers change along an axis."""
    return any(bool((g != np.take(g, [0], axis)).any()) for g in grids)


def _order_of_keys(keys: Family) -> Grid:
    grids = [g[:, 0, 0] for g in keys.grids()]
    return np.asarray(np.lexsort(grids[::-1])) if grids else np.arange(1)


def _by_column(grid: Grid, labels: Labels, order: Grid) -> Grid:
    """`[keys, columns]` of values, which are the same for all rows."""
    which, thread = labels.first_of_columns()
    return grid[which, :, thread][:, order].T


def _active(store: GlobalStore, threads: int) -> np.ndarray:
    active = np.ones(threads, dtype=np.bool_)
    for guard in store.guards:
        known = constant_of(guard)
        if known is not None:
            active &= np.asarray(known) != 0
    return active
