"""cuSOLVER and hipSOLVER: each result against numpy, or against the equation it must satisfy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from porter.simulator.options import Face
from tests.simulator.vendor_programs import Rows, complex_matrix, matrix, run_rows

Array = NDArray[np.generic]


@pytest.fixture(scope="module", params=[Face.CUDA, Face.HIP], ids=str)
def rows(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Rows:
    found, _ = run_rows("solver.cu", request.param, Path(tmp_path_factory.mktemp("solver")))
    return found


def real(rows: Rows, name: str, height: int) -> Array:
    return rows[name].reshape(-1, height).T


def complex_of(rows: Rows, name: str, height: int) -> Array:
    return (rows[name][0::2] + 1j * rows[name][1::2]).reshape(-1, height).T


def near(a: Array, b: Array, tolerance: float = 1e-12) -> None:
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


def test_cholesky(rows: Rows) -> None:
    a = np.array([[4, 1, 2], [1, 5, 3], [2, 3, 6]], dtype=float)
    lower = np.tril(real(rows, "potrf", 3))
    near(lower, np.linalg.cholesky(a))
    near(np.triu(real(rows, "potrf", 3), 1), np.triu(a, 1))  # the other triangle is left alone
    near(a @ real(rows, "potrs", 3), matrix(1, 3, 2))
    assert rows["potrf info"] == 0
    assert rows["potrf of an indefinite matrix"] == 2
    upper = np.triu(complex_of(rows, "zpotrf", 2))
    near(upper.conj().T @ upper, np.array([[4, 1 + 1j], [1 - 1j, 3]]))


def test_elimination(rows: Rows) -> None:
    a = matrix(5, 4, 4)
    first = real(rows, "getrs", 4)
    near(a @ first, matrix(6, 4, 2), 1e-5)
    near(a.T @ rows["getrs t"], first[:, 0], 1e-5)
    assert rows["getrf info"] == 0
    assert rows["getrf of zeros"] == 1
    assert rows["pivots"][0] == np.abs(a[:, 0]).argmax() + 1
    lu = real(rows, "getrf without pivots", 4)
    near((np.tril(lu, -1) + np.eye(4)) @ np.triu(lu), a, 1e-5)


def test_orthogonal(rows: Rows) -> None:
    a, q, upper = matrix(7, 5, 3), real(rows, "orgqr", 5), np.triu(real(rows, "geqrf", 5)[:3])
    near(q @ upper, a)
    near(q.T @ q, np.eye(3))
    near(real(rows, "ormqr", 5)[:3], q.T @ matrix(8, 5, 2))


def test_singular_values(rows: Rows) -> None:
    a, s = matrix(9, 4, 3), rows["gesvd s"]
    near(s, np.linalg.svd(a, compute_uv=False))
    u, vt = real(rows, "gesvd u", 4), real(rows, "gesvd vt", 3)
    near(u[:, :3] * s @ vt, a)
    near(u.T @ u, np.eye(4))
    z, v = complex_matrix(10, 4, 3), complex_of(rows, "gesvdj v", 3)
    near(rows["gesvdj s"], np.linalg.svd(z, compute_uv=False))
    near(complex_of(rows, "gesvdj u", 4) * rows["gesvdj s"] @ v.conj().T, z)


def test_eigenvalues(rows: Rows) -> None:
    kept = np.triu(matrix(11, 3, 3))
    a = kept + np.triu(kept, 1).T
    values, vectors = rows["syevd w"], real(rows, "syevd v", 3)
    near(values, np.linalg.eigvalsh(a), 1e-6)
    near(a @ vectors, vectors * values, 1e-5)
    lower = np.tril(complex_matrix(12, 3, 3), -1)
    hermitian = lower + lower.conj().T + np.diag(complex_matrix(12, 3, 3).diagonal().real)
    near(rows["heevd w"], np.linalg.eigvalsh(hermitian))


def test_refusals(rows: Rows) -> None:
    assert rows["refused"] == 7
    assert rows["last error"] == 0
