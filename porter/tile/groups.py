"""Operations over the threads of a block or of groups of consecutive threads (warps).

A group operation runs along the innermost axis where the layout has one of that length; otherwise the
value is reshaped to `[groups, group]` and back. Nothing depends on the wavefront of the GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from porter.core.span import Span
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.builtins import axis_index, linear_thread
from porter.tile.context import Context
from porter.tile.memory import broadcast

_INT = ir.TileType(kir.INT32)

Reducer: TypeAlias = Callable[[ir.Expr, tuple[tuple[str, ir.Expr], ...]], ir.Expr]
"""`reduce(tensor, keywords)` as an expression."""


@dataclass(frozen=True)
class Groups:
    """Where a group's lanes lie: along tensor axis `axis` (None: everything at once).

    `lanes` are the layout axes that an operation over the group consumes; `reshaped` says that values
    have to be brought to `[count, size]` first.
    """

    size: int
    count: int
    axis: int | None
    lanes: ir.Axes
    reshaped: bool = False


def groups_of(ctx: Context, size: int | None, span: Span) -> Groups:
    """The groups of `size` threads; None for the whole block. Raises Declined for unaligned shapes."""
    layout = ctx.layout
    if size is None or size >= layout.threads:
        axis = 0 if len(layout.axes) == 1 else None
        return Groups(layout.threads, 1, axis, layout.all_axes)
    inner = layout.axes[-1]
    if inner.padded == size:
        return Groups(size, layout.threads // size, len(layout.axes) - 1, frozenset({inner.name}))
    padded = 1
    for axis_ in layout.axes:
        padded *= axis_.padded
    if any(axis_.padded != axis_.size for axis_ in layout.axes[1:]) or padded % size:
        raise Declined("TIL056", f"groups of {size} threads in a block of {layout.block}", span)
    return Groups(size, padded // size, 1, layout.all_axes, reshaped=True)


def to_groups(ctx: Context, value: ir.Expr, groups: Groups) -> ir.Expr:
    """The value with one element a thread, shaped so that the group lies along `groups.axis`."""
    whole = broadcast(ctx, strong(value), value.type.axes | needed_axes(ctx, groups))
    if not groups.reshaped:
        return whole
    whole = broadcast(ctx, whole, ctx.layout.all_axes)
    shape = ir.Text(f"({groups.count}, {groups.size})")
    return ir.Invoke("tl.reshape", (whole, shape), whole.type)


def needed_axes(ctx: Context, groups: Groups) -> ir.Axes:
    return ctx.layout.all_axes if groups.reshaped or groups.axis is None else groups.lanes


def strong(value: ir.Expr) -> ir.Expr:
    return ir.Convert(value, value.type) if ir.is_weak(value) else value


def reduce_groups(
    ctx: Context,
    value: ir.Expr,
    groups: Groups,
    reduce: Reducer,
) -> ir.Expr:
    """`reduce(tensor, keywords)` over each group; the result is the same in all lanes of the group."""
    tensor = to_groups(ctx, value, groups)
    left = tensor.type.axes - groups.lanes
    if groups.reshaped:
        kept = reduce(tensor, _keeping(1))
        full = ir.Text(f"({groups.count}, {groups.size})")
        spread = ir.Invoke("tl.broadcast_to", (kept, full), tensor.type)
        return _restored(ctx, spread, kept.type.dtype)
    if left:
        assert groups.axis is not None
        return _typed(reduce(tensor, _keeping(groups.axis)), left)
    keywords = (("axis", ir.Text(str(groups.axis))),) if len(ctx.layout.axes) == 1 else ()
    return _typed(reduce(tensor, keywords), ir.UNIFORM)


def _keeping(axis: int) -> tuple[tuple[str, ir.Expr], ...]:
    return (("axis", ir.Text(str(axis))), ("keep_dims", ir.Text("True")))


def _typed(expr: ir.Expr, axes: ir.Axes) -> ir.Expr:
    assert isinstance(expr, ir.Invoke)
    return ir.Invoke(expr.function, expr.arguments, ir.TileType(expr.type.dtype, axes), expr.keywords)


def _restored(ctx: Context, tensor: ir.Expr, dtype: kir.Scalar) -> ir.Expr:
    """From `[groups, group]` back to the layout's own shape."""
    axes = ctx.layout.all_axes
    return ir.Invoke("tl.reshape", (tensor, ctx.shape(axes)), ir.TileType(dtype, axes))


def along_groups(
    ctx: Context, value: ir.Expr, groups: Groups, operate: Callable[[ir.Expr, int], ir.Expr]
) -> ir.Expr:
    """`operate(tensor, axis)` that keeps the shape: scans and gathers."""
    if groups.axis is None:
        flat = broadcast(ctx, strong(value), ctx.layout.all_axes)
        shape = ir.Text(f"({_padded(ctx)},)")
        tensor: ir.Expr = ir.Invoke("tl.reshape", (flat, shape), flat.type)
        return _restored(ctx, operate(tensor, 0), flat.type.dtype)
    result = operate(to_groups(ctx, value, groups), groups.axis)
    return _restored(ctx, result, result.type.dtype) if groups.reshaped else result


def _padded(ctx: Context) -> int:
    size = 1
    for axis in ctx.layout.axes:
        size *= axis.padded
    return size


def lane_in_group(ctx: Context, groups: Groups) -> ir.Expr:
    """Each thread's number in its group."""
    if len(groups.lanes) == 1 and not groups.reshaped and len(ctx.layout.axes) > 1:
        return axis_index(ctx, next(iter(groups.lanes)))
    index = linear_thread(ctx)
    if groups.size >= ctx.layout.threads:
        return index
    return c.binary("&", index, c.literal(groups.size - 1, kir.INT32), kir.INT32)


def active_value(ctx: Context, value: ir.Expr, neutral: ir.Expr, extra: ir.Expr | None = None) -> ir.Expr:
    """The value where the thread is active (and `extra` holds), the neutral element elsewhere."""
    mask = ctx.masks.full()
    if extra is not None:
        mask = extra if mask is None else c.logical("&", mask, extra)
    return value if mask is None else c.select(mask, value, neutral, value.type.dtype)
