"""Kernels whose threads share out rows: a row a block, a warp, or a line of a two-dimensional block.

All three get the layout `[rows, lanes]` (one row: `[lanes]`), whose number of lanes the launcher may choose
where `free_block.py` proves that it does not matter. A warp of 32 lanes would be half an AMD wavefront.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Set
from dataclasses import dataclass
from typing import Any, cast

from porter.analysis.walk import Node, rewrite, walk
from porter.cuda import kir
from porter.tile.free_block import row_loops
from porter.tile.idioms import GroupBroadcast, GroupReduce
from porter.tile.layout import Layout, plain_layout

_AS_A_LINE = {"laneIdx": ("threadIdx", "x"), "warpIdx": ("threadIdx", "y"), "warpDim": ("blockDim", "y")}


@dataclass(frozen=True)
class Rows:
    """The kernel in its layout of rows; `ends` are what the indices of its loops stay below."""

    kernel: kir.Kernel
    layout: Layout
    ends: tuple[kir.Expr, ...]


def rows_of(kernel: kir.Kernel, layout: Layout) -> Rows | None:
    """None where the number of lanes of a row may matter."""
    if layout.group is not None:
        if any(isinstance(n, kir.Builtin) and n.name in ("threadIdx", "blockDim") for n in walk(kernel.body)):
            return None  # knows its place in the block
        kernel = dataclasses.replace(kernel, body=rewrite(kernel.body, _as_a_line))
        layout = plain_layout((layout.group, layout.threads // layout.group, 1))
    lane = layout.axes[-1]
    if len(layout.axes) > 2 or lane.name != "x" or lane.size != lane.padded:
        return None
    groups = {n.group for n in walk(kernel.body) if isinstance(n, (GroupReduce, GroupBroadcast))}
    if not groups <= ({lane.size} if len(layout.axes) == 2 else {None, lane.size}):
        return None
    loops = row_loops(kernel.body, lane.size)
    if not loops:
        return None
    body = _stepping_by_lanes(kernel.body, {id(loop) for loop in loops})
    ends = tuple(loop.condition.right for loop in loops if isinstance(loop.condition, kir.Binary))
    return Rows(dataclasses.replace(kernel, body=body), layout, ends)


def _stepping_by_lanes(body: tuple[kir.Stmt, ...], rows: Set[int]) -> tuple[kir.Stmt, ...]:
    """The loops over rows step by `blockDim.x`, where the source may have the number of threads."""

    def stepping(stmt: kir.Stmt) -> kir.Stmt:
        inner = {
            name: _stepping_by_lanes(getattr(stmt, name), rows)
            for name in ("then", "otherwise", "body")
            if getattr(stmt, name, ())
        }
        new = cast(kir.Stmt, dataclasses.replace(cast(Any, stmt), **inner)) if inner else stmt
        if id(stmt) in rows and isinstance(new, kir.For):
            return dataclasses.replace(new, step=rewrite(new.step, by_lanes))
        return new

    def by_lanes(node: Node) -> Node:
        if isinstance(node, kir.Binary) and node.op == "+" and isinstance(node.right, kir.Const):
            lanes: kir.Expr = kir.Builtin("blockDim", "x", kir.UINT32, node.span)
            right = lanes if node.type == kir.UINT32 else kir.Cast(lanes, node.type, node.span)
            return dataclasses.replace(node, right=right)
        return node

    return tuple(stepping(stmt) for stmt in body)


def _as_a_line(node: Node) -> Node:
    if isinstance(node, kir.Builtin) and node.name in _AS_A_LINE:
        name, axis = _AS_A_LINE[node.name]
        return dataclasses.replace(node, name=name, axis=axis)
    return node
