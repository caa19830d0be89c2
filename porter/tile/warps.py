"""Warp shuffles and votes, and block votes, as gathers and reductions over groups of 32 threads.

What a shuffle reads from an inactive lane is undefined in CUDA; here it is whatever that lane holds.
"""

from __future__ import annotations

from porter.analysis.walk import definitions
from porter.core.span import Span
from porter.cuda import kir
from porter.cuda.warp import WARP_SIZE
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.context import Context
from porter.tile.expressions import condition
from porter.tile.groups import (
    Groups,
    Reducer,
    active_value,
    along_groups,
    groups_of,
    lane_in_group,
    reduce_groups,
    strong,
    to_groups,
)
from porter.tile.integers import settled, value_of
from porter.tile.memory import broadcast

SHUFFLES = frozenset({"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"})
VOTES = frozenset(
    {
        "__ballot_sync", "__any_sync", "__all_sync", "__activemask", "__reduce_add_sync", "__reduce_min_sync",
        "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync",
    }
)  # fmt: skip
BLOCK_VOTES = frozenset({"__syncthreads_and", "__syncthreads_or", "__syncthreads_count"})
COLLECTIVES = SHUFFLES | VOTES | BLOCK_VOTES


def warp_of(ctx: Context, span: Span) -> Groups:
    """The warps of the block; a short block is one warp padded to 32 lanes by the layout."""
    return groups_of(ctx, min(WARP_SIZE, ctx.layout.padded_threads), span)


# --- shuffles --------------------------------------------------------------------------------------


def lower_shuffle(ctx: Context, call: kir.Call) -> ir.Expr:
    _, value, lane, width = call.arguments
    dtype = call.type
    if not isinstance(dtype, kir.Scalar):
        raise Declined("TIL051", f"`{call.name}` of a `{call.type}`", call.span)
    warp = warp_of(ctx, call.span)
    own = lane_in_group(ctx, warp)
    wanted = _low_bits(ctx, lane)
    if isinstance(width, kir.Const):
        source = _source_lane(call.name, own, wanted, int(width.value))
    else:
        source = _lane_of_segment(call.name, own, wanted, c.convert(value_of(ctx, width), kir.INT32))
    carried = _carried(value_of(ctx, value), dtype)
    index = ctx.same("source", broadcast(ctx, source, source.type.axes | warp.lanes))
    result = _gather(ctx, carried, index, warp)
    return c.convert(result, dtype)


def _low_bits(ctx: Context, lane: kir.Expr) -> ir.Expr:
    """The five bits of the lane or the distance that the hardware looks at (PTX ISA, shfl.sync: b[4:0])."""
    wanted = c.convert(value_of(ctx, lane), kir.INT32)
    if ctx.ranges.of(lane).within(0, WARP_SIZE - 1):
        return wanted
    return c.binary("&", wanted, _int(WARP_SIZE - 1), kir.INT32)


def _carried(value: ir.Expr, dtype: kir.Scalar) -> ir.Expr:
    """`tl.gather` moves any number; a condition travels as one."""
    return c.convert(value, kir.INT32) if dtype == kir.BOOL else strong(value)


def _gather(ctx: Context, value: ir.Expr, index: ir.Expr, warp: Groups) -> ir.Expr:
    axes = value.type.axes | index.type.axes | warp.lanes
    value, index = broadcast(ctx, value, axes), broadcast(ctx, index, axes)

    def operate(tensor: ir.Expr, axis: int) -> ir.Expr:
        lanes = to_groups(ctx, index, warp)
        return ir.Invoke("tl.gather", (tensor, lanes, ir.Text(str(axis))), tensor.type)

    return along_groups(ctx, value, warp, operate)


