"""Element types of captured memory: C names, decoding to NumPy, and units in the last place.

bfloat16 has no NumPy type: its elements stay `uint16` bit patterns until `to_double`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ElementType:
    """`name` is the safetensors spelling; `kind` is "float", "int", "uint" or "bool".

    `epsilon` is the distance from 1 to the next value, 0 for integers.
    """

    name: str
    kind: str
    size_bytes: int
    storage: str
    epsilon: float = 0.0
    largest: float = 0.0
    smallest_normal: float = 0.0

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    def decode(self, data: bytes | memoryview) -> Array:
        """The whole elements of `data`; a tail shorter than an element is left out."""
        usable = len(data) - len(data) % self.size_bytes
        return np.frombuffer(data[:usable], dtype=self.storage)

    def to_double(self, values: Array) -> Doubles:
        """Exact for every float type (a 64-bit integer may round)."""
        if self.name == "BF16":
            return (values.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
        with np.errstate(invalid="ignore"):
            return values.astype(np.float64)

    def from_double(self, values: Doubles) -> Array:
        """Rounds to nearest even; overflow gives infinity."""
        with np.errstate(over="ignore", invalid="ignore"):
            if self.name == "BF16":
                return _round_to_bfloat16(values)
            return values.astype(self.storage)


@dataclass(frozen=True)
class Layout:
    """A struct in memory: the byte offset and type of each number in it. What is between them is padding."""

    size_bytes: int
    numbers: tuple[tuple[int, ElementType], ...]


def _round_to_bfloat16(values: Doubles) -> Array:
    singles = values.astype(np.float32)
    bits = singles.view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    quiet_nan = (bits >> np.uint32(16)) | np.uint32(0x40)
    return np.where(np.isnan(singles), quiet_nan, rounded).astype(np.uint16)


F16 = ElementType("F16", "float", 2, "<f2", 2.0**-10, 65504.0, 2.0**-14)
BF16 = ElementType("BF16", "float", 2, "<u2", 2.0**-7, 3.3895313892515355e38, 2.0**-126)
F32 = ElementType("F32", "float", 4, "<f4", 2.0**-23, 3.4028234663852886e38, 2.0**-126)
F64 = ElementType("F64", "float", 8, "<f8", 2.0**-52, 1.7976931348623157e308, 2.0**-1022)
I8 = ElementType("I8", "int", 1, "<i1")
I16 = ElementType("I16", "int", 2, "<i2")
I32 = ElementType("I32", "int", 4, "<i4")
I64 = ElementType("I64", "int", 8, "<i8")
U8 = ElementType("U8", "uint", 1, "<u1")
U16 = ElementType("U16", "uint", 2, "<u2")
U32 = ElementType("U32", "uint", 4, "<u4")
U64 = ElementType("U64", "uint", 8, "<u8")
BOOL = ElementType("BOOL", "bool", 1, "<u1")

BY_NAME = {t.name: t for t in (F16, BF16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, BOOL)}

_C_NAMES = {
    "float": F32,
    "double": F64,
    "half": F16,
    "__half": F16,
    "_Float16": F16,
    "__nv_bfloat16": BF16,
    "nv_bfloat16": BF16,
    "__hip_bfloat16": BF16,
    "hip_bfloat16": BF16,
    "bool": BOOL,
    "char": I8,
    "signed char": I8,
    "unsigned char": U8,
    "short": I16,
    "unsigned short": U16,
    "int": I32,
    "unsigned int": U32,
    "long": I64,
    "unsigned long": U64,
    "long long": I64,
    "unsigned long long": U64,
    "int8_t": I8,
    "int16_t": I16,
    "int32_t": I32,
    "int64_t": I64,
    "uint8_t": U8,
    "uint16_t": U16,
    "uint32_t": U32,
    "uint64_t": U64,
    "size_t": U64,
    "ptrdiff_t": I64,
    "uint": U32,
    "uchar": U8,
    "ushort": U16,
    "ulong": U64,
    "half2": F16,
    "__half2": F16,
    "__nv_bfloat162": BF16,
    "nv_bfloat162": BF16,
    "__hip_bfloat162": BF16,
}
_VECTOR = re.compile(r"(u?char|u?short|u?int|u?long|u?longlong|float|double)([1-4])")
_VECTOR_BASES = {"longlong": I64, "ulonglong": U64}
_QUALIFIERS = re.compile(
    r"\b(?:const|volatile|__restrict__|__restrict|restrict|struct|class|std::)\b|std::|[*&]"
)


def element_type(c_type: str) -> ElementType | None:
    """The element a C type is made of: `const float4*` gives F32. None for structs, `void` and others."""
    name = " ".join(_QUALIFIERS.sub(" ", re.sub(r"\[.*", "", c_type)).split())
    name = name.lstrip(":").strip()
    if vector := _VECTOR.fullmatch(name):
        base = vector.group(1)
        return _VECTOR_BASES.get(base) or _C_NAMES[base]
    return _C_NAMES.get(name) or _C_NAMES.get(_canonical_integer(name))


def _canonical_integer(name: str) -> str:
    """`unsigned`, `long int`, `long long unsigned int` and the like in one spelling."""
    words = name.split()
    if not words or not set(words) <= {"unsigned", "signed", "long", "short", "int", "char"}:
        return ""
    sign = (
        "unsigned " if "unsigned" in words else "signed " if words.count("char") and "signed" in words else ""
    )
    base = "char" if "char" in words else " ".join(w for w in words if w in ("long", "short")) or "int"
    return sign + base


def ulp_distance(left: Array, right: Array, dtype: ElementType) -> Doubles:
    """How many representable values of `dtype` lie between two arrays, element by element.

    Zeros of both signs are one value; a NaN is at distance 0 from a NaN and at infinity from all else.
    """
    a, b = _ordered(left, dtype), _ordered(right, dtype)
    distance = np.abs(np.subtract(a, b, dtype=np.float64))
    small = distance < 2.0**52
    distance[small] = np.abs(a[small] - b[small]).astype(np.float64)
    left_nan, right_nan = np.isnan(dtype.to_double(left)), np.isnan(dtype.to_double(right))
    distance[left_nan & right_nan] = 0.0
    distance[left_nan ^ right_nan] = np.inf
    return distance


def _ordered(values: Array, dtype: ElementType) -> npt.NDArray[np.int64]:
    """Floats as integers in the same order; -0.0 and 0.0 are both 0."""
    bits = np.ascontiguousarray(values).view(f"<i{dtype.size_bytes}").astype(np.int64)
    if dtype.size_bytes == 8:
        magnitude = bits & np.int64(0x7FFFFFFFFFFFFFFF)
        return np.where(bits < 0, -magnitude, magnitude)
    sign = np.int64(1 << (8 * dtype.size_bytes - 1))
    magnitude = bits & (sign - 1)
    return np.where(bits < 0, -magnitude, magnitude)
