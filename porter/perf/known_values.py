"""C arithmetic on the values of one thread that are known before the program runs; None is unknown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from porter.cuda import kir


@dataclass(frozen=True)
class Address:
    """A pointer value: somewhere in the memory that `root` points to."""

    root: kir.Variable


Value: TypeAlias = int | float | bool | Address | None


def dtype_of(type_: kir.Type) -> str | None:
    if not isinstance(type_, kir.Scalar) or type_.kind not in ("float", "bfloat"):
        return None
    return f"bf{type_.bits}" if type_.kind == "bfloat" else f"f{type_.bits}"


def unary(op: str, value: Value) -> Value:
    if value is None or isinstance(value, Address):
        return None
    if op == "!":
        return not value
    if op == "-":
        return -value
    return ~value if isinstance(value, int) else None


def convert(value: Value, type_: kir.Type) -> Value:
    if value is None or isinstance(value, Address) or not isinstance(type_, kir.Scalar):
        return value
    if type_.kind in ("float", "bfloat"):
        return float(value)
    if type_.kind == "bool":
        return bool(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return _wrap(int(value), type_)


def _wrap(value: int, type_: kir.Scalar) -> int:
    value &= (1 << type_.bits) - 1
    return value - (1 << type_.bits) if type_.kind == "int" and value >> (type_.bits - 1) else value


def arithmetic(op: str, a: int | float, b: int | float, type_: kir.Type) -> Value:
    compared = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}
    if op in compared:
        return compared[op]
    if op in ("&&", "||"):
        return bool(a and b) if op == "&&" else bool(a or b)
    if not isinstance(type_, kir.Scalar):
        return None
    if type_.kind in ("float", "bfloat"):
        return None  # control flow on computed floats is data for all that this counts
    return _integer(op, int(a), int(b), type_)


def _integer(op: str, a: int, b: int, type_: kir.Scalar) -> Value:
    if op in ("/", "%"):
        if b == 0:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return _wrap(quotient if op == "/" else a - quotient * b, type_)
    if op in ("<<", ">>"):
        if not 0 <= b < type_.bits:
            return None
        return _wrap(a << b if op == "<<" else a >> b, type_)
    simple = {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}
    return _wrap(simple[op], type_) if op in simple else None
