"""The functions that the pseudo-code calls: conversions, fused multiply-add, classification of floats.

All are correctly rounded (to nearest even), `fma` with one rounding. `exp2`, `log2`, reciprocals, roots,
`sin` and `cos` round the double-precision result; the hardware's are within an ulp or so of that.
"""

from __future__ import annotations

import numpy as np

from porter.harness.isa.bits import Lanes, raw

_BIASES = {2: 15, 4: 127, 8: 1023}
_FRACTIONS = {2: 10, 4: 23, 8: 52}


def fma(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """a·b + c, rounded once, in the type of the operands."""
    if a.dtype == np.float64:
        return _fma_double(a, b, c)
    product = a.astype(np.float64) * b.astype(np.float64)
    return _sum_to_odd(product, c.astype(np.float64)).astype(a.dtype)


def _sum_to_odd(x: Lanes, y: Lanes) -> Lanes:
    """x + y in double, rounded to odd, so that one more rounding to a narrower type is exact.

    Source: Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums" (2008).
    """
    total, error = _two_sum(x, y)
    even = (total.view(np.uint64) & np.uint64(1)) == 0
    inexact = (error != 0) & np.isfinite(error) & even & np.isfinite(total)
    return np.where(inexact, np.nextafter(total, np.copysign(np.inf, error)), total)


def _two_sum(x: Lanes, y: Lanes) -> tuple[Lanes, Lanes]:
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def _fma_double(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """Dekker's exact product, then the sum rounded to odd and again; plain where that leaves the range."""
    high = a * b
    low = _product_error(a, b, high)
    first, first_error = _two_sum(c, low)
    total, total_error = _two_sum(high, first)
    result = total + _sum_to_odd(first_error, total_error)
    plain = a * b + c
    return np.where(np.isfinite(result) & np.isfinite(low), result, plain)


def _product_error(a: Lanes, b: Lanes, product: Lanes) -> Lanes:
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _split(x: Lanes) -> tuple[Lanes, Lanes]:
    scaled = x * 134217729.0  # 2^27 + 1
    high = scaled - (scaled - x)
    return high, x - high


def float_to_integer(value: Lanes, target: str) -> Lanes:
    """Toward zero, saturating; NaN is 0."""
    limits = np.iinfo(target)
    number = np.trunc(value.astype(np.float64))
    inside = np.where(np.isnan(number), 0.0, np.clip(number, float(limits.min), float(limits.max)))
    if limits.bits < 64:
        return inside.astype(target)
    return np.where(inside >= float(limits.max), limits.max, inside.astype(target)).astype(target)


def to_float(value: Lanes, target: str) -> Lanes:
    return np.asarray(value).astype(target)


def bf16_to_f32(value: Lanes) -> Lanes:
    return (raw(value).astype(np.uint32) << np.uint32(16)).view(np.float32)


def f32_to_bf16(value: Lanes) -> Lanes:
    """To nearest even; a NaN stays a NaN."""
    bits = value.view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    quiet = (bits >> np.uint32(16)) | np.uint32(0x40)
    return np.where(np.isnan(value), quiet, rounded).astype(np.uint16)


def f32_to_f16_toward_zero(value: Lanes) -> Lanes:
    nearest = value.astype(np.float16)
    beyond = np.abs(nearest.astype(np.float32)) > np.abs(value)
    return np.where(beyond, np.nextafter(nearest, np.float16(0)), nearest).astype(np.float16)


def exponent(value: Lanes) -> Lanes:
    """The biased exponent field."""
    bits, size = raw(value), value.dtype.itemsize
    shifted = bits >> bits.dtype.type(_FRACTIONS[size])
    return (shifted & bits.dtype.type(2 * _BIASES[size] + 1)).astype(np.int32)


def mantissa(value: Lanes) -> Lanes:
    """In [0.5, 1) with the value's sign; zero stays zero."""
    return np.asarray(np.frexp(value)[0]).astype(value.dtype)


def frexp_exponent(value: Lanes) -> Lanes:
    """The exponent that goes with `mantissa`; 0 for what is not finite."""
    return np.where(np.isfinite(value), np.frexp(value)[1], 0).astype(np.int32)


def sign(value: Lanes) -> Lanes:
    return np.signbit(value)


def is_nan(value: Lanes) -> Lanes:
    return np.isnan(value)


def is_quiet_nan(value: Lanes) -> Lanes:
    return np.isnan(value) & ~is_signal_nan(value)


def is_signal_nan(value: Lanes) -> Lanes:
    bits = raw(value)
    quiet = bits.dtype.type(1 << (_FRACTIONS[value.dtype.itemsize] - 1))
    return np.isnan(value) & ((bits & quiet) == 0)


def quieted(value: Lanes) -> Lanes:
    bits = raw(value)
    return (bits | bits.dtype.type(1 << (_FRACTIONS[value.dtype.itemsize] - 1))).view(value.dtype)


def ldexp(value: Lanes, shift: Lanes) -> Lanes:
    """value · 2^shift, rounded once."""
    return np.ldexp(value, np.clip(shift, -5000, 5000).astype(np.int32)).astype(value.dtype)


def through_double(function: np.ufunc, value: Lanes) -> Lanes:
    """A function evaluated in double precision and rounded to the type of the argument."""
    return np.asarray(function(value.astype(np.float64))).astype(value.dtype)


def exp2(value: Lanes) -> Lanes:
    return through_double(np.exp2, value)


def log2(value: Lanes) -> Lanes:
    return through_double(np.log2, value)


def square_root(value: Lanes) -> Lanes:
    return through_double(np.sqrt, value)


def reciprocal(value: Lanes) -> Lanes:
    return (1.0 / value.astype(np.float64)).astype(value.dtype)


def reciprocal_root(value: Lanes) -> Lanes:
    return (1.0 / np.sqrt(value.astype(np.float64))).astype(value.dtype)


def sine_of_turns(value: Lanes) -> Lanes:
    """sin(2π·value), the reduction exact; NaN for infinities."""
    turns = value.astype(np.float64)
    return np.sin(2.0 * np.pi * (turns - np.rint(turns))).astype(value.dtype)


def cosine_of_turns(value: Lanes) -> Lanes:
    turns = value.astype(np.float64)
    return np.cos(2.0 * np.pi * (turns - np.rint(turns))).astype(value.dtype)


def fraction(value: Lanes) -> Lanes:
    """value − floor(value), below 1."""
    below_one = np.nextafter(value.dtype.type(1), value.dtype.type(0))
    return np.minimum(value - np.floor(value), below_one).astype(value.dtype)
