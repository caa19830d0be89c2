"""KIR expressions to Triton expressions. Loads are hoisted into named values in front of the statement."""

from __future__ import annotations

from porter.analysis.ranges import INT32_MAX, is_integer
from porter.analysis.walk import walk
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.addresses import address, pointer_binary, pointer_cast
from porter.tile.api import Declined
from porter.tile.builtins import lower_builtin
from porter.tile.calls import lower_call
from porter.tile.context import Context
from porter.tile.groups import strong
from porter.tile.integers import (
    as_type,
    both_nonnegative,
    fits_signed,
    in_blocks,
    scalar_type,
    settled,
    value_kept,
    value_of,
)
from porter.tile.mask_names import name_for
from porter.tile.masks import Term
from porter.tile.memory import broadcast, load
from porter.tile.python_numbers import wrapping


def lower(ctx: Context, expr: kir.Expr) -> ir.Expr:
    """The value of a scalar or pointer expression. Vectors and structs have been split before."""
    match expr:
        case kir.Const(value, type_):
            return c.literal(value, scalar_type(type_, expr))
        case kir.VarRef(variable):
            return _variable(ctx, expr, variable)
        case kir.Builtin():
            return lower_builtin(ctx, expr)
        case kir.Unary():
            return _unary(ctx, expr)
        case kir.Binary():
            return _binary(ctx, expr)
        case kir.Cast():
            return _cast(ctx, expr)
        case kir.Bitcast(operand, type_):
            return _bitcast(ctx, operand, scalar_type(type_, expr))
        case kir.Select():
            return _select(ctx, expr)
        case kir.Index() | kir.Member():
            return load(ctx, address(ctx, expr), expr)
        case kir.AddressOf(lvalue):
            return address(ctx, lvalue).pointer
        case kir.Call():
            return lower_call(ctx, expr, lambda e: value_of(ctx, e))
        case kir.MakeVector():
            raise Declined("TIL051", "a vector value in the middle of an expression", expr.span)
        case kir.CallFunction(function):
            raise Declined("TIL052", f"the call of `{function}` could not be inlined", expr.span)


def _variable(ctx: Context, expr: kir.VarRef, variable: kir.Variable) -> ir.Expr:
    if variable in ctx.buffers:
        return load(ctx, address(ctx, expr), expr)
    binding = ctx.bindings.get(variable)
    if binding is None:
        raise Declined("TIL054", f"`{variable.name}` is read before it has a value", expr.span)
    return ir.Name(binding.name, binding.type, binding.weak)


def _unary(ctx: Context, expr: kir.Unary) -> ir.Expr:
    if expr.op == "!":
        return c.negate(condition(ctx, expr.operand))
    operand = value_of(ctx, expr.operand)
    if isinstance(operand, ir.Literal) and expr.op == "-" and not isinstance(operand.value, bool):
        dtype = operand.type.dtype
        value = -operand.value if isinstance(operand.value, float) else c.wrap(-operand.value, dtype)
        return c.literal(value, dtype)
    if operand.type.dtype == kir.BFLOAT16:
        wide = c.convert(operand, kir.FLOAT32)
        return ir.Convert(ir.Prefix(expr.op, wide, wide.type), operand.type)
    if expr.op == "~" and ir.is_weak(operand):
        operand = ir.Convert(operand, operand.type)
    return ir.Prefix(expr.op, operand, operand.type)


def _binary(ctx: Context, expr: kir.Binary) -> ir.Expr:
    if expr.op in ("&&", "||"):
        return _short_circuit(ctx, expr)
    if isinstance(expr.left.type, kir.Pointer) or isinstance(expr.right.type, kir.Pointer):
        return pointer_binary(ctx, expr)
    if expr.op in c.COMPARISONS:
        return _comparison(ctx, expr)
    dtype = scalar_type(expr.type, expr)
    if dtype.kind == "uint" and fits_signed(ctx, expr):
        dtype = c.signed(dtype)
    if dtype == kir.BOOL:
        dtype = kir.BOOL
    left, right = (as_type(ctx, side, dtype) for side in (expr.left, expr.right))
    if expr.op == "*":
        left, right = in_blocks(ctx, expr, left, right)
    if expr.op in ("<<", ">>"):
        return wrapping(_shift(ctx, expr, left, right, dtype), ctx.numbers)
    value = c.binary(expr.op, left, right, dtype, nonnegative=both_nonnegative(ctx, expr))
    return wrapping(value, ctx.numbers)


