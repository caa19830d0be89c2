"""Kernels that do not depend on which threads share a block: one program may do the work of several blocks.

Every thread knows itself only by its number in the grid, and does its work straight through: then a program
with the threads of several blocks does what those blocks do.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.analysis.walk import children
from porter.cuda import kir
from porter.tile.layout import Layout
from porter.tile.warps import COLLECTIVES, VOTES

PROGRAM_ELEMENTS = 1024
LANE_ELEMENTS = 4
"""Of a program, and of one of its lanes: numbers of 4 bytes are moved 16 bytes at a time."""

_TOGETHER = (kir.Barrier, kir.Extension, kir.For, kir.While)


def blocks_are_independent(kernel: kir.Kernel, layout: Layout) -> bool:
    """Loops are left out: one that only some threads go through would keep more of them waiting."""
    if layout.group is not None or [(a.name, a.size) for a in layout.axes] != [("x", layout.axes[0].padded)]:
        return False
    if layout.axes[0].size >= PROGRAM_ELEMENTS or PROGRAM_ELEMENTS % layout.axes[0].size:
        return False
    return not any(_knows_its_block(node) for node in _outside_numbers(kernel.body))


def _outside_numbers(body: tuple[kir.Stmt, ...]) -> Iterator[object]:
    """Every node but those inside `blockIdx.x * blockDim.x + threadIdx.x`."""
    pending: list[object] = list(body)
    while pending:
        node = pending.pop()
        if _is_number_in_grid(node):
            continue
        yield node
        pending += children(node)


def _knows_its_block(node: object) -> bool:
    match node:
        case kir.Builtin(name=name, axis=axis):
            return axis == "x" or name not in ("blockIdx", "gridDim")
        case kir.Call(name=name):
            return name in COLLECTIVES | VOTES
        case kir.Declare(variable=variable):
            return variable.storage is kir.Storage.SHARED or isinstance(variable.type, kir.Array)
    return isinstance(node, _TOGETHER)


def _is_number_in_grid(node: object) -> bool:
    if not isinstance(node, kir.Binary) or node.op != "+":
        return False
    sides = {_builtin(side): side for side in (node.left, node.right)}
    product = next((_plain(side) for name, side in sides.items() if name != "threadIdx"), None)
    if "threadIdx" not in sides or not isinstance(product, kir.Binary) or product.op != "*":
        return False
    return {_builtin(product.left), _builtin(product.right)} == {"blockIdx", "blockDim"}


def _builtin(expr: kir.Expr) -> str:
    plain = _plain(expr)
    return plain.name if isinstance(plain, kir.Builtin) and plain.axis == "x" else ""


def _plain(expr: kir.Expr) -> kir.Expr:
    """Without casts to integers of at least 32 bits: a grid has fewer threads than those count."""
    while isinstance(expr, kir.Cast) and isinstance(expr.type, kir.Scalar) and expr.type.bits >= 32:
        expr = expr.operand
    return expr
