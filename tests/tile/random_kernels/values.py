"""C types and the values of expressions, with the range that every value of an expression lies in.

A float is a whole number of units of 2**-scale. As long as that number fits the type's significand, sums,
differences and products are exact, in any order and with any contraction: such floats may decide branches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class CType:
    """A scalar type. `kind` is "int", "uint", "bool" or "float"; `digits` a float's bits of significand."""

    name: str
    kind: str
    bits: int
    numpy: str
    digits: int = 0

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.kind == "int" else 0

    @property
    def high(self) -> int:
        if self.kind == "bool":
            return 1
        return (1 << (self.bits - (self.kind == "int"))) - 1

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.numpy)


BOOL = CType("bool", "bool", 8, "?")
CHAR = CType("signed char", "int", 8, "i1")
UCHAR = CType("unsigned char", "uint", 8, "u1")
SHORT = CType("short", "int", 16, "i2")
USHORT = CType("unsigned short", "uint", 16, "u2")
INT = CType("int", "int", 32, "i4")
UINT = CType("unsigned int", "uint", 32, "u4")
LONG = CType("long long", "int", 64, "i8")
ULONG = CType("unsigned long long", "uint", 64, "u8")
FLOAT = CType("float", "float", 32, "f4", 24)
DOUBLE = CType("double", "float", 64, "f8", 53)

INTEGERS = (CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG)
WIDE = (INT, UINT, LONG, ULONG)
FLOATS = (FLOAT, DOUBLE)


@dataclass(frozen=True)
class Value:
    """An expression: its text, its type, and the range of its values in units of 2**-scale."""

    text: str
    type: CType
    low: int
    high: int
    scale: int = 0

    @property
    def magnitude(self) -> int:
        return max(abs(self.low), abs(self.high))

    def within(self, low: int, high: int) -> bool:
        return low <= self.low and self.high <= high

    def as_text(self, text: str) -> Value:
        return replace(self, text=text)


@dataclass(frozen=True)
class Variable:
    """Something that has a name: whatever is assigned to it lies in its range."""

    name: str
    type: CType
    low: int
    high: int
    scale: int = 0
    assignable: bool = True

    def read(self) -> Value:
        return Value(self.name, self.type, self.low, self.high, self.scale)


def promoted(type_: CType) -> CType:
    return INT if type_.bits < 32 or type_.kind == "bool" else type_


def common(left: CType, right: CType) -> CType:
    """The usual arithmetic conversions."""
    if left.is_float or right.is_float:
        return max((t for t in (left, right) if t.is_float), key=lambda t: t.bits)
    left, right = promoted(left), promoted(right)
    if left.bits != right.bits:
        return max(left, right, key=lambda t: t.bits)
    return left if left.kind == "uint" else right


def converted(value: Value, type_: CType, text: str = "") -> Value:
    """An integer as another integer type, as C converts it."""
    text = text or value.text
    if type_.kind == "bool":
        return Value(text, type_, 0, 1)
    if value.within(type_.low, type_.high):
        return Value(text, type_, value.low, value.high)
    return Value(text, type_, type_.low, type_.high)


def literal(number: int, type_: CType = INT) -> Value:
    """A number as C writes it in that type; for a type without literals, of `int`."""
    suffix = {"unsigned int": "u", "long long": "ll", "unsigned long long": "ull"}.get(type_.name, "")
    shown = f"{number}{suffix}" if number >= 0 else f"({number}{suffix})"
    return Value(shown, type_ if suffix else INT, number, number)


def real(number: int, scale: int, type_: CType) -> Value:
    """number * 2**-scale as a literal of the type."""
    text = repr(number / (1 << scale)) + ("f" if type_ is FLOAT else "")
    return Value(text if number >= 0 else f"({text})", type_, number, number, scale)


def is_exact(low: int, high: int, type_: CType) -> bool:
    return max(abs(low), abs(high)) <= 1 << type_.digits
