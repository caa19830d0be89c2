"""References: a name for a place, resolved where they are bound."""

from __future__ import annotations

from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor
from porter.cuda.kir import Declare, Expr, Index, Member, Storage, Variable, VarRef
from porter.cuda.lower_context import Lowering
from porter.cuda.lower_expr import convert_value
from porter.cuda.lower_types import strip_reference


def referred(ctx: Lowering, init: Cursor, cursor: Cursor) -> Expr:
    """What a reference stands for: a place whose parts no longer change, or a temporary with the value."""
    place = ctx.value(init)
    type_ = ctx.type_of(strip_reference(cursor.type), cursor)
    if isinstance(place, (VarRef, Index, Member)) and build.same_type(place.type, type_):
        return ctx.freeze_place(place, cursor.spelling)
    variable = Variable(cursor.spelling, type_, Storage.LOCAL, ctx.span(cursor))
    ctx.emit(Declare(variable, ctx.direct(convert_value(ctx, place, type_, init)), ctx.span(cursor)))
    ctx.program.mutable.add(variable)
    return VarRef(variable, type_, ctx.span(cursor))
