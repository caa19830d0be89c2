"""Programs that print one named row of numbers a line, for CUDA and, with the names exchanged, for HIP."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import RunResult, run_program
from tests.simulator.conftest import PROGRAMS

Rows = dict[str, NDArray[np.float64]]

_HIP_NAMES = (
    (r'"?<?cublas_v2\.h>?"?', "<hipblas/hipblas.h>"),
    (r"<cublasLt\.h>", "<hipblaslt/hipblaslt.h>"),
    (r"<cusolverDn\.h>", "<hipsolver/hipsolver.h>"),
    (r"<cusparse\.h>", "<hipsparse/hipsparse.h>"),
    (r"\bcublas", "hipblas"),
    (r"\bcusolver", "hipsolver"),
    (r"\bcusparse", "hipsparse"),
    (r"\bCU(BLAS|SOLVER|SPARSE)", r"HIP\1"),
    (r"\bgesvdjInfo_t", "hipsolverGesvdjInfo_t"),
    (r"\bCUDA_([RC])_", r"HIP_\1_"),
    (r"\bcuda", "hip"),
    (r"\bcu(Double|Float)?Complex\b", r"hip\1Complex"),
)


def hip_text(text: str) -> str:
    for pattern, name in _HIP_NAMES:
        text = re.sub(pattern, name, text)
    return text


def run_rows(name: str, face: Face, folder: Path, *, wide: bool = False) -> tuple[Rows, RunResult]:
    """What the program of that name prints, by the name of the row."""
    path = PROGRAMS / name
    if face is Face.HIP:
        for file in (path, PROGRAMS / "library_checks.h"):
            target = folder / (file.stem + ".hip" if file is path else file.name)
            target.write_text(hip_text(file.read_text(encoding="utf-8")), encoding="utf-8")
        path = folder / f"{path.stem}.hip"
    result = run_program(build_program([path], face=face, wide=wide), hostile=True)
    assert (result.returncode, result.errors) == (0, ()), result.stderr.decode()
    rows: Rows = {}
    for line in result.stdout.decode().splitlines():
        match = re.match(r"(.*?)((?: (?:[-+0-9.e]+|-?nan|-?inf))*)$", line)
        assert match is not None
        rows[match[1]] = np.array([float(word) for word in match[2].split()])
    return rows, result


def simple(seed: int, count: int) -> NDArray[np.float64]:
    """The numbers of `library_checks.h`: quarters, so that short sums and products of them are exact."""
    i = np.arange(count)
    return ((7 * i + 3 * seed) % 11 - 5) / 4.0


def matrix(seed: int, rows: int, columns: int) -> NDArray[np.float64]:
    """Column-major, as the libraries take it."""
    return simple(seed, rows * columns).reshape(columns, rows).T.copy()


def complex_vector(seed: int, count: int) -> NDArray[np.complex128]:
    parts = simple(seed, 2 * count)
    return parts[0::2] + 1j * parts[1::2]


def complex_matrix(seed: int, rows: int, columns: int) -> NDArray[np.complex128]:
    return complex_vector(seed, rows * columns).reshape(columns, rows).T.copy()


def flat(array: NDArray[np.generic]) -> NDArray[np.float64]:
    """Column by column, complex numbers as pairs."""
    values = np.asarray(array).flatten(order="F")
    if np.iscomplexobj(values):
        return np.stack([values.real, values.imag], axis=1).flatten()
    return values.astype(np.float64)
