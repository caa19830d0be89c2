"""Arithmetic that the pseudo-code does not define in an executable or exact way, written by hand.

Reasons: loops over bits (counts, searches), more than 64 bits, a text that is an approximation (`RNDNE` adds
0.5, `MIN` of zeros, `FREXP_EXP` of denormals), or no text at all. The functions take operands as those of
`lowering`: unsigned arrays of 32 or 64 bits, by name.
"""

from __future__ import annotations

import numpy as np

from porter.harness.isa import numeric
from porter.harness.isa.bits import Lanes, raw, reverse, typed
from porter.harness.isa.hand_written import define

_LANE = np.arange(64, dtype=np.uint64)[None, :]
_LANES_BELOW = (np.uint64(1) << _LANE) - np.uint64(1)


def _f32(value: Lanes) -> Lanes:
    return typed(value, "f", 32)


def _f64(value: Lanes) -> Lanes:
    return typed(value, "f", 64)


# Counting and searching bits


def _count(value: Lanes) -> Lanes:
    return np.bitwise_count(value).astype(np.uint32)


def _lowest(value: Lanes) -> Lanes:
    """The number of the lowest set bit; all ones for none."""
    isolated = value & (~value + value.dtype.type(1))
    position = np.bitwise_count(isolated - value.dtype.type(1)).astype(np.uint32)
    return np.where(value == 0, np.uint32(0xFFFFFFFF), position)


def _leading(value: Lanes) -> Lanes:
    """Zeros above the highest set bit; all ones for none."""
    return _lowest(reverse(value, value.dtype.itemsize * 8))


def _leading_signs(value: Lanes) -> Lanes:
    """Bits below the sign bit up to the first that differs from it, counted from 1; all ones for none."""
    wide = value.view(f"i{value.dtype.itemsize}")
    magnitude = np.where(wide < 0, ~value, value)
    return _leading(magnitude)


def _counted(result: Lanes) -> dict[str, Lanes]:
    return {"D0": result, "SCC": result != 0}


