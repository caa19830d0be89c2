"""Variables as rows of alike elements, as an execution that follows places keeps them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from porter.cuda.kir import (
    SHARED_STORAGE,
    Array,
    Pointer,
    Scalar,
    Storage,
    Struct,
    Type,
    Variable,
    Vector,
)


def slot_type(root: Variable) -> Type:
    """What an element of the variable is: of a pointer parameter what it points to, of a vector its parts."""
    type_: Type = root.type
    while isinstance(type_, Array):
        type_ = type_.element
    if isinstance(type_, Pointer) and root.storage not in (Storage.LOCAL, *SHARED_STORAGE):
        type_ = type_.pointee
    return element_of(type_)


@lru_cache(maxsize=4096)
def element_of(type_: Type) -> Type:
    """What an aggregate is made of, where all its parts are alike; else the type itself."""
    if isinstance(type_, Array):
        return element_of(type_.element)
    if isinstance(type_, Vector):
        return type_.element
    if isinstance(type_, Struct):
        parts = {element_of(part) for _, part in type_.fields}
        return parts.pop() if len(parts) == 1 else type_
    return type_


@lru_cache(maxsize=4096)
def slots_of(type_: Type) -> int:
    """How many elements of one kind a variable of this type is."""
    if isinstance(type_, Array):
        return int(np.prod(type_.shape)) * slots_of(type_.element)
    if isinstance(type_, Struct) and element_of(type_) is not type_:
        return sum(slots_of(part) for _, part in type_.fields)
    return type_.lanes if isinstance(type_, Vector) else 1


@lru_cache(maxsize=4096)
def field_offset(type_: Struct, name: str) -> int:
    """The first element of a field."""
    names = [field for field, _ in type_.fields]
    return sum(slots_of(part) for _, part in type_.fields[: names.index(name)])


def is_whole(type_: Type) -> bool:
    return isinstance(type_, Scalar) and type_.kind in ("int", "uint", "bool")


def is_unsigned(type_: Type) -> bool:
    return isinstance(type_, Scalar) and type_.kind == "uint"


def bits_of(type_: Type) -> int:
    return type_.bits if isinstance(type_, Scalar) else 0


def size_bits(type_: Type) -> int:
    match type_:
        case Scalar(bits=bits):
            return bits
        case Vector(element=element, lanes=lanes):
            return element.bits * lanes
        case Array(element=element, shape=shape):
            return size_bits(element) * int(np.prod(shape))
        case Struct(fields=fields) if element_of(type_) is not type_:
            return sum(size_bits(part) for _, part in fields)
        case Pointer():
            return 64
        case _:
            return 0
