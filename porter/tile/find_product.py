"""Finds the matrix product that a kernel computes: its factors by row, column and step, and what is stored.

Licences: every product of the loop has a factor of the row and one of the column; a condition on a product is
either that of the step alone, or of the row (the column) alone and then also one on what is stored; each
element of the tile is computed once, and stored by one thread; the elements' places are linear in row and
column; nothing else is stored; what the epilogue loads is either no buffer that it stores to, or the very
element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from porter.analysis.aliasing import may_be_one
from porter.analysis.block_stores import GlobalStore
from porter.analysis.product_rounds import ProductRun
from porter.analysis.product_shape import (
    Elements,
    Family,
    Fitted,
    Labels,
    Linear,
    NoShape,
    family,
    fit_columns,
    fit_elements,
    fit_rows,
    in_one_order,
    labels_of,
)
from porter.analysis.thread_polynomials import same
from porter.analysis.thread_terms import (
    Term,
    conjuncts,
    constant_of,
    has_shape_of,
    implies,
    is_same,
    mentions,
)
from porter.cuda.kir import (
    INT32,
    Expr,
    Variable,
)
from porter.tile.product_expressions import (
    Axis,
    block_indices,
    steps_agree,
    with_missing,
)

_LARGEST_TILE = 256 * 256


@dataclass
class Factor:
    """One side of the product: the conditions on it, then the factor, all over its axis and the step."""

    conditions: list[Fitted] = field(default_factory=list)
    value: Fitted | None = None

    @property
    def parts(self) -> list[Fitted]:
        assert self.value is not None
        return [*self.conditions, self.value]

    @property
    def own(self) -> tuple[Linear, ...]:
        """The numbers of the factor itself."""
        assert self.value is not None
        return self.value.numbers

    def without(self, axis: Axis, atoms: list[Expr], effects: Sequence[Effect]) -> Factor:
        """Without conditions on the other axis, where a block has a single row or column of it."""
        if axis.alone is None:
            return self
        of_axis = [c for c in self.conditions if axis.alone in block_indices(c.numbers, atoms)]
        if not all(is_stored_under(effects, c) for c in of_axis):
            raise NoShape("a product counts for some elements only, and others are stored")
        return Factor([c for c in self.conditions if not any(c is o for o in of_axis)], self.value)


@dataclass(frozen=True)
class Effect:
    """A store of every element: where, what, under which conditions."""

    first: GlobalStore
    offset: Fitted
    value: Fitted
    conditions: tuple[Fitted, ...]


@dataclass(frozen=True)
class FoundProduct:
    """The product of one block; `per_round` steps of it are a round of the loop."""

    labels: Labels
    left: Factor
    right: Factor
    effects: tuple[Effect, ...]
    per_round: int


def find_product(run: ProductRun) -> FoundProduct:
    """What the run has found out as a product. Raises NoShape."""
    return _Finder(run).found()


@dataclass
class _Finder:
    run: ProductRun

    def found(self) -> FoundProduct:
        rounds = self.run.rounds
        if rounds is None or not rounds.accumulators:
            raise NoShape("no loop that sums up products")
        self.rounds = rounds
        self.sums = rounds.accumulators
        self.steps = len(self.sums[0].products)
        if not self.steps or self.steps % rounds.period:
            raise NoShape("no loop that sums up products")
        self.per_round = self.steps // rounds.period
        if any(len(a.products) != self.steps for a in self.sums):
            raise NoShape("the accumulators sum up unequal numbers of products")
        self._check_known()
        left, right, *conditions = in_one_order(
            [self._family("left"), self._family("right"), *self._conditions()]
        )
        sides = left, right
        labels = self._labels(*sides)
        effects = self._effects(labels)
        if _runs_along_rows(effects[0]):
            sides = sides[1], sides[0]
            labels = self._labels(*sides)
            effects = self._effects(labels)
        factors = self._factors(sides, conditions, labels, effects)
        if labels.row_count * labels.column_count > _LARGEST_TILE:
            raise NoShape("the block's tile is too large")
        return FoundProduct(labels, *factors, tuple(effects), self.per_round)

    def _check_known(self) -> None:
        for a in self.sums:
            for p in a.products:
                for term in (p.left, p.right, *p.guards):
                    if mentions(term, "undefined"):
                        raise NoShape("a factor that is not known in every round")
                    if mentions(term, "accumulator") or mentions(term, "bundle"):
                        raise NoShape("a factor that is no value loaded from memory")

    def _family(self, side: str) -> Family:
        terms = [[getattr(p, side) for p in a.products] for a in self.sums]
        return family(terms, self.run.threads)

    def _labels(self, left: Family, right: Family) -> Labels:
        return labels_of(left, right, len(self.sums), self.steps, self.run.threads)

    # --- factors -------------------------------------------------------------------------------------

    def _factors(
        self,
        sides: tuple[Family, Family],
        conditions: Sequence[Family],
        labels: Labels,
        effects: Sequence[Effect],
    ) -> tuple[Factor, Factor]:
        left, right = Factor(), Factor()
        for condition in conditions:
            by_row = _fit_or_none(fit_rows, condition, labels)
            by_column = _fit_or_none(fit_columns, condition, labels)
            for factor, fitted, other in ((left, by_row, by_column), (right, by_column, by_row)):
                if fitted is not None:
                    factor.conditions.append(self._in_steps(fitted))
                if other is None and not is_stored_under(effects, fitted):
                    raise NoShape("a product counts for some elements only, and others are stored")
        left.value = self._in_steps(fit_rows(sides[0], labels))
        right.value = self._in_steps(fit_columns(sides[1], labels))
        return left, right

    def _conditions(self) -> list[Family]:
        """The conditions on the products, one family for each."""
        lists = [[needed((*a.guards, *p.guards)) for p in a.products] for a in self.sums]
        count = len(lists[0][0])
        if any(len(c) != count for row in lists for c in row):
            raise NoShape("the products stand under unequal conditions")
        return [family([[c[i] for c in row] for row in lists], self.run.threads) for i in range(count)]

    def _in_steps(self, fitted: Fitted) -> Fitted:
        numbers = tuple(with_missing(n, self.rounds.round) for n in fitted.numbers)
        per_group = self.per_round * self.rounds.period
        if not all(steps_agree(n, self.rounds.round, per_group, self.steps) for n in numbers):
            raise NoShape("the steps of a round do not go on in the next one")
        return replace(fitted, numbers=numbers)

    # --- the epilogue --------------------------------------------------------------------------------

    def _effects(self, labels: Labels) -> list[Effect]:
        groups: dict[tuple[Variable, bool], list[GlobalStore]] = {}
        for store in self.run.stores:
            groups.setdefault((store.buffer, store.atomic), []).append(store)
        if not groups:
            raise NoShape("no element of the product is stored")
        self._check_order(list(groups.values()))
        return [self._effect(stores, labels) for stores in groups.values()]

    def _effect(self, stores: list[GlobalStore], labels: Labels) -> Effect:
        elements = self._stored(stores, labels)
        if not elements.are_each_once():
            raise NoShape("not every element of the product is stored once")
        places = [[Term(("int",), INT32, (), (s.offset,))] for s in stores]
        values = [[anonymous(s.value)] for s in stores]
        lists = [needed(_unknown(s.guards)) for s in stores]
        if any(len(c) != len(lists[0]) for c in lists):
            raise NoShape("the elements are stored under unequal conditions")
        conditions = [
            element_of_tile(self.run, [[c[i]] for c in lists], elements) for i in range(len(lists[0]))
        ]
        place = element_of_tile(self.run, places, elements)
        for count, slopes in (
            (labels.row_count, place.numbers[0].of_row),
            (labels.column_count, place.numbers[0].of_column),
        ):
            if count > 1 and not any(slopes.values()):
                raise NoShape("several elements are stored in one place")
        return Effect(stores[0], place, element_of_tile(self.run, values, elements), tuple(conditions))

    def _stored(self, stores: list[GlobalStore], labels: Labels) -> Elements:
        """Which element of the product each thread stores: perhaps what another one has computed."""
        shape = len(stores), self.run.threads
        rows, columns = np.zeros((2, *shape), dtype=np.int64)
        active = np.ones(shape, dtype=np.bool_)
        for at, store in enumerate(stores):
            used = accumulators_in(store.value)
            if not used or not all(is_same(used[0], other) for other in used):
                raise NoShape("a store of something else than an element of the product")
            which, owner = (n.constant for n in used[0].numbers)
            assert which is not None
            rows[at], columns[at] = labels.rows[which, owner], labels.columns[which, owner]
            for guard in store.guards:
                known = constant_of(guard)
                if known is not None:
                    active[at] &= np.asarray(known) != 0
        return Elements(rows, columns, active, labels.row_count, labels.column_count)

    def _check_order(self, groups: Sequence[Sequence[GlobalStore]]) -> None:
        """What a thread loads for an element, no thread has stored before.

        A load of the element's own place is the original's, in whatever buffer. So is one that all threads
        share: if one of them stored there, the original would be a race.
        """
        stored = {s.buffer for group in groups for s in group}
        if len({str(b.type) for b in stored}) != len(groups):
            raise NoShape("an element is stored in several places that may overlap")
        for store in (s for group in groups for s in group):
            for load in loads_in((store.value, *store.guards)):
                buffer = load.head[1]
                assert isinstance(buffer, Variable)
                if same(load.numbers[0], store.offset) or load.numbers[0].is_uniform:
                    continue
                if any(may_be_one(s, buffer) for s in stored):
                    raise NoShape(f"what the epilogue loads from `{buffer.name}` may have been stored before")


def element_of_tile(run: ProductRun, terms: list[list[Term]], elements: Elements) -> Fitted:
    """A term of every store as a function of the element. Raises NoShape."""
    assert run.rounds is not None
    fitted = fit_elements(family(terms, run.threads), elements)
    if any(run.rounds.round in m for n in fitted.numbers for m in n.base):
        raise NoShape("the epilogue depends on the last round")
    if mentions(fitted.term, "undefined"):
        raise NoShape("the epilogue uses a value that is not known")
    return fitted


def needed(guards: Sequence[Term]) -> list[Term]:
    """The conditions of all guards without those that another one implies or that always hold."""
    found: list[Term] = []
    for guard in (c for g in guards for c in conjuncts(g)):
        known = constant_of(guard)
        if (isinstance(known, int) and known) or any(implies(other, guard) for other in found):
            continue
        found = [other for other in found if not implies(guard, other)]
        found.append(guard)
    return found


def is_stored_under(effects: Sequence[Effect], condition: Fitted | None) -> bool:
    """Whether all that is stored is stored under this condition on a row or a column.

    If not, a factor of zero would not stand for a product that is left out: the other may be infinite.
    """
    if condition is None or any(c for n in condition.numbers for c in n.of_step.values()):
        return False
    return all(any(is_one(condition, c) for c in effect.conditions) for effect in effects)


def is_one(a: Fitted, b: Fitted) -> bool:
    return has_shape_of(a.term, b.term) and all(
        _plain(n) == _plain(m) for n, m in zip(a.numbers, b.numbers, strict=True)
    )


def _plain(number: Linear) -> tuple[object, ...]:
    parts = (number.base, number.of_row, number.of_column)
    kept = tuple({m: c for m, c in part.items() if c} for part in parts)
    return (*kept, number.row_unit if kept[1] else 1, number.column_unit if kept[2] else 1)


def _fit_or_none(fit: Callable[[Family, Labels], Fitted], condition: Family, labels: Labels) -> Fitted | None:
    try:
        return fit(condition, labels)
    except NoShape:
        return None


def accumulators_in(term: Term) -> list[Term]:
    if term.kind == "accumulator":
        return [term]
    return [a for part in term.parts for a in accumulators_in(part)]


def _unknown(guards: Sequence[Term]) -> list[Term]:
    """Without those that pick threads."""
    return [g for g in guards if constant_of(g) is None]


def anonymous(term: Term, kinds: tuple[str, ...] = ("accumulator",)) -> Term:
    """The same for whichever term of these kinds."""
    if term.kind in kinds:
        return replace(term, numbers=())
    return replace(term, parts=tuple(anonymous(p, kinds) for p in term.parts)) if term.parts else term


def loads_in(terms: Sequence[Term]) -> list[Term]:
    return [t for term in terms for t in ([term] if term.kind == "load" else loads_in(term.parts))]


def _runs_along_rows(effect: Effect) -> bool:
    """Whether neighbours in memory are in one column: then the other factor is better called the row's."""
    offset = effect.offset.numbers[0]
    return abs(offset.of_row.get((), 0)) == 1 and abs(offset.of_column.get((), 0)) != 1
