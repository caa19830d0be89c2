"""Masks of values that all threads share: told from the first thread where that is enough, else from all."""

import numpy as np
import pytest

from tests.tile.run_text import run, translated

SHARED = "const float t = w[blockIdx.x];"
FIRST = {
    "a guard": f"int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) {{ {SHARED} out[i] = t; }}",
    "an early return": f"int i = blockIdx.x * 64 + threadIdx.x; if (i >= n) return; {SHARED} out[i] = t;",
    "thread 0 of the first few": "int i = threadIdx.x; if (i < 32) if (i == 0) { out[blockIdx.x] = w[0]; }",
}
ALL = {
    "not the first thread": f"int i = threadIdx.x; if (i == n) {{ {SHARED} out[blockIdx.x] = t; }}",
    "descending": f"int i = n - 1 - threadIdx.x; if (i < 9) {{ {SHARED} out[threadIdx.x] = t; }}",
    "another start": f"int i = w[0] + threadIdx.x; if (i < n) {{ {SHARED} out[threadIdx.x] = t; }}",
    "a bound a thread": f"int i = blockIdx.x * 64 + threadIdx.x; if (i < w[i]) {{ {SHARED} out[i] = t; }}",
    "thread 3": f"int i = threadIdx.x; if (i < n) if (i == 3) {{ {SHARED} out[blockIdx.x] = t; }}",
}


def kernel(body: str) -> str:
    return f"__global__ void k(const float* w, float* out, int n) {{ {body} }}"


@pytest.mark.parametrize("body", FIRST.values(), ids=FIRST)
def test_the_first_thread_is_looked_at(body: str) -> None:
    assert "tl.max(" not in translated(kernel(body)).text


@pytest.mark.parametrize("body", ALL.values(), ids=ALL)
def test_all_threads_are_looked_at(body: str) -> None:
    assert "tl.max(" in translated(kernel(body)).text


def test_a_block_of_96_threads_may_wrap_within_a_block() -> None:
    assert "tl.max(" in translated(kernel(FIRST["a guard"]), (96, 1, 1)).text


@pytest.mark.parametrize("n", [0, 1, 64, 65, 100])
def test_blocks_without_a_thread_in_range_store_nothing(n: int) -> None:
    body = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[blockIdx.x] = w[blockIdx.x];"
    w = np.arange(1, 4, dtype=np.float32)
    got = run(kernel(body), w, np.zeros(3, np.float32), n, grid=(3, 1, 1))[1]
    assert np.array_equal(got, np.where(np.arange(3) * 64 < n, w, 0))


@pytest.mark.parametrize("rows", [1, 4, 5, 8])
def test_lines_of_a_two_dimensional_block(rows: int) -> None:
    source = """__global__ void k(const float* w, float* out, int rows, int n) {
        int row = blockIdx.x * blockDim.y + threadIdx.y, c = threadIdx.x;
        if (row < rows && c < n) out[row * n + c] += w[c]; }"""
    w = np.arange(20, dtype=np.float32)
    got = run(source, w, np.ones(rows * 20, np.float32), rows, 20, grid=(2, 1, 1), block=(32, 4, 1))[1]
    assert np.array_equal(got.reshape(rows, 20), np.tile(w + 1, (rows, 1)))
