"""Names of kernels and parameters that Python, Triton or the launcher have too, or that meet each other."""

import inspect

import numpy as np
import pytest

from tests.tile.run_text import module_of, run

N = 64
X = np.arange(2 * N, dtype=np.float32)


def parameters(source: str, kernel: str = "k") -> list[str]:
    return [
        p.name
        for p in inspect.signature(getattr(module_of(source), kernel)).parameters.values()
        if p.kind is p.POSITIONAL_OR_KEYWORD
    ]


@pytest.mark.parametrize("name", ["search_", "_search", "__search__", "max", "lambda_"])
def test_a_kernel_keeps_its_name(name):
    source = f"__global__ void {name}(float* x) {{ x[threadIdx.x] += 1; }}"
    known = f"{name}_" if name == "max" else name
    assert np.array_equal(run(source, X, grid=(1, 1, 1), name=known)[0], X + (np.arange(2 * N) < N))


def test_names_that_the_launcher_has():
    source = """__constant__ float blocks[4];
    __global__ void k(float* grid, int block, int programs, int num_warps, float* tl) {
        __shared__ float s[64];
        s[threadIdx.x] = grid[threadIdx.x] * blocks[1];
        __syncthreads();
        tl[threadIdx.x] = s[(threadIdx.x * block) & 63] + programs + num_warps;
    }"""
    assert parameters(source) == ["grid_arg", "block_arg", "programs_arg", "num_warps_arg", "tl_", "blocks"]
    w = np.float32([1, 2, 3, 4])
    out = run(source, X, 3, 5, 7, np.zeros(N, np.float32), w, grid=(1, 1, 1))[1]
    assert np.array_equal(out, 2 * X[np.arange(N) * 3 % N] + 12)


def test_names_that_become_one():
    source = """struct P { float* x; int n; };
    __global__ void k(P p, float* p_x, int p_n, const float* _in, float* in) {
        if (threadIdx.x < p.n) p.x[threadIdx.x] = p_x[p_n];
        in[threadIdx.x] = _in[threadIdx.x + 1];
    }"""
    assert parameters(source) == ["p_x", "p_n", "p_x_2", "p_n_2", "in_", "in__2"]
    first, _, _, last = run(source, X, 5, X, 9, X, np.zeros(N, np.float32), grid=(1, 1, 1))
    assert np.array_equal(first, np.where(np.arange(2 * N) < 5, 9, X))
    assert np.array_equal(last, X[1 : N + 1])


def test_names_of_the_constants():
    source = """__global__ void k(float* x, int BLOCK) {
        const int LANES = BLOCK + threadIdx.x, WARPS = threadIdx.x / 32, THREADS = blockDim.x;
        x[threadIdx.x] = LANES + 100 * WARPS + THREADS;
    }"""
    out = run(source, np.zeros(N, np.float32), 7, grid=(1, 1, 1))[0]
    assert np.array_equal(out, 7 + np.arange(N) + 100 * (np.arange(N) // 32) + 64)
