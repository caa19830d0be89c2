"""cuBLASLt and hipBLASLt against numpy: epilogues, layouts, 8-bit floats, integers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from porter.simulator.options import Face
from tests.simulator.vendor_programs import flat, matrix, run_rows, simple

Array = NDArray[np.float64]


def gelu(x: Array) -> Array:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def gelu_slope(x: Array, step: float = 1e-6) -> Array:
    """By differences, so that the formula of the derivative is not used twice."""
    return (gelu(x + step) - gelu(x - step)) / (2 * step)


def expected_epilogues() -> dict[str, Array]:
    product, bias = matrix(1, 4, 5) @ matrix(2, 5, 3), simple(4, 4)[:, None]
    aux = product + bias
    gradient = product * gelu_slope(aux)
    return {
        "plain": 2 * product + matrix(3, 4, 3) / 2,
        "relu bias": np.maximum(2 * product + bias, 0),
        "gelu bias": gelu(aux),
        "gelu aux": aux,
        "dgelu": gradient,
        "dgelu bgrad": gradient.sum(axis=1),
        "bgradb": matrix(2, 5, 3).sum(axis=0),
        "drelu": np.where(product > 0, 2 * product, 0),
    }


def expected_layouts() -> dict[str, Array]:
    a, b = simple(1, 40).reshape(2, 4, 5), simple(2, 30).reshape(2, 3, 5)
    return {"rows in batches": np.concatenate([flat(a[i] @ b[i].T) for i in range(2)])}


def e4m3_table() -> Array:
    """The value of each code, from the format's definition: 4 bits of exponent with bias 7, 3 of mantissa."""
    code = np.arange(256)
    exponent, mantissa = code >> 3 & 15, code & 7
    normal, subnormal = (1 + mantissa / 8) * 2.0 ** (exponent - 7), mantissa / 8 * 2.0**-6
    return np.where(code & 128, -1, 1) * np.where(exponent > 0, normal, subnormal)


def expected_small_floats() -> dict[str, Array]:
    table, code = e4m3_table(), np.arange(256)
    values = table[np.where(code & 127 == 127, 0, code)].reshape(16, 16)  # rows of op(A)
    scaled = (values * 2.75 * 0.5).flatten()
    candidates = range(127)
    rounded = []
    for value in scaled:
        distance = np.abs(table[:127] - min(abs(value), 448.0))
        nearest = [c for c in candidates if distance[c] == distance.min()]
        code_of = next((c for c in nearest if c % 2 == 0), nearest[0])
        rounded.append(code_of | (128 if np.signbit(value) and value != 0 else 0))
    return {
        "e4m3": values,
        "to e4m3": np.array(rounded).reshape(16, 16),
        "amax": np.abs(scaled).max(),
    }


def expected_integers_and_halves() -> dict[str, Array]:
    a = (np.arange(16) * 29 - 100).astype(np.int8).astype(float).reshape(4, 4).T
    half = matrix(1, 4, 4)
    scaled = (a @ a).astype(np.float32) * np.float32(0.01)
    return {
        "int8": np.clip(np.rint(scaled), -128, 127),
        "half": 2 * half @ half,
        "no algorithm": np.full(1, -1.0),
        "last error": np.zeros(1),
    }


@pytest.mark.parametrize("face", [Face.CUDA, Face.HIP])
def test_blaslt(face: Face, tmp_path: Path) -> None:
    rows, _ = run_rows("blaslt.cu", face, tmp_path)
    expected = expected_epilogues() | expected_layouts() | expected_small_floats()
    expected |= expected_integers_and_halves()
    if face is Face.HIP:
        del expected["drelu"]
    assert rows.keys() == expected.keys()
    for name, values in expected.items():
        loose = "gelu" in name and name != "gelu aux"
        np.testing.assert_allclose(
            rows[name],
            flat(values),
            rtol=2e-6 if loose else 0,
            atol=1e-6 if loose else 0,
            err_msg=name,
        )
