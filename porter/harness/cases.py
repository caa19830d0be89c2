"""Replay cases around a captured launch: as captured, other data, smaller sizes (larger ones: `raised.py`).

Integer buffers keep their captured values unless a case is about them, since many are indices. Whether a
case makes sense is not guessed here: the original runs first, and a case on which it fails is dropped.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from porter.cuda.warp import WARP_SIZE
from porter.harness.capture import Launch, ScalarArgument
from porter.harness.fills import FLOAT_KINDS, INTEGER_KINDS, SENTINEL, Fill
from porter.harness.regions import Buffer

_CASES_A_RAISED_ONE = 4
Scalar: TypeAlias = int | float
Grid: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True)
class Case:
    """One replay of one launch. `fills` maps buffer names to what replaces their captured contents.

    `scalars` maps argument positions to new values; `grid` and `block` are None where the captured ones
    are kept. `lengths` has the elements of buffers that are longer than captured. `raises` names the size
    that is above the captured one; `grid_told`: two launches or more agree on the grid that belongs to it.
    """

    name: str
    launch: int
    kind: str
    fills: Mapping[str, Fill] = field(default_factory=dict)
    scalars: Mapping[int, Scalar] = field(default_factory=dict)
    grid: Grid | None = None
    seed: int = 0
    block: Grid | None = None
    lengths: Mapping[str, int] = field(default_factory=dict)
    raises: str = ""
    grid_told: bool = False

    @property
    def raised(self) -> bool:
        return bool(self.raises)

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True)
class CaseOptions:
    """`max_blocks` bounds the grid of all cases but the captured one; None leaves grids alone.

    `max_cases` bounds the cases within the captured sizes. Those above them have an allowance of their own:
    the original may fail on every one of them, and they must not cost cases that it can judge.
    Sizes are the most telling ones or, if `drawn`, any, from the seed.
    """

    seed: int = 0
    max_cases: int = 24
    max_blocks: int | None = 16
    drawn: bool = False

    @property
    def max_raised(self) -> int:
        return max(self.max_cases // _CASES_A_RAISED_ONE, 1)


def captured_case(launch: Launch) -> Case:
    return Case("", launch.index, "captured")


def make_cases(
    launch: Launch,
    buffers: tuple[Buffer, ...],
    written: frozenset[str],
    options: CaseOptions,
    raised: Sequence[Case] = (),
) -> tuple[Case, ...]:
    """The captured case first, then data and lowered sizes in turn, `options.max_cases` in all; then the
    first `options.max_raised` of the raised sizes.
    """
    grid = shrink_grid(launch.grid, options.max_blocks)
    sizes = list(_size_cases(launch, buffers, options))
    others = [
        *_full_size(launch, buffers, options, grid),
        *_alternate(list(_data_cases(launch, buffers, written, options)), sizes),
    ]
    shrunk = [c if c.grid else replace(c, grid=grid) for c in others]
    shrunk = [replace(case, grid=None) if case.grid == launch.grid else case for case in shrunk]
    within = [captured_case(launch), *shrunk][: options.max_cases]
    chosen = [*within, *raised[: options.max_raised]]
    return tuple(replace(case, name=f"l{launch.index}-c{i:02d}") for i, case in enumerate(chosen))


def _full_size(
    launch: Launch, buffers: tuple[Buffer, ...], options: CaseOptions, grid: Grid
) -> Iterator[Case]:
    """Random data on the whole captured grid, where the other cases run on a smaller one."""
    if grid != launch.grid:
        fills = fills_of(launch, float_buffers(buffers), "normal", options.seed)
        yield Case("", launch.index, "normal, full grid", fills, grid=launch.grid, seed=options.seed)


def shrink_grid(grid: Grid, max_blocks: int | None) -> Grid:
    """At most `max_blocks` blocks, by halving the longest side until it fits.

    A line of blocks becomes a power of two: then a port with blocks of 128 threads can have exactly the
    threads of 16 blocks of 96.
    """
    if max_blocks is not None and grid[1:] == (1, 1) and grid[0] > max_blocks >= 1:
        return 1 << (max_blocks.bit_length() - 1), 1, 1
    sides = list(grid)
    while max_blocks is not None and int(np.prod(sides, dtype=np.int64)) > max(max_blocks, 1):
        longest = sides.index(max(sides))
        sides[longest] = (sides[longest] + 1) // 2
    return sides[0], sides[1], sides[2]


def _alternate(left: list[Case], right: list[Case]) -> Iterator[Case]:
    for i in range(max(len(left), len(right))):
        yield from left[i : i + 1]
        yield from right[i : i + 1]


def float_buffers(buffers: tuple[Buffer, ...]) -> list[Buffer]:
    return [b for b in buffers if b.dtype.is_float and b.typed]


def _integral(buffers: tuple[Buffer, ...]) -> list[Buffer]:
    return [b for b in buffers if not b.dtype.is_float and b.typed]


def fills_of(launch: Launch, buffers: list[Buffer], kind: str, seed: int) -> dict[str, Fill]:
    return {
        b.name: Fill(kind, zlib.crc32(f"{seed}/{launch.kernel}/{launch.index}/{kind}/{b.name}".encode()))
        for b in buffers
    }


def _data_cases(
    launch: Launch, buffers: tuple[Buffer, ...], written: frozenset[str], options: CaseOptions
) -> Iterator[Case]:
    """Other contents at the captured sizes. Later kinds are the first to fall to the limit."""
    floating, integral = float_buffers(buffers), _integral(buffers)
    outputs = [b for b in buffers if b.name in written and b.typed]

    def case(kind: str, chosen: list[Buffer], fill: str) -> Iterator[Case]:
        if chosen:
            fills = fills_of(launch, chosen, fill, options.seed)
            yield Case("", launch.index, kind, fills, seed=options.seed)

    yield from case("normal", floating, "normal")
    yield from case("sentinel in outputs", outputs, SENTINEL)
    yield from case("integers in range", integral, INTEGER_KINDS[0])
    yield from _scalar_cases(launch, floating, options)
    for kind in FLOAT_KINDS[1:]:
        yield from case(kind, floating, kind)
    for kind in INTEGER_KINDS[1:]:
        yield from case(f"integers {kind}", integral, kind)


def _scalar_cases(launch: Launch, floating: list[Buffer], options: CaseOptions) -> Iterator[Case]:
    """Other values of every floating scalar at once, so that none can be hard-coded."""
    scalars = {
        k: _near(argument.value(), k)
        for k, argument in enumerate(launch.arguments)
        if isinstance(argument, ScalarArgument) and argument.dtype is not None and argument.dtype.is_float
    }
    if scalars:
        fills = fills_of(launch, floating, "normal", options.seed + 1)
        yield Case("", launch.index, "other scalars", fills, scalars, seed=options.seed)


def _near(value: Scalar | bool | None, position: int) -> float:
    """Another value of the same sign and magnitude, exact in every float type."""
    number = float(value or 0.0)
    if not np.isfinite(number) or number == 0.0:
        return 0.5 + 0.25 * position
    mantissa, exponent = np.frexp(number)
    return float(
        np.ldexp(np.sign(mantissa) * (0.5 + (np.floor(abs(mantissa) * 16 + 3) % 8) / 16), int(exponent))
    )


def _size_cases(launch: Launch, buffers: tuple[Buffer, ...], options: CaseOptions) -> Iterator[Case]:
    """One integer scalar lowered at a time, round by round over the scalars."""
    sizes = {
        k: size
        for k, argument in enumerate(launch.arguments)
        if isinstance(argument, ScalarArgument) and (size := _size_value(argument)) is not None
    }
    threads = int(np.prod(launch.block))
    telling = interesting_sizes(threads)
    of_each = {
        k: drawn_sizes(captured, telling, f"{options.seed}/{launch.kernel}/{k}") if options.drawn else telling
        for k, captured in sizes.items()
    }
    for turn in range(max(map(len, of_each.values()), default=0)):
        for position, captured in sizes.items():
            targets = of_each[position]
            if turn < len(targets) and (target := targets[turn]) < captured:
                fills = fills_of(launch, float_buffers(buffers), "normal", options.seed + target)
                name = f"argument {position} = {target}"
                yield Case("", launch.index, name, fills, {position: target}, seed=options.seed)


def _size_value(argument: ScalarArgument) -> int | None:
    """A captured integer that may be a size: an integer type, at least 2."""
    if argument.dtype is None or argument.dtype.kind not in ("int", "uint"):
        return None
    value = argument.value()
    return int(value) if value is not None and value >= 2 else None


def drawn_sizes(captured: int, known: Sequence[int], seed: str) -> tuple[int, ...]:
    """A few sizes below `captured` that are not `known`: anywhere, near the captured one, and small ones."""
    generator = np.random.default_rng(zlib.crc32(seed.encode()))
    ranges = ((captured // 2, captured), (1, captured), (captured - captured // 16, captured), (1, 100))
    drawn = [int(generator.integers(low, high)) for low, high in ranges if low < high]
    return tuple(dict.fromkeys(size for size in drawn if 0 < size < captured and size not in known))


def interesting_sizes(threads: int) -> tuple[int, ...]:
    """Around the warp and the block, one and a prime; the most telling first."""
    ordered = (
        threads + 1,
        WARP_SIZE + 1,
        threads - 1,
        1,
        WARP_SIZE - 1,
        997,
        threads,
        WARP_SIZE,
        7,
    )
    return tuple(dict.fromkeys(size for size in ordered if size >= 1))
