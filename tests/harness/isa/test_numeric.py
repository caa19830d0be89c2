"""Arithmetic against exact rationals and against PyTorch's formats."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porter.harness.isa import numeric
from porter.harness.isa.bits import field, insert, join, reverse, typed
from porter.harness.isa.float8 import float8_values
from porter.harness.isa.lowering import Semantics, lower

_FINITE = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e100, max_value=1e100)
_SINGLE = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(_FINITE, _FINITE, _FINITE), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_double_fma_rounds_once(triples: list[tuple[float, float, float]]) -> None:
    a, b, c = (np.array(column) for column in zip(*triples, strict=True))
    exact = [float(Fraction(x) * Fraction(y) + Fraction(z)) for x, y, z in triples]
    # Where the product's low half is below the smallest denormal, one rounding cannot be told from two.
    safe = (np.abs(a * b) > 1e-250) | (a * b == 0)
    assert np.array_equal(numeric.fma(a, b, c)[safe], np.array(exact)[safe])


@given(st.lists(st.tuples(_SINGLE, _SINGLE, _SINGLE), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_single_fma_rounds_once(triples: list[tuple[float, float, float]]) -> None:
    a, b, c = (np.array(column, np.float32) for column in zip(*triples, strict=True))
    with np.errstate(over="ignore"):
        found = numeric.fma(a, b, c)
    for value, (x, y, z) in zip(found, triples, strict=True):
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        if np.isfinite(value):
            with np.errstate(over="ignore"):
                low, high = (np.nextafter(value, np.float32(s * np.inf)) for s in (-1, 1))
            error = abs(Fraction(float(value)) - exact)
            neighbours = [abs(Fraction(float(n)) - exact) for n in (low, high) if np.isfinite(n)]
            assert all(error <= other for other in neighbours)


def test_conversions_saturate_and_nan_is_zero() -> None:
    values = np.array([np.nan, np.inf, -np.inf, 3e9, -1.9, 1.9, 4.5e9, -5.0], np.float32)
    limits = [0, 2**31 - 1, -(2**31), 2**31 - 1, -1, 1, 2**31 - 1, -5]
    assert numeric.float_to_integer(values, "int32").tolist() == limits
    unsigned = [0, 2**32 - 1, 0, 3_000_000_000, 0, 1, 2**32 - 1, 0]
    assert numeric.float_to_integer(values, "uint32").tolist() == unsigned


def test_bfloat16_and_half_rounding() -> None:
    torch = pytest.importorskip("torch")
    values = np.random.default_rng(3).normal(size=4000).astype(np.float32) * np.float32(1e3)
    expected = torch.from_numpy(values).to(torch.bfloat16).view(torch.int16).numpy().view(np.uint16)
    assert np.array_equal(numeric.f32_to_bf16(values), expected)
    toward_zero = numeric.f32_to_f16_toward_zero(values).astype(np.float64)
    assert (np.abs(toward_zero) <= np.abs(values)).all()
    assert (np.abs(values) - np.abs(toward_zero) < np.spacing(np.abs(toward_zero).astype(np.float16))).all()


@pytest.mark.parametrize(
    ("kind", "arch", "name"),
    [
        ("FP8", "gfx950", "float8_e4m3fn"),
        ("BF8", "gfx950", "float8_e5m2"),
        ("FP8", "gfx942", "float8_e4m3fnuz"),
        ("BF8", "gfx942", "float8_e5m2fnuz"),
    ],
)
def test_eight_bit_floats_are_pytorchs(kind: str, arch: str, name: str) -> None:
    torch = pytest.importorskip("torch")
    every = torch.arange(256, dtype=torch.uint8).view(getattr(torch, name)).to(torch.float64).numpy()
    assert np.array_equal(float8_values(kind, arch), every, equal_nan=True)


def test_fields_of_bits() -> None:
    word = np.array([0x1234_5678], np.uint32)
    assert field(word, 15, 8)[0] == 0x56
    assert field(word, 0, 31)[0] == int(format(0x1234_5678, "032b")[::-1], 2)
    assert reverse(np.array([1], np.uint64), 64)[0] == 1 << 63
    assert insert(word, 31, 16, np.array([0xBEEF], np.uint32))[0] == 0xBEEF_5678
    assert insert(word, 63, 32, np.array([7], np.uint32))[0] == 0x7_1234_5678
    assert join([(np.array([1], np.uint32), 32), (np.array([2], np.uint32), 32)])[0] == 0x1_0000_0002
    assert typed(np.array([0x80], np.uint32), "i", 8)[0] == -128
    assert typed(np.array([0x800000], np.uint32), "i", 24)[0] == -0x800000


def _none(_name: str) -> Semantics:
    raise AssertionError("no other instruction is called")


def _apply(text: str, **given_: np.ndarray) -> dict[str, np.ndarray]:
    zero = np.zeros(1, np.uint32)
    operands = dict.fromkeys(("S0", "S1", "S2", "D0", "SCC", "VCC", "EXEC", "SIMM", "IEEE"), zero)
    return lower(text, _none).function(**{**operands, **given_})


def test_pseudocode_of_carries_and_conditions() -> None:
    text = "tmp = 64'U(S0.u32) + 64'U(S1.u32);\nSCC = tmp >= 0x100000000ULL ? 1'1U : 1'0U;\nD0.u32 = tmp.u32"
    a, b = np.array([0xFFFFFFFF, 5], np.uint32), np.array([2, 6], np.uint32)
    found = _apply(text, S0=a, S1=b)
    assert found["D0"].tolist() == [1, 11]
    assert found["SCC"].tolist() == [True, False]
    text = "if S0.i32 < 0 then\nD0.i32 = -S0.i32\nelsif S0.i32 == 0 then\nD0.i32 = 9\n"
    text += "else\nD0.i32 = S0.i32\nendif"
    values = np.array([-3, 0, 4], np.int32).view(np.uint32)
    assert _apply(text, S0=values, D0=np.zeros(3, np.uint32))["D0"].tolist() == [3, 9, 4]


def test_pseudocode_of_halves() -> None:
    text = "tmp[15 : 0].u16 = S0[31 : 16].u16;\ntmp[31 : 16].u16 = S0[15 : 0].u16;\nD0.b32 = tmp.b32"
    assert _apply(text, S0=np.array([0x1234_5678], np.uint32))["D0"][0] == 0x5678_1234
