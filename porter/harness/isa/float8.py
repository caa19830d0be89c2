"""The 8-bit floats: E4M3 and E5M2, in the FNUZ form of gfx942 and the OCP form of gfx950.

Source: the ISA documents of CDNA3 and CDNA4; OCP 8-bit Floating Point Specification, revision 1.0.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

_FORMATS = {"FP8": (4, 3), "BF8": (5, 2)}
_FNUZ = ("gfx940", "gfx941", "gfx942")


@cache
def float8_values(kind: str, arch: str) -> npt.NDArray[np.float64]:
    """The number that each of the 256 bytes stands for; `kind` is FP8 or BF8."""
    exponent_bits, fraction_bits = _FORMATS[kind]
    byte = np.arange(256)
    sign = np.where(byte & 0x80, -1.0, 1.0)
    exponent = byte >> fraction_bits & ((1 << exponent_bits) - 1)
    fraction = (byte & ((1 << fraction_bits) - 1)) / (1 << fraction_bits)
    fnuz = arch in _FNUZ
    bias = (1 << (exponent_bits - 1)) - (0 if fnuz else 1)
    magnitude = np.where(
        exponent == 0, np.ldexp(fraction, 1 - bias), np.ldexp(1.0 + fraction, exponent - bias)
    )
    values = sign * magnitude
    if fnuz:
        values[0x80] = np.nan
    elif kind == "FP8":
        values[[0x7F, 0xFF]] = np.nan
    else:
        highest = exponent == (1 << exponent_bits) - 1
        values = np.where(highest, np.where(fraction == 0, sign * np.inf, np.nan), values)
    return np.asarray(values)
