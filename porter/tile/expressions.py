"""KIR expressions to Triton expressions. Loads are hoisted into named values in front of the statement."""

from __future__ import annotations

from porter.analysis.ranges import INT32_MAX, Interval, is_integer
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.builtins import block_constant, lower_builtin
from porter.tile.calls import lower_call
from porter.tile.context import Context
from porter.tile.mask_names import name_for
from porter.tile.masks import Term
from porter.tile.memory import Address, load

_MODULAR = frozenset({"+", "-", "*", "&", "|", "^"})


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


def value_of(ctx: Context, expr: kir.Expr) -> ir.Expr:
    """`lower`, in exactly the type that the source gives the expression."""
    lowered = lower(ctx, expr)
    if isinstance(expr.type, kir.Scalar):
        return settled(ctx, c.convert(lowered, expr.type))
    return lowered


def scalar_type(type_: kir.Type, expr: kir.Expr) -> kir.Scalar:
    if not isinstance(type_, kir.Scalar):
        raise Declined("TIL051", f"a value of type `{type_}` has no Triton equivalent", expr.span)
    return type_


# --- variables -------------------------------------------------------------------------------------


def _variable(ctx: Context, expr: kir.VarRef, variable: kir.Variable) -> ir.Expr:
    if variable in ctx.buffers:
        return load(ctx, address(ctx, expr), expr)
    binding = ctx.bindings.get(variable)
    if binding is None:
        raise Declined("TIL054", f"`{variable.name}` is read before it has a value", expr.span)
    return ir.Name(binding.name, binding.type, binding.weak)


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


# --- operators -------------------------------------------------------------------------------------


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
        return _pointer_binary(ctx, expr)
    if expr.op in c.COMPARISONS:
        return _comparison(ctx, expr)
    dtype = scalar_type(expr.type, expr)
    if dtype.kind == "uint" and _fits_signed(ctx, expr):
        dtype = c.signed(dtype)
    if dtype == kir.BOOL:
        dtype = kir.BOOL
    left, right = (as_type(ctx, side, dtype) for side in (expr.left, expr.right))
    if expr.op == "*":
        left, right = _in_blocks(ctx, expr, left, right)
    if expr.op in ("<<", ">>"):
        return _shift(ctx, expr, left, right, dtype)
    return c.binary(expr.op, left, right, dtype, nonnegative=_both_nonnegative(ctx, expr))


def _shift(ctx: Context, expr: kir.Binary, left: ir.Expr, right: ir.Expr, dtype: kir.Scalar) -> ir.Expr:
    right = c.convert(lower(ctx, expr.right), dtype) if right.type.dtype != dtype else right
    if ir.is_weak(left) and not isinstance(right, ir.Literal):
        left = ir.Convert(left, left.type)
    return c.binary(expr.op, left, right, dtype)


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
            left, right = _in_blocks(ctx, expr, left, right)
        return c.binary(expr.op, left, right, dtype)
    return settled(ctx, c.convert(lower(ctx, expr), dtype))


