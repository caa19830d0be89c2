"""cuBLAS and hipBLAS against numpy: three levels, half and integer products, refusals, copies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from porter.simulator.options import Face
from tests.simulator.vendor_programs import (
    complex_matrix,
    complex_vector,
    flat,
    matrix,
    run_rows,
    simple,
)

Array = NDArray[np.generic]


def symmetric(a: Array, lower: bool) -> Array:
    """From one triangle; the diagonal's imaginary parts are taken as zero."""
    kept = np.tril(a, -1) if lower else np.triu(a, 1)
    return kept + kept.conj().T + np.diag(a.diagonal().real)


def expected_vectors() -> dict[str, Array]:
    x, y = simple(1, 12), simple(2, 12)
    y[0:12:2] += 2 * x[0:12:2][::-1]
    rows = {"saxpy": y.copy()}
    x[0:12:3] *= 2
    rows |= {"sscal": x.copy(), "sdot": x @ y, "snrm2": np.linalg.norm(x), "sasum": np.abs(x).sum()}
    rows |= {
        "isamax": np.abs(x).argmax() + 1,
        "isamin": np.abs(x).argmin() + 1,
        "isamax of none": np.zeros(1),
    }
    x = y.copy()
    rows |= {"sswap": x, "scopy": x, "srot x": 0.5 * x + 0.25 * x, "srot y": 0.5 * x - 0.25 * x}
    u, v = complex_vector(3, 6), complex_vector(4, 6)
    rows |= {"zdotc": np.vdot(u, v), "zdotu": u @ v, "dznrm2": np.linalg.norm(u), "zdscal": u / 2}
    rotated = 0.75 * x
    return rows | {"sdot on the device": rotated @ rotated}


def expected_matrix_and_vectors() -> dict[str, Array]:
    a, x, y = matrix(5, 4, 5), simple(6, 5), simple(7, 5)
    rows = {"dgemv": 2 * a @ x}
    y = 2 * a.T @ x[:4] + y / 2
    rows |= {"dgemv t": y.copy(), "dger": a + 2 * np.outer(x[:4], y)}
    s = matrix(8, 4, 4)
    y[:4] = 2 * symmetric(s, lower=True) @ x[:4] + y[:4] / 2
    rows["dsymv"] = y
    s = np.tril(s, -1) + np.triu(s + 2 * np.outer(x[:4], x[:4]))
    rows["dsyr"] = s
    t = simple(9, 4)
    rows |= {"dtrmv": (np.tril(s, -1) + np.eye(4)) @ t, "dtrsv": t}
    h, p = complex_matrix(10, 4, 4), complex_vector(11, 4)
    q = symmetric(h, lower=False) @ p
    return rows | {"zgemv c": h.conj().T @ p, "zhemv": q, "zgerc": h + np.outer(p, q.conj())}


def expected_matrices() -> dict[str, Array]:
    a, b = simple(1, 24), simple(2, 24)

    def block(of: Array, start: int, rows: int, columns: int, stride: int = 0) -> Array:
        stride = stride or rows
        index = start + np.arange(columns)[None, :] * stride + np.arange(rows)[:, None]
        return of[index]

    c = np.append(simple(3, 24), 0).reshape(5, 5).T.copy()
    c[:3, :4] = 2 * block(a, 0, 3, 5, 4) @ block(b, 0, 5, 4, 6) + c[:3, :4] / 2
    rows = {"sgemm": flat(c)[:24], "sgemm tt": 2 * block(a, 0, 6, 4).T @ block(b, 0, 4, 6).T}
    strided = [block(a, 6 * i, 2, 3) @ block(b, 12 * i, 2, 3).T for i in range(2)]
    rows["sgemm strided"] = np.concatenate([flat(m) for m in strided])
    batched = [block(a, 4 * i, 2, 2) @ block(b, 4 - 4 * i, 2, 2) for i in range(2)]
    rows["sgemm batched"] = np.concatenate([flat(m) for m in batched])
    k = np.tril(block(a, 0, 4, 3) @ block(a, 0, 4, 3).T)
    rows["ssyrk"] = k
    rows["ssyrkx"] = np.tril(k, -1) + np.triu(block(a, 0, 3, 4).T @ block(b, 0, 3, 4))
    rows["ssymm"] = block(b, 0, 3, 4) @ symmetric(block(a, 0, 4, 4), lower=True)
    rows["sgeam"] = 2 * block(a, 0, 4, 3).T + block(b, 0, 3, 4) / 2
    rows["sdgmm"] = block(a, 0, 3, 4) * b[0:8:2]
    triangle, x = np.triu(matrix(4, 3, 3)), matrix(5, 3, 4)
    rows |= {"dtrmm": 2 * triangle.T @ x, "dtrsm": x}
    p, q = complex_matrix(6, 3, 3), complex_matrix(7, 3, 3)
    return rows | {"cgemm": 1j * p.conj().T @ q, "cherk": np.triu(p @ p.conj().T)}


def expected_mixed() -> dict[str, Array]:
    a, b, c = simple(1, 12), simple(2, 12), matrix(3, 3, 3)
    product = 2 * a.reshape(4, 3).T @ b.reshape(4, 3) + c / 2
    rows = {"half to half": product, "half to float": product}
    rows["hgemm"] = a[:9].reshape(3, 3).T @ b[:9].reshape(3, 3).T
    i = np.arange(16)
    narrow_a, narrow_b = (i * 37 - 128).astype(np.int8).astype(int), (90 - 11 * i).astype(np.int8).astype(int)
    rows["int8"] = narrow_a.reshape(4, 4) @ narrow_b.reshape(4, 4).T + 2000
    return rows | {"int8 into half": np.ones(1)}


def expected_batched_factors() -> dict[str, Array]:
    a, b = simple(5, 18).reshape(2, 3, 3), simple(6, 6).reshape(2, 3)
    return {
        "getrf info": np.zeros(2),
        "getrs info": np.zeros(1),
        "getrs": np.concatenate([np.linalg.solve(a[i].T, b[i]) for i in range(2)]),
        "getri": np.concatenate([flat(np.linalg.inv(a[i].T)) for i in range(2)]),
    }


def expected_copies() -> dict[str, Array]:
    a = matrix(1, 4, 3)
    a[:2] = [[1, 3, 5], [2, 4, 6]]
    return {"set matrix": a, "get vector": np.array([1, 0, 3, 0, 5]), "last error": np.zeros(1)}


def tolerance(name: str, wide: bool) -> float:
    """The numbers are chosen so that everything is exact but roots and solutions."""
    if name == "snrm2":
        return 1e-15 if wide else 1e-7
    return {"dznrm2": 1e-15, "getrs": 1e-12, "getri": 1e-12}.get(name, 0.0)


@pytest.mark.parametrize(
    ("face", "wide"), [(Face.CUDA, False), (Face.HIP, False), (Face.CUDA, True)], ids=["cuda", "hip", "wide"]
)
def test_blas(face: Face, wide: bool, tmp_path: Path) -> None:
    rows, _ = run_rows("blas.cu", face, tmp_path, wide=wide)
    expected = expected_vectors() | expected_matrix_and_vectors() | expected_matrices() | expected_mixed()
    expected |= expected_batched_factors() | expected_copies() | {"refused": np.full(1, 255.0)}
    assert rows.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_allclose(rows[name], flat(values), rtol=tolerance(name, wide), err_msg=name)
