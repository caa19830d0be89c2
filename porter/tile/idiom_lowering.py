"""The raised idioms as Triton's own operations."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.assign import assign_variable
from porter.tile.attention_tiles import lower_attend
from porter.tile.bins import lower_count_bins, lower_declare_bins, lower_for_each_bin
from porter.tile.context import Context
from porter.tile.dots import lower_dot
from porter.tile.expressions import condition
from porter.tile.groups import groups_of, lane_in_group
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
from porter.tile.integers import value_of
from porter.tile.masks import MaskStack
from porter.tile.reductions import reduce_value, scan_value

LowerBody = Callable[[Context, tuple[kir.Stmt, ...]], None]


def lower_idiom(ctx: Context, node: kir.Extension, lower_body: LowerBody) -> None:
    match node:
        case GroupReduce():
            _reduce(ctx, node)
        case GroupScan():
            _scan(ctx, node)
        case GroupBroadcast():
            _broadcast(ctx, node)
        case Dot():
            lower_dot(ctx, node)
        case Attend():
            lower_attend(ctx, node)
        case DeclareBins():
            lower_declare_bins(ctx, node)
        case CountBins():
            lower_count_bins(ctx, node)
        case ForEachBin():
            lower_for_each_bin(ctx, node, lower_body)
        case _:
            raise Declined("TIL056", f"the idiom `{type(node).__name__}` has no lowering", node.span)


def _valid(ctx: Context, valid: kir.Expr | None) -> ir.Expr | None:
    return None if valid is None else condition(ctx, valid)


def _reduce(ctx: Context, node: GroupReduce) -> None:
    groups = groups_of(ctx, node.group, node.span)
    value = value_of(ctx, node.value)
    result = reduce_value(ctx, value, str(node.op), node.element, groups, _valid(ctx, node.valid))
    assign_variable(ctx, node.target, result, node.comments)


def _scan(ctx: Context, node: GroupScan) -> None:
    groups = groups_of(ctx, node.group, node.span)
    result = scan_value(
        ctx,
        value_of(ctx, node.value),
        str(node.op),
        node.element,
        groups,
        _valid(ctx, node.valid),
        inclusive=node.inclusive,
    )
    assign_variable(ctx, node.target, result, node.comments)


def _broadcast(ctx: Context, node: GroupBroadcast) -> None:
    """The sum over the group of the one lane's bits: exact for every value, NaN and infinities included."""
    groups = groups_of(ctx, node.group, node.span)
    value = value_of(ctx, node.value)
    if not value.type.axes & groups.lanes:
        assign_variable(ctx, node.target, value, node.comments)
        return
    chosen = c.compare("==", lane_in_group(ctx, groups), c.literal(node.lane, kir.INT32))
    bits = _as_bits(value, node.element)
    picked = c.select(chosen, bits, c.literal(0, bits.type.dtype), bits.type.dtype)
    total = reduce_value(
        dataclasses.replace(ctx, masks=_everyone(ctx)), picked, "+", bits.type.dtype, groups, None
    )
    assign_variable(ctx, node.target, _from_bits(total, node.element), node.comments)


def _everyone(ctx: Context) -> MaskStack:
    """Every thread, active or not. Along several axes what only pads one has the number of a thread too."""
    several = len(ctx.layout.axes) > 1
    padding = [s for s in ctx.masks.scopes if several and all(term.padding for term in s.terms)]
    return dataclasses.replace(ctx.masks, scopes=padding)


def _as_bits(value: ir.Expr, element: kir.Scalar) -> ir.Expr:
    if not c.is_float(element):
        return c.convert(value, kir.INT32) if element.bits < 32 or element == kir.BOOL else value
    same = kir.Scalar("int", element.bits)
    bits = ir.Convert(value, ir.TileType(same, value.type.axes), bitcast=True)
    return c.convert(bits, kir.INT32) if element.bits < 32 else bits


def _from_bits(bits: ir.Expr, element: kir.Scalar) -> ir.Expr:
    if not c.is_float(element):
        return c.convert(bits, element)
    narrow = c.convert(bits, kir.Scalar("int", element.bits))
    return ir.Convert(narrow, ir.TileType(element, bits.type.axes), bitcast=True)
