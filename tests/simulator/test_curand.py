"""cuRAND against what it gives on a GPU.

`programs/curand.expected` was printed by cuRAND 10.4 of CUDA 13.0 on an H200, by a program that draws the
same numbers. Integer and uniform numbers are equal to the bit; normal ones differ by the functions of the two
mathematical libraries.
"""

from __future__ import annotations

import struct
from functools import cache, reduce
from operator import xor

import numpy as np
import pytest

from porter.simulator.options import Face
from porter.simulator.run import run_program
from tests.simulator.conftest import PROGRAMS, build, run


def _lines(text: str) -> dict[str, list[str]]:
    pairs = (line.split(":") for line in text.splitlines())
    return {name: values.split() for name, values in pairs}


@cache
def _made() -> dict[str, list[str]]:
    result = run("curand.cu")
    assert (result.returncode, result.errors) == (0, ())
    return _lines(result.stdout.decode())


EXPECTED = _lines((PROGRAMS / "curand.expected").read_text(encoding="utf-8"))
EXACT = [name for name in EXPECTED if "normal" not in name or "after" in name]
CLOSE = [name for name in EXPECTED if name not in EXACT]


@pytest.mark.parametrize("name", EXACT)
def test_equal_to_the_bit(name: str) -> None:
    assert _made()[name] == EXPECTED[name]


def _reals(words: list[str], double: bool) -> tuple[float, ...]:
    data = struct.pack(f"<{len(words)}I", *(int(word, 16) for word in words))
    return struct.unpack(f"<{len(words) // 2}d" if double else f"<{len(words)}f", data)


@pytest.mark.parametrize("name", CLOSE)
def test_normal_numbers(name: str) -> None:
    double = name.endswith("double")
    tolerance = 4e-15 if double else 2e-6
    assert _reals(_made()[name], double) == pytest.approx(
        _reals(EXPECTED[name], double), rel=tolerance, abs=tolerance
    )


def test_mean_and_variance_of_poisson_numbers() -> None:
    moments = {name: values for name, values in _made().items() if name.startswith("moments")}
    assert len(moments) == 12
    for name, (mean, variance) in moments.items():
        # 102,400 samples: five standard errors, of the mean over the mean and of the variance over the mean.
        rate = float(name.split()[-1])
        assert float(mean) == pytest.approx(1, abs=5 * (1 / (rate * 102400)) ** 0.5), name
        assert float(variance) == pytest.approx(1, abs=5 * ((2 + 1 / rate) / 102400) ** 0.5), name


def test_hiprand_is_the_same_generator() -> None:
    result = run_program(build("hiprand.hip", face=Face.HIP), ())
    expected = EXPECTED["bits PHILOX 4d2 0 3"] + EXPECTED["host XORWOW bits"][1:2]
    assert (result.stdout.decode().split(), result.errors) == (expected, ())


def test_direction_vectors() -> None:
    """The digests are of the first 128 dimensions that cuRAND 10.4's own library returns."""
    assert _made()["digest 32"] == ["f7665f8d2eed7c15"]
    assert _made()["digest 64"] == ["f6e36a68015b0df7"]


def _sobol64(index: int, dimension: int) -> int:
    """A number of the first or the sixth dimension (x^4 + x + 1, first numbers 1, 1, 3, 3), by definition."""
    vectors = [1 << (63 - i) for i in range(64)]
    if dimension == 5:
        vectors[:4] = [m << (63 - i) for i, m in enumerate((1, 1, 3, 3))]
        for i in range(4, 64):
            vectors[i] = vectors[i - 4] ^ (vectors[i - 4] >> 4) ^ vectors[i - 3]
        assert vectors[63] == 0x3000BBBBBBBBBBBB  # as in cuRAND's table
    chosen = [v for bit, v in enumerate(vectors) if (index ^ (index >> 1)) >> bit & 1]
    return reduce(xor, chosen, 0)


def test_sobol_sequences_of_64_bits_and_scrambled_ones() -> None:
    words = [int(word, 16) for word in _made()["sobol64"]]
    plain = [_sobol64(i, 5) for i in range(10)]
    assert words[:8] == plain[:8]
    assert words[8:16] == [word ^ 0x123456789ABCDEF for word in plain[:8]]
    assert words[16:24] == [(word >> 32) ^ 0xABCDEF for word in plain[:8]]
    assert words[24:26] == [plain[3], plain[7]]
    single = np.float32(plain[8] >> 32) * np.float32(2.0**-32) + np.float32(2.0**-33)
    double = (plain[9] >> 11) * 2.0**-53 + 2.0**-54
    assert words[26:28] == [int(single.view(np.uint32)), int(np.float64(double).view(np.uint64))]
    assert words[28:34] == [_sobol64(i, 0) for i in range(6)]
    assert words[58:64] == plain[:6]


def test_what_stands_on_unpublished_tables_is_refused() -> None:
    assert _made()["sobol64 statuses"] == ["0", "103", "103", "103"]
    assert "scrambled direction vectors" in run("curand.cu").stderr.decode()
