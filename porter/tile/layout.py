"""How the threads of a block are laid out as tensor axes.

The axes, outermost first, enumerate the threads in CUDA's linear order (x fastest). Each is a power of two
long in Triton (`padded`); the threads past `size` are switched off by a mask.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from porter.tile.ir import Axes


def next_power_of_two(n: int) -> int:
    return 1 << max(0, n - 1).bit_length()


@dataclass(frozen=True)
class Axis:
    """`constant` is the constexpr that holds the padded size, `index` names the position along it."""

    name: str
    size: int
    padded: int
    constant: str
    index: str


@dataclass(frozen=True)
class Layout:
    """`block` is CUDA's block; `group` the lanes of the innermost axis when groups have their own axis."""

    block: tuple[int, int, int]
    axes: tuple[Axis, ...]
    group: int | None = None

    @property
    def all_axes(self) -> Axes:
        return frozenset(axis.name for axis in self.axes)

    @property
    def threads(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def padded_threads(self) -> int:
        return math.prod(axis.padded for axis in self.axes)

    def axis(self, name: str) -> Axis:
        return next(axis for axis in self.axes if axis.name == name)

    def shape(self, axes: Axes) -> str:
        """The shape of a value that differs along `axes`, as text: `(BLOCK,)`, `(WARPS, 1)`, `()`."""
        if not axes:
            return "()"
        sizes = [axis.constant if axis.name in axes else "1" for axis in self.axes]
        return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"

    def position(self, name: str) -> int:
        return [axis.name for axis in self.axes].index(name)

    def thread_axes(self, dimension: str) -> Axes:
        """The axes along which `threadIdx.<dimension>` differs."""
        if self.group is not None:
            return self.all_axes if dimension == "x" else frozenset()
        return frozenset({dimension}) & self.all_axes


def plain_layout(block: tuple[int, int, int]) -> Layout:
    """One axis for each dimension of the block that is longer than one thread."""
    sizes = dict(zip("xyz", block, strict=True))
    names = [name for name in "zyx" if sizes[name] > 1] or ["x"]
    if len(names) == 1:
        size = sizes[names[0]]
        return Layout(block, (Axis(names[0], size, next_power_of_two(size), "BLOCK", "tid"),))
    axes = tuple(
        Axis(name, sizes[name], next_power_of_two(sizes[name]), f"BLOCK_{name.upper()}", f"t{name}")
        for name in names
    )
    return Layout(block, axes)


def grouped_layout(block: tuple[int, int, int], group: int) -> Layout:
    """A one-dimensional block as `[groups, group]`: warp-wide operations then run along the inner axis."""
    groups = -(-block[0] // group)
    lane = Axis("lane", min(group, block[0]), group, "LANES", "lane")
    if groups == 1:
        return Layout(block, (lane,), group)
    warp = Axis("warp", groups, next_power_of_two(groups), "WARPS", "warp")
    return Layout(block, (warp, lane), group)
