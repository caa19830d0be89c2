"""Leaves and conversions: literals, names, casts, members, subscripts, addresses."""

from __future__ import annotations

from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor, Kind, TypeKind, canonical, children, declaration_key, evaluate
from porter.cuda.kir import (
    INT32,
    UINT32,
    AddressOf,
    Array,
    Builtin,
    Const,
    Expr,
    Index,
    MakeVector,
    Member,
    Pointer,
    Scalar,
    Struct,
    Type,
    VarRef,
    Vector,
    Void,
)
from porter.cuda.lower_context import Lowering, expression
from porter.cuda.lower_globals import captured_from_host, constant_value, global_variable
from porter.cuda.lower_types import is_erased, strip_reference
from porter.cuda.lower_unions import is_overlaid, overlaid_member, record_of

_INDEX_VECTORS = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_AXES = ("x", "y", "z")


@expression(Kind.INTEGER_LITERAL, Kind.FLOATING_LITERAL, Kind.CXX_BOOL_LITERAL_EXPR, Kind.CXX_UNARY_EXPR)
def lower_literal(ctx: Lowering, cursor: Cursor) -> Expr:
    type_ = ctx.type_of(cursor.type, cursor)
    value = evaluate(cursor)
    if value is None:
        raise ctx.decline("TIL015", "the value of this constant depends on something unknown", cursor)
    return build.constant(value, type_, ctx.span(cursor))


@expression(Kind.CHARACTER_LITERAL)
def lower_character(ctx: Lowering, cursor: Cursor) -> Expr:
    value = evaluate(cursor)
    return build.constant(value or 0, ctx.type_of(cursor.type, cursor), ctx.span(cursor))


@expression(Kind.CXX_NULL_PTR_LITERAL_EXPR, Kind.GNU_NULL_EXPR)
def lower_null(ctx: Lowering, cursor: Cursor) -> Expr:
    return Const(0, Pointer(Void()), ctx.span(cursor))


@expression(Kind.PAREN_EXPR)
def lower_parenthesis(ctx: Lowering, cursor: Cursor) -> Expr:
    return ctx.value(children(cursor)[0])


# --- names ---


@expression(Kind.DECL_REF_EXPR)
def lower_name(ctx: Lowering, cursor: Cursor) -> Expr:
    declaration = cursor.referenced
    if declaration is None or declaration.kind in (Kind.TEMPLATE_NON_TYPE_PARAMETER,):
        return _substituted(ctx, cursor)
    key = declaration_key(declaration)
    bound = ctx.bindings.get(key)
    if bound is not None:
        return _at(bound, ctx, cursor)
    if declaration.kind == Kind.ENUM_CONSTANT_DECL:
        return build.constant(declaration.enum_value, ctx.type_of(cursor.type, cursor), ctx.span(cursor))
    if declaration.kind == Kind.VAR_DECL:
        return _global(ctx, cursor, declaration)
    if declaration.kind == Kind.PARM_DECL:
        raise captured_from_host(ctx, declaration.spelling, cursor)
    if declaration.kind in (Kind.FUNCTION_DECL, Kind.CXX_METHOD):
        raise ctx.decline("TIL003", f"`{declaration.spelling}` is used as a function pointer", cursor)
    raise ctx.decline("TIL015", f"`{cursor.spelling}` has no value the kernel could read", cursor)


def _at(bound: Expr, ctx: Lowering, cursor: Cursor) -> Expr:
    """A variable read carries the place of the read; an alias keeps its own."""
    return VarRef(bound.variable, bound.type, ctx.span(cursor)) if isinstance(bound, VarRef) else bound


def _substituted(ctx: Lowering, cursor: Cursor) -> Expr:
    """A template parameter of value kind: the tree holds what was put in its place."""
    inner = [c for c in children(cursor) if c.kind.is_expression()]
    if len(inner) == 1:
        return build.cast(ctx.value(inner[0]), ctx.type_of(cursor.type, cursor), ctx.span(cursor))
    value = evaluate(cursor)
    if value is None:
        raise ctx.decline("TIL001", "this name could not be resolved", cursor)
    return build.constant(value, ctx.type_of(cursor.type, cursor), ctx.span(cursor))


def _global(ctx: Lowering, cursor: Cursor, declaration: Cursor) -> Expr:
    if ctx.unit.is_porters_own(declaration):
        return _porters_variable(ctx, cursor, declaration)
    value = constant_value(declaration)
    if value is not None:
        return build.constant(value, ctx.type_of(cursor.type, cursor), ctx.span(cursor))
    variable = global_variable(ctx, declaration, cursor)
    return VarRef(variable, variable.type, ctx.span(cursor))


