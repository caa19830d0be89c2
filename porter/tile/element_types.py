"""What memory of a C type is made of: its scalar elements and how many of them a step is."""

from __future__ import annotations

from porter.core.span import Span
from porter.cuda import kir
from porter.tile.api import Declined


def element_of(type_: kir.Type, span: Span) -> kir.Scalar:
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
            elements = [element_of(field_type, span) for _, field_type in fields]
            if (
                not any(_holds_pointers(field_type) for _, field_type in fields)
                and len({element.bits for element in elements}) == 1
            ):
                return elements[0]  # the others are read through a pointer of their own type
            hint = "keep members of different sizes, and what pointers point to, in arrays of their own"
            raise Declined("TIL051", f"memory of type `{type_}` has no single element type", span, hint)
    raise Declined("TIL051", f"memory of type `{type_}` has no single element type", span)


def _holds_pointers(type_: kir.Type) -> bool:
    if isinstance(type_, kir.Array):
        return _holds_pointers(type_.element)
    return isinstance(type_, kir.Pointer)


def elements_per(type_: kir.Type, span: Span) -> int:
    """How many scalars one step of a pointer or array of this type is."""
    assert isinstance(type_, (kir.Pointer, kir.Array))
    return scalar_count(type_.pointee if isinstance(type_, kir.Pointer) else type_.element, span)


def scalar_count(type_: kir.Type, span: Span) -> int:
    match type_:
        case kir.Vector(_, lanes):
            return lanes
        case kir.Struct(_, fields):
            if type_.size_bytes:  # with what aligns it
                return type_.size_bytes * 8 // element_of(type_, span).bits
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


def field_offset(type_: kir.Type, field: str, span: Span) -> int:
    if isinstance(type_, kir.Vector):
        return "xyzw".index(field)
    if isinstance(type_, kir.Struct):
        names = [name for name, _ in type_.fields]
        if type_.offsets_bytes and field in names:
            return type_.offsets_bytes[names.index(field)] * 8 // element_of(type_, span).bits
        offset = 0
        for name, field_type in type_.fields:
            if name == field:
                return offset
            offset += scalar_count(field_type, span)
    raise Declined("TIL051", f"member `{field}` of `{type_}`", span)
