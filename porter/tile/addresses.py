"""Where lvalues lie, and arithmetic on pointers. Indices stay 32 bits wide where C's are."""

from __future__ import annotations

from porter.analysis.ranges import is_integer
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.context import Context
from porter.tile.element_types import element_of, elements_per, field_offset, scalar_count, storage_type
from porter.tile.integers import as_type, scalar_type, settled
from porter.tile.memory import Address


def address(ctx: Context, lvalue: kir.Expr) -> Address:
    """Where an lvalue lies; of an aggregate its first element."""
    pointer, offset = _locate(ctx, lvalue)
    is_aggregate = isinstance(lvalue.type, (kir.Array, kir.Vector, kir.Struct))
    element = element_of(lvalue.type, lvalue.span) if is_aggregate else scalar_type(lvalue.type, lvalue)
    if pointer.type.dtype != storage_type(element):
        pointer = ir.Convert(
            pointer, ir.TileType(storage_type(element), pointer.type.axes, pointer.type.pointer)
        )
    place = _plus(pointer, offset) if offset is not None else pointer
    return Address(place, element, _hint(lvalue), _in_bounds(ctx, lvalue), _stem(lvalue))


def address_at(ctx: Context, pointer: kir.Expr) -> Address:
    """The place a pointer value points to."""
    if isinstance(pointer, kir.AddressOf):
        return address(ctx, pointer.lvalue)
    element = element_of(pointer.type, pointer.span)
    return Address(ctx.lower(ctx, pointer), element)


def _locate(ctx: Context, lvalue: kir.Expr) -> tuple[ir.Expr, ir.Expr | None]:
    """A pointer and an offset in its elements."""
    match lvalue:
        case kir.VarRef(variable) if variable in ctx.buffers:
            buffer = ctx.buffers[variable]
            return ir.Name(buffer.base, ir.TileType(storage_type(buffer.element), pointer=buffer.base)), None
        case kir.Index(base, index):
            return _locate_index(ctx, lvalue, base, index)
        case kir.Member(base, field):
            pointer, offset = _locate(ctx, base)
            at = c.literal(field_offset(base.type, field, lvalue.span), kir.INT32)
            return pointer, at if offset is None else _plus(offset, at)
        case _:
            raise Declined(
                "TIL054",
                "the address of a variable that lives in registers",
                lvalue.span,
                "give the pointer one definition, or use the variable by name",
            )


def _locate_index(
    ctx: Context, lvalue: kir.Index, base: kir.Expr, index: kir.Expr
) -> tuple[ir.Expr, ir.Expr | None]:
    step = scalar_count(lvalue.type, lvalue.span)
    offset = _scaled(offset_of(ctx, index), step)
    if isinstance(base.type, kir.Pointer):
        return ctx.lower(ctx, base), offset
    pointer, outer = _locate(ctx, base)
    return pointer, offset if outer is None else _plus(outer, offset)


def _in_bounds(ctx: Context, lvalue: kir.Expr) -> bool:
    """Whether every index into an array of known size is within it, for every thread."""
    match lvalue:
        case kir.VarRef(variable):
            return variable in ctx.buffers
        case kir.Member(base):
            return _in_bounds(ctx, base)
        case kir.Index(base, index) if isinstance(base.type, kir.Array):
            bounds = ctx.ranges.of(index)
            return bounds.within(0, base.type.shape[0] - 1) and _in_bounds(ctx, base)
        case _:
            return False


def _stem(lvalue: kir.Expr) -> str:
    """The source's name of what is read through, when that is a local pointer."""
    while isinstance(lvalue, (kir.Index, kir.Member)):
        lvalue = lvalue.base
    local = isinstance(lvalue, kir.VarRef) and lvalue.variable.storage is kir.Storage.LOCAL
    return lvalue.variable.name if local else ""  # type: ignore[union-attr]


def _hint(lvalue: kir.Expr) -> str:
    """What the source calls the position, for the name of the loaded value: `j` of `x[j]`, `x` of `p.x`."""
    if isinstance(lvalue, kir.Member):
        return lvalue.field
    if isinstance(lvalue, kir.Index) and isinstance(lvalue.index, kir.VarRef):
        return lvalue.index.variable.name
    return ""


def offset_of(ctx: Context, expr: kir.Expr) -> ir.Expr:
    """An index. Widening alone is left out: adding to a pointer widens in Triton as in C."""
    while isinstance(expr, kir.Cast) and is_integer(expr.operand.type):
        source, target = expr.operand.type, expr.type
        assert isinstance(source, kir.Scalar)
        assert isinstance(target, kir.Scalar)
        if source.kind == "bool" or target.bits < source.bits:
            break
        if source.kind == "uint" and not _signed_enough(ctx, expr.operand, source):
            break
        reinterpreted = source.kind == "int" and target.kind == "uint" and target.bits == 32
        if reinterpreted and ctx.ranges.of(expr.operand).low < 0:
            break
        expr = expr.operand
    if expr.type == kir.UINT64:
        # Addresses are 64 bits wide, so a wrapped offset is the same signed or unsigned.
        return as_type(ctx, expr, kir.INT64)
    lowered = ctx.lower(ctx, expr)
    if lowered.type.dtype == kir.BOOL:
        lowered = c.convert(lowered, kir.INT32)
    if lowered.type.dtype == kir.UINT32:
        return settled(ctx, c.convert(settled(ctx, lowered), kir.INT64))
    return lowered


