"""Local declarations: values, references, arrays, shared memory."""

from __future__ import annotations

import math

from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import (
    Cursor,
    Kind,
    TypeKind,
    canonical,
    children,
    declaration_key,
    variable_initialiser,
)
from porter.cuda.kir import (
    INT32,
    Array,
    Assign,
    Declare,
    Expr,
    For,
    Index,
    Lvalue,
    MakeVector,
    Member,
    Scalar,
    Storage,
    Struct,
    Type,
    Variable,
    VarRef,
    Vector,
)
from porter.cuda.lower_construct import construct_into, is_construction
from porter.cuda.lower_context import Lowering, expression, statement
from porter.cuda.lower_expr import convert_value, zero_of
from porter.cuda.lower_globals import constant_elements, constant_value, is_constant_array, typed
from porter.cuda.lower_lambdas import check_captures
from porter.cuda.lower_objects import field_cursors, field_initialiser
from porter.cuda.lower_references import referred
from porter.cuda.lower_shared import is_shared, shared_variable
from porter.cuda.lower_types import is_closure, is_erased, is_reference, is_union

_MAX_UNROLLED_ELEMENTS = 64
_IGNORED = (
    Kind.TYPEDEF_DECL,
    Kind.TYPE_ALIAS_DECL,
    Kind.STRUCT_DECL,
    Kind.UNION_DECL,
    Kind.CLASS_DECL,
    Kind.ENUM_DECL,
    Kind.USING_DECLARATION,
    Kind.USING_DIRECTIVE,
    Kind.NAMESPACE_ALIAS,
    Kind.STATIC_ASSERT,
    Kind.TYPE_ALIAS_TEMPLATE_DECL,
    Kind.FUNCTION_DECL,
)


@statement(*_IGNORED)
def run_nothing(ctx: Lowering, cursor: Cursor) -> None:
    del ctx, cursor


@statement(Kind.DECL_STMT)
def run_declarations(ctx: Lowering, cursor: Cursor) -> None:
    for child in children(cursor):
        if child.kind == Kind.UNEXPOSED_DECL:
            continue
        ctx.run(child)


@statement(Kind.VAR_DECL)
def run_variable(ctx: Lowering, cursor: Cursor) -> None:
    if is_closure(cursor.type):
        check_captures(ctx, cursor)
    if is_erased(cursor.type) or _folds(ctx, cursor):
        return
    if is_shared(cursor):
        variable = shared_variable(ctx, cursor)
        ctx.bind(cursor, VarRef(variable, variable.type, ctx.span(cursor)))
    elif is_reference(cursor.type):
        _bind_reference(ctx, cursor)
    else:
        _declare_local(ctx, cursor)


def _folds(ctx: Lowering, cursor: Cursor) -> bool:
    if canonical(cursor.type).kind in (TypeKind.CONSTANTARRAY, TypeKind.RECORD):
        return False
    ctx.bindings.pop(declaration_key(cursor), None)
    return constant_value(cursor) is not None


# --- references ---


def _bind_reference(ctx: Lowering, cursor: Cursor) -> None:
    init = variable_initialiser(cursor)
    if init is None:
        raise ctx.decline("TIL017", "a reference to nothing", cursor)
    ctx.bind(cursor, referred(ctx, init, cursor))


# --- locals ---


def _declare_local(ctx: Lowering, cursor: Cursor) -> None:
    comments, span = ctx.comments(cursor), ctx.span(cursor)
    type_ = ctx.type_of(cursor.type, cursor)
    init = variable_initialiser(cursor)
    initial = _constant_array(cursor, type_, init)
    if initial is None and str(cursor.storage_class).endswith("STATIC"):
        raise ctx.decline("TIL016", f"`{cursor.spelling}` is static and not constant", cursor)
    variable = Variable(cursor.spelling, type_, Storage.LOCAL, span, initial)
    reference = VarRef(variable, type_, span)
    if init is None or initial is not None:
        ctx.emit(Declare(variable, None, span, comments))
    elif isinstance(type_, Array):
        ctx.emit(Declare(variable, None, span, comments))
        fill(ctx, reference, type_, init)
    elif is_construction(init):
        construct_into(ctx, variable, init, comments)
    else:
        value = initial_value(ctx, init, type_)
        ctx.emit(Declare(variable, ctx.direct(value), span, comments))
    ctx.bind(cursor, reference)


