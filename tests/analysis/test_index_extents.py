"""How far launches reach: against the largest index by hand."""

import pytest

from porter.analysis.extent_values import Extents, LaunchAssumption
from porter.analysis.index_extents import blocks_wanted, index_extents
from porter.analysis.ranges import Interval
from porter.core.span import SourceText
from porter.cuda.kir import Kernel, Pointer
from porter.cuda.lower_kernel import Lowered, lower_kernels

SOURCE = """
#include <cuda_runtime.h>
__device__ float at(const float* p, int i) { return p[i + 1]; }

__global__ void kernel_a(const float* x, float* y, const int* index, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[index[i]] + at(x, 2 * i);
}

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
        C[row * N + col] = acc;
    }
}

__global__ void tile(const float* in, float* out, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    out[0] = tile[threadIdx.x][threadIdx.y];
}

__global__ void rows(const int* start, const float* value, float* out, float4* wide, int n)
{
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < n; r += gridDim.x * blockDim.x) {
        const float* own = value + 10;
        for (int j = start[r]; j < start[r + 1]; ++j) out[r] += own[j];
        wide[r / 2].y = 1.0f;
    }
}

__global__ void odd(const float* x, float* y, unsigned int* counter, float* unused, int n)
{
    int i = threadIdx.x;
    float left = i > 0 ? x[i - 1] : x[0];
    float far = x[n - 1 - i];
    if (i < n && left > far && x[i] > 0.0f) y[atomicAdd(counter, 1u)] = left;
}

__global__ void halves(float* x)
{
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    for (int o = blockDim.x / 2; o > 0; o /= 2) {
        if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
    }
    x[min(threadIdx.x, 7)] = s[0];
}

__global__ void vectors(const int4* in, const float4* wide, float4* copy, const int2* pick, float* out)
{
    int i = threadIdx.x;
    int4 v = in[i];
    copy[i] = wide[i];
    int2 at = pick[i];
    out[at.x] = v.x;
}
"""


@pytest.fixture(scope="module")
def kernels() -> dict[str, Kernel]:
    lowered = lower_kernels(SourceText("k.cu", SOURCE.encode()))
    assert all(isinstance(k, Lowered) for k in lowered), lowered
    return {k.kernel.name: k.kernel for k in lowered if isinstance(k, Lowered)}


def extents(
    kernel: Kernel,
    grid: tuple[int, int, int] = (4, 1, 1),
    block: tuple[int, int, int] = (64, 1, 1),
    **scalars: int,
) -> Extents:
    return index_extents(kernel, LaunchAssumption(grid, block, scalars, Interval(0, 31)))


def elements(found: Extents) -> dict[str, int | None]:
    return {v.name: None if end is None else end // 4 for v, end in found.end_bytes.items()}


def test_a_bounds_check_bounds_and_loaded_subscripts_have_their_range(kernels: dict[str, Kernel]) -> None:
    found = extents(kernels["kernel_a"], n=100)
    assert elements(found) == {"y": 100, "index": 100, "x": 2 * 99 + 2}
    assert {v.name for v in found.subscripts if v.name == "index"} == {"index"}
    assert elements(extents(kernels["kernel_a"], n=9)) == {"y": 9, "index": 9, "x": 32}


def test_a_grid_smaller_than_the_size_bounds_too(kernels: dict[str, Kernel]) -> None:
    found = extents(kernels["kernel_a"], n=1000)
    assert elements(found)["y"] == 4 * 64
    assert blocks_wanted(found, "x")
    assert not blocks_wanted(found, "y")
    assert not blocks_wanted(extents(kernels["kernel_a"], n=256), "x")


def test_products_of_sizes(kernels: dict[str, Kernel]) -> None:
    found = extents(kernels["matmul"], (3, 3, 1), (16, 16, 1), M=37, N=45, K=29)
    assert elements(found) == {"A": 37 * 29, "B": 29 * 45, "C": 37 * 45}
    assert "K" in {v.name for v in found.limits}


def test_shared_tiles_and_loops_with_a_step(kernels: dict[str, Kernel]) -> None:
    found = extents(kernels["tile"], (2, 2, 1), (32, 8, 1), width=37, height=45)
    assert elements(found)["in"] == 37 * 45
    (end,) = found.shared_bytes.values()
    assert end == 4 * (31 * 33 + 32)


def test_rows_of_loaded_length_in_a_grid_stride_loop(kernels: dict[str, Kernel]) -> None:
    found = extents(kernels["rows"], n=1000)
    ends = {v.name: end for v, end in found.end_bytes.items()}
    assert ends == {"start": 4 * 1001, "out": 4 * 1000, "value": 4 * (10 + 31), "wide": 16 * 499 + 8}
    assert {v.name for v in found.limits} >= {"start"}


def test_what_data_decides_is_not_bounded_and_guards_keep_from_the_front(kernels: dict[str, Kernel]) -> None:
    found = extents(kernels["odd"], (1, 1, 1), n=64)
    assert elements(found) == {"x": 64, "y": None, "counter": 1}
    assert not found.below
    assert {v.name for v in extents(kernels["odd"], (1, 1, 1), n=10).below} == {"x"}


def test_a_halving_loop_and_min(kernels: dict[str, Kernel]) -> None:
    found = extents(kernels["halves"], (1, 1, 1), (128, 1, 1))
    assert elements(found) == {"x": 128}
    (end,) = found.shared_bytes.values()
    assert end is not None
    assert 4 * 128 <= end <= 4 * 2 * 128


def test_whole_vectors_count_as_loaded(kernels: dict[str, Kernel]) -> None:
    found = extents(kernels["vectors"], (1, 1, 1))
    assert {v.name for v in found.loaded} == {"in", "wide", "pick"}
    assert {v.name for v in found.subscripts if isinstance(v.type, Pointer)} == {"pick"}
    ends = {v.name: end for v, end in found.end_bytes.items()}
    assert ends == {"in": 1024, "wide": 1024, "copy": 1024, "pick": 512, "out": 4 * 32}