def _source_lane(name: str, own: ir.Expr, lane: ir.Expr, width: int) -> ir.Expr:
    """The lane of the warp that a thread reads: CUDA's rules for each shuffle and width."""
    match name:
        case "__shfl_sync":
            if width == WARP_SIZE:
                return lane
            return _or(_segment(own, width), c.binary("&", lane, _int(width - 1), kir.INT32))
        case "__shfl_xor_sync":
            target = c.binary("^", own, lane, kir.INT32)
            if width == WARP_SIZE:
                return target
            # Past its own segment a lane reads itself; below it the value is allowed.
            beyond = c.compare(">=", target, _plus(_segment(own, width), _int(width)))
            return c.select(beyond, own, target, kir.INT32)
        case "__shfl_up_sync":
            target = c.binary("-", own, lane, kir.INT32)
            return c.select(c.compare("<", target, _segment(own, width)), own, target, kir.INT32)
        case _:
            target = _plus(own, lane)
            end = _int(WARP_SIZE) if width == WARP_SIZE else _plus(_segment(own, width), _int(width))
            return c.select(c.compare(">=", target, end), own, target, kir.INT32)


def _lane_of_segment(name: str, own: ir.Expr, lane: ir.Expr, width: ir.Expr) -> ir.Expr:
    """The same for a width that is a value, a power of two as CUDA requires."""
    below = c.binary("-", width, _int(1), kir.INT32)
    segment = c.binary("&", own, c.binary("-", _int(0), width, kir.INT32), kir.INT32)
    if name == "__shfl_sync":
        return _or(segment, c.binary("&", lane, below, kir.INT32))
    if name == "__shfl_up_sync":
        target = c.binary("-", own, lane, kir.INT32)
        return c.select(c.compare("<", target, segment), own, target, kir.INT32)
    op = "^" if name == "__shfl_xor_sync" else "+"
    target = c.binary(op, own, lane, kir.INT32)
    return c.select(c.compare(">=", target, _plus(segment, width)), own, target, kir.INT32)


def _int(value: int) -> ir.Expr:
    return c.literal(value, kir.INT32)


def _plus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return c.binary("+", left, right, kir.INT32)


