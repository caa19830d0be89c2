"""Tiles of a product that need not be those of the original: a program may compute more or fewer elements.

It is so where every thread knows itself only by its number in the grid along two axes, `blockIdx.y * 16 +
threadIdx.y`. The programs then share out the same elements in tiles of another size. Where the accesses of
a row are all under `row < m`, tiles may even reach beyond the grid: there nothing is loaded or stored.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.analysis.aliasing import buffer, loads, may_be_one, stores
from porter.analysis.expressions import (
    Key,
    key,
    own_expressions,
    statements,
    through_pointer,
    without_index_casts,
)
from porter.analysis.thread_varying import thread_varying
from porter.analysis.walk import children, definitions, rewrite, walk
from porter.cuda import kir
from porter.tile.idioms import Attend, Dot
from porter.tile.index_terms import summands, with_block_size
from porter.tile.layout import Layout, next_power_of_two, plain_layout
from porter.tile.product_sizes import ROWS, side_of
from porter.tile.warps import COLLECTIVES, VOTES


@dataclass(frozen=True)
class TileAxis:
    """One side of the tile: `extent` elements of the original's block along `grid`, the grid's dimension.

    `side` is the most elements that a tile has; from `end` on, an argument, nothing is done (None: unknown).
    """

    name: str
    grid: str
    extent: int
    side: int
    end: kir.VarRef | kir.Const | None


@dataclass(frozen=True)
class FreeTiles:
    """The kernel in terms of `blockDim`, for a layout of tiles of the largest size."""

    kernel: kir.Kernel
    layout: Layout
    axes: tuple[TileAxis, ...]


def free_tiles(kernel: kir.Kernel, block: tuple[int, int, int]) -> FreeTiles | None:
    """None where a thread knows more than its number in the grid, or there is no product."""
    if block[2] != 1 or not _goes_straight(kernel):
        return None
    if any(isinstance(node, Attend) for node in walk(kernel.body)):
        return _free_rows(kernel, block)
    dots = [node for node in walk(kernel.body) if isinstance(node, Dot)]
    numbers = _coordinates(kernel, block, ({"x": "x", "y": "y"}, {"x": "y", "y": "x"})) if dots else None
    if numbers is None:
        return None
    side = min(side_of(dot) for dot in dots)
    axes = tuple(
        TileAxis(name, numbers.grid[name], block["xyz".index(name)], side, _end_of(kernel, numbers, name))
        for name in "yx"
    )
    body = rewrite(kernel.body, numbers.named)
    return FreeTiles(dataclasses.replace(kernel, body=body), plain_layout((side, side, 1)), axes)


def _free_rows(kernel: kir.Kernel, block: tuple[int, int, int]) -> FreeTiles | None:
    """The rows of an attention; its columns are all of them."""
    numbers = _coordinates(kernel, block, ({"y": "x"}, {"y": "y"}, {"y": "z"}))
    if numbers is None or _may_load_what_it_stores(kernel):
        return None
    columns = next_power_of_two(block[0])
    rows = TileAxis("y", numbers.grid["y"], block[1], ROWS, _end_of(kernel, numbers, "y"))
    axes = (rows, TileAxis("x", "", columns, columns, None))
    body = rewrite(kernel.body, numbers.named)
    return FreeTiles(dataclasses.replace(kernel, body=body), plain_layout((block[0], ROWS, 1)), axes)


def _may_load_what_it_stores(kernel: kir.Kernel) -> bool:
    """Then it matters which rows are computed together: the loads of a block come before its stores."""
    known = definitions(kernel.body)
    everything = list(statements(kernel.body))
    stored = [buffer(place, known) for s in everything for place in stores(s)]
    loaded = [buffer(place, known) for s in everything for place in loads(s)]
    return any(may_be_one(one, other) for one in stored for other in loaded)


def _coordinates(
    kernel: kir.Kernel, block: tuple[int, int, int], grids: Sequence[Mapping[str, str]]
) -> Coordinates | None:
    """How a thread knows its number in the grid along the axes of one of `grids`, if only so."""
    for grid in grids:
        numbers = Coordinates(block, grid, definitions(kernel.body))
        if not any(numbers.tells_the_block(node) for node in numbers.others(kernel.body)):
            return numbers
    return None


def _goes_straight(kernel: kir.Kernel) -> bool:
    """Only loops that all threads of the grid go through alike."""
    varying = thread_varying(kernel.body)
    loops = [node for node in walk(kernel.body) if isinstance(node, (kir.For, kir.While))]
    return all(isinstance(loop, kir.For) and _is_uniform(loop, varying) for loop in loops)


def _is_uniform(loop: kir.For, varying: frozenset[kir.Variable]) -> bool:
    counted = [node for part in (loop.init, loop.condition, loop.step) for node in walk(part)]
    left = any(isinstance(node, (kir.Break, kir.Return)) for node in walk(loop.body))
    return not left and not any(
        (isinstance(node, kir.VarRef) and node.variable in varying)
        or (isinstance(node, kir.Builtin) and node.name == "threadIdx")
        for node in counted
    )


@dataclass(frozen=True)
class Coordinates:
    """A thread's number in the grid: two terms of a sum, `blockIdx.x * 16 + threadIdx.x`.

    `grid` gives the dimension of the grid that goes with one of the block, for those of free size.
    """

    block: tuple[int, int, int]
    grid: Mapping[str, str]
    definitions: Mapping[kir.Variable, kir.Expr]

    def others(self, body: tuple[kir.Stmt, ...]) -> Iterator[object]:
        """Every node that is no part of such a number."""
        pending: list[object] = list(body)
        while pending:
            node = pending.pop()
            if isinstance(node, kir.Declare) and node.variable in self.definitions:
                assert node.value is not None
                if self._is_thread(node.value):
                    continue  # another name for it
            if isinstance(node, kir.Binary) and node.op == "+":
                pending += self._unpaired(list(summands(node)))
                continue
            yield node
            pending += children(node)

    def _unpaired(self, terms: list[kir.Expr]) -> list[kir.Expr]:
        for axis in self.grid:
            ends = (("threadIdx", axis), ("blockDim", axis))
            thread = next((t for t in terms if self._builtin(t) in ends), None)
            first = next((t for t in terms if self._is_first_thread(t, axis)), None)
            if thread is not None and first is not None:
                terms = [t for t in terms if t is not thread and t is not first]
        return terms

    def tells_the_block(self, node: object) -> bool:
        match node:
            case kir.Builtin(name="blockIdx" | "gridDim", axis=axis):
                return axis in self.grid.values()
            case kir.Builtin(name="threadIdx" | "blockDim", axis=axis):
                return axis in (*self.grid, "z")
            case kir.Builtin():
                return True
            case kir.VarRef():
                return self._is_thread(node)
            case kir.Call(name=name):
                return name in COLLECTIVES | VOTES
            case kir.Declare(variable=variable):
                return variable.storage in kir.SHARED_STORAGE or isinstance(variable.type, kir.Array)
            case Dot() | Attend():
                return False
        return isinstance(node, (kir.Barrier, kir.Extension))

    def named(self, node: kir.Expr) -> kir.Expr:
        """The first thread of a block with `blockDim` for a size in figures."""
        for axis in self.grid:
            if self._is_lone_number(node, axis):
                assert isinstance(node, kir.Binary)
                return dataclasses.replace(node, left=_times_size(node.left, axis))
            if isinstance(node, kir.Binary) and node.op == "*" and self._is_first_thread(node, axis):
                return dataclasses.replace(
                    node, left=with_block_size(node.left, axis), right=with_block_size(node.right, axis)
                )
        return node

    def is_number(self, variable: kir.Variable, axis: str) -> bool:
        """Whether the variable is the thread's number in the grid."""
        value = self.definitions.get(variable)
        terms = list(summands(value)) if value is not None else []
        threads = [t for t in terms if self._builtin(t) == ("threadIdx", axis)]
        return len(terms) == 2 and len(threads) == 1 and any(self._is_first_thread(t, axis) for t in terms)

    def _is_first_thread(self, expr: kir.Expr, axis: str) -> bool:
        if self._is_lone_block(expr, axis):
            return True
        product = without_index_casts(expr)
        if not isinstance(product, kir.Binary) or product.op != "*":
            return False
        sides = (product.left, product.right)
        others = [side for side in sides if self._builtin(side) != ("blockIdx", self.grid[axis])]
        return len(others) == 1 and self._is_size(without_index_casts(others[0]), axis)

    def _is_lone_block(self, expr: kir.Expr, axis: str) -> bool:
        """The number of a block of one element is that of its first thread."""
        return self.block["xyz".index(axis)] == 1 and self._builtin(expr) == ("blockIdx", self.grid[axis])

    def _is_lone_number(self, node: kir.Expr, axis: str) -> bool:
        is_sum = isinstance(node, kir.Binary) and node.op == "+" and self._is_lone_block(node.left, axis)
        ends = (("threadIdx", axis), ("blockDim", axis))
        return is_sum and self._builtin(node.right) in ends  # type: ignore[union-attr]

    def _is_thread(self, expr: kir.Expr) -> bool:
        name, axis = self._builtin(expr)
        return name == "threadIdx" and axis in self.grid

    def _is_size(self, expr: kir.Expr, axis: str) -> bool:
        if isinstance(expr, kir.Const):
            return expr.value == self.block["xyz".index(axis)]
        return self._builtin(expr) == ("blockDim", axis)

    def _builtin(self, expr: kir.Expr) -> tuple[str, str]:
        plain = without_index_casts(expr)
        if isinstance(plain, kir.VarRef) and plain.variable in self.definitions:
            plain = without_index_casts(self.definitions[plain.variable])
        return (plain.name, plain.axis) if isinstance(plain, kir.Builtin) else ("", "")


