"""Sizes of types in memory, in bytes."""

from __future__ import annotations

import math

from porter.analysis.walk import walk
from porter.cuda.kir import Array, Declare, Kernel, Pointer, Scalar, Storage, Struct, Type, Vector, Void


def size_bytes(type_: Type) -> int:
    """The size of a value in memory; 0 for void."""
    match type_:
        case Scalar(_, bits):
            return bits // 8
        case Vector(element, lanes):
            return size_bytes(element) * lanes
        case Struct():
            return type_.size_bytes or sum(size_bytes(t) for _, t in type_.fields)
        case Array(element, shape):
            return size_bytes(element) * math.prod(shape)
        case Pointer():
            return 8
        case Void():
            return 0


def field_offset_bytes(type_: Struct | Vector, field: str) -> int:
    """Where a member starts in its struct or vector."""
    if isinstance(type_, Vector):
        return "xyzw".index(field) * size_bytes(type_.element)
    names = [name for name, _ in type_.fields]
    if type_.offsets_bytes:
        return type_.offsets_bytes[names.index(field)]
    return sum(size_bytes(t) for _, t in type_.fields[: names.index(field)])


def shared_bytes(kernel: Kernel) -> int:
    """The shared memory that a kernel declares with a constant size."""
    return sum(
        size_bytes(s.variable.type)
        for s in walk(kernel.body)
        if isinstance(s, Declare) and s.variable.storage is Storage.SHARED
    )
