"""Register contents as numpy arrays: the same bits under another type, and fields of bits.

Contents are unsigned arrays of 32 or 64 bits; a typed value is an array of the numpy type of its kind. There
is no numpy type for bfloat16 and the 8-bit floats: they stay unsigned bits until they are converted.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Lanes: TypeAlias = Any
"""A numpy array: one value for each lane of each wave (or one for each wave, in scalar instructions).

Its element type is the instruction's matter, which numpy's annotations cannot follow.
"""

_KINDS = {"u": "uint", "b": "uint", "bf": "uint", "fp": "uint", "i": "int", "f": "float"}


def storage_bits(bits: int) -> int:
    """The width of the numpy type that holds `bits` bits."""
    return next(width for width in (8, 16, 32, 64) if bits <= width)


def dtype_of(kind: str, bits: int) -> np.dtype[Any]:
    """The numpy type of a pseudo-code type; a single bit is a bool."""
    if bits == 1:
        return np.dtype(np.bool_)
    return np.dtype(f"{_KINDS[kind]}{storage_bits(bits)}")


def raw(value: Lanes) -> Lanes:
    """The bits of a value, as unsigned integers of its own width."""
    value = np.asarray(value)
    if value.dtype == np.bool_:
        return value.astype(np.uint32)
    return value if value.dtype.kind == "u" else value.view(f"u{value.dtype.itemsize}")


def typed(value: Lanes, kind: str, bits: int) -> Lanes:
    """The low `bits` bits of a value as another type; wider than the value: sign- or zero-extended."""
    value = np.asarray(value)
    target = dtype_of(kind, bits)
    if value.dtype == target and bits in (1, 8, 16, 32, 64):
        return value
    if bits == 1:
        return (raw(value) & 1).astype(np.bool_)
    if value.dtype.kind == "i" and kind == "i" and bits >= value.dtype.itemsize * 8:
        return value.astype(target)
    unsigned = raw(value).astype(f"u{target.itemsize}")
    if bits != target.itemsize * 8:
        unused = unsigned.dtype.type(target.itemsize * 8 - bits)
        if kind == "i":
            return (unsigned << unused).view(target) >> target.type(unused)
        unsigned = unsigned & unsigned.dtype.type((1 << bits) - 1)
    return unsigned.view(target)


def field(value: Lanes, high: int, low: int) -> Lanes:
    """Bits `high` to `low` as an unsigned value of 32 bits, or 64 where there are more; reversed if asked."""
    bits = raw(value)
    if high < low:
        return reverse(bits, low - high + 1)
    width = high - low + 1
    if bits.dtype.itemsize * 8 <= low:
        return np.zeros_like(bits, dtype=np.uint32)
    shifted = bits >> bits.dtype.type(low)
    if width >= bits.dtype.itemsize * 8:
        return shifted
    kept = shifted & bits.dtype.type((1 << width) - 1)
    return kept.astype(np.uint32) if width <= 32 else kept


def reverse(bits: Lanes, width: int) -> Lanes:
    """The lowest `width` bits in reverse order."""
    whole = bits.astype(np.uint64)
    for step, mask in (
        (1, 0x5555555555555555),
        (2, 0x3333333333333333),
        (4, 0x0F0F0F0F0F0F0F0F),
        (8, 0x00FF00FF00FF00FF),
        (16, 0x0000FFFF0000FFFF),
    ):
        pattern, distance = np.uint64(mask), np.uint64(step)
        whole = ((whole >> distance) & pattern) | ((whole & pattern) << distance)
    whole = (whole >> np.uint64(32)) | (whole << np.uint64(32))
    return (whole >> np.uint64(64 - width)).astype(bits.dtype)


def bit(value: Lanes, at: Lanes | int) -> Lanes:
    """Bit number `at`, as a bool."""
    bits = raw(value)
    return ((bits >> np.asarray(at).astype(bits.dtype)) & bits.dtype.type(1)).astype(np.bool_)


def insert(whole: Lanes, high: int, low: int, value: Lanes) -> Lanes:
    """`whole` with bits `high` to `low` replaced by the lowest bits of `value`; at least 32 bits wide."""
    wide = np.uint64 if high > 31 or whole.dtype.itemsize == 8 else np.uint32
    mask = wide(((1 << (high - low + 1)) - 1) << low)
    new = (raw(value).astype(wide) << wide(low)) & mask
    if high == np.dtype(wide).itemsize * 8 - 1 and low == 0:
        return new
    return (raw(whole).astype(wide) & ~mask) | new


def join(parts: list[tuple[Lanes, int]]) -> Lanes:
    """Concatenation; `parts` are (value, bits) from the highest to the lowest."""
    total = sum(bits for _, bits in parts)
    wide = np.uint64 if total > 32 else np.uint32
    result: Lanes = np.zeros((), dtype=wide)
    for value, bits in parts:
        result = (result << wide(bits)) | (raw(value).astype(wide) & wide((1 << bits) - 1))
    return result
