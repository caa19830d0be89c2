"""Builds KIR expressions in normal form: casts only where types differ, constants folded, `*&x` undone."""

from __future__ import annotations

import struct

from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    INT32,
    INT64,
    AddressOf,
    Array,
    Binary,
    Cast,
    Const,
    Expr,
    Index,
    Lvalue,
    Member,
    Pointer,
    Scalar,
    Type,
    Unary,
    VarRef,
    Void,
)


def same_type(a: Type, b: Type) -> bool:
    """Equal types; a pointer may gain or lose `const`."""
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        return same_type(a.pointee, b.pointee)
    return a == b


def constant(value: int | float | bool, type_: Type, span: Span) -> Const:
    """A constant brought into the range and precision of its type."""
    if not isinstance(type_, Scalar):
        return Const(value, type_, span)
    if type_.kind == "bool":
        return Const(bool(value), type_, span)
    if type_.kind in ("int", "uint"):
        return Const(wrap(int(value), type_), type_, span)
    return Const(_rounded(float(value), type_), type_, span)


def wrap(value: int, type_: Scalar) -> int:
    value &= (1 << type_.bits) - 1
    return value - (1 << type_.bits) if type_.kind == "int" and value >> (type_.bits - 1) else value


def _rounded(value: float, type_: Scalar) -> float:
    if type_ == Scalar("float", 32):
        try:
            return float(struct.unpack("f", struct.pack("f", value))[0])
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    return value


def int_constant(value: int, span: Span, type_: Scalar = INT32) -> Const:
    return constant(value, type_, span)


def cast(operand: Expr, type_: Type, span: Span | None = None) -> Expr:
    """`operand` as `type_`: itself where the types agree, a folded constant where it is one."""
    where = span or operand.span
    if same_type(operand.type, type_) or isinstance(type_, Void):
        return operand
    if isinstance(operand.type, Array) and isinstance(type_, Pointer):
        return cast(decay(operand), type_, where)
    if type_ == BOOL and isinstance(operand, Cast) and operand.operand.type == BOOL:
        return operand.operand
    if isinstance(operand, Const) and isinstance(type_, Pointer) and is_zero(operand):
        return Const(0, type_, where)
    if isinstance(operand, Const) and isinstance(operand.type, Scalar) and isinstance(type_, Scalar):
        return _cast_constant(operand, type_, where)
    return Cast(operand, type_, where)


def _cast_constant(operand: Const, type_: Scalar, span: Span) -> Expr:
    value = operand.value
    if type_.kind in ("int", "uint") and isinstance(value, float):
        if value != value or abs(value) >= 2.0**63:
            return Cast(operand, type_, span)
        value = int(value)
    return constant(value, type_, span)


def decay(array: Expr) -> Expr:
    """An array as the pointer to its first element."""
    assert isinstance(array.type, Array)
    element = index(array, int_constant(0, array.span), array.span)
    assert isinstance(element, (VarRef, Index, Member))
    return address_of(element, Pointer(element.type), array.span)


def element_type(base: Expr) -> Type:
    if isinstance(base.type, Array):
        inner = base.type.shape[1:]
        return Array(base.type.element, inner) if inner else base.type.element
    if isinstance(base.type, Pointer):
        return base.type.pointee
    raise TypeError(f"{base.type} has no elements")


def index(base: Expr, position: Expr, span: Span) -> Expr:
    """`base[position]`; through the address of an element it is the element further on."""
    if isinstance(base, AddressOf):
        place = base.lvalue
        if isinstance(place, Index) and same_type(place.type, element_type(base)):
            return Index(place.base, add_index(place.index, position, span), place.type, span)
        if is_zero(position) and same_type(place.type, element_type(base)):
            return place
    if isinstance(base, Binary) and base.op == "+" and isinstance(base.type, Pointer):
        return index(base.left, add_index(base.right, position, span), span)
    return Index(base, position, element_type(base), span)


def add_index(left: Expr, right: Expr, span: Span) -> Expr:
    if is_zero(right):
        return left
    if is_zero(left):
        return right
    common = left.type if same_type(left.type, right.type) else _wider_index(left.type, right.type)
    return binary("+", cast(left, common), cast(right, common), common, span)


def _wider_index(left: Type, right: Type) -> Type:
    """Pointer arithmetic sign-extends ints and zero-extends unsigned ones, so mixed widths meet in int64."""
    if isinstance(left, Scalar) and isinstance(right, Scalar) and {left, right} <= {INT32}:
        return INT32
    return INT64


def is_zero(value: Expr) -> bool:
    return isinstance(value, Const) and not isinstance(value.value, bool) and value.value == 0


def address_of(place: Lvalue, type_: Type, span: Span) -> Expr:
    """`&place`; of `*p` or `p[0]` it is `p` again."""
    if isinstance(place, Index) and is_zero(place.index) and isinstance(place.base.type, Pointer):
        return cast(place.base, type_, span)
    return AddressOf(place, type_, span)


_COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}


def binary(op: str, left: Expr, right: Expr, type_: Type, span: Span) -> Expr:
    """A binary operation; folds integer constants and `p - i`."""
    if isinstance(left, Const) and isinstance(right, Const):
        folded = _fold(op, left.value, right.value)
        if folded is not None and isinstance(type_, Scalar) and type_.kind in ("int", "uint", "bool"):
            return constant(folded, type_, span)
    return Binary(op, left, right, type_, span)


def _fold(op: str, a: int | float, b: int | float) -> int | None:
    if not isinstance(a, int) or not isinstance(b, int):
        return None
    simple = {
        "+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b, "<": int(a < b),
        "<=": int(a <= b), ">": int(a > b), ">=": int(a >= b), "==": int(a == b), "!=": int(a != b),
    }  # fmt: skip
    if op in ("/", "%") and b != 0:
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if op == "/" else a - quotient * b
    return simple.get(op)


def compare(op: str, left: Expr, right: Expr, span: Span) -> Expr:
    assert op in _COMPARISONS
    return binary(op, left, right, BOOL, span)


def negate(value: Expr, span: Span) -> Expr:
    if isinstance(value, Const) and not isinstance(value.value, bool):
        return constant(-value.value, value.type, span)
    return Unary("-", value, value.type, span)


def logical_not(value: Expr, span: Span) -> Expr:
    if isinstance(value, Const):
        return constant(not value.value, BOOL, span)
    if isinstance(value, Unary) and value.op == "!":
        return value.operand
    return Unary("!", cast(value, BOOL), BOOL, span)
