"""Counted loops as `for … in range`: where threads start or end apart, over the longest way, masked."""

from __future__ import annotations

from porter.analysis.expressions import without_index_casts
from porter.analysis.ranges import Interval
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.builtins import block_constant
from porter.tile.context import Binding, Context
from porter.tile.counted import Counted, as_counted, counter_dtype, split_uniform
from porter.tile.expressions import lower
from porter.tile.integers import as_type
from porter.tile.masks import Term
from porter.tile.python_numbers import MOST_ROUNDS
from porter.tile.terms_of import thread_axes
from porter.tile.while_loops import LowerBody, general_for, loop_depth


def lower_for(ctx: Context, loop: kir.For, lower_body: LowerBody) -> None:
    counted = as_counted(ctx, loop)
    if counted is None:
        general_for(ctx, loop, lower_body)
    elif not ctx.axes(loop.condition):
        _uniform_range(ctx, loop, counted, lower_body)
    elif not counted.downward:
        _strided_range(ctx, loop, counted, lower_body)
    else:
        general_for(ctx, loop, lower_body)


def _uniform_range(ctx: Context, loop: kir.For, counted: Counted, lower_body: LowerBody) -> None:
    dtype = counter_dtype(counted.variable)
    name = ctx.names.fresh(counted.variable.name)
    start = as_type(ctx, counted.first, dtype)
    stop = _bound(ctx, counted, 1 if not counted.downward else -1)
    step = _forward(ctx, counted, dtype)
    if counted.downward:
        step = (
            c.literal(-int(step.value), dtype)
            if isinstance(step, ir.Literal)
            else ir.Prefix("-", step, step.type)
        )
    ctx.bindings[counted.variable] = Binding(name, ir.TileType(dtype), weak=True)
    _note_range(ctx, counted)
    _note_number(ctx, name, start, stop, step)
    with ctx.nested() as body, loop_depth(ctx):
        lower_body(ctx, loop.body)
    ctx.release(body)
    ctx.free(name)
    ctx.emit(ir.ForRange(name, start, stop, step, tuple(body), loop.comments))


def _bound(ctx: Context, counted: Counted, direction: int) -> ir.Expr:
    """The exclusive bound of the range."""
    bound = lower(ctx, counted.bound)
    if not counted.inclusive:
        return bound
    if isinstance(bound, ir.Literal):
        return c.literal(int(bound.value) + direction, bound.type.dtype)
    op = "+" if direction > 0 else "-"
    return ir.Infix(op, bound, c.literal(1, bound.type.dtype), bound.type)


def _note_range(ctx: Context, counted: Counted) -> None:
    first, bound = ctx.ranges.of(counted.first), ctx.ranges.of(counted.bound)
    edge = 0 if counted.inclusive else 1
    if counted.downward:
        ctx.ranges.known[counted.variable] = Interval(min(bound.low + edge, first.low), first.high)
    else:
        high = max(bound.high - edge, first.low)
        ctx.ranges.known[counted.variable] = Interval(first.low, high)


def _note_number(ctx: Context, name: str, start: ir.Expr, stop: ir.Expr, step: ir.Expr) -> None:
    """The range of the counter, which is a Python number where the loop is unrolled or interpreted."""
    match start, stop, step:
        case ir.Literal(first), ir.Literal(end), ir.Literal(by) if by:
            rounds = range(int(first), int(end), int(by)) or (int(first),)
            ctx.numbers[name] = Interval(min(rounds[0], rounds[-1]), max(rounds[0], rounds[-1]))
        case _:
            ctx.numbers[name] = Interval(-MOST_ROUNDS, MOST_ROUNDS)


def _strided_range(ctx: Context, loop: kir.For, counted: Counted, lower_body: LowerBody) -> None:
    """Threads start at different places or end at different places, but step together.

    `for start in range(common start, end, step): i = start + own offset; mask = i < end`. Where the
    starts have no common non-negative offset or the ends differ, the range covers the longest way.
    """
    common, own = split_uniform(ctx, counted.first)
    plain = own is not None and ctx.ranges.of(own).low >= 0 and not ctx.axes(counted.bound)
    if own is None or plain:
        _from_common_start(ctx, loop, counted, common, own, lower_body)
    else:
        _from_own_start(ctx, loop, counted, lower_body)


