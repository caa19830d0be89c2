"""Packed operands (VOP3P): which half of each source goes to which half of the operation, and signs."""

from __future__ import annotations

import numpy as np

from porter.harness.isa.bits import Lanes
from porter.harness.isa.decode import Instruction

_NAMES = ("src0", "src1", "src2")


def packed_source(instruction: Instruction, index: int, value: Lanes) -> Lanes:
    """The source with its halves chosen by op_sel and op_sel_hi and negated by neg and neg_hi."""
    described = instruction.operands.get(_NAMES[index])
    format_ = described.format if described else ""
    if not format_.startswith("PK2_"):
        return value
    half = instruction.bits(_NAMES[index]) // 2
    kind = value.dtype.type
    low_from = instruction.field("opsel") >> index & 1
    high_from = (instruction.field("opsel_hi2") if index == 2 else instruction.field("opsel_hi") >> index) & 1
    uniform_constant = 128 <= instruction.field(_NAMES[index]) < 256
    low = _half(value, low_from, half, uniform_constant)
    high = _half(value, high_from, half, uniform_constant)
    if format_.endswith(("F16", "F32", "BF16")):
        sign = kind(1 << (half - 1))
        low = low ^ sign if instruction.field("neg") >> index & 1 else low
        high = high ^ sign if instruction.field("neg_hi") >> index & 1 else high
    return np.asarray(low | (high << kind(half)))


def _half(value: Lanes, which: int, bits: int, constant: bool) -> Lanes:
    """An inline constant stands in the low half of the source; in 32-bit pairs it stands in both."""
    kind = value.dtype.type
    if which and not (constant and bits == 32):
        return value >> kind(bits)
    return value & kind((1 << bits) - 1)
