"""How a kernel's grid and its buffers' lengths follow from its integer arguments, read off its launches.

Nothing is known of the host code. A formula is taken when it gives what every captured launch of the kernel
has: a side of the grid is a product of sizes, rounded up to blocks, maybe with a cap; a length is a product
of sizes and sides of the grid, times or by a small number. Integer arguments that are equal in every launch
are one size: a square matrix does not tell its rows from its columns. A wrong formula costs a case, never a
verdict, since a case counts only where the original has run it with memory checks (`raised.py`, `truths.py`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from porter.cuda.warp import WARP_SIZE
from porter.harness.capture import Allocation, Launch, ScalarArgument
from porter.harness.regions import Buffer, buffers_of

MOST_LAUNCHES = 32
MOST_FACTOR = 64
_MOST_SIZES = 6
_SIDES = ("grid.x", "grid.y", "grid.z")
_PER_THREAD = (1, 2, 4, 8, 16)
_PARTS = (2, 3, 4, 8, 16, 32, 64)

Values = Mapping[str, int]
"""Sizes and sides of one launch by name: `a3` is argument 3, `grid.x`, `block.x`, `threads`, `warps`."""


@dataclass(frozen=True)
class Formula:
    """`min(ceil(factor * product / (parts * divisor)) + plus, cap)`, where `cap` is not None."""

    product: tuple[str, ...]
    factor: int = 1
    parts: int = 1
    divisor: str = ""
    plus: int = 0
    cap: int | None = None

    def of(self, values: Values) -> int:
        whole = self.factor * math.prod(values[name] for name in self.product)
        by = self.parts * (values[self.divisor] if self.divisor else 1)
        result = -(-whole // by) + self.plus
        return result if self.cap is None else min(result, self.cap)


@dataclass(frozen=True)
class Relations:
    """What all launches of one kernel have in common.

    `sizes` maps the name of a size to the arguments that it stands for. `grid` and `lengths` (elements, by
    buffer name) have a formula where one fits; `unrelated` says of which buffers it is not known how
    they grow, and why. `told` are the names whose values differ between launches.
    """

    sizes: Mapping[str, tuple[int, ...]]
    grid: Mapping[str, Formula] = field(default_factory=dict)
    lengths: Mapping[str, Formula] = field(default_factory=dict)
    unrelated: Mapping[str, str] = field(default_factory=dict)
    told: frozenset[str] = frozenset()


def relate(launches: Sequence[Launch], allocations: Mapping[int, Allocation]) -> Relations:
    """The relations of launches of one kernel (with equal argument types)."""
    launches = launches[:MOST_LAUNCHES]
    sizes = _sizes(launches)
    every = [values_of(launch, sizes) for launch in launches]
    names = list(sizes)[:_MOST_SIZES]
    told = frozenset(n for n in (*names, *_SIDES) if len({v[n] for v in every}) > 1)
    grid = {side: f for side in _SIDES if (f := _side_formula(side, names, every)) is not None}
    free = [side for side in _SIDES if side not in grid and any(v[side] > 1 for v in every)]
    lengths, unrelated = _lengths(launches, allocations, every, [*names, *free])
    return Relations(sizes, grid, lengths, unrelated, told)


def values_of(launch: Launch, sizes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """The names of formulas with their values in one launch."""
    values = {name: integer_value(launch, positions[0]) or 0 for name, positions in sizes.items()}
    values |= dict(zip(_SIDES, launch.grid, strict=True))
    values |= dict(zip(("block.x", "block.y", "block.z"), launch.block, strict=True))
    threads = math.prod(launch.block)
    return values | {"threads": threads, "warps": -(-threads // WARP_SIZE)}


def integer_value(launch: Launch, position: int) -> int | None:
    """An integer argument's value; None for others, and for bytes and shorts: these hold no sizes."""
    argument = launch.arguments[position]
    if not isinstance(argument, ScalarArgument) or argument.dtype is None or len(argument.data) < 4:
        return None
    value = argument.value()
    return int(value) if argument.dtype.kind in ("int", "uint") and value is not None else None