def _signed_enough(ctx: Context, expr: kir.Expr, source: kir.Scalar) -> bool:
    return ctx.ranges.of(expr).within(0, (1 << (source.bits - 1)) - 1)


def _pointer_type(base: ir.Expr, offset: ir.Expr) -> ir.TileType:
    return ir.TileType(base.type.dtype, base.type.axes | offset.type.axes, base.type.pointer)


def _scaled(offset: ir.Expr, scale: int) -> ir.Expr:
    if scale == 1:
        return offset
    if isinstance(offset, ir.Literal):
        return c.literal(int(offset.value) * scale, kir.INT32)
    return ir.Infix("*", offset, c.literal(scale, offset.type.dtype), offset.type)


def _plus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if isinstance(right, ir.Literal) and right.value == 0:
        return left
    if isinstance(left, ir.Literal) and left.value == 0 and not left.type.pointer:
        return right
    axes = left.type.axes | right.type.axes
    dtype = left.type.dtype if left.type.pointer else _wider(left.type.dtype, right.type.dtype)
    return ir.Infix("+", left, right, ir.TileType(dtype, axes, left.type.pointer))


def _wider(left: kir.Scalar, right: kir.Scalar) -> kir.Scalar:
    return left if left.bits >= right.bits else right


def pointer_binary(ctx: Context, expr: kir.Binary) -> ir.Expr:
    if expr.op in ("==", "!=") and (known := _null_test(ctx, expr)) is not None:
        return known
    if expr.op in _COMPARISONS:
        return c.compare(expr.op, _address(ctx, expr.left), _address(ctx, expr.right))
    if expr.op == "-" and isinstance(expr.right.type, kir.Pointer):
        return _difference(ctx, expr)
    if expr.op not in ("+", "-"):
        raise Declined("TIL050", f"`{expr.op}` on two pointers", expr.span, "index from one base instead")
    if isinstance(expr.left.type, kir.Pointer):
        pointer, offset = expr.left, expr.right
    else:
        pointer, offset = expr.right, expr.left
    base = ctx.lower(ctx, pointer)
    scale = elements_per(pointer.type, expr.span)
    steps = _scaled(offset_of(ctx, offset), scale)
    return ir.Infix(expr.op, base, steps, _pointer_type(base, steps))


_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


def _address(ctx: Context, pointer: kir.Expr) -> ir.Expr:
    """The number that the pointer is: Triton compares no pointers."""
    if _is_null(pointer):
        return c.literal(0, kir.INT64)
    lowered = ctx.lower(ctx, pointer)
    return ir.Convert(lowered, ir.TileType(kir.INT64, lowered.type.axes))


def _difference(ctx: Context, expr: kir.Binary) -> ir.Expr:
    """In elements, as C counts; the bytes are a multiple of an element's."""
    size = elements_per(expr.left.type, expr.span) * element_of(expr.left.type, expr.span).bits // 8
    bytes_ = c.binary("-", _address(ctx, expr.left), _address(ctx, expr.right), kir.INT64)
    if size.bit_count() == 1:
        return c.binary(">>", bytes_, c.literal(size.bit_length() - 1, kir.INT64), kir.INT64)
    return c.binary("/", bytes_, c.literal(size, kir.INT64), kir.INT64)


def _null_test(ctx: Context, expr: kir.Binary) -> ir.Expr | None:
    """`p != nullptr` for a parameter: the launcher passes None for a null pointer."""
    for pointer, other in ((expr.left, expr.right), (expr.right, expr.left)):
        if _is_null(other) and isinstance(pointer, kir.VarRef):
            if pointer.variable.storage is not kir.Storage.PARAMETER or pointer.variable in ctx.mutable:
                return None
            word = "is" if expr.op == "==" else "is not"
            return ir.Infix(word, ctx.lower(ctx, pointer), ir.Text("None"), ir.TileType(kir.BOOL))
    return None


def _is_null(expr: kir.Expr) -> bool:
    while isinstance(expr, kir.Cast):
        expr = expr.operand
    return isinstance(expr, kir.Const) and expr.value == 0


def pointer_cast(ctx: Context, expr: kir.Cast) -> ir.Expr:
    pointer = ctx.lower(ctx, expr.operand)
    dtype = storage_type(element_of(expr.type, expr.span))
    if dtype == pointer.type.dtype:
        return pointer
    return ir.Convert(pointer, ir.TileType(dtype, pointer.type.axes, pointer.type.pointer))
