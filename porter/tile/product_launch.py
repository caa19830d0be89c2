"""The launcher's lines for the tiles of a matrix product: their sizes and how many there are."""

from __future__ import annotations

from porter.cuda import kir
from porter.tile.free_tiles import TileAxis
from porter.tile.names import legal
from porter.tile.product_sizes import MOST_WARPS, WARP_ELEMENTS

Axes = tuple[TileAxis, ...]


def tile_lines(axes: Axes) -> list[str]:
    """How many elements a tile has along each axis, where the grid has to say."""
    if _as_original(axes):
        return []
    lines = ["grid_x, grid_y, grid_z = (*grid, 1, 1)[:3]"]
    chosen = [f"{_size_name(axis)} = {_size(axis)}" for axis in axes if _fixed(axis) is None]
    if not chosen:
        return lines
    ends = [_end(axis) for axis in axes if axis.end is not None]
    beyond = f": what lies beyond {' and '.join(ends)} is masked" if ends else ""
    return [*lines, f"# A tile need not be a block of the original{beyond}.", *chosen]


def tile_grid(axes: Axes) -> str:
    if _as_original(axes):
        return "grid"
    sides = {d: f"grid_{d}" for d in "xyz"}
    for axis in axes:
        fixed = _fixed(axis)
        if fixed == axis.extent:
            continue
        sides[axis.grid] = f"triton.cdiv({_covered(axis)}, {fixed or _size_name(axis)})"
    return f"({', '.join(sides.values())})"


def tile_constants(axes: Axes) -> dict[str, str]:
    return {f"BLOCK_{axis.name.upper()}": str(_fixed(axis) or _size_name(axis)) for axis in axes}


def tile_warps(axes: Axes) -> str:
    """One for each thousand elements of the tile."""
    sizes = [_fixed(axis) for axis in axes]
    most = 1
    for axis in axes:
        most *= axis.side
    if all(size is not None for size in sizes):
        return str(max(1, min(MOST_WARPS, most // WARP_ELEMENTS)))
    product = " * ".join(str(size or _size_name(axis)) for size, axis in zip(sizes, axes, strict=True))
    warps = f"max(1, {product} // {WARP_ELEMENTS})"
    return warps if most // WARP_ELEMENTS <= MOST_WARPS else f"min({MOST_WARPS}, {warps})"


def tile_needs_math(axes: Axes) -> bool:
    return any(_fixed(axis) is None for axis in axes)


def _as_original(axes: Axes) -> bool:
    """Whether a tile is a block of the original."""
    return all(_fixed(axis) == axis.extent for axis in axes)


def _fixed(axis: TileAxis) -> int | None:
    """The size of a tile that fits any number of the original's blocks."""
    return axis.side if axis.extent % axis.side == 0 else None


def _size(axis: TileAxis) -> str:
    divisor = f"math.gcd({_covered(axis)}, {axis.side})"
    if axis.end is None:
        return divisor
    return f"{axis.side} if {_end(axis)} <= {_covered(axis)} else {divisor}"


def _size_name(axis: TileAxis) -> str:
    return f"block_{axis.name}"


def _covered(axis: TileAxis) -> str:
    """The elements that the original's grid reaches."""
    return f"grid_{axis.grid}" if axis.extent == 1 else f"{axis.extent} * grid_{axis.grid}"


def _end(axis: TileAxis) -> str:
    assert axis.end is not None
    return str(axis.end.value) if isinstance(axis.end, kir.Const) else legal(axis.end.variable.name)