def _porters_variable(ctx: Lowering, cursor: Cursor, declaration: Cursor) -> Expr:
    name, span = declaration.spelling, ctx.span(cursor)
    if name == "warpSize":
        return Builtin("warpSize", "", INT32, span)
    if name in _INDEX_VECTORS:
        axes = tuple(Builtin(name, axis, UINT32, span) for axis in _AXES)
        return MakeVector(axes, Vector(UINT32, 3), span)
    value = evaluate(declaration)
    if value is not None:
        return build.constant(value, ctx.type_of(cursor.type, cursor), span)
    raise ctx.decline("TIL015", f"`{name}` cannot be read in device code", cursor)


# --- conversions ---


@expression(Kind.UNEXPOSED_EXPR)
def lower_implicit(ctx: Lowering, cursor: Cursor) -> Expr:
    """Implicit conversions, temporaries and default arguments: told apart by the type on each side."""
    inner = [c for c in children(cursor) if c.kind.is_expression()]
    if len(inner) != 1:
        return _childless(ctx, cursor, len(inner))
    if is_erased(cursor.type):
        return lower_erased(ctx, cursor)
    return convert(ctx, inner[0], cursor)


def _childless(ctx: Lowering, cursor: Cursor, n_children: int) -> Expr:
    value = evaluate(cursor)
    type_ = ctx.type_of(cursor.type, cursor)
    if value is not None and isinstance(type_, Scalar):
        return build.constant(value, type_, ctx.span(cursor))
    if n_children == 0 and not isinstance(type_, (Void, Array)):
        return zero_of(ctx, type_, cursor)
    raise ctx.decline("TIL001", "this expression could not be resolved", cursor)


def zero_of(ctx: Lowering, type_: Type, cursor: Cursor) -> Expr:
    """The value-initialised `type_`."""
    span = ctx.span(cursor)
    if isinstance(type_, Vector):
        return MakeVector((build.constant(0, type_.element, span),) * type_.lanes, type_, span)
    if isinstance(type_, Struct):
        return MakeVector(tuple(zero_of(ctx, t, cursor) for _, t in type_.fields), type_, span)
    return build.constant(0, type_, span)


def lower_erased(ctx: Lowering, cursor: Cursor) -> Expr:
    """A group, closure or empty functor has no value; its type says everything."""
    return Const(0, Void(), ctx.span(cursor))


def convert(ctx: Lowering, operand: Cursor, target: Cursor) -> Expr:
    if strip_reference(target.type).kind == TypeKind.VOID:
        ctx.run(operand)
        return Const(0, Void(), ctx.span(target))
    to = ctx.type_of(target.type, target)
    value = ctx.value(operand)
    return convert_value(ctx, value, to, target)


def convert_value(ctx: Lowering, value: Expr, to: Type, at: Cursor) -> Expr:
    span = ctx.span(at)
    if isinstance(to, Void) or isinstance(value.type, Void) or build.same_type(value.type, to):
        return value
    if isinstance(value.type, Array) and isinstance(to, Array):
        return value
    if isinstance(to, Struct) or isinstance(value.type, Struct):
        return _convert_record(ctx, value, to, at)
    if isinstance(to, Vector) != isinstance(value.type, Vector):
        raise ctx.decline("TIL015", f"a conversion from {value.type} to {to}", at)
    return build.cast(value, to, span)


def _convert_record(ctx: Lowering, value: Expr, to: Type, at: Cursor) -> Expr:
    """Derived to base: the base's fields come first in the derived record."""
    both = isinstance(to, Struct) and isinstance(value.type, Struct)
    if both and value.type.fields[: len(to.fields)] == to.fields:  # type: ignore[union-attr]
        return value
    raise ctx.decline("TIL015", f"a conversion from {value.type} to {to}", at)


@expression(
    Kind.CSTYLE_CAST_EXPR,
    Kind.CXX_STATIC_CAST_EXPR,
    Kind.CXX_FUNCTIONAL_CAST_EXPR,
    Kind.CXX_CONST_CAST_EXPR,
    Kind.CXX_REINTERPRET_CAST_EXPR,
)
def lower_cast(ctx: Lowering, cursor: Cursor) -> Expr:
    if is_erased(cursor.type):
        return lower_erased(ctx, cursor)
    inner = [c for c in children(cursor) if c.kind.is_expression()]
    if not inner:
        return _childless(ctx, cursor, 0)
    if cursor.type.kind in (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE):
        return _reference_cast(ctx, inner[-1], cursor)
    return convert(ctx, inner[-1], cursor)


