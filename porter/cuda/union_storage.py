"""The type that a union is kept as: one piece of memory, as wide as the widest member."""

from __future__ import annotations

import math

from porter.cuda.kir import Array, Scalar, Struct, Type, Vector


def union_storage(members: list[Type], size_bytes: int) -> Type | None:
    """The type that a union of these members is kept as; None where there is none of its size."""
    for member in members:
        if _size_bytes(member) == size_bytes and len(set(_scalars(member))) == 1:
            return member
    if size_bytes == 0 or not any(_scalars(member) for member in members):
        return None
    word = next(n for n in (4, 2, 1) if size_bytes % n == 0)
    return Array(Scalar("uint", 8 * word), (size_bytes // word,))


def _scalars(type_: Type) -> list[Scalar]:
    match type_:
        case Scalar():
            return [type_]
        case Vector(element):
            return [element]
        case Array(element):
            return _scalars(element)
        case Struct(_, fields):
            return [s for _, field in fields for s in _scalars(field)]
        case _:
            return []


def _size_bytes(type_: Type) -> int:
    match type_:
        case Scalar(_, bits):
            return bits // 8
        case Vector(element, lanes):
            return element.bits // 8 * lanes
        case Array(element, shape):
            return _size_bytes(element) * math.prod(shape)
        case Struct():
            return type_.size_bytes
        case _:
            return 0
