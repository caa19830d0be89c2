"""Kernels that do not depend on which threads share a block: one program may do the work of several blocks.

Every thread knows itself only by its number in the grid: then a program with the threads of several blocks
does what those blocks do. So it is with straight code, also where each block adds a total to one place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

from porter.analysis.expressions import without_index_casts
from porter.analysis.walk import assigned_variables, children, definitions, rewrite, walk
from porter.cuda import kir
from porter.tile.block_totals import Totals, totals_of
from porter.tile.index_terms import summands, with_block_size
from porter.tile.layout import Layout
from porter.tile.unroll_loops import MOST_ROUNDS
from porter.tile.warps import COLLECTIVES, VOTES

PROGRAM_ELEMENTS = 1024
LANE_ELEMENTS = 4
"""Of a program, and of one of its lanes: numbers of 4 bytes are moved 16 bytes at a time."""


def merge_blocks(kernel: kir.Kernel, layout: Layout) -> kir.Kernel | None:
    """The kernel with `blockDim` for its sizes in figures, right for any block; None where it is not."""
    axes = "".join(axis.name for axis in layout.axes)
    fits = all(axis.size == axis.padded for axis in layout.axes) and layout.threads <= PROGRAM_ELEMENTS
    if layout.group is not None or axes not in ("x", "yx") or not fits:
        return None
    numbers = _Numbers(layout, definitions(kernel.body), totals_of(kernel.body))
    if any(numbers.tells_the_block(node) for node in numbers.others(kernel.body)):
        return None
    if not _goes_straight(kernel):
        return None
    return dataclasses.replace(kernel, body=rewrite(kernel.body, numbers.named))


def _goes_straight(kernel: kir.Kernel) -> bool:
    """No loops, which some threads may leave early, but for those that all go through a few times."""
    loops = [node for node in walk(kernel.body) if isinstance(node, (kir.For, kir.While))]
    return all(isinstance(loop, kir.For) and _is_short(loop) for loop in loops)


def _is_short(loop: kir.For) -> bool:
    """`for (k = -1; k <= 1; ++k)`: a few rounds, as many for every thread."""
    match loop.init, loop.condition, loop.step:
        case (
            (kir.Declare(variable=counter, value=kir.Const(value=int(first))),),
            kir.Binary(
                op="<" | "<=" as op, left=kir.VarRef(variable=tested), right=kir.Const(value=int(end))
            ),
            (kir.Assign(target=kir.VarRef(variable=moved), value=kir.Binary(op="+", right=one)),),
        ) if counter is tested is moved and counter not in assigned_variables(loop.body):
            by_one = isinstance(one, kir.Const) and one.value == 1
            return by_one and end - first + (op == "<=") <= MOST_ROUNDS
    return False


@dataclasses.dataclass(frozen=True)
class _Numbers:
    """A thread's number in the grid along an axis: two terms of a sum, `blockIdx.x * 16 + threadIdx.x`."""

    layout: Layout
    definitions: Mapping[kir.Variable, kir.Expr]
    totals: Totals

    def others(self, body: tuple[kir.Stmt, ...]) -> Iterator[object]:
        """Every node that is no part of such a number."""
        pending: list[object] = list(body)
        while pending:
            node = pending.pop()
            if id(node) in self.totals.handed_on:
                continue
            if isinstance(node, kir.Declare) and node.variable in self.definitions:
                assert node.value is not None
                if self._builtin(node.value)[0] == "threadIdx":
                    continue  # another name for it
            if isinstance(node, kir.Binary) and node.op == "+":
                pending += self._unpaired(list(summands(node)))
                continue
            yield node
            pending += children(node)

    def _unpaired(self, terms: list[kir.Expr]) -> list[kir.Expr]:
        for axis in self.layout.all_axes:
            thread = next((t for t in terms if self._builtin(t) == ("threadIdx", axis)), None)
            first = next((t for t in terms if self._is_first_thread(t, axis)), None)
            if thread is not None and first is not None:
                terms = [t for t in terms if t is not thread and t is not first]
        return terms

    def tells_the_block(self, node: object) -> bool:
        if id(node) in self.totals.made:
            return False
        match node:
            case kir.Builtin(name=name, axis=axis):
                return axis in self.layout.all_axes or name not in ("blockIdx", "gridDim")
            case kir.VarRef():
                return self._builtin(node)[0] == "threadIdx"
            case kir.Call(name=name):
                return name in COLLECTIVES | VOTES
            case kir.Declare(variable=variable):
                return variable.storage is kir.Storage.SHARED or isinstance(variable.type, kir.Array)
        return isinstance(node, (kir.Barrier, kir.Extension))

    def named(self, node: kir.Expr) -> kir.Expr:
        """The first thread of a block with `blockDim` for a size in figures."""
        for axis in self.layout.all_axes:
            if isinstance(node, kir.Binary) and self._is_first_thread(node, axis):
                return dataclasses.replace(
                    node, left=with_block_size(node.left, axis), right=with_block_size(node.right, axis)
                )
        return node

    def _is_first_thread(self, expr: kir.Expr, axis: str) -> bool:
        product = without_index_casts(expr)
        if not isinstance(product, kir.Binary) or product.op != "*":
            return False
        sides = (product.left, product.right)
        others = [side for side in sides if self._builtin(side) != ("blockIdx", axis)]
        return len(others) == 1 and self._is_size(without_index_casts(others[0]), axis)

    def _is_size(self, expr: kir.Expr, axis: str) -> bool:
        if isinstance(expr, kir.Const):
            return expr.value == self.layout.axis(axis).size
        return self._builtin(expr) == ("blockDim", axis)

    def _builtin(self, expr: kir.Expr) -> tuple[str, str]:
        plain = without_index_casts(expr)
        while isinstance(plain, kir.VarRef) and plain.variable in self.definitions:
            plain = without_index_casts(self.definitions[plain.variable])
        return (plain.name, plain.axis) if isinstance(plain, kir.Builtin) else ("", "")
