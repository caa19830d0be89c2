"""The contents of a staged shared tile as a function of the element's place.

From the stores of all threads (`porter.analysis.staging`) to one expression over place variables: the store
`tile[ty + 8][tx] = in[(y + 8) * n + x]` says that element (r, c) is `in[(y - ty + r) * n + (x - tx + c)]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from porter.analysis.expressions import Key, key, through_pointer, variables
from porter.analysis.linear_form import Normaliser, Polynomial, is_index
from porter.analysis.ranges import Interval, Ranges
from porter.analysis.reaching import Facts, expand
from porter.analysis.staging import Store
from porter.analysis.thread_varying import varies
from porter.analysis.walk import walk
from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    INT32,
    UINT32,
    Binary,
    Builtin,
    Cast,
    Const,
    Expr,
    Index,
    Scalar,
    Select,
    Storage,
    Variable,
    VarRef,
)

Box = tuple[tuple[int, int], ...]


class NoPlaces(Exception):
    """The stores do not give the tile's contents as a function of the place."""


@dataclass(frozen=True)
class Piece:
    """Elements of `box` (half-open, per dimension) hold `value`, an expression over the place variables."""

    box: Box
    value: Expr


@dataclass(frozen=True)
class Contents:
    places: tuple[Variable, ...]
    pieces: tuple[Piece, ...]

    def box(self) -> Box:
        return _hull([piece.box for piece in self.pieces])


def contents_of(
    stores: Sequence[Store], facts: Facts, varying: frozenset[Variable], block: tuple[int, int, int]
) -> Contents:
    """What the stores leave in the array. Raises NoPlaces."""
    span = stores[0].value.span
    places = tuple(_place(number, span) for number in range(len(stores[0].indices)))
    values: dict[Key, Expr] = {}
    cells: dict[Key, set[tuple[int, ...]]] = {}
    seen: set[tuple[int, ...]] = set()
    for store in stores:
        if seen & store.cells:
            raise NoPlaces("an element is stored more than once")
        seen |= store.cells
        value = _solved(store, places, facts, varying, block)
        values.setdefault(key(value), value)
        cells.setdefault(key(value), set()).update(store.cells)
    pieces = tuple(Piece(_box_of(cells[k]), value) for k, value in values.items())
    hull = _hull([piece.box for piece in pieces])
    if not _covers_enough(seen, hull):
        raise NoPlaces("the stored elements do not fill a box")
    *edges, largest = sorted(pieces, key=lambda p: _volume(p.box))
    return Contents(places, (*(_as_part_of(largest, edge, places, block) for edge in edges), largest))


def _as_part_of(
    largest: Piece, edge: Piece, places: tuple[Variable, ...], block: tuple[int, int, int]
) -> Piece:
    """The piece with the load of the largest one where that is the same at its places, as at a halo's."""
    general, own = largest.value, edge.value
    if not isinstance(own, Select):
        return edge
    if isinstance(general, Select) and key(general.if_false) == key(own.if_false):
        general = general.if_true
    normaliser = Normaliser(block)
    normaliser.replaced = {
        normaliser.number(VarRef(place, INT32, place.span)): normaliser.polynomial(
            Const(low, INT32, place.span)
        )
        for place, (low, high) in zip(places, edge.box, strict=True)
        if high == low + 1
    }
    if key(normaliser.normal(general)) != key(normaliser.normal(own.if_true)):
        return edge
    return Piece(edge.box, Select(own.condition, general, own.if_false, own.type, own.span))


def _place(number: int, span: Span) -> Variable:
    return Variable(f"place{number}", INT32, Storage.LOCAL, span)


def _solved(
    store: Store,
    places: tuple[Variable, ...],
    facts: Facts,
    varying: frozenset[Variable],
    block: tuple[int, int, int],
) -> Expr:
    """The stored value with the thread's numbers expressed by the element's place."""
    normaliser = Normaliser(block)
    replaced = {
        normaliser.number(Builtin("threadIdx", axis, UINT32, store.value.span)): normaliser.polynomial(
            Const(number, INT32, store.value.span)
        )
        for axis, number in store.fixed
    }
    normaliser.replaced = replaced
    for index, place in zip(store.indices, places, strict=True):
        solution = _solve(normaliser, expand(index, facts), place, varying)
        if solution is None:
            continue
        atom, polynomial = solution
        if atom in replaced:
            raise NoPlaces("two dimensions depend on one thread number")
        replaced[atom] = polynomial
    normaliser.replaced = replaced
    value = normaliser.normal(expand(_guarded(store), facts))
    if varies(value, varying):
        raise NoPlaces("the stored value depends on more than the element's place")
    return value


def _guarded(store: Store) -> Expr:
    if store.guard is None:
        return store.value
    if not isinstance(store.value.type, Scalar):
        raise NoPlaces("a vector is stored under a condition")
    zero = Const(0, store.value.type, store.value.span)
    return Select(store.guard, store.value, zero, store.value.type, store.value.span)