def _constant_array(cursor: Cursor, type_: Type, init: Cursor | None) -> tuple[int | float, ...] | None:
    if not isinstance(type_, Array) or init is None or not isinstance(type_.element, Scalar):
        return None
    return typed(constant_elements(cursor), type_) if is_constant_array(cursor) else None


def initial_value(ctx: Lowering, init: Cursor, type_: Type) -> Expr:
    if init.kind == Kind.INIT_LIST_EXPR:
        return aggregate(ctx, init, type_)
    return convert_value(ctx, ctx.value(init), type_, init)


@expression(Kind.INIT_LIST_EXPR)
def lower_init_list(ctx: Lowering, cursor: Cursor) -> Expr:
    return aggregate(ctx, cursor, ctx.type_of(cursor.type, cursor))


def aggregate(ctx: Lowering, cursor: Cursor, type_: Type) -> Expr:
    """`{a, b}` as a value of `type_`; what is missing is its default initialiser or zero."""
    parts = [c for c in children(cursor) if c.kind.is_expression()]
    if parts and is_union(cursor.type):
        first = ctx.type_of(parts[0].type, parts[0])
        if not build.same_type(first, type_):
            raise ctx.decline("TIL015", "a union whose first member is initialised as a part", cursor)
    if isinstance(type_, Scalar) or not isinstance(type_, (Vector, Struct)):
        return initial_value(ctx, parts[0], type_) if parts else zero_of(ctx, type_, cursor)
    if len(parts) == 1 and build.same_type(ctx.type_of(parts[0].type, parts[0]), type_):
        return initial_value(ctx, parts[0], type_)
    return MakeVector(_members(ctx, cursor, type_, parts), type_, ctx.span(cursor))


def _members(ctx: Lowering, cursor: Cursor, type_: Vector | Struct, parts: list[Cursor]) -> tuple[Expr, ...]:
    types = [t for _, t in type_.fields] if isinstance(type_, Struct) else [type_.element] * type_.lanes
    given = [initial_value(ctx, part, t) for part, t in zip(parts, types, strict=False)]
    fields = field_cursors(cursor.type) if isinstance(type_, Struct) else []
    for position in range(len(given), len(types)):
        default = field_initialiser(ctx, fields[position]) if fields else None
        missing = types[position]
        given.append(initial_value(ctx, default, missing) if default else zero_of(ctx, missing, cursor))
    return tuple(given)


# --- arrays ---


def fill(ctx: Lowering, place: Lvalue, type_: Array, init: Cursor) -> None:
    """Stores an initialiser list element by element; a long run of zeros is a loop."""
    given = [c for c in children(init) if c.kind.is_expression()]
    if not given and math.prod(type_.shape) > _MAX_UNROLLED_ELEMENTS:
        _clear(ctx, place, type_, init)
        return
    for position in range(type_.shape[0]):
        at = build.index(place, build.int_constant(position, place.span), ctx.span(init))
        assert isinstance(at, (VarRef, Index, Member))
        _fill_element(ctx, at, given[position] if position < len(given) else None, init)


def _fill_element(ctx: Lowering, at: Lvalue, given: Cursor | None, init: Cursor) -> None:
    if isinstance(at.type, Array):
        if given is not None:
            fill(ctx, at, at.type, given)
        else:
            _clear(ctx, at, at.type, init)
        return
    value = zero_of(ctx, at.type, init) if given is None else initial_value(ctx, given, at.type)
    ctx.assign(at, value, ctx.span(init))


def _clear(ctx: Lowering, place: Lvalue, type_: Array, init: Cursor) -> None:
    span = ctx.span(init)
    counter = ctx.fresh("element", INT32, span)
    ctx.program.mutable.add(counter)
    reference = VarRef(counter, INT32, span)
    at = build.index(place, reference, span)
    assert isinstance(at, (VarRef, Index, Member))
    with ctx.block() as body:
        _fill_element(ctx, at, None, init)
    condition = build.compare("<", reference, build.int_constant(type_.shape[0], span), span)
    following = build.binary("+", reference, build.int_constant(1, span), INT32, span)
    zero = Declare(counter, build.int_constant(0, span), span)
    ctx.emit(For((zero,), condition, (Assign(reference, following, span),), tuple(body), span))