def _reference_cast(ctx: Lowering, operand: Cursor, cursor: Cursor) -> Expr:
    """`reinterpret_cast<T&>(x)` is `*reinterpret_cast<T*>(&x)`."""
    place = ctx.lvalue(operand)
    to = ctx.type_of(cursor.type, cursor)
    if build.same_type(place.type, to):
        return place
    pointer = build.cast(build.address_of(place, Pointer(place.type), place.span), Pointer(to), place.span)
    return build.index(pointer, build.int_constant(0, place.span), ctx.span(cursor))


# --- members, subscripts, addresses ---


@expression(Kind.MEMBER_REF_EXPR)
def lower_member(ctx: Lowering, cursor: Cursor) -> Expr:
    declaration = cursor.referenced
    if declaration is not None and declaration.kind in (Kind.VAR_DECL, Kind.ENUM_CONSTANT_DECL):
        return lower_name(ctx, cursor)
    inner = [c for c in children(cursor) if c.kind.is_expression()]
    base = ctx.value(inner[0]) if inner else this_object(ctx, cursor)
    if isinstance(base.type, Pointer):
        base = build.index(base, build.int_constant(0, base.span), base.span)
    if is_overlaid(base, declaration):
        record = record_of(inner[0]) if inner else None
        return overlaid_member(ctx, base, record, declaration, cursor)
    return member(ctx, base, cursor.spelling, cursor)


def this_object(ctx: Lowering, cursor: Cursor) -> Expr:
    if ctx.this is None:
        raise ctx.decline("TIL015", "`this` has no object here", cursor)
    return ctx.this


@expression(Kind.CXX_THIS_EXPR)
def lower_this(ctx: Lowering, cursor: Cursor) -> Expr:
    place = this_object(ctx, cursor)
    if isinstance(place, (VarRef, Index, Member)):
        return AddressOf(place, Pointer(place.type), ctx.span(cursor))
    raise ctx.decline("TIL015", "`this` of a temporary object", cursor)


def member(ctx: Lowering, base: Expr, name: str, at: Cursor) -> Expr:
    """`base.name`; of a vector or aggregate just made, the element itself."""
    span = ctx.span(at)
    if isinstance(base.type, Vector):
        position = "xyzw".index(name) if name in ("x", "y", "z", "w") else -1
        if not 0 <= position < base.type.lanes:
            raise ctx.decline("TIL015", f"{base.type} has no member `{name}`", at)
        if isinstance(base, MakeVector):
            return base.elements[position]
        return Member(base, name, base.type.element, span)
    if isinstance(base.type, Struct):
        names = [n for n, _ in base.type.fields]
        if name in names:
            if isinstance(base, MakeVector):
                return base.elements[names.index(name)]
            return Member(base, name, dict(base.type.fields)[name], span)
    if is_erased(at.type):
        return Const(0, Void(), span)
    raise ctx.decline("TIL015", f"the member `{name}` cannot be followed", at)


@expression(Kind.ARRAY_SUBSCRIPT_EXPR)
def lower_subscript(ctx: Lowering, cursor: Cursor) -> Expr:
    first, second = children(cursor)
    if canonical(first.type).kind not in (
        TypeKind.POINTER,
        TypeKind.CONSTANTARRAY,
        TypeKind.INCOMPLETEARRAY,
    ):
        first, second = second, first
    base = _undecayed(ctx, first)
    position = ctx.value(second)
    return _indexed(ctx, base, position, cursor)


def _undecayed(ctx: Lowering, base: Cursor) -> Expr:
    """An array is indexed as the array it is, not as the pointer it decays to."""
    inner = children(base)
    if (
        base.kind == Kind.UNEXPOSED_EXPR
        and len(inner) == 1
        and "[" in str(inner[0].type.get_canonical().spelling)
    ):
        return ctx.value(inner[0])
    return ctx.value(base)


def _indexed(ctx: Lowering, base: Expr, position: Expr, cursor: Cursor) -> Expr:
    if isinstance(base.type, Pointer) and isinstance(base.type.pointee, Void):
        raise ctx.decline("TIL002", "a `void*` is indexed", cursor)
    return build.index(base, position, ctx.span(cursor))


def lower_address(ctx: Lowering, operand: Cursor, cursor: Cursor) -> Expr:
    place = ctx.value(operand)
    if not isinstance(place, (VarRef, Index, Member)):
        raise ctx.decline("TIL017", "the address of a value that is not in memory", cursor)
    if isinstance(place.type, Array):
        return AddressOf(place, Pointer(place.type), ctx.span(cursor))
    return build.address_of(place, Pointer(place.type), ctx.span(cursor))


def lower_dereference(ctx: Lowering, operand: Cursor, cursor: Cursor) -> Expr:
    pointer = ctx.value(operand)
    if isinstance(pointer.type, Array):
        pointer = build.decay(pointer)
    return _indexed(ctx, pointer, build.int_constant(0, ctx.span(cursor)), cursor)
