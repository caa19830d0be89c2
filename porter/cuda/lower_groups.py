"""Cooperative groups as warp and block operations: the group's type says its kind and width."""

from __future__ import annotations

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.span import Span
from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor
from porter.cuda.kir import (
    BOOL,
    INT32,
    UINT32,
    UINT64,
    Barrier,
    Builtin,
    Call,
    Const,
    Expr,
    MakeVector,
    Type,
    Vector,
    Void,
)
from porter.cuda.lower_context import Decline, Lowering
from porter.cuda.lower_group_reduce import reduce
from porter.cuda.lower_intrinsics import shuffle, temporary_name
from porter.cuda.lower_types import group_of
from porter.cuda.warp import FULL_MASK, WARP_SIZE

_SHUFFLES = {
    "shfl": "__shfl_sync",
    "shfl_up": "__shfl_up_sync",
    "shfl_down": "__shfl_down_sync",
    "shfl_xor": "__shfl_xor_sync",
}
_BLOCK_VECTORS = {
    "group_index": "blockIdx",
    "thread_index": "threadIdx",
    "group_dim": "blockDim",
    "dim_threads": "blockDim",
}


# --- positions ---


def _axis(name: str, axis: str, span: Span) -> Expr:
    return Builtin(name, axis, UINT32, span)


def _u32(op: str, left: Expr, right: Expr, span: Span) -> Expr:
    return build.binary(op, left, right, UINT32, span)


def linear_thread(ctx: Lowering, span: Span) -> Expr:
    """The thread's rank in its block: `threadIdx.x` where every launch is one-dimensional."""
    rank = _axis("threadIdx", "x", span)
    if ctx.program.block_is_1d:
        return rank
    rows = _u32("+", _u32("*", _axis("threadIdx", "z", span), _axis("blockDim", "y", span), span),
                _axis("threadIdx", "y", span), span)  # fmt: skip
    return _u32("+", _u32("*", rows, _axis("blockDim", "x", span), span), rank, span)


def linear_size(ctx: Lowering, name: str, span: Span) -> Expr:
    size = _axis(name, "x", span)
    if name == "blockDim" and ctx.program.block_is_1d:
        return size
    return _u32("*", _u32("*", size, _axis(name, "y", span), span), _axis(name, "z", span), span)


def _width(ctx: Lowering, group: Cursor, at: Cursor) -> int:
    found = group_of(group.type)
    if found is None or found[1] is None:
        raise ctx.decline("TIL020", "the size of this group is not known at compile time", at)
    if found[1] > ctx.program.largest_tile:
        raise ctx.decline("TIL020", f"a tile of {found[1]} threads spans several warps", at)
    return found[1]


# --- methods ---


def group_method(
    ctx: Lowering, callee: Cursor, group: Cursor | None, arguments: list[Cursor], cursor: Cursor
) -> Expr:
    if group is None:
        raise ctx.decline("TIL020", "this group is not known", cursor)
    found = group_of(group.type)
    kind = found[0] if found else ""
    name = callee.spelling
    if kind == "thread_block":
        return _block_method(ctx, name, cursor)
    if kind == "grid_group":
        return _grid_method(ctx, name, cursor)
    if kind == "thread_block_tile":
        return _tile_method(ctx, name, _width(ctx, group, cursor), arguments, cursor)
    raise ctx.decline("TIL020", f"`{kind}` is only known when the kernel runs", cursor)


def _block_method(ctx: Lowering, name: str, cursor: Cursor) -> Expr:
    span = ctx.span(cursor)
    if name == "sync":
        return _barrier(ctx, "block", span)
    if name == "thread_rank":
        return linear_thread(ctx, span)
    if name in ("size", "num_threads"):
        return linear_size(ctx, "blockDim", span)
    if name in _BLOCK_VECTORS:
        axes = tuple(_axis(_BLOCK_VECTORS[name], axis, span) for axis in "xyz")
        return MakeVector(axes, Vector(UINT32, 3), span)
    raise ctx.decline("TIL020", f"`thread_block::{name}` is not supported", cursor)


def _grid_method(ctx: Lowering, name: str, cursor: Cursor) -> Expr:
    span = ctx.span(cursor)
    if name == "sync":
        raise ctx.decline("TIL020", "a barrier across the grid", cursor, "split the kernel at the barrier")
    threads = linear_size(ctx, "blockDim", span)
    if name == "thread_rank":
        block = _block_rank(span)
        wide = [build.cast(e, UINT64) for e in (block, threads, linear_thread(ctx, span))]
        product = build.binary("*", wide[0], wide[1], UINT64, span)
        return build.cast(build.binary("+", product, wide[2], UINT64, span), UINT32)
    if name in ("size", "num_threads"):
        return _u32("*", linear_size(ctx, "gridDim", span), threads, span)
    if name == "block_rank":
        return _block_rank(span)
    if name == "num_blocks":
        return linear_size(ctx, "gridDim", span)
    raise ctx.decline("TIL020", f"`grid_group::{name}` is not supported", cursor)


