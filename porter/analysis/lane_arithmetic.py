"""Operators of the kernel IR on values of all threads (`lane_values`)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from porter.analysis import concrete
from porter.analysis.lane_values import (
    LaneValue,
    Unknown,
    Value,
    constant,
    of_numbers,
    plus,
    scaled,
    split,
    times,
)
from porter.cuda.kir import Binary, Call, Unary

Fresh = Callable[[str], LaneValue]
"""Makes a symbol that all threads share."""


def binary(expr: Binary, left: Value, right: Value, fresh: Fresh, text: str) -> Value:
    """`left op right`. What cannot be followed is a symbol where it is uniform, else Unknown."""
    for operand in (left, right):
        if isinstance(operand, Unknown):
            return operand
    assert isinstance(left, LaneValue)
    assert isinstance(right, LaneValue)
    exact = _exact(expr, left, right)
    if exact is not None:
        return exact
    if left.is_uniform and right.is_uniform:
        return fresh(text)
    return Unknown(f"`{expr.op}` in `{text}` depends on values that are not known", expr.span)


def _exact(expr: Binary, left: LaneValue, right: LaneValue) -> LaneValue | None:
    match expr.op:
        case "+":
            return plus(left, right)
        case "-":
            return plus(left, right, -1)
        case "*":
            return times(left, right)
    if left.is_known and right.is_known:
        numbers = concrete.binary(expr.op, left.numbers, right.numbers, expr.type)
        return None if numbers is None else of_numbers(numbers)
    amount = right.known_constant()
    return None if amount is None else _by_constant(expr.op, left, amount)


def _by_constant(op: str, left: LaneValue, amount: int) -> LaneValue | None:
    if op == "<<" and 0 <= amount < 32:
        return scaled(left, 1 << amount)
    is_low_mask = op == "&" and amount > 0 and amount & (amount + 1) == 0
    divisor = amount + 1 if is_low_mask else 1 << amount if op == ">>" and 0 <= amount < 32 else amount
    if op not in ("/", "%", ">>") and not is_low_mask:
        return None
    parts = split(left, divisor)
    if parts is None:
        return None
    return parts[0] if op in ("/", ">>") else parts[1]


def unary(expr: Unary, operand: Value, fresh: Fresh, text: str) -> Value:
    if isinstance(operand, Unknown):
        return operand
    if expr.op == "-":
        return scaled(operand, -1)
    if operand.is_known:
        return of_numbers(concrete.unary(expr.op, operand.numbers, expr.type))
    return fresh(text) if operand.is_uniform else Unknown(f"`{text}` is not known", expr.span)


def extremum(call: Call, left: LaneValue, right: LaneValue) -> tuple[LaneValue | None, bool]:
    """`min` and `max`; of a clamp against something uniform the value away from it (then True)."""
    if left.is_known and right.is_known:
        numbers = concrete.call(call.name, [left.numbers, right.numbers], call.type)
        return (None if numbers is None else of_numbers(numbers)), False
    if left.is_uniform != right.is_uniform:
        return (right if left.is_uniform else left), True
    return None, False


def position(block: tuple[int, int, int], axis: str) -> LaneValue:
    """`threadIdx` of one axis in every thread of the block."""
    thread = np.arange(block[0] * block[1] * block[2])
    x, y, _ = block
    return of_numbers({"x": thread % x, "y": thread // x % y, "z": thread // (x * y)}[axis])


def extent(sizes: tuple[int, int, int], axis: str, threads: int) -> LaneValue:
    return constant(sizes["xyz".index(axis)], threads)
