"""C's operations on integers of which every thread's value is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import Numbers, Polynomial, number
from porter.cuda.kir import Binary, Const, Scalar


def fits(constant: Const, type_: Scalar) -> bool:
    """Whether a conversion keeps the number."""
    value = float(constant.value)
    return type_.kind == "float" and type_.bits >= 32 and float(np.float32(value)) == value


def polynomial_of(values: Numbers | np.bool_) -> Polynomial:
    flat = np.asarray(values, dtype=np.int64)
    return number(int(flat) if flat.ndim == 0 else flat)


def may_be_negative(polynomial: Polynomial) -> bool:
    return any(bool(np.any(np.asarray(c) < 0)) for c in polynomial.terms.values())


def wrapped(polynomial: Polynomial, type_: Scalar) -> Polynomial:
    """A known number in another integer type, as C converts it."""
    value = np.asarray(polynomial.constant, dtype=np.int64)
    if type_.bits >= 64:
        return polynomial_of(value)
    low = value & ((1 << type_.bits) - 1)
    if type_.kind == "int":
        low = np.where(low >> (type_.bits - 1) != 0, low - (1 << type_.bits), low)
    return polynomial_of(low)


def computed(expr: Binary, x: Numbers, y: Numbers) -> Numbers:
    if expr.op in ("/", "%"):
        if bool(np.any(y == 0)):
            raise Stop("a division by zero", expr.span)
        quotient: Numbers = np.sign(x) * np.sign(y) * (np.abs(x) // np.abs(y))
        return quotient if expr.op == "/" else x - quotient * y
    if expr.op not in _BITWISE:
        raise Stop(f"`{expr.op}` of two integers", expr.span)
    result: Numbers = _BITWISE[expr.op](x, y)
    return result


_BITWISE: Mapping[str, Callable[[Numbers, Numbers], Numbers]] = {
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
    "<<": np.left_shift,
    ">>": np.right_shift,
}
