"""Members of unions: every one is a view of the same memory.

`u.bits` of `union { float value; unsigned bits; }` is `*(unsigned*)&u`, where `u` has the type of the widest
member, or of words where that mixes types.
"""

from __future__ import annotations

from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import ClangType, Cursor, Kind, TypeKind, canonical
from porter.cuda.kir import Binary, Expr, Index, Member, Pointer, Scalar, Struct, VarRef
from porter.cuda.lower_context import Lowering


def record_of(base: Cursor) -> ClangType:
    """The record that an expression is, or points to."""
    type_ = canonical(base.type)
    return canonical(type_.get_pointee()) if type_.kind == TypeKind.POINTER else type_


def is_overlaid(base: Expr, field: Cursor | None) -> bool:
    """Whether a member shares its memory with others: it is a union's, or inside an anonymous one."""
    if field is None or field.kind != Kind.FIELD_DECL:
        return False
    if field.semantic_parent.kind == Kind.UNION_DECL:
        return True
    names = [name for name, _ in base.type.fields] if isinstance(base.type, Struct) else []
    return field.semantic_parent.is_anonymous() and field.spelling not in names


def overlaid_member(
    ctx: Lowering, base: Expr, record: ClangType | None, field: Cursor, cursor: Cursor
) -> Expr:
    """The member as an lvalue: the object itself, or what a pointer into it as another type points to.

    `record` is the type of `base` in the source (None: the class whose method this is).
    """
    type_, span = ctx.type_of(field.type, cursor), ctx.span(cursor)
    offset = _offset_bytes(record or _named_record(field), field)
    if offset == 0 and build.same_type(base.type, type_):
        return base
    if not isinstance(base, (VarRef, Index, Member)):
        base = ctx.temporary("united", base, span)
    start: Expr = build.address_of(base, Pointer(base.type), span)
    if offset:
        byte = Pointer(Scalar("uint", 8))
        start = Binary("+", build.cast(start, byte), build.int_constant(offset, span), byte, span)
    return Index(build.cast(start, Pointer(type_)), build.int_constant(0, span), type_, span)


def _offset_bytes(record: ClangType, field: Cursor) -> int:
    """From the start of the record, through anonymous ones in it."""
    return max(int(record.get_offset(field.spelling)), 0) // 8


def _named_record(field: Cursor) -> ClangType:
    record = field.semantic_parent
    while record.is_anonymous() and record.semantic_parent.kind in _RECORDS:
        record = record.semantic_parent
    return record.type


_RECORDS = (Kind.STRUCT_DECL, Kind.CLASS_DECL, Kind.UNION_DECL)
