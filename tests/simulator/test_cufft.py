"""cuFFT against numpy's transforms."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from porter.simulator.options import Face
from porter.simulator.run import run_program
from tests.simulator.conftest import build, line_of, run

Array = npt.NDArray[np.complex128]


@cache
def _made() -> dict[str, npt.NDArray[np.float64]]:
    result = run("cufft.cu")
    pairs = (line.split(":") for line in result.stdout.decode().splitlines())
    return {name: np.array(values.split(), dtype=float) for name, values in pairs}


def _real(count: int) -> npt.NDArray[np.float64]:
    return ((np.arange(count) * 37 % 101) - 50) / 16


def _complex(count: int) -> Array:
    return _real(2 * count).view(np.complex128)


def _close(name: str, expected: npt.NDArray[np.generic], relative: float = 1e-14) -> None:
    flat = np.ascontiguousarray(expected).ravel()
    numbers = flat.view(np.float64) if flat.dtype == np.complex128 else flat
    scale = float(np.abs(numbers).max())
    np.testing.assert_allclose(_made()[name], numbers, rtol=0, atol=relative * scale * np.log2(len(flat) + 2))


@pytest.mark.parametrize("n", [1, 2, 8, 12, 30, 49, 97, 127, 256, 262])
def test_one_dimension(n: int) -> None:
    _close(f"z2z {n}", np.fft.fft(_complex(n)))


def test_there_and_back_is_not_normalised() -> None:
    _close("there and back 8x2", 8 * _complex(16), 1e-7)


@pytest.mark.parametrize("n", [7, 8])
def test_real_transforms(n: int) -> None:
    half = n // 2 + 1
    _close(f"r2c {n}x2", np.fft.rfft(_real(2 * n).reshape(2, n)), 1e-7)
    padded = _real(4 * half).reshape(2, 2 * half)
    _close(f"r2c {n}x2 in place", np.fft.rfft(padded[:, :n]), 1e-7)
    _close(f"z2d {n}", n * np.fft.irfft(_complex(half), n))


def test_several_dimensions() -> None:
    spectrum = np.fft.rfft2(_real(24).reshape(4, 6))
    _close("d2z 4x6", spectrum)
    _close("z2d 4x6", 24 * _real(24))
    _close("z2z 2x3x4 inverse", 24 * np.fft.ifftn(_complex(24).reshape(2, 3, 4)))


def test_strides_and_embeddings() -> None:
    source, strided = _complex(32), _complex(32)
    for batch in range(2):
        line = source[batch * 13 : batch * 13 + 8 : 2]
        strided[batch * 16 : batch * 16 + 12 : 3] = np.fft.fft(line)
    _close("many strided", strided, 1e-7)
    embedded = _complex(36).reshape(2, 3, 6)
    embedded[:, :, :4] = np.fft.fft2(embedded[:, :, :4])
    _close("many embedded", embedded, 1e-7)


def test_refusals() -> None:
    assert list(_made()["statuses"]) == [8, 8, 3, 4, 0, 1]


def test_a_transform_past_the_end_is_reported_at_its_line() -> None:
    result = run("cufft.cu")
    assert result.returncode == 6
    (error,) = result.errors
    assert (error.code, error.line) == ("SIM001", line_of("cufft.cu", "past the end"))


def test_hipfft() -> None:
    result = run_program(build("hipfft.hip", face=Face.HIP), ())
    there = [10, 0, -2, 2, -2, 0, -2, -2]
    back = [4, 0, 8, 0, 12, 0, 16, 0]
    by_type = [4 * x for x in there + back]
    assert (result.returncode, [float(x) for x in result.stdout.split()]) == (0, there + back + by_type)
