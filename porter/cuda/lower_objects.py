"""Records by value: their fields, their initialisers, the place `this` stands for."""

from __future__ import annotations

from porter.cuda.clang_cursor import ClangType, Cursor, Kind, children
from porter.cuda.kir import (
    Array,
    Declare,
    Expr,
    Index,
    MakeVector,
    Member,
    Storage,
    Variable,
    VarRef,
)
from porter.cuda.lower_context import Lowering
from porter.cuda.lower_expr import convert_value, member
from porter.cuda.lower_types import is_erased, record_fields, strip_reference


def field_cursors(type_: ClangType) -> list[Cursor]:
    """The fields of a record that have a value at run time, in the order of the KIR struct."""
    return [f for f in record_fields(strip_reference(type_)) if not is_erased(f.type)]


def arguments_of(cursor: Cursor) -> list[Cursor]:
    return list(cursor.get_arguments())


def initialise_fields(ctx: Lowering, constructor: Cursor, this: VarRef) -> None:
    """The constructor's initialiser list, then the default initialisers of fields it does not name."""
    written = _written_initialisers(constructor)
    for field in field_cursors(constructor.semantic_parent.type):
        value_cursor = written.get(field.spelling) or field_initialiser(ctx, field)
        if value_cursor is None:
            continue
        place = member(ctx, this, field.spelling, field)
        assert isinstance(place, (VarRef, Index, Member))
        if isinstance(place.type, Array):
            raise ctx.decline("TIL015", "an array member with an initialiser is not supported", value_cursor)
        value = convert_value(ctx, ctx.value(value_cursor), place.type, value_cursor)
        ctx.assign(place, value, ctx.span(value_cursor))


def _written_initialisers(constructor: Cursor) -> dict[str, Cursor]:
    found: dict[str, Cursor] = {}
    name = ""
    for child in children(constructor):
        if child.kind == Kind.MEMBER_REF:
            name = child.spelling
        elif name and child.kind.is_expression():
            found[name] = child
            name = ""
    return found


def field_initialiser(ctx: Lowering, field: Cursor) -> Cursor | None:
    """The initialiser a field is declared with; array bounds and template arguments are not meant."""
    expressions = [c for c in children(field) if c.kind.is_expression()]
    if not expressions or field.is_bitfield():
        return None
    file = field.location.file
    text = ctx.unit.source_of(file.name).text if file else ""
    declared = text[field.location.offset : field.extent.end.offset]
    return expressions[-1] if "=" in declared or "{" in declared else None


def this_place(ctx: Lowering, obj: Expr, at: Cursor) -> Expr:
    """The object a method works on: its place, or a temporary that holds the value."""
    if isinstance(obj, (VarRef, Index, Member)):
        return ctx.freeze_place(obj, "object")
    if isinstance(obj, MakeVector):
        variable = Variable("object", obj.type, Storage.LOCAL, ctx.span(at))
        ctx.emit(Declare(variable, obj, ctx.span(at)))
        return VarRef(variable, obj.type, ctx.span(at))
    return obj
