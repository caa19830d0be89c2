"""Construction and copies of records: a value where one will do, else an object and its constructor."""

from __future__ import annotations

from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor, Kind, children
from porter.cuda.kir import Declare, Expr, MakeVector, Variable, VarRef, Vector
from porter.cuda.lower_context import Lowering
from porter.cuda.lower_expr import lower_erased, zero_of
from porter.cuda.lower_functions import inline_constructor
from porter.cuda.lower_objects import arguments_of
from porter.cuda.lower_types import is_erased


def is_construction(cursor: Cursor) -> bool:
    """A constructor call that needs a place to work on (copies and vectors are plain values)."""
    cursor = _behind_temporaries(cursor)
    if cursor.kind != Kind.CALL_EXPR or cursor.referenced is None:
        return False
    return bool(cursor.referenced.kind == Kind.CONSTRUCTOR and not _is_copy(cursor))


def _behind_temporaries(cursor: Cursor) -> Cursor:
    while cursor.kind in (Kind.UNEXPOSED_EXPR, Kind.CXX_FUNCTIONAL_CAST_EXPR, Kind.PAREN_EXPR):
        inner = [c for c in children(cursor) if c.kind.is_expression()]
        if len(inner) != 1 or str(inner[0].type.get_canonical().spelling).removeprefix("const ") != str(
            cursor.type.get_canonical().spelling
        ).removeprefix("const "):
            return cursor
        cursor = inner[0]
    return cursor


def _is_copy(cursor: Cursor) -> bool:
    constructor = cursor.referenced
    return bool(constructor.is_copy_constructor() or constructor.is_move_constructor()) and bool(
        arguments_of(cursor)
    )


def lower_construction(ctx: Lowering, cursor: Cursor) -> Expr:
    """A constructor call as a value."""
    if is_erased(cursor.type):
        return lower_erased(ctx, cursor)
    arguments = arguments_of(cursor)
    if _is_copy(cursor):
        return ctx.value(arguments[0])
    type_ = ctx.type_of(cursor.type, cursor)
    if isinstance(type_, Vector):
        return _vector(ctx, cursor, type_, arguments)
    variable = ctx.fresh(str(cursor.spelling).lower(), type_, ctx.span(cursor))
    construct_into(ctx, variable, cursor, ())
    return VarRef(variable, type_, ctx.span(cursor))


def _vector(ctx: Lowering, cursor: Cursor, type_: Vector, arguments: list[Cursor]) -> Expr:
    if not arguments:
        return zero_of(ctx, type_, cursor)
    values = [ctx.value(a) for a in arguments]
    if len(values) == 1 and isinstance(values[0].type, Vector):
        return values[0]
    return MakeVector(tuple(build.cast(v, type_.element) for v in values), type_, ctx.span(cursor))


def construct_into(ctx: Lowering, variable: Variable, cursor: Cursor, comments: tuple[str, ...]) -> None:
    """Declares `variable` and runs a constructor on it."""
    cursor = _behind_temporaries(cursor)
    span = ctx.span(cursor)
    constructor = cursor.referenced.get_definition() or cursor.referenced
    if isinstance(variable.type, Vector):
        arguments = arguments_of(cursor)
        value = _vector(ctx, cursor, variable.type, arguments) if arguments else None
        ctx.emit(Declare(variable, value, span, comments))
        return
    ctx.emit(Declare(variable, None, span, comments))
    ctx.program.mutable.add(variable)
    this = VarRef(variable, variable.type, span)
    inline_constructor(ctx, constructor, this, arguments_of(cursor), cursor)


def copy_assignment(ctx: Lowering, target: Cursor, value: Cursor, cursor: Cursor) -> Expr:
    """`a = b` of records and vectors: one store of the whole value."""
    place = ctx.lvalue(target)
    ctx.assign(place, ctx.value(value), ctx.span(cursor), ctx.comments(cursor))
    return place
