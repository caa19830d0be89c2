"""`__match_any_sync`: for each lane the lanes of its warp that hold the same value."""

from __future__ import annotations

from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.context import Context
from porter.tile.groups import along_groups, strong, to_groups
from porter.tile.integers import settled, value_of
from porter.tile.memory import broadcast
from porter.tile.warps import warp_of


def lower_match(ctx: Context, call: kir.Call) -> ir.Expr:
    """Compares every lane with every other one; of the lanes of the mask those that are active take part."""
    dtype = call.arguments[1].type
    if not isinstance(dtype, kir.Scalar):
        raise Declined("TIL051", f"`{call.name}` of a `{dtype}`", call.span)
    warp = warp_of(ctx, call.span)
    value = strong(value_of(ctx, call.arguments[1]))
    if c.is_float(dtype):  # bits are compared: -0.0 is not 0.0
        value = ir.Convert(value, ir.TileType(kir.Scalar("int", dtype.bits), value.type.axes), bitcast=True)
    active = ctx.masks.full() or c.literal(True, kir.BOOL)
    axes = value.type.axes | active.type.axes | warp.lanes
    value, active = broadcast(ctx, value, axes), broadcast(ctx, strong(active), axes)
    ctx.functions.add("match_any")

    def operate(tensor: ir.Expr, _axis: int) -> ir.Expr:
        lanes = ir.Text(str(warp.size if warp.reshaped else _padded_lanes(ctx, warp.size)))
        result = ir.TileType(kir.UINT32, tensor.type.axes)
        return ir.Invoke("_match_any", (tensor, to_groups(ctx, active, warp), lanes), result)

    return settled(ctx, along_groups(ctx, value, warp, operate))


def _padded_lanes(ctx: Context, size: int) -> int:
    """Of a block that is one short warp all its padded threads."""
    return ctx.layout.padded_threads if size >= ctx.layout.threads else size