def _sizes(launches: Sequence[Launch]) -> dict[str, tuple[int, ...]]:
    """Positive integer arguments; those that are equal in every launch under the name of the first."""
    by_values: dict[tuple[int, ...], list[int]] = {}
    for position in range(len(launches[0].arguments)):
        values = [integer_value(launch, position) for launch in launches]
        known = tuple(v for v in values if v is not None and v > 0)
        if len(known) == len(values):
            by_values.setdefault(known, []).append(position)
    return {f"a{positions[0]}": tuple(positions) for positions in by_values.values()}


def _side_formula(side: str, names: Sequence[str], every: Sequence[Values]) -> Formula | None:
    """None where the side is the launch's own choice, the same whatever the sizes."""
    wanted = [values[side] for values in every]
    if max(wanted) == 1:
        return None
    for formula in _side_candidates(side, names):
        if _fits(formula, every, wanted):
            return formula
    cap = max(wanted)
    below = [(v, w) for v, w in zip(every, wanted, strict=True) if w < cap]
    for formula in _side_candidates(side, names) if below else ():
        capped = Formula(formula.product, parts=formula.parts, divisor=formula.divisor, cap=cap)
        if _fits(capped, every, wanted):
            return capped
    return None


def _side_candidates(side: str, names: Sequence[str]) -> Iterator[Formula]:
    axis = side[-1]
    for product in _products(names, 3):
        for divisor in dict.fromkeys((f"block.{axis}", "threads", "warps", "")):
            for parts in _PER_THREAD:
                yield Formula(product, parts=parts, divisor=divisor)


def _products(names: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    """The shortest first; a size may come twice."""
    for length in range(1, most + 1):
        yield from itertools.combinations_with_replacement(names, length)


def _fits(formula: Formula, every: Sequence[Values], wanted: Sequence[int]) -> bool:
    return all(formula.of(values) == result for values, result in zip(every, wanted, strict=True))


def _lengths(
    launches: Sequence[Launch],
    allocations: Mapping[int, Allocation],
    every: Sequence[Values],
    names: Sequence[str],
) -> tuple[dict[str, Formula], dict[str, str]]:
    found: dict[str, Formula] = {}
    unrelated: dict[str, str] = {}
    tables = [{b.name: b for b in buffers_of(launch, allocations)} for launch in launches]
    for name, buffer in tables[0].items():
        wanted = [table[name].n_elements for table in tables if name in table]
        if len(wanted) < len(tables):
            continue
        if _is_fixed(buffer):
            continue
        if sum(b.allocation == buffer.allocation for b in tables[0].values()) > 1 or buffer.start:
            unrelated[name] = "it shares its allocation with another"
        elif formula := _length_formula(names, every, wanted):
            found[name] = formula
        elif len(set(wanted)) > 1:
            unrelated[name] = "its length follows from no integer argument"
    return found, unrelated


def _is_fixed(buffer: Buffer) -> bool:
    """A device variable, or memory that is reached through a struct: it stays as it is."""
    return buffer.name.startswith("g:") or "." in buffer.name


def _length_formula(names: Sequence[str], every: Sequence[Values], wanted: Sequence[int]) -> Formula | None:
    largest = max(range(len(wanted)), key=lambda k: (wanted[k], *every[k].values()))
    for formula in _length_candidates(names, every[largest], wanted[largest]):
        if _fits(formula, every, wanted):
            return formula
    return None


def _length_candidates(names: Sequence[str], values: Values, length: int) -> Iterator[Formula]:
    """Those that give `length` for one launch, plain products before scaled ones."""
    products = [p for p in _products(names, 3) if math.prod(values[n] for n in p) > 1]
    for plus in (0, 1, -1, 2):
        yield from (Formula(p, plus=plus) for p in products)
    for product in products:
        whole = math.prod(values[name] for name in product)
        factor = length // whole
        plus = length - factor * whole
        if 1 < factor <= MOST_FACTOR and plus in (0, 1, factor):
            yield Formula(product, factor=factor, plus=plus)
        yield from (Formula(product, parts=parts) for parts in _PARTS)
        yield from (Formula(product, divisor=by) for by in ("threads", "block.x", "block.y", "warps"))