@define("S_BCNT1_I32_B32", "S_BCNT1_I32_B64", writes=("D0", "SCC"))
def _bcnt1(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return _counted(_count(S0))


@define("S_BCNT0_I32_B32", "S_BCNT0_I32_B64", writes=("D0", "SCC"))
def _bcnt0(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return _counted(_count(~S0))


@define("V_MAD_LEGACY_U16")
def _mad_u16(*, S0: Lanes, S1: Lanes, S2: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": (S0 * S1 + S2) & np.uint32(0xFFFF)}


@define("S_FF1_I32_B32", "S_FF1_I32_B64", "V_FFBL_B32")
def _ff1(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _lowest(S0)}


@define("S_FF0_I32_B32", "S_FF0_I32_B64")
def _ff0(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _lowest(~S0)}


@define("S_FLBIT_I32_B32", "S_FLBIT_I32_B64", "V_FFBH_U32")
def _flbit(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _leading(S0)}


@define("S_FLBIT_I32", "S_FLBIT_I32_I64", "V_FFBH_I32")
def _flbit_signed(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _leading_signs(S0)}


@define("V_BCNT_U32_B32")
def _v_bcnt(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _count(S0) + S1}


@define("V_MBCNT_LO_U32_B32")
def _mbcnt_lo(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _count(S0 & _LANES_BELOW.astype(np.uint32)) + S1}


@define("V_MBCNT_HI_U32_B32")
def _mbcnt_hi(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _count(S0 & (_LANES_BELOW >> np.uint64(32)).astype(np.uint32)) + S1}


@define("S_BITSET1_B32", "S_BITSET1_B64", reads_destination=True)
def _bitset1(*, S0: Lanes, D0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": D0 | _one_at(S0, D0)}


@define("S_BITSET0_B32", "S_BITSET0_B64", reads_destination=True)
def _bitset0(*, S0: Lanes, D0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": D0 & ~_one_at(S0, D0)}


def _one_at(place: Lanes, like: Lanes) -> Lanes:
    kind = like.dtype.type
    return kind(1) << (place.astype(like.dtype) & kind(like.dtype.itemsize * 8 - 1))


# Integers


def _bits_from(value: Lanes, offset: Lanes, width: Lanes) -> Lanes:
    """`width` bits from `offset` on, sign-extended; 0 for no bits."""
    size = value.dtype.itemsize * 8
    signed = value.view(f"i{value.dtype.itemsize}")
    kept = np.clip(width, 0, size - offset.astype(np.int64)).astype(signed.dtype)
    up = np.minimum(size - kept - offset.astype(signed.dtype), size - 1).astype(signed.dtype)
    shifted = (signed << up) >> np.minimum(size - kept, size - 1).astype(signed.dtype)
    return np.where(kept == 0, 0, shifted).astype(signed.dtype).view(value.dtype)


@define("S_BFE_I32", "S_BFE_I64", writes=("D0", "SCC"))
def _s_bfe(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    mask = np.uint32(S0.dtype.itemsize * 8 - 1)
    return _counted(_bits_from(S0, S1 & mask, (S1 >> np.uint32(16)) & np.uint32(127)))


@define("V_BFE_I32")
def _v_bfe(*, S0: Lanes, S1: Lanes, S2: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": _bits_from(*np.broadcast_arrays(S0, S1 & np.uint32(31), S2 & np.uint32(31)))}


@define("V_MAD_U64_U32", writes=("D0", "VCC"))
def _mad_u64(*, S0: Lanes, S1: Lanes, S2: Lanes, **_: Lanes) -> dict[str, Lanes]:
    total = S0.astype(np.uint64) * S1.astype(np.uint64) + S2
    return {"D0": total, "VCC": total < S2}


@define("V_MAD_I64_I32", writes=("D0", "VCC"))
def _mad_i64(*, S0: Lanes, S1: Lanes, S2: Lanes, **_: Lanes) -> dict[str, Lanes]:
    product = S0.view(np.int32).astype(np.int64) * S1.view(np.int32).astype(np.int64)
    total = product + S2.view(np.int64)
    return {"D0": total.view(np.uint64), "VCC": total.view(np.uint64) < S2}


@define("V_PERM_B32")
def _perm(*, S0: Lanes, S1: Lanes, S2: Lanes, **_: Lanes) -> dict[str, Lanes]:
    data = (S0.astype(np.uint64) << np.uint64(32)) | S1
    result = np.zeros(np.broadcast_shapes(S0.shape, S1.shape, S2.shape), np.uint32)
    for k in range(4):
        select = (S2 >> np.uint32(8 * k)) & np.uint32(255)
        byte = (data >> ((select & np.uint32(7)).astype(np.uint64) * np.uint64(8))) & np.uint64(255)
        sign_of = (np.clip(select, 8, 11) - np.uint32(8)).astype(np.uint64) * np.uint64(16) + np.uint64(15)
        sign = ((data >> sign_of) & np.uint64(1)) * np.uint64(255)
        chosen = np.where(select >= 8, sign, byte)
        chosen = np.where(select == 12, np.uint64(0), np.where(select > 12, np.uint64(255), chosen))
        result |= chosen.astype(np.uint32) << np.uint32(8 * k)
    return {"D0": result}


@define("V_SAD_U32")
def _sad(*, S0: Lanes, S1: Lanes, S2: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": np.maximum(S0, S1) - np.minimum(S0, S1) + S2}


@define("V_CVT_PK_U16_U32")
def _pack_u16(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    limit = np.uint32(0xFFFF)
    return {"D0": np.minimum(S0, limit) | (np.minimum(S1, limit) << np.uint32(16))}


@define("V_CVT_PK_I16_I32")
def _pack_i16(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    low, high = (np.clip(s.view(np.int32), -32768, 32767).view(np.uint32) for s in (S0, S1))
    return {"D0": (low & np.uint32(0xFFFF)) | (high << np.uint32(16))}


# With the clamp bit unsigned sums and differences saturate


@define("V_ADD_U32 CLAMP")
def _add_saturated(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    total = S0 + S1
    return {"D0": np.where(total < S0, np.uint32(0xFFFFFFFF), total)}


@define("V_SUB_U32 CLAMP")
def _sub_saturated(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": np.where(S0 > S1, S0 - S1, np.uint32(0))}


@define("V_SUBREV_U32 CLAMP")
def _subrev_saturated(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": np.where(S1 > S0, S1 - S0, np.uint32(0))}


# Floating point


@define("V_RNDNE_F32")
def _rndne32(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": np.rint(_f32(S0)).view(np.uint32)}


@define("V_RNDNE_F64")
def _rndne64(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": np.rint(_f64(S0)).view(np.uint64)}


@define("V_RNDNE_F16")
def _rndne16(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": np.rint(typed(S0, "f", 16)).view(np.uint16).astype(np.uint32)}


@define("V_FREXP_EXP_I32_F32")
def _frexp32(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": numeric.frexp_exponent(_f32(S0)).view(np.uint32)}


@define("V_FREXP_EXP_I32_F64")
def _frexp64(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": numeric.frexp_exponent(_f64(S0)).view(np.uint32)}


@define("V_RCP_F32", "V_RCP_IFLAG_F32")
def _rcp(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": numeric.reciprocal(_f32(S0)).view(np.uint32)}


@define("V_RSQ_F32")
def _rsq(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": numeric.reciprocal_root(_f32(S0)).view(np.uint32)}


@define("V_SIN_F32")
def _sin(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": numeric.sine_of_turns(_f32(S0)).view(np.uint32)}


@define("V_COS_F32")
def _cos(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": numeric.cosine_of_turns(_f32(S0)).view(np.uint32)}


@define("V_LDEXP_F32")
def _ldexp32(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": numeric.ldexp(_f32(S0), S1.view(np.int32)).view(np.uint32)}


@define("V_LDEXP_F64")
def _ldexp64(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": numeric.ldexp(_f64(S0), S1.view(np.int32)).view(np.uint64)}


@define("V_LDEXP_F16")
def _ldexp16(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    result = numeric.ldexp(typed(S0, "f", 16).astype(np.float64), typed(S1, "i", 16))
    return {"D0": result.astype(np.float16).view(np.uint16).astype(np.uint32)}


@define("V_CVT_PKRTZ_F16_F32")
def _pack_toward_zero(*, S0: Lanes, S1: Lanes, **_: Lanes) -> dict[str, Lanes]:
    low, high = (numeric.f32_to_f16_toward_zero(_f32(s)).view(np.uint16).astype(np.uint32) for s in (S0, S1))
    return {"D0": low | (high << np.uint32(16))}


def _extreme(a: Lanes, b: Lanes, ieee: bool, *, largest: bool) -> Lanes:
    """The smaller or larger number; of a number and a NaN the number, of zeros −0 is the smaller.

    In IEEE mode a signalling NaN gives a quiet one.
    """
    left, right = raw(a), raw(b)
    first = a > b if largest else a < b
    second = b > a if largest else b < a
    equal = left & right if largest else left | right
    result = np.where(first, left, np.where(second, right, equal))
    result = np.where(np.isnan(a), right, np.where(np.isnan(b), left, result))
    if ieee:
        for value in (b, a):
            signals = numeric.is_signal_nan(value)
            result = np.where(signals, raw(numeric.quieted(value)), result)
    return np.asarray(result, left.dtype)


def _define_extremes(kind: str, bits: int) -> None:
    for name, largest in (("MIN", False), ("MAX", True)):

        def operation(
            *, S0: Lanes, S1: Lanes, IEEE: bool, largest: bool = largest, **_: Lanes
        ) -> dict[str, Lanes]:
            result = _extreme(typed(S0, "f", bits), typed(S1, "f", bits), IEEE, largest=largest)
            return {"D0": result.astype(np.uint32) if bits == 16 else result}

        define(f"V_{name}_{kind}")(operation)


_define_extremes("F16", 16)
_define_extremes("F32", 32)
_define_extremes("F64", 64)


@define("V_FRACT_F32")
def _fract(*, S0: Lanes, **_: Lanes) -> dict[str, Lanes]:
    return {"D0": numeric.fraction(_f32(S0)).view(np.uint32)}