def _times_size(block: kir.Expr, axis: str) -> kir.Expr:
    size: kir.Expr = kir.Builtin("blockDim", axis, kir.UINT32, block.span)
    size = size if block.type == kir.UINT32 else kir.Cast(size, block.type, block.span)
    return kir.Binary("*", block, size, block.type, block.span)


# --- what lies beyond the matrix ---------------------------------------------------------------------


def _end_of(kernel: kir.Kernel, numbers: Coordinates, axis: str) -> kir.VarRef | kir.Const | None:
    """The one argument that every access that depends on the axis is kept below."""
    names = {v for v in numbers.definitions if numbers.is_number(v, axis)}
    if not names:
        return None
    dependent = _dependent(names, numbers.definitions)
    ends: dict[Key, kir.VarRef | kir.Const] | None = None
    for access, conditions in _accesses(kernel.body, ()):
        if not any(isinstance(n, kir.VarRef) and n.variable in dependent for n in walk(access)):
            continue
        found = {key(e): e for c in conditions if (e := _upper_end(c, names)) is not None}
        ends = found if ends is None else {k: e for k, e in ends.items() if k in found}
    return next(iter(ends.values()), None) if ends else None


def _dependent(names: set[kir.Variable], known: Mapping[kir.Variable, kir.Expr]) -> set[kir.Variable]:
    found = set(names)
    for variable, value in known.items():  # in the order of their declarations
        if any(isinstance(n, kir.VarRef) and n.variable in found for n in walk(value)):
            found.add(variable)
    return found


