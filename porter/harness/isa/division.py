"""Division: scaling the operands, the last step of the iteration, fixing up the quotient.

The cases are the pseudo-code's, with its symbol `DENORM` read as "is a denormal".
"""

from __future__ import annotations

import numpy as np

from porter.harness.isa import numeric
from porter.harness.isa.bits import Lanes, typed
from porter.harness.isa.hand_written import define


def _f32(value: Lanes) -> Lanes:
    return typed(value, "f", 32)


def _f64(value: Lanes) -> Lanes:
    return typed(value, "f", 64)


def _division(bits: int) -> tuple[str, str, int, int, int]:
    return ("f4", "u4", 96, 64, 23) if bits == 32 else ("f8", "u8", 768, 128, 53)


def _div_scale(bits: int, S0: Lanes, S1: Lanes, S2: Lanes) -> dict[str, Lanes]:
    kind, raw_kind, far, step, tiny = _division(bits)
    value, denominator, numerator = (s.astype(raw_kind).view(kind) for s in np.broadcast_arrays(S0, S1, S2))
    smallest = np.finfo(kind).smallest_normal

    def is_denormal(x: Lanes) -> Lanes:
        return (x != 0) & (np.abs(x) < smallest)

    zero = (numerator == 0) | (denominator == 0)
    distant = numeric.exponent(numerator) - numeric.exponent(denominator) >= far
    small_inverse = (
        is_denormal(1.0 / denominator.astype(np.float64))
        if bits == 64
        else np.abs(denominator) > 1 / float(smallest)
    )
    small_quotient = is_denormal(numerator / denominator)
    up, down = numeric.ldexp(value, np.int32(step)), numeric.ldexp(value, np.int32(-step))
    cases: list[tuple[Lanes, Lanes, bool]] = [
        (zero, np.full_like(value, np.nan), False),
        (distant, np.where(value == denominator, up, value), True),
        (is_denormal(denominator), up, False),
        (small_inverse & small_quotient, np.where(value == denominator, up, value), True),
        (small_inverse, down, False),
        (small_quotient, np.where(value == numerator, up, value), True),
        (numeric.exponent(numerator) <= tiny, up, False),
    ]
    result = np.select([c for c, _, _ in cases], [r for _, r, _ in cases], default=value)
    flags = [np.full(value.shape, flag) for _, _, flag in cases]
    carry = np.select([c for c, _, _ in cases], flags, default=False)
    return {"D0": np.asarray(result).astype(kind).view(raw_kind), "VCC": np.asarray(carry)}


@define("V_DIV_SCALE_F32", writes=("D0", "VCC"))
def _div_scale32(*, S0: Lanes, S1: Lanes, S2: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return _div_scale(32, S0, S1, S2)


@define("V_DIV_SCALE_F64", writes=("D0", "VCC"))
def _div_scale64(*, S0: Lanes, S1: Lanes, S2: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return _div_scale(64, S0, S1, S2)


def _div_fmas(a: Lanes, b: Lanes, c: Lanes, scaled: Lanes, step: int) -> Lanes:
    plain = numeric.fma(a, b, c)
    # Scaled by a power of two: exact, but for one more rounding where the result is denormal.
    return np.asarray(np.where(scaled, numeric.ldexp(plain, np.int32(step)), plain)).astype(a.dtype)


@define("V_DIV_FMAS_F32")
def _div_fmas32(*, S0: Lanes, S1: Lanes, S2: Lanes, VCC: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _div_fmas(_f32(S0), _f32(S1), _f32(S2), VCC, 32).view(np.uint32)}


@define("V_DIV_FMAS_F64")
def _div_fmas64(*, S0: Lanes, S1: Lanes, S2: Lanes, VCC: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _div_fmas(_f64(S0), _f64(S1), _f64(S2), VCC, 64).view(np.uint64)}


def _div_fixup(quotient: Lanes, denominator: Lanes, numerator: Lanes) -> Lanes:
    kind = quotient.dtype
    sign = np.signbit(denominator) ^ np.signbit(numerator)
    zero_d, zero_n = denominator == 0, numerator == 0
    inf_d, inf_n = np.isinf(denominator), np.isinf(numerator)
    magnitude = np.select(
        [zero_d | inf_n, inf_d | zero_n], [kind.type(np.inf), kind.type(0)], default=np.abs(quotient)
    ).astype(kind)
    result = np.where(sign, -magnitude, magnitude)
    undefined = (zero_d & zero_n) | (inf_d & inf_n)
    result = np.where(undefined, -kind.type(np.nan), result)
    result = np.where(np.isnan(denominator), denominator, result)
    return np.where(np.isnan(numerator), numerator, result).astype(kind)


@define("V_DIV_FIXUP_F32")
def _div_fixup32(*, S0: Lanes, S1: Lanes, S2: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _div_fixup(_f32(S0), _f32(S1), _f32(S2)).view(np.uint32)}


@define("V_DIV_FIXUP_F64")
def _div_fixup64(*, S0: Lanes, S1: Lanes, S2: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _div_fixup(_f64(S0), _f64(S1), _f64(S2)).view(np.uint64)}