def _solve(
    normaliser: Normaliser, index: Expr, place: Variable, varying: frozenset[Variable]
) -> tuple[int, Polynomial] | None:
    """`place = ±atom + rest` solved for its one thread-dependent atom; None where there is none."""
    polynomial = normaliser.polynomial(index)
    moving = [
        (monomial, coefficient)
        for monomial, coefficient in polynomial.terms
        if any(varies(normaliser.atoms[n], varying) for n in monomial)
    ]
    if not moving:
        return None
    if len(moving) != 1 or len(moving[0][0]) != 1 or moving[0][1] not in (1, -1):
        raise NoPlaces("an index into the tile that is no thread number plus an offset")
    (atom,), sign = moving[0]
    reference = VarRef(place, INT32, place.span)
    target = normaliser.number(reference)
    rest = {m: c for m, c in polynomial.terms if m != (atom,)}
    terms = {m: -sign * c for m, c in rest.items()}
    terms[(target,)] = terms.get((target,), 0) + sign
    return atom, Polynomial(tuple(sorted(terms.items())))


# --- boxes -------------------------------------------------------------------------------------------


def _box_of(cells: set[tuple[int, ...]]) -> Box:
    box = tuple((min(column), max(column) + 1) for column in zip(*cells, strict=True))
    if len(cells) != _volume(box):
        raise NoPlaces("the stored elements do not fill a box")
    return box


def _volume(box: Box) -> int:
    return prod(high - low for low, high in box)


def _covers_enough(cells: set[tuple[int, ...]], hull: Box) -> bool:
    """All of the box but for its corners, which a halo leaves out and nobody may read."""
    missing = _volume(hull) - len(cells)
    if missing == 0:
        return True
    edges = [{low, high - 1} for low, high in hull]
    return len(hull) > 1 and all(
        sum(place in edge for place, edge in zip(cell, edges, strict=True)) > 1
        for cell in product(*(range(low, high) for low, high in hull))
        if cell not in cells
    )


def _hull(boxes: list[Box]) -> Box:
    dimensions = [list(column) for column in zip(*boxes, strict=True)]
    return tuple((min(low for low, _ in d), max(high for _, high in d)) for d in dimensions)


# --- reading -----------------------------------------------------------------------------------------


def value_at(
    contents: Contents, indices: Sequence[Expr], block: tuple[int, int, int], ranges: Ranges
) -> Expr:
    """The tile's element at `indices` (int32, within the box) as an expression at that place.

    `ranges` tells which pieces the indices can be in at all.
    """
    normaliser = Normaliser(block)
    replaced = {
        normaliser.number(VarRef(place, INT32, place.span)): normaliser.polynomial(index)
        for place, index in zip(contents.places, indices, strict=True)
    }
    normaliser.replaced = replaced
    reached = tuple(
        _narrowed(bounds, ranges.of(i)) for bounds, i in zip(contents.box(), indices, strict=True)
    )
    pieces = [piece for piece in contents.pieces if _meet(piece.box, reached)] or [contents.pieces[-1]]
    *first, last = pieces
    result = normaliser.normal(last.value)
    for piece in reversed(first):
        inside = within(indices, piece.box, reached)
        result = choose(inside, normaliser.normal(piece.value), result)
    return result


def _narrowed(bounds: tuple[int, int], index: Interval) -> tuple[int, int]:
    """Where an index within the tile can be; all of it where its range is elsewhere, and undefined."""
    low, high = max(bounds[0], index.low), min(bounds[1], index.high + 1)
    return (int(low), int(high)) if low < high else bounds


def _meet(box: Box, other: Box) -> bool:
    return all(
        low < other_high and other_low < high
        for (low, high), (other_low, other_high) in zip(box, other, strict=True)
    )


def choose(condition: Expr | None, if_true: Expr, if_false: Expr) -> Expr:
    """`condition ? if_true : if_false`, with one load where both sides guard the same one."""
    if condition is None:
        return if_true
    if isinstance(if_true, Select) and isinstance(if_false, Select):
        sides = [(key(e.if_true), key(e.if_false)) for e in (if_true, if_false)]
        if sides[0] == sides[1]:
            guard = Select(condition, if_true.condition, if_false.condition, BOOL, condition.span)
            return Select(guard, if_true.if_true, if_true.if_false, if_true.type, if_true.span)
    return Select(condition, if_true, if_false, if_true.type, condition.span)


def within(indices: Sequence[Expr], box: Box, hull: Box) -> Expr | None:
    """The condition that an element of `hull` is in `box`; None where it always is."""
    result: Expr | None = None
    for index, (low, high), (hull_low, hull_high) in zip(indices, box, hull, strict=True):
        tests = [(">=", low)] * (low > hull_low) + [("<", high)] * (high < hull_high)
        for op, bound in tests:
            limit = Const(bound, INT32, index.span)
            test = Binary(op, index, limit, BOOL, index.span)
            result = test if result is None else Binary("&&", result, test, BOOL, index.span)
    return result


def as_int32(index: Expr) -> Expr:
    """The index as int32. Raises NoPlaces for an index that is no 32- or 64-bit integer."""
    if not is_index(index.type):
        raise NoPlaces("an index of an unusual type")
    return index if index.type == INT32 else Cast(index, INT32, index.span)


def mentioned(contents: Contents) -> set[Variable]:
    """The variables the contents are computed from."""
    return {v for piece in contents.pieces for v in variables(piece.value)} - set(contents.places)


def loads(contents: Contents) -> list[Expr]:
    return [e for p in contents.pieces for e in walk(p.value) if isinstance(e, Index) and through_pointer(e)]
