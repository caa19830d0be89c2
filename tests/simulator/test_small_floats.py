"""The 16- and 8-bit formats against a model that looks values up: every pattern, and the ties."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from porter.simulator.run import run_program
from tests.simulator.conftest import build
from tests.simulator.small_float_model import (
    BFLOAT16,
    E4M3,
    E4M3_FNUZ,
    E5M2,
    E5M2_FNUZ,
    HALF,
    Bits,
    Format,
    Reals,
    two_sum,
)

_CANONICAL_NAN = 0x7FFF


def _inputs() -> NDArray[np.float32]:
    half = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)
    finite = half[np.isfinite(half)]
    ties = (finite + np.ldexp(np.float32(1), np.frexp(finite)[1] - 12)).astype(np.float32)
    brain = np.arange(0, 1 << 32, 1 << 18, dtype=np.uint32)
    edges = np.concatenate([brain | 0x8000, brain | 0x8001, brain | 0x17FFF]).view(np.float32)
    around = np.concatenate([np.nextafter(ties, np.float32(s)) for s in (np.inf, -np.inf)])
    random = np.random.default_rng(5).normal(size=20000).astype(np.float32)
    values = np.concatenate([half, ties, around, edges, random])
    return np.random.default_rng(6).permutation(values)


def _in_double(values: NDArray[np.float32]) -> Reals:
    with np.errstate(invalid="ignore"):  # signalling NaNs are among them
        return values.astype(np.float64)


def _rounded(form: Format, value: Reals, rest: Reals | float = 0.0, mode: str = "rn") -> Bits:
    return np.where(np.isnan(value), _CANONICAL_NAN, form.round(value, rest, mode)).astype(np.uint32)


def _of_bits(form: Format, bits: Bits) -> Reals:
    infinite = (bits & (form.sign - 1)) == form.finite
    value = np.where(infinite, np.inf, form.decode(bits & (form.sign - 1)))
    return np.where(bits & form.sign, -value, value)


def _clamped(value: Reals, low: int, high: int) -> Bits:
    clean = np.clip(np.where(np.isnan(value), 0, value), low, high)
    return (clean.astype(np.int64) & 0xFFFF).astype(np.uint32)


def _maximum(form: Format, a: Bits, b: Bits) -> Bits:
    x, y = _of_bits(form, a), _of_bits(form, b)
    larger = np.where((x > y) | ((x == y) & (a < b)), a, b)
    return np.where(np.isnan(x), np.where(np.isnan(y), _CANONICAL_NAN, b), np.where(np.isnan(y), a, larger))


def _minimum_or_nan(form: Format, a: Bits, b: Bits) -> Bits:
    x, y = _of_bits(form, a), _of_bits(form, b)
    smaller = np.where((x < y) | ((x == y) & (a > b)), a, b)
    return np.where(np.isnan(x) | np.isnan(y), _CANONICAL_NAN, smaller)


def _comparisons(x: Reals, y: Reals) -> Bits:
    unordered = np.isnan(x) | np.isnan(y)
    ordered_ne = (x != y) & ~unordered
    tests = (
        *(x < y, x <= y, x == y, ordered_ne),
        *((x < y) | unordered, (x >= y) | unordered, (x == y) | unordered, (x != y) | unordered),
    )
    return sum((test.astype(np.uint32) << bit for bit, test in enumerate(tests)), np.uint32(0))  # type: ignore[return-value]


def _sixteen(form: Format, values: NDArray[np.float32]) -> Iterator[tuple[str, Bits]]:
    wide = _in_double(values)
    for mode in ("rn", "rz", "ru", "rd"):
        yield f"from float {mode}", _rounded(form, wide, mode=mode)
    a = _rounded(form, wide)
    b, c = np.roll(a, -1), np.roll(a, -2)
    x, y, z = (_of_bits(form, bits) for bits in (a, b, c))
    with np.errstate(all="ignore"):
        yield "add", _rounded(form, *two_sum(x, y))
        yield "sub", _rounded(form, *two_sum(x, -y))
        yield "mul", _rounded(form, x * y)
        yield "div", _rounded(form, x / y)
        yield "fma", _rounded(form, *two_sum(x * y, z))
        yield "sqrt", _rounded(form, np.sqrt(x))
        yield "exp", _rounded(form, np.exp(x))
        yield "max", _maximum(form, a, b)
        yield "min_nan", _minimum_or_nan(form, a, b)
        yield "to short", _clamped(np.rint(x), -(1 << 15), (1 << 15) - 1)
        yield "to ushort", _clamped(np.trunc(x), 0, (1 << 16) - 1)
        whole = np.clip(np.where(np.isnan(wide), 0, np.trunc(wide)), -(2.0**31), 2.0**31 - 1)
        yield "from int rd", _rounded(form, whole + 0.0, mode="rd")
        yield "comparisons", _comparisons(x, y)


def _eight(form: Format, name: str, values: NDArray[np.float32]) -> Iterator[tuple[str, Bits]]:
    wide = _in_double(values)
    code = form.round(np.where(np.isnan(wide), 0, wide))
    over = (code & 0x7F) >= form.finite
    nan = np.isnan(wide)
    yield f"{name} saturated", np.where(nan, 0x7F, np.where(over, (code & 0x80) | (form.finite - 1), code))
    overflow = (code & 0x80) | form.finite
    yield f"{name} unsaturated", np.where(nan, 0x7F, np.where(over, overflow, code))
    byte = (np.arange(len(values)) & 0xFF).astype(np.uint32)
    decoded = HALF.round(np.where(np.isnan(form.decode(byte)), 0, form.decode(byte)))
    infinite = (form is E5M2) & ((byte & 0x7F) == form.finite)
    special = np.where(infinite, (byte & 0x80) << 8 | 0x7C00, _CANONICAL_NAN)
    yield f"{name} to half", np.where(np.isnan(form.decode(byte)), special, decoded)


def test_conversions_and_arithmetic_are_exact() -> None:
    values = _inputs()
    done = run_program(build("small_floats.cu"), stdin=values.tobytes())
    assert done.returncode == 0, done.stderr
    got = np.frombuffer(done.stdout, np.uint16).reshape(-1, len(values))
    rows = [("half " + n, w) for n, w in _sixteen(HALF, values)]
    rows += [("bfloat16 " + n, w) for n, w in _sixteen(BFLOAT16, values)]
    rows += [*_eight(E4M3, "e4m3", values), *_eight(E5M2, "e5m2", values)]
    assert len(rows) == len(got)
    for (name, wanted), row in zip(rows, got, strict=True):
        np.testing.assert_array_equal(row, wanted, err_msg=name)


@pytest.mark.parametrize("saturates", [True, False])
def test_hip_formats(*, saturates: bool) -> None:
    values = _inputs()[:40000]
    done = run_program(build("small_floats.hip"), ["1" if saturates else "0"], stdin=values.tobytes())
    assert done.returncode == 0, done.stderr
    got = np.frombuffer(done.stdout, np.uint8).reshape(4, len(values))
    wide = _in_double(values)
    forms = {
        "e4m3": (E4M3, 0x7F),
        "e5m2": (E5M2, 0x7C),
        "e4m3_fnuz": (E4M3_FNUZ, 0),
        "e5m2_fnuz": (E5M2_FNUZ, 0),
    }
    for (name, (form, overflow)), row in zip(forms.items(), got, strict=True):
        fnuz, sign = name.endswith("fnuz"), np.where(np.signbit(wide), 0x80, 0)
        code = form.round(np.where(np.isnan(wide), 0, wide))
        nan = 0x80 if fnuz else sign | 0x7F
        above = np.abs(wide) > form.magnitudes[form.finite - 1]
        unsaturated = 0x80 if fnuz else sign | overflow
        wanted = np.where(above, sign | (form.finite - 1) if saturates else unsaturated, code)
        wanted = np.where(np.isinf(wide), sign | 0x7C if name == "e5m2" else nan, wanted)
        wanted = np.where(
            np.isnan(wide), nan, np.where(fnuz & (wanted == 0x80) & ~above & np.isfinite(wide), 0, wanted)
        )
        np.testing.assert_array_equal(row, wanted, err_msg=name)
