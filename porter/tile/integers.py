"""Values in the width and sign of their C type, kept signed and narrow where that is provably the same."""

from __future__ import annotations

from porter.analysis.ranges import Interval, is_integer
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.builtins import block_constant
from porter.tile.context import Context
from porter.tile.python_numbers import wrapping

_MODULAR = frozenset({"+", "-", "*", "&", "|", "^"})


def as_type(ctx: Context, expr: kir.Expr, dtype: kir.Scalar) -> ir.Expr:
    """The value in `dtype`. Wrapping operations are done in `dtype` itself when that is as exact."""
    if isinstance(expr, kir.Cast) and is_integer(expr.type) and is_integer(expr.operand.type):
        inner, outer = expr.operand.type, expr.type
        assert isinstance(inner, kir.Scalar)
        assert isinstance(outer, kir.Scalar)
        if outer.bits == dtype.bits and outer.kind != "bool" and inner.bits >= dtype.bits:
            return as_type(ctx, expr.operand, dtype)
        if outer.bits == dtype.bits and dtype.kind in ("int", "uint") and inner.bits < dtype.bits:
            return settled(ctx, c.convert(value_kept(ctx, expr.operand), dtype))
    if (
        isinstance(expr, kir.Binary)
        and expr.op in _MODULAR
        and is_integer(expr.type)
        and dtype.kind in ("int", "uint")
        and isinstance(expr.type, kir.Scalar)
        and expr.type.bits == dtype.bits
    ):
        left, right = (as_type(ctx, side, dtype) for side in (expr.left, expr.right))
        if expr.op == "*":
            left, right = in_blocks(ctx, expr, left, right)
        return wrapping(c.binary(expr.op, left, right, dtype), ctx.numbers)
    return settled(ctx, c.convert(ctx.lower(ctx, expr), dtype))


def value_kept(ctx: Context, expr: kir.Expr) -> ir.Expr:
    """`lower`, for a use that depends on the value and not only on the low bits."""
    lowered = ctx.lower(ctx, expr)
    if not isinstance(expr.type, kir.Scalar) or expr.type.kind != "uint" or lowered.type.dtype.kind != "int":
        return lowered
    fits = ctx.ranges.of(expr).within(0, (1 << (expr.type.bits - 1)) - 1)
    return lowered if fits else c.convert(lowered, expr.type)


def fits_signed(ctx: Context, expr: kir.Binary) -> bool:
    """Whether an unsigned operation gives the same in the signed type of its width."""
    assert isinstance(expr.type, kir.Scalar)
    top = (1 << (expr.type.bits - 1)) - 1
    sides = (ctx.ranges.of(expr.left), ctx.ranges.of(expr.right))
    if expr.op in ("/", "%", ">>"):
        return all(side.within(0, top) for side in sides)
    return all(side.within(0, top) for side in sides) and _exact(ctx, expr, top)


def _exact(ctx: Context, expr: kir.Binary, top: int) -> bool:
    bounds = ctx.ranges.of(expr)
    return bounds.within(0, top) and bounds != Interval(0, top * 2 + 1)


def both_nonnegative(ctx: Context, expr: kir.Binary) -> bool:
    if not is_integer(expr.type):
        return True
    return ctx.ranges.of(expr.left).low >= 0 and ctx.ranges.of(expr.right).low >= 0


def in_blocks(ctx: Context, expr: kir.Binary, left: ir.Expr, right: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
    """`blockIdx.x * 256` in a block of 256 threads counts blocks, whatever name the source has for 256."""
    if isinstance(right, ir.Literal) and _is_block_id(expr.left):
        return left, block_constant(ctx, int(right.value)) or right
    if isinstance(left, ir.Literal) and _is_block_id(expr.right):
        return block_constant(ctx, int(left.value)) or left, right
    return left, right


def _is_block_id(expr: kir.Expr) -> bool:
    while isinstance(expr, kir.Cast):
        expr = expr.operand
    return isinstance(expr, kir.Builtin) and expr.name in ("blockIdx", "gridDim") and expr.axis == "x"


def settled(ctx: Context, expr: ir.Expr) -> ir.Expr:
    """Gives a scalar argument the width of its C type, once, at the top of the kernel."""
    if not (isinstance(expr, ir.Name) and expr.weak):
        return expr
    for variable, binding in ctx.bindings.items():
        if binding.name == expr.name and binding.exact:
            value = ir.Convert(expr, binding.type)
            ctx.prologue[expr.name] = ir.Let(expr.name, value)
            strong = ir.Name(binding.name, binding.type)
            ctx.bindings[variable] = type(binding)(binding.name, binding.type)
            return strong
    return expr


def value_of(ctx: Context, expr: kir.Expr) -> ir.Expr:
    """`lower`, in exactly the type that the source gives the expression."""
    lowered = ctx.lower(ctx, expr)
    if isinstance(expr.type, kir.Scalar):
        return settled(ctx, c.convert(lowered, expr.type))
    return lowered


def scalar_type(type_: kir.Type, expr: kir.Expr) -> kir.Scalar:
    if not isinstance(type_, kir.Scalar):
        raise Declined("TIL051", f"a value of type `{type_}` has no Triton equivalent", expr.span)
    return type_