def _block_rank(span: Span) -> Expr:
    planes = _u32("*", _axis("blockIdx", "z", span), _axis("gridDim", "y", span), span)
    rows = _u32("+", planes, _axis("blockIdx", "y", span), span)
    return _u32("+", _u32("*", rows, _axis("gridDim", "x", span), span), _axis("blockIdx", "x", span), span)


def _tile_method(ctx: Lowering, name: str, width: int, arguments: list[Cursor], cursor: Cursor) -> Expr:
    span = ctx.span(cursor)
    if name == "sync":
        return _barrier(ctx, "warp", span)
    if name in ("size", "num_threads"):
        return build.int_constant(width, span, UINT32)
    size = build.int_constant(width, span, UINT32)
    if name == "thread_rank":
        return _u32("%", linear_thread(ctx, span), size, span)
    if name == "meta_group_rank":
        return _u32("/", linear_thread(ctx, span), size, span)
    if name == "meta_group_size":
        return _u32("/", linear_size(ctx, "blockDim", span), size, span)
    values = [ctx.value(a) for a in arguments]
    if name in _SHUFFLES:
        type_ = ctx.type_of(cursor.type, cursor)
        return tile_shuffle(ctx, _SHUFFLES[name], values, width, type_, span)
    if name in ("any", "all", "ballot"):
        return _vote(ctx, name, build.cast(values[0], BOOL), width, span)
    raise ctx.decline("TIL020", f"`thread_block_tile::{name}` is not supported", cursor)


def _barrier(ctx: Lowering, scope: str, span: Span) -> Expr:
    ctx.emit(Barrier(scope, span))
    return Const(0, Void(), span)


def tile_shuffle(ctx: Lowering, name: str, values: list[Expr], width: int, type_: Type, span: Span) -> Expr:
    mask = build.int_constant(FULL_MASK, span, UINT32)
    lane_type = UINT32 if name in ("__shfl_up_sync", "__shfl_down_sync") else INT32
    lane = build.cast(values[1], lane_type)
    return shuffle(ctx, name, [mask, values[0], lane, build.int_constant(width, span)], type_, span)


def _vote(ctx: Lowering, name: str, predicate: Expr, width: int, span: Span) -> Expr:
    """On a full warp a vote is CUDA's own; on a smaller tile it is the tile's part of the ballot."""
    if width > WARP_SIZE:
        raise Decline(Diagnostic("TIL020", Severity.ERROR, f"a vote of a tile of {width} threads", span))
    full = build.int_constant(FULL_MASK, span, UINT32)
    vote = build.cast(predicate, INT32)
    if width == WARP_SIZE:
        call_name = f"__{name}_sync"
        type_ = UINT32 if name == "ballot" else INT32
        return ctx.effect_call(Call(call_name, (full, vote), type_, span), temporary_name(call_name))
    whole = ctx.effect_call(Call("__ballot_sync", (full, vote), UINT32, span), "ballot")
    lane = _u32("%", linear_thread(ctx, span), build.int_constant(WARP_SIZE, span, UINT32), span)
    first = _u32("&", lane, build.int_constant(FULL_MASK ^ (width - 1), span, UINT32), span)
    all_of_tile = build.int_constant((1 << width) - 1, span, UINT32)
    part = _u32("&", _u32(">>", whole, first, span), all_of_tile, span)
    if name == "ballot":
        return part
    wanted = build.int_constant(0, span, UINT32) if name == "any" else all_of_tile
    return build.cast(build.compare("!=" if name == "any" else "==", part, wanted, span), INT32)


# --- free functions ---


def group_function(ctx: Lowering, callee: Cursor, arguments: list[Cursor], cursor: Cursor) -> Expr:
    name, span = callee.spelling, ctx.span(cursor)
    if name in ("this_thread_block", "this_grid", "tiled_partition"):
        return Const(0, Void(), span)
    if name == "sync":
        found = group_of(arguments[0].type)
        return group_method_sync(ctx, found[0] if found else "", cursor)
    if name == "reduce":
        width = _width(ctx, arguments[0], cursor)
        return reduce(ctx, ctx.value(arguments[1]), arguments[2], width, cursor)
    raise ctx.decline("TIL020", f"`cooperative_groups::{name}` is not supported", cursor)


def group_method_sync(ctx: Lowering, kind: str, cursor: Cursor) -> Expr:
    if kind == "thread_block":
        return _barrier(ctx, "block", ctx.span(cursor))
    if kind == "thread_block_tile":
        return _barrier(ctx, "warp", ctx.span(cursor))
    return _grid_method(ctx, "sync", cursor)
