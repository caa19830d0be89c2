"""Chooses the layout of a kernel's threads, and what each builtin and collective varies along in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from porter.analysis.uniformity import AxisModel
from porter.analysis.walk import walk
from porter.cuda import kir
from porter.cuda.kir_effects import is_effect_call
from porter.cuda.warp import WARP_SIZE
from porter.tile.bins import BIN_AXIS
from porter.tile.idioms import (
    Attend,
    CountBins,
    DeclareBins,
    Dot,
    ForEachBin,
    GroupBroadcast,
    GroupReduce,
    GroupScan,
)
from porter.tile.ir import UNIFORM, Axes
from porter.tile.layout import Layout, grouped_layout, plain_layout
from porter.tile.warps import BLOCK_VOTES, COLLECTIVES, VOTES


def choose_layout(kernel: kir.Kernel, block: tuple[int, int, int]) -> Layout:
    """`[groups, group]` for a one-dimensional block with group operations, else an axis a dimension."""
    group = _group_size(kernel, block[0] * block[1] * block[2])
    if group is None or block[1:] != (1, 1):
        return plain_layout(block)
    return grouped_layout(block, group)


def _group_size(kernel: kir.Kernel, threads: int) -> int | None:
    """The group that operations of the kernel most often run over; warps where it has warp calls."""
    sizes: Counter[int] = Counter()
    for node in walk(kernel.body):
        if isinstance(node, kir.Call) and node.name in COLLECTIVES - BLOCK_VOTES:
            return WARP_SIZE
        if isinstance(node, (GroupReduce, GroupScan, GroupBroadcast)) and node.group is not None:
            sizes[node.group] += 1
    group = sizes.most_common(1)[0][0] if sizes else None
    return group if group is None or group < threads else None


def axis_model(layout: Layout) -> AxisModel:
    everything = layout.all_axes

    def builtin(expr: kir.Builtin) -> Axes:
        if expr.name == "threadIdx":
            return layout.thread_axes(expr.axis)
        named = {"warpIdx": "warp", "laneIdx": "lane"}.get(expr.name)
        return frozenset({named}) & everything if named else UNIFORM

    def call(expr: kir.Call, operands: Axes) -> Axes:
        if expr.name in BLOCK_VOTES:
            return UNIFORM
        if expr.name in VOTES:
            return everything - group_axes(layout, WARP_SIZE)
        return everything if is_effect_call(expr.name) else operands

    def collective(node: kir.Extension, _: Callable[[kir.Expr], Axes]) -> Mapping[kir.Variable, Axes]:
        match node:
            case GroupReduce(target, group=group) | GroupBroadcast(target, group=group):
                return {target: everything - group_axes(layout, group)}
            case GroupScan(target):
                return {target: everything}
            case Dot(target):
                return {target: everything}
            case Attend():
                rows = frozenset({"y"}) & everything
                return {node.accumulator: everything, node.maximum: rows, node.total: rows}
            case DeclareBins(bins) | CountBins(bins):
                return {bins: frozenset({BIN_AXIS})}
            case ForEachBin(_, index, count):
                return {index: frozenset({BIN_AXIS}), count: frozenset({BIN_AXIS})}
        return {}

    return AxisModel(builtin, call, collective, everything)


def group_axes(layout: Layout, group: int | None) -> Axes:
    """The axes over which all values are equal once a group of this size has agreed on one."""
    if group is None or group >= layout.threads:
        return layout.all_axes
    inner = layout.axes[-1]
    return frozenset({inner.name}) if inner.padded == group else UNIFORM
