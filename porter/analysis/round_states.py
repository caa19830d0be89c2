"""The state of an execution before any one round of a loop, from what the first rounds did to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from porter.analysis.block_places import Slot
from porter.analysis.product_sums import plain
from porter.analysis.thread_polynomials import Polynomial, atom, number, same
from porter.analysis.thread_terms import (
    Mask,
    Sum,
    Term,
    Value,
    has_shape_of,
    is_same,
    joined,
    polynomials,
    undefined,
)
from porter.analysis.tile_memory import TileMemory
from porter.cuda.kir import Variable


@dataclass
class State:
    slots: dict[Slot, Value]
    valid: dict[Slot, Mask]
    memory: dict[Variable, TileMemory]


def in_terms_of(polynomial: Polynomial, index: int) -> bool:
    return any(index in monomial for monomial in polynomial.terms)


def general_state(
    entry: State, after: State, number_of: int, owners: Polynomial, ahead: int = 0
) -> tuple[State, list[Slot]]:
    """The state before the rounds of number n + `ahead`, and the slots that only sum up."""
    sums: list[Slot] = []
    slots: dict[Slot, Value] = {}
    for slot, first in entry.slots.items():
        later = after.slots.get(slot)
        base = plain(first)
        if isinstance(later, Sum) and is_same(later.base, base):
            slots[slot] = Term(("accumulator",), later.type, (), (number(len(sums)), owners))
            sums.append(slot)
        else:
            slots[slot] = _continued(base, later, number_of, ahead, slot)
    for slot, later in after.slots.items():
        if slot not in entry.slots:  # a parameter that a round changes, or a variable of the body
            slots[slot] = undefined(f"`{slot[0].name}`", plain(later).type)
    valid = {s: entry.valid.get(s, m) & m for s, m in after.valid.items() if s in slots}
    valid |= {s: m for s, m in entry.valid.items() if s not in valid}
    memory = {
        v: _continued_tile(entry.memory.get(v), after.memory[v], number_of, ahead) for v in after.memory
    }
    return State(slots, valid, memory), sums


def _continued(first: Term, later: Value | None, number_of: int, ahead: int, slot: Slot) -> Term:
    if isinstance(later, Term) and is_same(first, later):
        return first
    if not isinstance(later, Term) or first.kind == "undefined":
        return undefined(f"`{slot[0].name}`", first.type)
    going = joined(first, later, lambda p, q: _line(p, q, number_of, ahead))
    return going if going is not None else undefined(f"`{slot[0].name}`", first.type)


def _line(first: Polynomial, second: Polynomial, number_of: int, ahead: int) -> Polynomial:
    """`first + (n + ahead) * (second - first)`."""
    if same(first, second):
        return first
    slope = second - first
    return first + slope.scaled(ahead) + slope * atom(number_of)


def _continued_tile(first: TileMemory | None, later: TileMemory, number_of: int, ahead: int) -> TileMemory:
    tile = later.copy()
    if first is None or first.size != later.size or len(first.contents) > len(later.contents):
        tile.forget()
        return tile
    tile.holder = np.where(first.holder == later.holder, first.holder, -1)
    tile.contents = []
    for number_in, content in enumerate(first.contents):
        going = joined(content, later.contents[number_in], lambda p, q: _line(p, q, number_of, ahead))
        if going is None:
            tile.holder[tile.holder == number_in] = -1
            going = content
        tile.contents.append(going)
    return tile


def same_contents(expected: TileMemory, found: TileMemory) -> bool:
    """Where `expected` knows an element, `found` holds it."""
    known = expected.holder >= 0
    if not bool((expected.holder[known] == found.holder[known]).all()):
        return False
    for number_in, content in enumerate(expected.contents):
        cells = np.flatnonzero(known & (expected.holder == number_in))
        if not len(cells):
            continue
        other = found.contents[number_in]
        if not has_shape_of(content, other):
            return False
        pairs = zip(polynomials(content), polynomials(other), strict=True)
        if not all(same(p.of_threads(cells), q.of_threads(cells)) for p, q in pairs):
            return False
    return True
