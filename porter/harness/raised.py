"""Cases with sizes above the captured ones: the grid and the lengths of buffers grow by their formulas.

The original runs first, with memory checks: where a formula is wrong, or a length that has none would have
had to grow, it fails, and the case is dropped. Without memory checks there are no such cases.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from porter.harness.capture import Argument, Launch, ScalarArgument
from porter.harness.cases import Case, CaseOptions, Grid, fills_of, float_buffers
from porter.harness.plan import resized
from porter.harness.regions import Buffer
from porter.harness.size_relations import Relations, Values, values_of
from porter.harness.truths import JudgedCase, Planned

MOST_BYTES = 128 << 20
FREE_BYTES = 16 << 20
MOST_BLOCKS = 4096
FREE_BLOCKS = 64
_SIDES = ("grid.x", "grid.y", "grid.z")


@dataclass(frozen=True)
class Raised:
    """`cases` in the order in which they are worth running; `reasons` say why a size has none."""

    cases: tuple[Case, ...]
    reasons: Mapping[str, str]

    @property
    def sizes(self) -> tuple[str, ...]:
        """Those with cases, whether or not the limit leaves one."""
        return tuple(dict.fromkeys(case.raises for case in self.cases))


def raised_cases(
    launch: Launch,
    buffers: tuple[Buffer, ...],
    relations: Relations,
    options: CaseOptions,
    unchecked: str = "",
) -> Raised:
    """Each size raised alone, in rounds over the sizes: by one, by a block and one, to twice as much.

    `unchecked` says why the original does not run with memory checks (empty: it does).
    """
    values = values_of(launch, relations.sizes)
    by_size: list[list[Case]] = []
    reasons: dict[str, str] = {}
    for size in _raisable(relations, values):
        found = [
            case
            for target in _targets(size, values, options)
            if (case := _case(launch, buffers, relations, values, size, target, options)) is not None
        ]
        reason = unchecked or _obstacle(relations) or ("" if found else "what it needs is too large")
        if reason:
            reasons[size_name(relations, size)] = reason
        else:
            by_size.append(found)
    return Raised(tuple(_in_rounds(by_size)), reasons)


def size_name(relations: Relations, size: str) -> str:
    """As a report speaks of it: `argument 3`, `arguments 2, 3`, `grid.x`."""
    positions = relations.sizes.get(size, ())
    if not positions:
        return size
    return f"argument{'s' if len(positions) > 1 else ''} {', '.join(map(str, positions))}"


def _raisable(relations: Relations, values: Values) -> Iterator[str]:
    """Integer arguments (a 1 only where something depends on it), and sides of the grid that lengths need."""
    formulas = (*relations.grid.values(), *relations.lengths.values())
    used = {name for formula in formulas for name in formula.product}
    yield from (name for name in relations.sizes if values[name] > 1 or name in used)
    yield from (side for side in _SIDES if side in used and side not in relations.grid)


def _targets(size: str, values: Values, options: CaseOptions) -> tuple[int, ...]:
    value = values[size]
    if options.drawn:
        generator = np.random.default_rng(zlib.crc32(f"{options.seed}/{size}".encode()))
        return tuple(value + int(step) for step in generator.integers(1, value + 2, size=2))
    if size in _SIDES:
        return value + 1, 2 * value + 1
    return tuple(dict.fromkeys((value + 1, value + values["threads"] + 1, 2 * value + 1)))


def _obstacle(relations: Relations) -> str:
    """A buffer that may have to grow, and how is not known."""
    return next((f"buffer {name}: {reason}" for name, reason in relations.unrelated.items()), "")


def _case(
    launch: Launch,
    buffers: tuple[Buffer, ...],
    relations: Relations,
    values: Values,
    size: str,
    target: int,
    options: CaseOptions,
) -> Case | None:
    """None where it would be too large, for memory or for the argument's type."""
    positions = relations.sizes.get(size, ())
    if not all(_holds(launch.arguments[position], target) for position in positions):
        return None
    larger = {**values, size: target}
    grid = _grid(relations, larger)
    larger |= dict(zip(_SIDES, grid, strict=True))
    lengths = {
        b.name: n
        for b in buffers
        if (f := relations.lengths.get(b.name)) is not None and (n := f.of(larger)) > b.n_elements
    }
    blocks = math.prod(launch.grid)
    if not blocks <= math.prod(grid) <= min(MOST_BLOCKS, max(FREE_BLOCKS, blocks * 5 // 4)):
        return None
    name = size_name(relations, size)
    case = Case("", launch.index, f"larger {name} = {target}", lengths=lengths, raises=name)
    if _bytes(resized(buffers, case)) > min(MOST_BYTES, max(FREE_BYTES, 2 * _bytes(buffers))):
        return None
    seed = options.seed + target
    return replace(
        case,
        fills=fills_of(launch, float_buffers(buffers), "normal", seed),
        scalars=dict.fromkeys(positions, target),
        grid=grid if grid != launch.grid else None,
        seed=options.seed,
        grid_told=size in relations.told,
    )


def _holds(argument: Argument, size: int) -> bool:
    if not isinstance(argument, ScalarArgument) or argument.dtype is None:
        return False
    return size < 1 << (8 * argument.dtype.size_bytes - (argument.dtype.kind == "int"))


def _grid(relations: Relations, values: Values) -> Grid:
    x, y, z = (relations.grid[side].of(values) if side in relations.grid else values[side] for side in _SIDES)
    return x, y, z


def _bytes(buffers: tuple[Buffer, ...]) -> int:
    ends: dict[int, int] = {}
    for buffer in buffers:
        ends[buffer.allocation] = max(ends.get(buffer.allocation, 0), buffer.end)
    return sum(ends.values())


def _in_rounds(by_size: list[list[Case]]) -> Iterator[Case]:
    for turn in range(max(map(len, by_size), default=0)):
        yield from (cases[turn] for cases in by_size if turn < len(cases))


def not_raised(
    every: Sequence[Raised],
    planned: Sequence[Planned],
    judged: Sequence[JudgedCase],
    unmeasured: str = "the original gives no measure there",
) -> tuple[str, ...]:
    """Which sizes have no case that the original is fit to judge, and why, one sentence each.

    `every` has what there is for each launch of the kernel, `planned` what the limit left of it; `unmeasured`
    says why the original does not judge a case.
    """
    tried = dict.fromkeys(p.case.raises for p in planned if p.case.raised)
    good = {c.planned.case.raises for c in judged}
    why: dict[str, str] = {}
    for raised in every:
        why |= raised.reasons
    why |= {size: "no case left in the limit" for raised in every for size in raised.sizes}
    why |= dict.fromkeys(tried, unmeasured)
    found = {size: reason for size, reason in why.items() if size not in good}
    if not why:
        return ("no size was raised: no integer argument or side of the grid is one",)
    return tuple(f"{size} was not raised: {reason}" for size, reason in found.items())
