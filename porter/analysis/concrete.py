"""C arithmetic on known values, all threads of a block at once.

A known value is a NumPy array with one entry a thread: int64 for every integer type, bool, or float64.
Entries of threads that are not active are arbitrary: nothing here fails on them. 64-bit unsigned values
above 2**63 are not represented; the caller must not compare them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from porter.cuda.kir import Scalar, Type

Array: TypeAlias = npt.NDArray[Any]

MAXIMA = frozenset({"max", "fmax", "fmaxf", "umax", "__hmax"})
MINIMA = frozenset({"min", "fmin", "fminf", "umin", "__hmin"})


def wrap(values: Array, type_: Type) -> Array:
    """`values` converted to `type_` as C does: modulo 2**bits, truncation towards zero, non-zero is true."""
    if not isinstance(type_, Scalar) or type_.kind in ("float", "bfloat"):
        return values.astype(np.float64)
    if type_.kind == "bool":
        return np.asarray(values != 0)
    with np.errstate(all="ignore"):
        whole = np.trunc(values).astype(np.int64) if values.dtype.kind == "f" else values.astype(np.int64)
    if type_.bits >= 64:
        return whole
    low = np.bitwise_and(whole, (1 << type_.bits) - 1)
    if type_.kind == "uint":
        return low
    half = 1 << (type_.bits - 1)
    return np.asarray(np.where(low >= half, low - (1 << type_.bits), low))


_COMPARE = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}
_ARITHMETIC = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
}


def binary(op: str, left: Array, right: Array, type_: Type) -> Array | None:
    """The result of a C operator in `type_`, or None for an operator that is not known here."""
    with np.errstate(all="ignore"):
        if op in _COMPARE:
            return np.asarray(_COMPARE[op](left, right))
        if op in ("&&", "||"):
            return np.asarray((np.logical_and if op == "&&" else np.logical_or)(left != 0, right != 0))
        if op in _ARITHMETIC:
            return wrap(np.asarray(_ARITHMETIC[op](_number(left), _number(right))), type_)
        if op in ("<<", ">>"):
            return _shift(op, _number(left), _number(right), type_)
        if op in ("/", "%"):
            return _divide(op, _number(left), _number(right), type_)
    return None


def _number(values: Array) -> Array:
    return values.astype(np.int64) if values.dtype.kind == "b" else values


def _shift(op: str, left: Array, right: Array, type_: Type) -> Array:
    amount = np.clip(right.astype(np.int64), 0, 63)
    shift = np.left_shift if op == "<<" else np.right_shift
    return wrap(np.asarray(shift(left.astype(np.int64), amount)), type_)


def _divide(op: str, left: Array, right: Array, type_: Type) -> Array:
    if left.dtype.kind == "f" or right.dtype.kind == "f":
        return np.asarray(np.divide(left, right)) if op == "/" else np.asarray(np.fmod(left, right))
    divisor = np.where(right == 0, 1, right)
    magnitude = np.abs(left) // np.abs(divisor)
    quotient = np.where((left < 0) != (divisor < 0), -magnitude, magnitude)
    return wrap(quotient if op == "/" else left - quotient * divisor, type_)


def unary(op: str, operand: Array, type_: Type) -> Array:
    if op == "!":
        return np.asarray(operand == 0)
    if op == "~":
        return wrap(np.bitwise_not(_number(operand).astype(np.int64)), type_)
    return wrap(np.negative(_number(operand)), type_)


def call(name: str, arguments: list[Array], type_: Type) -> Array | None:
    """The few pure intrinsics that index arithmetic uses; None for any other."""
    if name in MAXIMA and len(arguments) == 2:
        return wrap(np.maximum(_number(arguments[0]), _number(arguments[1])), type_)
    if name in MINIMA and len(arguments) == 2:
        return wrap(np.minimum(_number(arguments[0]), _number(arguments[1])), type_)
    if name == "abs" and len(arguments) == 1:
        return wrap(np.abs(_number(arguments[0])), type_)
    return None
