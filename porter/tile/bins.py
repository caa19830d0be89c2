"""Histograms: the bins of a program as one tensor."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.assign import comment
from porter.tile.context import Binding, Context
from porter.tile.expressions import condition
from porter.tile.idioms import CountBins, DeclareBins, ForEachBin
from porter.tile.integers import value_of
from porter.tile.layout import Axis, Layout
from porter.tile.masks import MaskStack
from porter.tile.memory import broadcast

LowerBody = Callable[[Context, tuple[kir.Stmt, ...]], None]
BIN_AXIS = "bin"


def lower_declare_bins(ctx: Context, node: DeclareBins) -> None:
    name = ctx.names.fresh(node.bins.name)
    type_ = ir.TileType(kir.INT32, frozenset({BIN_AXIS}))
    ctx.bindings[node.bins] = Binding(name, type_)
    bins = ctx.constexpr("BINS", _bin_count(node.bins))
    zeros = ir.Invoke("tl.zeros", (ir.Text(f"({bins.name},)"), ir.Text("tl.int32")), type_)
    ctx.emit(ir.Let(name, zeros, node.comments))


def _bin_count(bins: kir.Variable) -> int:
    if not isinstance(bins.type, kir.Array):
        raise Declined("TIL056", f"`{bins.name}` is no array of bins", bins.span)
    return bins.type.shape[0]


def lower_count_bins(ctx: Context, node: CountBins) -> None:
    binding = ctx.bindings[node.bins]
    valid = None if node.valid is None else condition(ctx, node.valid)
    index = _flat(ctx, c.convert(value_of(ctx, node.index), kir.INT32))
    mask = ctx.masks.full()
    if valid is not None:
        mask = valid if mask is None else c.logical("&", mask, valid)
    keywords = (("mask", _flat(ctx, mask)),) if mask is not None else ()
    bins = ctx.constexpr("BINS", _bin_count(node.bins))
    counted = ir.Invoke("tl.histogram", (index, bins), binding.type, keywords)
    old = ir.Name(binding.name, binding.type)
    ctx.emit(ir.Let(binding.name, ir.Infix("+", old, counted, binding.type), node.comments))


def _flat(ctx: Context, value: ir.Expr) -> ir.Expr:
    """One element a thread in one dimension."""
    whole = broadcast(ctx, value, ctx.layout.all_axes)
    return whole if len(ctx.layout.axes) == 1 else ir.Invoke("tl.ravel", (whole,), whole.type)


def lower_for_each_bin(ctx: Context, node: ForEachBin, lower_body: LowerBody) -> None:
    """The body for all bins at once: its "threads" are the bins."""
    count = _bin_count(node.bins)
    bins = ctx.constexpr("BINS", count)
    axis = Axis(BIN_AXIS, count, count, bins.name, node.index.name)
    layout = Layout((count, 1, 1), (axis,))
    comment(ctx, node.comments)
    axes = frozenset({BIN_AXIS})
    index = ir.Invoke("tl.arange", (ir.Text("0"), bins), ir.TileType(kir.INT32, axes))
    name = ctx.let(node.index.name, index)
    ctx.bindings[node.index] = Binding(name.name, name.type)
    ctx.bindings[node.count] = ctx.bindings[node.bins]
    inner = dataclasses.replace(ctx, layout=layout, masks=MaskStack(layout, ctx.names.fresh))
    lower_body(inner, node.body)