def _in_blocks(ctx: Context, expr: kir.Binary, left: ir.Expr, right: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
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


def value_kept(ctx: Context, expr: kir.Expr) -> ir.Expr:
    """`lower`, for a use that depends on the value and not only on the low bits."""
    lowered = lower(ctx, expr)
    unsigned = isinstance(expr.type, kir.Scalar) and expr.type.kind == "uint"
    if unsigned and lowered.type.dtype.kind == "int" and ctx.ranges.of(expr).low < 0:
        return c.convert(lowered, expr.type)  # type: ignore[arg-type]
    return lowered


def _fits_signed(ctx: Context, expr: kir.Binary) -> bool:
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


def _both_nonnegative(ctx: Context, expr: kir.Binary) -> bool:
    if not is_integer(expr.type):
        return True
    return ctx.ranges.of(expr.left).low >= 0 and ctx.ranges.of(expr.right).low >= 0


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
    from porter.analysis.walk import walk

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
    if _reads_memory(ctx, expr):
        chosen = _named(ctx, chosen, expr.condition)
    dtype = scalar_type(expr.type, expr)
    if_true = c.convert(_guarded(ctx, expr.if_true, chosen), dtype)
    if_false = c.convert(_guarded(ctx, expr.if_false, c.negate(chosen)), dtype)
    return c.select(chosen, if_true, if_false, dtype)


def _named(ctx: Context, value: ir.Expr, source: kir.Expr) -> ir.Expr:
    named = isinstance(value, (ir.Name, ir.Literal)) or ctx.inline_loads
    return value if named else ctx.same(name_for(value, source), value)


# --- conversions -----------------------------------------------------------------------------------


def _cast(ctx: Context, expr: kir.Cast) -> ir.Expr:
    if isinstance(expr.type, kir.Pointer):
        return _pointer_cast(ctx, expr)
    dtype = scalar_type(expr.type, expr)
    source = expr.operand.type
    if isinstance(source, kir.Pointer):
        raise Declined("TIL050", "a pointer used as an integer", expr.span)
    if is_integer(source) and dtype.kind == "uint" and ctx.ranges.of(expr.operand).low >= 0:
        # Kept signed while it fits: a widened index stays what Triton's own ids are.
        if ctx.ranges.of(expr.operand).high <= min(INT32_MAX, (1 << (dtype.bits - 1)) - 1):
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
    return settled(ctx, c.convert(lower(ctx, expr.operand), dtype))


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


# --- pointers --------------------------------------------------------------------------------------


def _pointer_binary(ctx: Context, expr: kir.Binary) -> ir.Expr:
    if expr.op in ("==", "!=") and (known := _null_test(ctx, expr)) is not None:
        return known
    if expr.op not in ("+", "-") or isinstance(expr.right.type, kir.Pointer):
        raise Declined("TIL050", f"`{expr.op}` on two pointers", expr.span, "index from one base instead")
    if isinstance(expr.left.type, kir.Pointer):
        pointer, offset = expr.left, expr.right
    else:
        pointer, offset = expr.right, expr.left
    base = lower(ctx, pointer)
    scale = elements_per(pointer.type, expr.span)
    steps = _scaled(offset_of(ctx, offset), scale)
    return ir.Infix(expr.op, base, steps, _pointer_type(base, steps))


def _null_test(ctx: Context, expr: kir.Binary) -> ir.Expr | None:
    """`p != nullptr` for a parameter: the launcher passes None for a null pointer."""
    for pointer, other in ((expr.left, expr.right), (expr.right, expr.left)):
        if _is_null(other) and isinstance(pointer, kir.VarRef):
            if pointer.variable.storage is not kir.Storage.PARAMETER or pointer.variable in ctx.mutable:
                return None
            word = "is" if expr.op == "==" else "is not"
            return ir.Infix(word, lower(ctx, pointer), ir.Text("None"), ir.TileType(kir.BOOL))
    return None


def _is_null(expr: kir.Expr) -> bool:
    while isinstance(expr, kir.Cast):
        expr = expr.operand
    return isinstance(expr, kir.Const) and expr.value == 0


def _pointer_cast(ctx: Context, expr: kir.Cast) -> ir.Expr:
    pointer = lower(ctx, expr.operand)
    dtype = storage_type(element_of(expr.type, expr.span))
    if dtype == pointer.type.dtype:
        return pointer
    return ir.Convert(pointer, ir.TileType(dtype, pointer.type.axes, pointer.type.pointer))


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
        if source.kind == "int" and target.kind == "uint" and target.bits == 32:
            if ctx.ranges.of(expr.operand).low < 0:
                break
        expr = expr.operand
    if expr.type == kir.UINT64:
        # Addresses are 64 bits wide, so a wrapped offset is the same signed or unsigned.
        return as_type(ctx, expr, kir.INT64)
    lowered = lower(ctx, expr)
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


def element_of(type_: kir.Type, span: kir.Span) -> kir.Scalar:
    """The scalar that memory of this pointer, array or vector type is made of."""
    match type_:
        case kir.Pointer(pointee):
            return element_of(pointee, span)
        case kir.Array(element):
            return element_of(element, span)
        case kir.Vector(element):
            return element
        case kir.Scalar():
            return type_
        case kir.Struct(_, fields):
            elements = {element_of(field_type, span) for _, field_type in fields}
            if len(elements) == 1:
                return elements.pop()
    raise Declined("TIL051", f"memory of type `{type_}` has no single element type", span)


def elements_per(type_: kir.Type, span: kir.Span) -> int:
    """How many scalars one step of a pointer or array of this type is."""
    assert isinstance(type_, (kir.Pointer, kir.Array))
    return scalar_count(type_.pointee if isinstance(type_, kir.Pointer) else type_.element, span)


def scalar_count(type_: kir.Type, span: kir.Span) -> int:
    match type_:
        case kir.Vector(_, lanes):
            return lanes
        case kir.Struct(_, fields):
            return sum(scalar_count(field_type, span) for _, field_type in fields)
        case kir.Array(element, shape):
            count = scalar_count(element, span)
            for size in shape:
                count *= size
            return count
        case kir.Scalar():
            return 1
    raise Declined("TIL051", f"memory of type `{type_}`", span)


def storage_type(dtype: kir.Scalar) -> kir.Scalar:
    """How an element lies in memory: C's `bool` is a byte."""
    return kir.Scalar("int", 8) if dtype == kir.BOOL else dtype


# --- addresses -------------------------------------------------------------------------------------


def address(ctx: Context, lvalue: kir.Expr) -> Address:
    """Where an lvalue of scalar type lies."""
    pointer, offset = _locate(ctx, lvalue)
    dtype = scalar_type(lvalue.type, lvalue) if not isinstance(lvalue.type, kir.Array) else None
    element = dtype or element_of(lvalue.type, lvalue.span)
    if pointer.type.dtype != storage_type(element):
        pointer = ir.Convert(
            pointer, ir.TileType(storage_type(element), pointer.type.axes, pointer.type.pointer)
        )
    place = _plus(pointer, offset) if offset is not None else pointer
    return Address(place, element, _hint(lvalue), _in_bounds(ctx, lvalue), _stem(lvalue))


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
            at = c.literal(_field_offset(base.type, field, lvalue.span), kir.INT32)
            return pointer, at if offset is None else _plus(offset, at)
        case _:
            raise Declined("TIL054", "the address of a variable that lives in registers", lvalue.span)


def _locate_index(
    ctx: Context, lvalue: kir.Index, base: kir.Expr, index: kir.Expr
) -> tuple[ir.Expr, ir.Expr | None]:
    step = scalar_count(lvalue.type, lvalue.span)
    offset = _scaled(offset_of(ctx, index), step)
    if isinstance(base.type, kir.Pointer):
        return lower(ctx, base), offset
    pointer, outer = _locate(ctx, base)
    return pointer, offset if outer is None else _plus(outer, offset)


def _field_offset(type_: kir.Type, field: str, span: kir.Span) -> int:
    if isinstance(type_, kir.Vector):
        return "xyzw".index(field)
    if isinstance(type_, kir.Struct):
        offset = 0
        for name, field_type in type_.fields:
            if name == field:
                return offset
            offset += scalar_count(field_type, span)
    raise Declined("TIL051", f"member `{field}` of `{type_}`", span)


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


def address_at(ctx: Context, pointer: kir.Expr) -> Address:
    """The place a pointer value points to."""
    if isinstance(pointer, kir.AddressOf):
        return address(ctx, pointer.lvalue)
    element = element_of(pointer.type, pointer.span)
    return Address(lower(ctx, pointer), element)