def _upper_end(condition: kir.Expr, names: set[kir.Variable]) -> kir.VarRef | kir.Const | None:
    if not isinstance(condition, kir.Binary) or condition.op != "<":
        return None
    low, end = without_index_casts(condition.left), without_index_casts(condition.right)
    if not isinstance(low, kir.VarRef) or low.variable not in names:
        return None
    is_argument = isinstance(end, kir.VarRef) and end.variable.storage is kir.Storage.PARAMETER
    return end if is_argument or isinstance(end, kir.Const) else None  # type: ignore[return-value]


Conditions = tuple[kir.Expr, ...]


def _accesses(body: tuple[kir.Stmt, ...], conditions: Conditions) -> Iterator[tuple[kir.Expr, Conditions]]:
    """Every access to global memory with the conditions that hold where it is made."""
    for stmt in body:
        for expr in own_expressions(stmt):
            yield from _inside(expr, conditions)
        if isinstance(stmt, kir.If):
            yield from _accesses(stmt.then, (*conditions, *_parts(stmt.condition)))
            yield from _accesses(stmt.otherwise, conditions)
        elif isinstance(stmt, (kir.For, kir.While)):
            yield from _accesses(stmt.body, conditions)


def _inside(expr: kir.Expr, conditions: Conditions) -> Iterator[tuple[kir.Expr, Conditions]]:
    if isinstance(expr, kir.Index) and through_pointer(expr):
        yield expr, conditions
    if isinstance(expr, kir.Select):
        yield from _inside(expr.condition, conditions)
        yield from _inside(expr.if_true, (*conditions, *_parts(expr.condition)))
        yield from _inside(expr.if_false, conditions)
        return
    for child in children(expr):
        yield from _inside(child, conditions)


def _parts(condition: kir.Expr) -> Conditions:
    if isinstance(condition, kir.Binary) and condition.op == "&&":
        return (*_parts(condition.left), *_parts(condition.right))
    return (condition,)