def _or(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return c.binary("|", left, right, kir.INT32)


def _segment(own: ir.Expr, width: int) -> ir.Expr:
    """The first lane of the segment."""
    return _int(0) if width == WARP_SIZE else c.binary("&", own, _int(WARP_SIZE - width), kir.INT32)


# --- votes -----------------------------------------------------------------------------------------


def lower_vote(ctx: Context, call: kir.Call) -> ir.Expr:
    warp = warp_of(ctx, call.span)
    name = call.name.removesuffix("_sync").strip("_")
    if name == "activemask":
        return _ballot(ctx, c.literal(True, kir.BOOL), warp)
    if name in ("ballot", "any", "all") and not _is_of_whole_warp(ctx, call.arguments[0]):
        return _masked_vote(ctx, call, name, warp)
    if name == "ballot":
        return _ballot(ctx, condition(ctx, call.arguments[1]), warp)
    if name in ("any", "all"):
        vote = _vote(ctx, condition(ctx, call.arguments[1]), warp, every=name == "all")
        return c.convert(vote, call.type) if isinstance(call.type, kir.Scalar) else vote
    if not _is_of_whole_warp(ctx, call.arguments[0]):
        hint = "loop over the lanes of the mask, or give every lane of the warp the same mask"
        raise Declined("TIL052", f"`{call.name}` of lanes with different masks", call.span, hint)
    return _warp_reduce(ctx, call, name.removeprefix("reduce_"), warp)


def _is_of_whole_warp(ctx: Context, mask: kir.Expr) -> bool:
    """Whether all lanes that are here have one mask: it then has to name every one of them."""
    while isinstance(mask, kir.Cast):
        mask = mask.operand
    defined = definitions(ctx.kernel.body)
    for _ in range(_LONGEST_CHAIN):
        if isinstance(mask, (kir.VarRef, kir.Cast)):
            inner = mask.operand if isinstance(mask, kir.Cast) else defined.get(mask.variable)
            if inner is None:
                return not ctx.axes(mask)
            mask = inner
    same_in_warp = isinstance(mask, kir.Call) and mask.name in ("__ballot_sync", "__activemask")
    return isinstance(mask, kir.Const) or same_in_warp or not ctx.axes(mask)


_LONGEST_CHAIN = 8


def _masked_vote(ctx: Context, call: kir.Call, name: str, warp: Groups) -> ir.Expr:
    """A vote among the lanes of a mask of its own for each lane: the ballot's bits under that mask."""
    mask = c.convert(value_of(ctx, call.arguments[0]), kir.UINT32)
    holds = condition(ctx, call.arguments[1])
    votes = _ballot(ctx, c.negate(holds) if name == "all" else holds, warp)
    among = c.binary("&", votes, mask, kir.UINT32)
    if name == "ballot":
        return settled(ctx, among)
    vote = c.compare("==" if name == "all" else "!=", among, c.literal(0, kir.UINT32))
    return c.convert(vote, call.type) if isinstance(call.type, kir.Scalar) else vote


def _ballot(ctx: Context, holds: ir.Expr, warp: Groups) -> ir.Expr:
    """One bit a lane: the sum of distinct powers of two is their union."""
    lane = lane_in_group(ctx, warp)
    one = ir.Convert(_int(1), ir.TileType(kir.UINT32))
    bit = ir.Infix("<<", one, lane, ir.TileType(kir.UINT32, lane.type.axes))
    mask = ctx.masks.full()
    if not isinstance(holds, ir.Literal):
        mask = holds if mask is None else c.logical("&", mask, holds)
    bits = bit if mask is None else c.select(mask, bit, _int(0), kir.UINT32)
    return settled(ctx, reduce_groups(ctx, bits, warp, _reducer("tl.sum", kir.UINT32)))


def _vote(ctx: Context, holds: ir.Expr, groups: Groups, *, every: bool) -> ir.Expr:
    number = c.convert(holds, kir.INT32)
    counted = active_value(ctx, number, _int(1 if every else 0))
    function = "tl.min" if every else "tl.max"
    result = reduce_groups(ctx, counted, groups, _reducer(function, kir.INT32))
    return ir.Infix(">", result, _int(0), ir.TileType(kir.BOOL, result.type.axes))


def _reducer(function: str, dtype: kir.Scalar) -> Reducer:
    def reduce(tensor: ir.Expr, keywords: tuple[tuple[str, ir.Expr], ...]) -> ir.Expr:
        return ir.Invoke(function, (tensor,), ir.TileType(dtype, tensor.type.axes), keywords)

    return reduce


def _warp_reduce(ctx: Context, call: kir.Call, name: str, warp: Groups) -> ir.Expr:
    from porter.tile.reductions import reduce_value

    dtype = call.type
    if not isinstance(dtype, kir.Scalar):
        raise Declined("TIL051", f"`{call.name}` of a `{call.type}`", call.span)
    op = {"add": "+", "min": "min", "max": "max", "and": "&", "or": "|", "xor": "^"}[name]
    return reduce_value(ctx, value_of(ctx, call.arguments[1]), op, dtype, warp, None)


def lower_block_vote(ctx: Context, call: kir.Call) -> ir.Expr:
    """`__syncthreads_or` and its kin: the barrier itself orders memory only."""
    holds = condition(ctx, call.arguments[0])
    block = groups_of(ctx, None, call.span)
    if ctx.shares_memory:
        ctx.emit(ir.Do(ir.Invoke("tl.debug_barrier", (), ir.TileType(kir.INT32))))
    if call.name != "__syncthreads_count":
        vote = _vote(ctx, holds, block, every=call.name.endswith("and"))
        return c.convert(vote, kir.INT32)
    counted = active_value(ctx, c.convert(holds, kir.INT32), _int(0))
    return reduce_groups(ctx, counted, block, _reducer("tl.sum", kir.INT32))
