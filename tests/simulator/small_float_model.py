"""Rounding to small floating formats by looking values up in the sorted list of all the format has.

Nothing here knows how the simulator does it: a format is a list of magnitudes, and rounding picks one of two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Bits = NDArray[np.uint32]


@dataclass(frozen=True)
class Format:
    """`finite` counts the magnitudes from 0 up to the largest number; the next one stands for overflow."""

    exponent_bits: int
    mantissa_bits: int
    bias: int
    finite: int

    @cached_property
    def magnitudes(self) -> Reals:
        code = np.arange(self.finite + 1)
        exponent, fraction = code >> self.mantissa_bits, code & ((1 << self.mantissa_bits) - 1)
        normal = np.ldexp((1 << self.mantissa_bits) + fraction.astype(np.float64), exponent - self.bias)
        subnormal = np.ldexp(fraction.astype(np.float64), 1 - self.bias)
        return np.ldexp(np.where(exponent > 0, normal, subnormal), -self.mantissa_bits)

    @property
    def sign(self) -> int:
        return 1 << (self.exponent_bits + self.mantissa_bits)

    def decode(self, bits: Bits) -> Reals:
        """NaN for what is no finite number, infinities included."""
        code = (bits & (self.sign - 1)).astype(np.int64)
        value = np.where(code < self.finite, self.magnitudes[np.minimum(code, self.finite)], np.nan)
        return np.where(bits & self.sign, -value, value)

    def round(self, value: Reals, rest: Reals | float = 0.0, mode: str = "rn") -> Bits:
        """Bits of `value + rest` (`rest` far below); `finite` for overflow, meaningless for NaN."""
        negative = np.signbit(value)
        magnitude = np.minimum(np.abs(value), self.magnitudes[-1])
        inside = np.where(np.abs(value) > self.magnitudes[-1], 0.0, np.where(negative, -1.0, 1.0) * rest)
        below = np.clip(np.searchsorted(self.magnitudes, magnitude, side="right") - 1, 0, self.finite)
        exact = magnitude == self.magnitudes[below]
        below = np.where(exact & (inside < 0), np.maximum(below - 1, 0), below)
        exact &= inside == 0
        above = np.minimum(below + 1, self.finite)
        middle = (self.magnitudes[below] + self.magnitudes[above]) / 2
        past = magnitude + 0.0 > middle
        tie = magnitude == middle
        nearer_above = past | (tie & (inside > 0)) | (tie & (inside == 0) & (below & 1 == 1))
        up = {
            "rn": nearer_above,
            "rz": np.zeros_like(negative),
            "ru": ~negative,
            "rd": negative,
        }[mode]
        code = np.where(exact, below, np.where(up, above, below))
        if mode != "rn":
            toward_zero = np.zeros_like(negative) if mode == "rz" else up
            largest = np.isfinite(value) & (code == self.finite) & ~toward_zero
            code = np.where(largest, self.finite - 1, code)
        return np.where(negative, code | self.sign, code).astype(np.uint32)


HALF = Format(5, 10, 15, 0x7C00)
BFLOAT16 = Format(8, 7, 127, 0x7F80)
E4M3 = Format(4, 3, 7, 0x7F)
E5M2 = Format(5, 2, 15, 0x7C)
E4M3_FNUZ = Format(4, 3, 8, 0x80)
E5M2_FNUZ = Format(5, 2, 16, 0x80)


def two_sum(a: Reals, b: Reals) -> tuple[Reals, Reals]:
    """The rounded sum and its exact error (Knuth)."""
    with np.errstate(invalid="ignore"):
        total = a + b
        part = total - a
        error = (a - (total - part)) + (b - part)
    return total, np.where(np.isfinite(total), error, 0.0)
