"""`threadIdx`, `blockIdx` and their kin as Triton values, named once at the top of the kernel."""

from __future__ import annotations

from porter.cuda import kir
from porter.cuda.warp import WARP_SIZE
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.context import Context
from porter.tile.layout import Axis

_INT = ir.TileType(kir.INT32)
_GRID_AXIS = {"x": 0, "y": 1, "z": 2}


def lower_builtin(ctx: Context, expr: kir.Builtin) -> ir.Expr:
    match expr.name:
        case "threadIdx":
            return thread_index(ctx, expr.axis)
        case "warpIdx":
            return axis_index(ctx, "warp")
        case "laneIdx":
            return axis_index(ctx, "lane")
        case "blockIdx":
            return program_id(ctx, expr.axis)
        case "gridDim":
            number = ir.Text(str(_GRID_AXIS[expr.axis]))
            return ir.Invoke("tl.num_programs", (number,), _INT)
        case "blockDim":
            return block_size(ctx, expr.axis)
        case "warpDim":
            return _warp_count(ctx)
        case "warpSize":
            return ir.Literal(WARP_SIZE, _INT)
    raise Declined("TIL050", f"the builtin `{expr.name}`", expr.span)


def program_id(ctx: Context, dimension: str) -> ir.Name:
    name = "pid" if ctx.grid_dimensions == {"x"} else f"pid_{dimension}"
    number = ir.Text(str(_GRID_AXIS[dimension]))
    return named_once(ctx, name, ir.Invoke("tl.program_id", (number,), _INT))


def named_once(ctx: Context, name: str, value: ir.Expr) -> ir.Name:
    """A value at the top of the kernel; the same name always means the same value."""
    name = ctx.index_names.get(name, name)
    if name not in ctx.prologue:
        ctx.names.taken.add(name)
        ctx.prologue[name] = ir.Let(name, value)
    return ir.Name(name, value.type)


def axis_index(ctx: Context, name: str) -> ir.Expr:
    """The position along an axis: `tl.arange(0, BLOCK)`, `[:, None]` and so on where there are several."""
    if name not in ctx.layout.all_axes:
        return ir.Literal(0, _INT)
    axis = ctx.layout.axis(name)
    return named_once(ctx, axis.index, _arange(ctx, axis))


def _arange(ctx: Context, axis: Axis) -> ir.Expr:
    size = ctx.constexpr(axis.constant, axis.padded)
    type_ = ir.TileType(kir.INT32, frozenset({axis.name}))
    call = ir.Invoke("tl.arange", (ir.Text("0"), size), type_)
    if len(ctx.layout.axes) == 1:
        return call
    marks = [":" if other.name == axis.name else "None" for other in ctx.layout.axes]
    return ir.Suffix(call, f"[{', '.join(marks)}]", type_)


def thread_index(ctx: Context, dimension: str) -> ir.Expr:
    layout = ctx.layout
    if layout.group is None or dimension != "x":
        return axis_index(ctx, dimension)
    lane = axis_index(ctx, "lane")
    if "warp" not in layout.all_axes:
        return lane
    lanes = ctx.constexpr("LANES", layout.group)
    start = ir.Infix("*", axis_index(ctx, "warp"), lanes, ir.TileType(kir.INT32, frozenset({"warp"})))
    return named_once(ctx, "tid", ir.Infix("+", start, lane, ir.TileType(kir.INT32, layout.all_axes)))


def _warp_count(ctx: Context) -> ir.Expr:
    layout = ctx.layout
    if "warp" not in layout.all_axes:
        return ir.Literal(1, _INT)
    warp = layout.axis("warp")
    return (
        ctx.constexpr(warp.constant, warp.padded) if warp.padded == warp.size else ir.Literal(warp.size, _INT)
    )


def block_size(ctx: Context, dimension: str) -> ir.Expr:
    """`blockDim`: the constexpr that holds it where the axis needs no padding, else its value."""
    size = dict(zip("xyz", ctx.layout.block, strict=True))[dimension]
    if ctx.layout.group is not None and dimension == "x":
        return ctx.constexpr("BLOCK", size)
    if dimension in ctx.layout.all_axes and ctx.layout.axis(dimension).padded == size:
        return ctx.constexpr(ctx.layout.axis(dimension).constant, size)
    return ir.Literal(size, _INT)


def block_constant(ctx: Context, value: int) -> ir.Expr | None:
    """The constexpr for a number that is the block's size, in code that strides by whole blocks."""
    layout = ctx.layout
    if layout.group is not None and value == layout.threads:
        return ctx.constexpr("BLOCK", value)
    if len(layout.axes) == 1 and layout.axes[0].padded == value == layout.threads:
        return ctx.constexpr(layout.axes[0].constant, value)
    return None


def linear_thread(ctx: Context) -> ir.Expr:
    """`threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)` as one tensor."""
    x, y, _ = ctx.layout.block
    result = thread_index(ctx, "x")
    for dimension, stride in (("y", x), ("z", x * y)):
        index = thread_index(ctx, dimension)
        if isinstance(index, ir.Literal):
            continue
        scaled = ir.Infix("*", index, ir.Literal(stride, _INT), index.type)
        axes = result.type.axes | index.type.axes
        result = ir.Infix("+", scaled, result, ir.TileType(kir.INT32, axes))
    return result
