"""`cooperative_groups::reduce` as the butterfly over `shfl_xor` that leaves the result in every lane."""

from __future__ import annotations

from porter.core.span import Span
from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor, Kind, canonical, children
from porter.cuda.kir import (
    INT32,
    UINT32,
    Assign,
    Binary,
    Call,
    Declare,
    Expr,
    For,
    MakeVector,
    Scalar,
    Storage,
    Struct,
    Type,
    Variable,
    VarRef,
    Vector,
)
from porter.cuda.lower_context import Lowering
from porter.cuda.lower_expr import lower_erased, member
from porter.cuda.lower_functions import call_with_values
from porter.cuda.lower_intrinsics import is_float, shuffle
from porter.cuda.lower_types import is_erased, unqualified

_FULL_MASK = 0xFFFFFFFF
_OPERATORS = {"plus": "+", "bit_and": "&", "bit_or": "|", "bit_xor": "^"}


def reduce(ctx: Lowering, value: Expr, operation: Cursor, width: int, cursor: Cursor) -> Expr:
    """The reduction of `value` over a tile of `width` lanes."""
    span = ctx.span(cursor)
    total = ctx.fresh("reduced", value.type, span)
    ctx.program.mutable.add(total)
    reference = VarRef(total, total.type, span)
    ctx.emit(Declare(total, ctx.direct(value), span))
    offset = VarRef(Variable("offset", INT32, Storage.LOCAL, span), INT32, span)
    with ctx.block() as body:
        other = _shuffled(ctx, reference, offset, width, cursor)
        ctx.emit(Assign(reference, _combined(ctx, operation, reference, other, cursor), span))
    start = Declare(offset.variable, build.int_constant(width // 2, span), span)
    condition = build.compare(">", offset, build.int_constant(0, span), span)
    halved = Binary("/", offset, build.int_constant(2, span), INT32, span)
    ctx.emit(For((start,), condition, (Assign(offset, halved, span),), tuple(body), span))
    return reference


def _shuffled(ctx: Lowering, value: Expr, offset: Expr, width: int, cursor: Cursor) -> Expr:
    """A record travels member by member."""
    span, type_ = ctx.span(cursor), value.type
    if isinstance(type_, (Struct, Vector)):
        parts = [member(ctx, value, name, cursor) for name in _member_names(type_)]
        return MakeVector(tuple(_shuffled(ctx, p, offset, width, cursor) for p in parts), type_, span)
    if not isinstance(type_, Scalar):
        raise ctx.decline("TIL020", f"a reduction over {type_}", cursor)
    return _shuffle_scalar(ctx, value, offset, width, type_, span)


def _member_names(type_: Struct | Vector) -> tuple[str, ...]:
    return tuple(n for n, _ in type_.fields) if isinstance(type_, Struct) else tuple("xyzw"[: type_.lanes])


def _shuffle_scalar(ctx: Lowering, value: Expr, offset: Expr, width: int, type_: Type, span: Span) -> Expr:
    mask = build.int_constant(_FULL_MASK, span, UINT32)
    arguments = [mask, value, offset, build.int_constant(width, span)]
    return shuffle(ctx, "__shfl_xor_sync", arguments, type_, span)


def _combined(ctx: Lowering, operation: Cursor, left: Expr, right: Expr, cursor: Cursor) -> Expr:
    """CUDA's functors by name; a function or functor of the program by its body."""
    name = unqualified(operation.type).partition("<")[0]
    if name.startswith("cooperative_groups::"):
        return _known(ctx, name.rpartition("::")[2], left, right, cursor)
    function, this = _program_operation(ctx, operation, cursor)
    return call_with_values(ctx, function, [left, right], cursor, this)


def _known(ctx: Lowering, name: str, left: Expr, right: Expr, cursor: Cursor) -> Expr:
    span = ctx.span(cursor)
    if isinstance(left.type, Scalar) and name in _OPERATORS:
        return build.binary(_OPERATORS[name], left, right, left.type, span)
    if isinstance(left.type, Scalar) and name in ("less", "greater"):
        function = "min" if name == "less" else "max"
        return Call(f"f{function}" if is_float(left.type) else function, (left, right), left.type, span)
    raise ctx.decline("TIL020", f"a reduction over {left.type} with `{name}`", cursor)


def _program_operation(ctx: Lowering, operation: Cursor, cursor: Cursor) -> tuple[Cursor, Expr | None]:
    """The function that combines two values, and the functor it is called on."""
    record = canonical(operation.type).get_declaration()
    for method in record.get_children():
        if method.kind == Kind.CXX_METHOD and method.spelling == "operator()":
            this = lower_erased(ctx, operation) if is_erased(operation.type) else ctx.value(operation)
            return method, this
    current: Cursor | None = operation
    while current is not None:
        if current.kind == Kind.DECL_REF_EXPR and current.referenced is not None:
            if current.referenced.kind == Kind.FUNCTION_DECL:
                return current.referenced, None
            break
        inner = [c for c in children(current) if c.kind.is_expression()]
        current = inner[0] if len(inner) == 1 else None
    raise ctx.decline("TIL020", "the operation of this reduction is not known", cursor)