def _shift(ctx: Context, expr: kir.Binary, left: ir.Expr, right: ir.Expr, dtype: kir.Scalar) -> ir.Expr:
    right = c.convert(lower(ctx, expr.right), dtype) if right.type.dtype != dtype else right
    if ir.is_weak(left) and not isinstance(right, ir.Literal):
        left = ir.Convert(left, left.type)
    return c.binary(expr.op, left, right, dtype)


def _comparison(ctx: Context, expr: kir.Binary) -> ir.Expr:
    left, right = lower(ctx, expr.left), lower(ctx, expr.right)
    dtype = expr.left.type
    assert isinstance(dtype, kir.Scalar)
    if dtype.kind == "uint":
        left, right = _unsigned_operands(ctx, expr, left, right, dtype)
    elif dtype == kir.BOOL and expr.op not in ("==", "!="):
        left, right = c.convert(left, kir.INT32), c.convert(right, kir.INT32)
    result = c.compare(expr.op, left, right)
    return ctx.values.get(result, result)


def _unsigned_operands(
    ctx: Context, expr: kir.Binary, left: ir.Expr, right: ir.Expr, dtype: kir.Scalar
) -> tuple[ir.Expr, ir.Expr]:
    """Signed where both are never negative; an argument keeps its value, whatever width Triton gives it."""
    top = (1 << (dtype.bits - 1)) - 1
    sides = (ctx.ranges.of(expr.left), ctx.ranges.of(expr.right))
    signs = [
        side.within(0, top) or (isinstance(lowered, ir.Name) and lowered.weak)
        for side, lowered in zip(sides, (left, right), strict=True)
    ]
    if all(signs):
        return left, right
    return settled(ctx, c.convert(left, dtype)), settled(ctx, c.convert(right, dtype))


def _short_circuit(ctx: Context, expr: kir.Binary) -> ir.Expr:
    """C evaluates the right side only when the left decides nothing: its loads are masked by that."""
    left = condition(ctx, expr.left)
    guard = left if expr.op == "&&" else c.negate(left)
    with_right = _guarded(ctx, expr.right, guard)
    return c.logical("&" if expr.op == "&&" else "|", left, with_right)


def _guarded(ctx: Context, expr: kir.Expr, guard: ir.Expr) -> ir.Expr:
    """`expr` evaluated where `guard` holds; without memory reads the guard changes nothing."""
    if not _reads_memory(ctx, expr):
        return lower(ctx, expr)
    ctx.masks.push((Term(guard),), ctx.block)
    try:
        return lower(ctx, expr)
    finally:
        ctx.masks.pop()


def _reads_memory(ctx: Context, expr: kir.Expr) -> bool:
    return any(
        isinstance(node, kir.Index) or (isinstance(node, kir.VarRef) and node.variable in ctx.buffers)
        for node in walk(expr)
    )


def condition(ctx: Context, expr: kir.Expr) -> ir.Expr:
    return c.convert(lower(ctx, expr), kir.BOOL)


def _select(ctx: Context, expr: kir.Select) -> ir.Expr:
    chosen = condition(ctx, expr.condition)
    if isinstance(expr.type, kir.Pointer):
        left, right = lower(ctx, expr.if_true), lower(ctx, expr.if_false)
        axes = chosen.type.axes | left.type.axes | right.type.axes
        root = left.type.pointer if left.type.pointer == right.type.pointer else "?"
        return ir.Invoke("tl.where", (chosen, left, right), ir.TileType(left.type.dtype, axes, root))
    if isinstance(chosen, ir.Infix) and chosen.op in ("is", "is not") and _reads_memory(ctx, expr):
        return _where_present(ctx, expr, chosen)
    if _reads_memory(ctx, expr):
        chosen = _named(ctx, chosen, expr.condition)
    dtype = scalar_type(expr.type, expr)
    if_true = c.convert(_guarded(ctx, expr.if_true, chosen), dtype)
    if_false = c.convert(_guarded(ctx, expr.if_false, c.negate(chosen)), dtype)
    return c.select(chosen, if_true, if_false, dtype)


