"""cuSPARSE and hipSPARSE against numpy on the dense matrix that the sparse one stands for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from porter.simulator.options import Face
from tests.simulator.vendor_programs import flat, matrix, run_rows, simple

Array = NDArray[np.generic]

ROWS, COLUMNS = np.array([0, 0, 1, 1, 3, 3, 3]), np.array([0, 3, 1, 4, 0, 2, 4])


def dense(values: Array) -> Array:
    a = np.zeros((4, 5))
    a[ROWS, COLUMNS] = values
    return a


def expected() -> dict[str, Array]:
    a, at = dense(np.arange(1, 8)), np.array([1, 4, 7])
    x, y = simple(1, 3), simple(2, 10)
    rows: dict[str, Array] = {"spvv": x @ y[at]}
    y = y / 2
    y[at] += 2 * x
    rows |= {"axpby": y.copy(), "gather": y[at]}
    y[at] = [7, 8, 9]
    rows["scatter"] = y
    rows["spmv"] = 2 * a @ simple(3, 5)
    rows["spmv t"] = a.T @ simple(3, 4) + simple(4, 5) / 2
    rows["refused"] = np.ones(1)
    rows["spmv of halves"] = dense(simple(5, 7)) @ simple(3, 5)
    b = matrix(6, 5, 3)
    rows |= {"spmm": 2 * a @ b, "spmm onto itself": 3 * a @ b}
    rows |= {"to dense": a.T, "count": np.full(1, 7.0)}
    by_column = np.lexsort((ROWS, COLUMNS))
    starts = np.searchsorted(COLUMNS[by_column], np.arange(6)) + 1
    rows |= {"starts": starts, "indices": ROWS[by_column] + 1, "kept": 1 + by_column}
    rows |= {"base at first": np.zeros(1), "base and type": np.full(1, 13.0)}
    rows |= triangular()
    return rows | {"last error": np.zeros(1)}


def triangular() -> dict[str, Array]:
    a, x = np.array([[2.0, 1, 0], [4, 8, 1], [0, 2, 4]]), np.array([2.0, 20, 16])
    lower, upper = np.tril(a), np.triu(a)
    unit = np.triu(a, 1) + np.eye(3)
    updated = np.tril(a, -1) + np.diag([1.0, 1, 2])
    solved = {"a": lower, "updated": updated, "b": upper, "c": lower.T, "d": unit}
    rows = {f"spsv {name}": np.linalg.solve(m, 2 * x) for name, m in solved.items()}
    rows["spsm"] = np.linalg.solve(unit, np.array([[1.0, 2], [3, 4], [5, 6]]))
    # Without fill-in the factorisation of a tridiagonal matrix is its LU.
    rows["ilu"] = np.array([2.0, 1, 2, 6, 1, 1 / 3, 4 - 1 / 3])
    return rows | {"pivot": np.full(1, -1.0), "zero pivot": np.full(1, 90.0)}


@pytest.mark.parametrize(
    ("face", "wide"),
    [(Face.CUDA, False), (Face.HIP, False), pytest.param(Face.CUDA, True, marks=pytest.mark.slow)],
)
def test_sparse(face: Face, wide: bool, tmp_path: Path) -> None:
    rows, _ = run_rows("sparse.cu", face, tmp_path, wide=wide)
    wanted = expected()
    assert rows.keys() == wanted.keys()
    for name, values in wanted.items():
        exact = not name.startswith(("spsv", "spsm", "ilu"))
        np.testing.assert_allclose(rows[name], flat(values), rtol=0 if exact else 1e-6, err_msg=name)
