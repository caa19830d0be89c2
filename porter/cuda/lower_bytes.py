"""`memcpy` between objects of a kernel: element by element, through the bits."""

from __future__ import annotations

import math
from collections.abc import Iterator

from porter.core.span import Span
from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor, evaluate
from porter.cuda.kir import (
    AddressOf,
    Array,
    Assign,
    Bitcast,
    Cast,
    Expr,
    Index,
    Lvalue,
    Member,
    Pointer,
    Scalar,
    Struct,
    Type,
    VarRef,
    Vector,
)
from porter.cuda.lower_context import Lowering
from porter.cuda.lower_intrinsics import IntrinsicCall, intrinsic, nothing


@intrinsic("memcpy", "__builtin_memcpy")
def lower_memcpy(call: IntrinsicCall) -> Expr:
    """A copy of a constant number of bytes between two objects whose types are known."""
    size = evaluate(call.arguments[2])
    target, source = (_object(call.ctx, a) for a in call.arguments[:2])
    if not isinstance(size, int) or target is None or source is None:
        raise call.ctx.decline("TIL011", "`memcpy` of a size or an object that is not known", call.cursor)
    targets, sources = list(_leaves(target, size)), list(_leaves(source, size))
    if _bits(targets) != _bits(sources) or _bits(targets) != size * 8:
        raise call.ctx.decline("TIL011", "`memcpy` of part of an object", call.cursor)
    for place, value in _paired(call, targets, sources):
        call.ctx.emit(Assign(place, value, call.span))
    return nothing(call.span)


def _object(ctx: Lowering, argument: Cursor) -> Lvalue | None:
    """What a pointer argument points to, behind the conversion to `void*`."""
    pointer = ctx.value(argument)
    while isinstance(pointer, Cast) and isinstance(pointer.operand.type, Pointer):
        pointer = pointer.operand
    if isinstance(pointer, AddressOf):
        place: Expr = pointer.lvalue
    elif isinstance(pointer.type, Pointer):
        place = build.index(pointer, build.int_constant(0, pointer.span), pointer.span)
    else:
        return None
    return ctx.freeze_place(place, "copied") if isinstance(place, (VarRef, Index, Member)) else None


def _leaves(place: Lvalue, size: int) -> Iterator[Lvalue]:
    """The scalar parts of an object in the order of their addresses."""
    type_ = place.type
    span = place.span
    if isinstance(type_, Array):
        for position in range(type_.shape[0]):
            yield from _part(build.index(place, build.int_constant(position, span), span), size)
    elif isinstance(type_, Vector):
        for axis in "xyzw"[: type_.lanes]:
            yield Member(place, axis, type_.element, span)
    elif isinstance(type_, Struct):
        for name, field in type_.fields:
            yield from _part(Member(place, name, field, span), size)
    elif _is_array_element(place):
        yield from _elements_from(place, size)
    else:
        yield place


def _part(place: Expr, size: int) -> Iterator[Lvalue]:
    assert isinstance(place, (VarRef, Index, Member))
    if isinstance(place.type, (Array, Vector, Struct)):
        yield from _leaves(place, size)
    else:
        yield place


def _is_array_element(place: Lvalue) -> bool:
    return isinstance(place, Index) and isinstance(place.type, Scalar)


def _elements_from(place: Lvalue, size: int) -> Iterator[Lvalue]:
    """`memcpy` to `&a[i]` goes on through the following elements."""
    assert isinstance(place, Index)
    assert isinstance(place.type, Scalar)
    for offset in range(max(1, size * 8 // place.type.bits)):
        count = build.int_constant(offset, place.span)
        yield Index(place.base, build.add_index(place.index, count, place.span), place.type, place.span)


def _bits(places: list[Lvalue]) -> int:
    return sum(_width(p.type) for p in places)


def _width(type_: Type) -> int:
    return type_.bits if isinstance(type_, Scalar) else 0


def _paired(
    call: IntrinsicCall, targets: list[Lvalue], sources: list[Lvalue]
) -> Iterator[tuple[Lvalue, Expr]]:
    """Each target with its value; parts of unequal width go through unsigned words."""
    widths = {_width(p.type) for p in (*targets, *sources)}
    word = math.gcd(*widths)
    pieces = [piece for s in sources for piece in _split(s, word, call.span)]
    for target in targets:
        count = _width(target.type) // word
        yield target, _joined(pieces[:count], target.type, word, call.span)
        del pieces[:count]


def _split(source: Lvalue, word: int, span: Span) -> list[Expr]:
    width = _width(source.type)
    if width == word:
        return [source]
    unsigned = Scalar("uint", width)
    bits = bitcast(source, unsigned, span)
    return [
        build.cast(_shifted(">>", bits, unsigned, part * word, span), Scalar("uint", word), span)
        for part in range(width // word)
    ]


def _joined(pieces: list[Expr], type_: Type, word: int, span: Span) -> Expr:
    if len(pieces) == 1:
        return bitcast(pieces[0], type_, span)
    unsigned = Scalar("uint", _width(type_))
    whole: Expr | None = None
    for part, piece in enumerate(pieces):
        bits = build.cast(bitcast(piece, Scalar("uint", word), span), unsigned, span)
        moved = _shifted("<<", bits, unsigned, part * word, span)
        whole = moved if whole is None else build.binary("|", whole, moved, unsigned, span)
    assert whole is not None
    return bitcast(whole, type_, span)


def _shifted(op: str, value: Expr, type_: Scalar, count: int, span: Span) -> Expr:
    if count == 0:
        return value
    return build.binary(op, value, build.int_constant(count, span, type_), type_, span)


def bitcast(value: Expr, type_: Type, span: Span) -> Expr:
    return value if build.same_type(value.type, type_) else Bitcast(value, type_, span)