def _where_present(ctx: Context, expr: kir.Select, is_there: ir.Expr) -> ir.Expr:
    """`p ? p[i] : 0`: there is nothing to load from where the launcher passed None, not even with a mask."""
    if ctx.inline_loads:
        hint = "write the choice as an `if` in front of the loop"
        raise Declined(
            "TIL053", "a loop that goes on while a pointer that may be null says so", expr.span, hint
        )
    dtype, axes = scalar_type(expr.type, expr), ctx.axes(expr)
    name = ctx.names.fresh("chosen")
    blocks: list[tuple[ir.Stmt, ...]] = []
    for side in (expr.if_true, expr.if_false):
        with ctx.nested() as block:
            value = c.convert(lower(ctx, side), dtype)
            value = broadcast(ctx, value, axes) if axes else strong(value)
            ctx.emit(ir.Let(name, value))
            blocks.append(tuple(block))
    ctx.emit(ir.IfElse(is_there, blocks[0], blocks[1]))
    return ir.Name(name, ir.TileType(dtype, axes))


def _named(ctx: Context, value: ir.Expr, source: kir.Expr) -> ir.Expr:
    named = isinstance(value, (ir.Name, ir.Literal)) or ctx.inline_loads
    return value if named else ctx.same(name_for(value, source), value)


def _cast(ctx: Context, expr: kir.Cast) -> ir.Expr:
    if isinstance(expr.type, kir.Pointer):
        return pointer_cast(ctx, expr)
    dtype = scalar_type(expr.type, expr)
    source = expr.operand.type
    if isinstance(source, kir.Pointer) and dtype == kir.BOOL:
        null = kir.Const(0, kir.INT64, expr.span)
        return pointer_binary(ctx, kir.Binary("!=", expr.operand, null, kir.BOOL, expr.span))
    if isinstance(source, kir.Pointer):
        raise Declined("TIL050", "a pointer used as an integer", expr.span)
    top = min(INT32_MAX, (1 << (dtype.bits - 1)) - 1)
    if is_integer(source) and dtype.kind == "uint" and ctx.ranges.of(expr.operand).within(0, top):
        # Kept signed while it fits: a widened index stays what Triton's own ids are.
        return settled(ctx, c.convert(lower(ctx, expr.operand), c.signed(dtype)))
    if is_integer(source) and dtype.kind == "int":
        return as_type(ctx, expr, dtype) if _keeps_width(expr, dtype) else _narrow(ctx, expr, dtype)
    if isinstance(source, kir.Scalar) and c.is_float(source) and dtype.kind == "uint":
        # A C conversion of a negative float to unsigned is undefined; through int64 it is the same on
        # every device for the values that programs use.
        wide = c.convert(value_of(ctx, expr.operand), kir.INT64)
        return (
            c.convert(wide, dtype)
            if dtype.bits < 64
            else ir.Convert(wide, ir.TileType(dtype, wide.type.axes))
        )
    return settled(ctx, c.convert(value_kept(ctx, expr.operand), dtype))


def _keeps_width(expr: kir.Cast, dtype: kir.Scalar) -> bool:
    source = expr.operand.type
    return isinstance(source, kir.Scalar) and source.kind in ("int", "uint") and source.bits == dtype.bits


def _narrow(ctx: Context, expr: kir.Cast, dtype: kir.Scalar) -> ir.Expr:
    operand = lower(ctx, expr.operand)
    source = expr.operand.type
    assert isinstance(source, kir.Scalar)
    widened_sign = source.kind == "uint" and operand.type.dtype.kind == "int" and dtype.bits > source.bits
    if widened_sign and ctx.ranges.of(expr.operand).low < 0:
        operand = c.convert(operand, source)
    return settled(ctx, c.convert(operand, dtype))


def _bitcast(ctx: Context, operand: kir.Expr, dtype: kir.Scalar) -> ir.Expr:
    value = value_of(ctx, operand)
    if ir.is_weak(value):
        value = ir.Convert(value, value.type)
    return ir.Convert(value, ir.TileType(dtype, value.type.axes), bitcast=True)