def _from_common_start(
    ctx: Context,
    loop: kir.For,
    counted: Counted,
    common: kir.Expr | None,
    own: kir.Expr | None,
    lower_body: LowerBody,
) -> None:
    dtype = counter_dtype(counted.variable)
    start = c.literal(0, dtype) if common is None else as_type(ctx, common, dtype)
    bound = _bound(ctx, counted, 1)
    stop = _longest(ctx, bound)
    offset = as_type(ctx, own, dtype) if own is not None else None
    step = _stride(ctx, counted, dtype)
    name = ctx.names.fresh("start" if own is not None else counted.variable.name)
    counter = ir.Name(name, ir.TileType(dtype), weak=True)
    _note_number(ctx, name, start, stop, step)
    with ctx.nested() as body, loop_depth(ctx):
        index: ir.Name = counter
        if offset is not None:
            axes = offset.type.axes
            index = ctx.let(counted.variable.name, ir.Infix("+", counter, offset, ir.TileType(dtype, axes)))
        # The thread with offset 0 is in the range whenever the loop gets there.
        first_thread = own is not None and ctx.ranges.of(own).low == 0 and bool(thread_axes(ctx, own))
        _masked_iteration(ctx, loop, counted, index, bound, lower_body, nonempty=first_thread)
    ctx.release(body)
    ctx.free(name)
    ctx.emit(ir.ForRange(name, start, stop, step, tuple(body), loop.comments))


def _stride(ctx: Context, counted: Counted, dtype: kir.Scalar) -> ir.Expr:
    step = _forward(ctx, counted, dtype)
    known = block_constant(ctx, int(step.value)) if isinstance(step, ir.Literal) else None
    return known or step


def _forward(ctx: Context, counted: Counted, dtype: kir.Scalar) -> ir.Expr:
    """The step of the range, at least 1: C's loop does not begin, or does not end, with another one."""
    step = as_type(ctx, counted.step, dtype)
    if isinstance(step, ir.Literal) or ctx.ranges.of(counted.step).low >= 1 or _is_size(ctx, counted.step):
        return step
    one = c.literal(1, dtype)
    return ir.Invoke("tl.maximum", (step, one), ir.TileType(dtype, step.type.axes))


def _is_size(ctx: Context, step: kir.Expr) -> bool:
    """Whether it is made of the sizes of blocks and grids, which are at least 1."""
    match without_index_casts(step):
        case kir.Const(value=value):
            return value > 0
        case kir.Builtin(name="blockDim" | "gridDim" | "warpDim" | "warpSize"):
            return True
        case kir.Binary(op="*" | "+", left=left, right=right):
            return _is_size(ctx, left) and _is_size(ctx, right)
        case kir.VarRef(variable=variable) if variable in ctx.ranges.definitions:
            return _is_size(ctx, ctx.ranges.definitions[variable])
    return False


def _longest(ctx: Context, bound: ir.Expr) -> ir.Expr:
    """The largest bound of the active threads."""
    if not bound.type.axes:
        return bound
    mask = ctx.masks.full()
    if mask is not None:
        bound = c.select(mask, bound, c.literal(0, bound.type.dtype), bound.type.dtype)
    return ctx.let("longest", _max_of(ctx, bound))


def _max_of(ctx: Context, value: ir.Expr) -> ir.Expr:
    keywords = (("axis", ir.Text("0")),) if len(ctx.layout.axes) == 1 else ()
    return ir.Invoke("tl.max", (value,), ir.TileType(value.type.dtype), keywords)


def _from_own_start(ctx: Context, loop: kir.For, counted: Counted, lower_body: LowerBody) -> None:
    dtype = counter_dtype(counted.variable)
    first = _steady(ctx, as_type(ctx, counted.first, dtype), "first")
    bound = _steady(ctx, _bound(ctx, counted, 1), "end")
    axes = first.type.axes | bound.type.axes
    length = ir.Infix("-", bound, first, ir.TileType(dtype, axes))
    longest = _longest(ctx, length)
    step = _forward(ctx, counted, dtype)
    name = ctx.names.fresh("offset")
    counter = ir.Name(name, ir.TileType(dtype), weak=True)
    _note_number(ctx, name, c.literal(0, dtype), longest, step)
    with ctx.nested() as body, loop_depth(ctx):
        index = ctx.let(counted.variable.name, ir.Infix("+", first, counter, ir.TileType(dtype, axes)))
        _masked_iteration(ctx, loop, counted, index, bound, lower_body)
    ctx.release(body)
    ctx.free(name)
    ctx.emit(ir.ForRange(name, c.literal(0, dtype), longest, step, tuple(body), loop.comments))


def _steady(ctx: Context, value: ir.Expr, name: str) -> ir.Expr:
    return value if isinstance(value, (ir.Name, ir.Literal)) else ctx.let(name, value)


def _masked_iteration(
    ctx: Context,
    loop: kir.For,
    counted: Counted,
    index: ir.Name,
    bound: ir.Expr,
    lower_body: LowerBody,
    *,
    nonempty: bool = False,
) -> None:
    ctx.bindings[counted.variable] = Binding(index.name, index.type, index.weak)
    ctx.depth[counted.variable] = ctx.masks.depth
    _note_range(ctx, counted)
    inside = ctx.same("mask", c.compare("<", index, bound))
    ctx.masks.push((Term(inside, nonempty=nonempty),), ctx.block)
    lower_body(ctx, loop.body)
    ctx.masks.pop()
