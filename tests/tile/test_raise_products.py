"""Whole kernels that compute a matrix product, however they share the work, as `tl.dot` of a tile."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from porter.core.span import SourceText
from porter.cuda.lower_kernel import Lowered, lower_kernels
from porter.tile import lower
from porter.tile.api import Declined, KernelLaunch, TileOptions
from porter.tile.raise_products import raise_products
from tests.tile.run_text import module_of, run, translated

M, N, K = 70, 51, 37
"""No multiple of any tile."""


def _matrix(rows: int, columns: int) -> np.ndarray:
    """Numbers whose products and sums float32 holds exactly."""
    random = np.random.default_rng(rows * 1000 + columns)
    return random.integers(-8, 9, (rows, columns)).astype(np.float32) / np.float32(4)


def _text(source: str, block: tuple[int, int, int]) -> str:
    return translated(source, block).text.split("\nif __name__")[0]


def _is_dot(source: str, block: tuple[int, int, int]) -> str:
    text = _text(source, block)
    assert text.count("tl.dot(") == 1, text
    assert "scratch" not in text
    return text


def _check(
    source: str, block: tuple[int, int, int], tile: tuple[int, int], sizes: tuple[int, int, int] = (M, N, K)
) -> str:
    """The kernel `k(a, b, c, m, n, k)` is one dot, and gives the product."""
    m, n, k = sizes
    a, b, c = _matrix(m, k), _matrix(k, n), np.full((m, n), 9, np.float32)
    text = _is_dot(source, block)
    grid = (-(-n // tile[1]), -(-m // tile[0]), 1)
    *_, found = run(source, a, b, c, m, n, k, grid=grid, block=block)
    np.testing.assert_array_equal(found, a @ b)
    return text


REGISTER_TILE = """
constexpr int BM = 64, BN = 32, BK = 8, TM = 4, TN = 2;
__global__ void k(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float as[BK][BM], bs[BK][BN];
    const int tid = threadIdx.x;
    const int thread_row = tid / (BN / TN), thread_col = tid % (BN / TN);
    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < k; k0 += BK) {
        for (int e = tid; e < BM * BK; e += 256) {
            const int r = e / BK, p = e % BK, row = blockIdx.y * BM + r;
            as[p][r] = row < m && k0 + p < k ? a[row * k + k0 + p] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += 256) {
            const int p = e / BN, q = e % BN, col = blockIdx.x * BN + q;
            bs[p][q] = k0 + p < k && col < n ? b[(k0 + p) * n + col] : 0.0f;
        }
        __syncthreads();
        for (int p = 0; p < BK; ++p)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) acc[i][j] += as[p][@ROW@] * bs[p][@COL@];
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            const int row = blockIdx.y * BM + @ROW@, col = blockIdx.x * BN + @COL@;
            if (row < m && col < n) c[row * n + col] = acc[i][j];
        }
}
"""


def _placed(row: str, column: str) -> str:
    return REGISTER_TILE.replace("@ROW@", row).replace("@COL@", column)


CONTIGUOUS = _placed("thread_row * TM + i", "thread_col * TN + j")
STRIDED = _placed("thread_row + i * (BM / TM)", "thread_col + j * (BN / TN)")


@pytest.mark.parametrize("source", [CONTIGUOUS, STRIDED])
def test_a_register_tile(source: str) -> None:
    text = _check(source, (256, 1, 1), (64, 32))
    assert "for k0 in range(0, k, BLOCK_K):" in text
    assert "BLOCK_Y=64" in text
    assert "block_x = 64 if n <= 32 * grid_x else math.gcd(32 * grid_x, 64)" in text


POINTERS_MOVE = """
constexpr int BM = 64, BN = 64, BK = 8, TM = 8;
__global__ void k(const float* A, const float* B, float* C, int m, int n, int k) {
    const unsigned row0 = blockIdx.y, col0 = blockIdx.x;
    const unsigned thread_col = threadIdx.x % BN, thread_row = threadIdx.x / BN;
    __shared__ float as[BM * BK];
    __shared__ float bs[BK * BN];
    A += row0 * BM * k;
    B += col0 * BN;
    C += row0 * BM * n + col0 * BN;
    float results[TM] = {0.0};
    for (unsigned k0 = 0; k0 < k; k0 += BK) {
        as[threadIdx.x] = A[threadIdx.x / BK * k + threadIdx.x % BK];
        bs[threadIdx.x] = B[threadIdx.x / BN * n + threadIdx.x % BN];
        __syncthreads();
        A += BK;
        B += BK * n;
        for (unsigned p = 0; p < BK; ++p) {
            const float right = bs[p * BN + thread_col];
#pragma unroll
            for (unsigned i = 0; i < TM; ++i) results[i] += as[(thread_row * TM + i) * BK + p] * right;
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < TM; ++i) C[(thread_row * TM + i) * n + thread_col] = results[i];
}
"""


def test_one_dimensional_register_tile_with_pointers_that_move() -> None:
    """Without conditions: 24 steps are three of the original's rounds, and less than one tile of k."""
    text = _check(POINTERS_MOVE, (512, 1, 1), (64, 64), (128, 64, 24))
    assert "// 8 * 8" in text, "k is what it was rounded up to"


VECTORS = """
#define BM 64
#define BN 64
#define BK 8
#define TM 4
#define TN 4
__global__ void k(float* A, float* B, float* C, int m, int n, int k) {
    __shared__ float as[BM * BK];
    __shared__ float bs[BK * BN];
    const int tc = threadIdx.x % (BN / TN), tr = threadIdx.x / (BN / TN);
    A += blockIdx.y * BM * k;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * n + blockIdx.x * BN;
    const int ra = threadIdx.x / (BK / 4), ca = threadIdx.x % (BK / 4) * 4;
    const int rb = threadIdx.x / (BN / 4), cb = threadIdx.x % (BN / 4) * 4;
    float res[TM * TN] = {0.0f}, left[TM], right[TN];
    for (int k0 = 0; k0 < k; k0 += BK) {
        if (threadIdx.x < 128) {
            float4 v = reinterpret_cast<float4*>(&A[ra * k + ca])[0];
            as[(ca + 0) * BM + ra] = v.x;
            as[(ca + 1) * BM + ra] = v.y;
            as[(ca + 2) * BM + ra] = v.z;
            as[(ca + 3) * BM + ra] = v.w;
            *reinterpret_cast<float4*>(&bs[rb * BN + cb]) = *reinterpret_cast<float4*>(&B[rb * n + cb]);
        }
        __syncthreads();
        A += BK;
        B += BK * n;
        for (int p = 0; p < BK; ++p) {
            for (int i = 0; i < TM; ++i) left[i] = as[p * BM + tr * TM + i];
            for (int j = 0; j < TN; ++j) right[j] = bs[p * BN + tc * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) res[i * TN + j] = fmaf(left[i], right[j], res[i * TN + j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i) {
        float4 v = reinterpret_cast<float4*>(&C[(tr * TM + i) * n + tc * TN])[0];
        v.x = 2.0f * res[i * TN] - v.x;
        v.y = 2.0f * res[i * TN + 1] - v.y;
        v.z = 2.0f * res[i * TN + 2] - v.z;
        v.w = 2.0f * res[i * TN + 3] - v.w;
        reinterpret_cast<float4*>(&C[(tr * TM + i) * n + tc * TN])[0] = v;
    }
}
"""


def test_vector_loads_a_transposed_tile_and_an_epilogue() -> None:
    m, n, k = 64, 128, 40
    a, b, c = _matrix(m, k), _matrix(k, n), _matrix(m, n)
    _is_dot(VECTORS, (256, 1, 1))
    *_, found = run(VECTORS, a, b, c, m, n, k, grid=(2, 1, 1), block=(256, 1, 1))
    np.testing.assert_array_equal(found, 2 * (a @ b) - c)


def test_each_thread_goes_through_a_round_in_its_own_order() -> None:
    source = CONTIGUOUS.replace("for (int p = 0; p < BK; ++p)", "for (int q = 0; q < BK; ++q)")
    source = source.replace("acc[i][j] += as[p]", "acc[i][j] += as[(q + tid) % BK]").replace(
        "* bs[p]", "* bs[(q + tid) % BK]"
    )
    _check(source, (256, 1, 1), (64, 32))


DOUBLE_BUFFERED = """
constexpr int BM = 32, BN = 32, BK = 8, TM = 4, TN = 4;
__global__ void k(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float as[2][BK][BM], bs[2][BK][BN];
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 8 + tx;
    const int ra = tid / 2, ca = tid % 2 * 4, rb = tid / 8, cb = tid % 8 * 4;
    const float* a_next = a + (blockIdx.y * BM + ra) * k + ca;
    const float* b_next = b + rb * n + blockIdx.x * BN + cb;
    float acc[TM][TN] = {};
    float4 la = *(const float4*)a_next, lb = *(const float4*)b_next;
    as[0][ca][ra] = la.x; as[0][ca + 1][ra] = la.y; as[0][ca + 2][ra] = la.z; as[0][ca + 3][ra] = la.w;
    *(float4*)&bs[0][rb][cb] = lb;
    __syncthreads();
    int stage = 0;
    for (int k0 = 0; k0 < k; k0 += BK) {
        const bool more = k0 + BK < k;
        if (more) {
            a_next += BK;
            b_next += BK * n;
            la = *(const float4*)a_next;
            lb = *(const float4*)b_next;
        }
        for (int p = 0; p < BK; ++p)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += as[stage][p][ty * TM + i] * bs[stage][p][tx * TN + j];
        if (more) {
            stage ^= 1;
            as[stage][ca][ra] = la.x; as[stage][ca + 1][ra] = la.y;
            as[stage][ca + 2][ra] = la.z; as[stage][ca + 3][ra] = la.w;
            *(float4*)&bs[stage][rb][cb] = lb;
            __syncthreads();
        }
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            c[(blockIdx.y * BM + ty * TM + i) * n + blockIdx.x * BN + tx * TN + j] = acc[i][j];
}
"""


def test_double_buffered_tiles() -> None:
    _check(DOUBLE_BUFFERED, (8, 8, 1), (32, 32), (64, 96, 40))


def test_a_missing_barrier_between_the_buffers_is_no_product() -> None:
    source = DOUBLE_BUFFERED.replace("            __syncthreads();\n        }\n    }", "        }\n    }")
    assert source != DOUBLE_BUFFERED
    assert "tl.dot" not in _text(source, (8, 8, 1))


NAIVE = """
__global__ void k(const float* a, const float* b, float* c, int m, int n, int k) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) sum += @LEFT@ * @RIGHT@;
    c[row * n + col] = sum;
}
"""


def _naive(left: str, right: str) -> str:
    return NAIVE.replace("@LEFT@", left).replace("@RIGHT@", right)


@pytest.mark.parametrize(
    ("left", "right", "transposed"),
    [
        ("a[row * k + i]", "b[i * n + col]", ""),
        ("b[i * n + col]", "a[row * k + i]", ""),
        ("a[row * k + i]", "b[col * k + i]", "b"),
        ("a[i * m + row]", "b[i * n + col]", "a"),
        ("a[i * m + row]", "b[col * k + i]", "ab"),
    ],
)
def test_no_shared_memory_and_transposed_operands(left: str, right: str, transposed: str) -> None:
    source, block = _naive(left, right), (16, 16, 1)
    a, b, c = _matrix(M, K), _matrix(K, N), np.zeros((M, N), np.float32)
    _is_dot(source, block)
    given_a = np.ascontiguousarray(a.T) if "a" in transposed else a
    given_b = np.ascontiguousarray(b.T) if "b" in transposed else b
    *_, found = run(source, given_a, given_b, c, M, N, K, grid=(4, 5, 1), block=block)
    np.testing.assert_array_equal(found, a @ b)


BIAS_AND_BATCH = """
__global__ void k(float* out, const float* in, const float* w, const float* bias, int rows, int n, int k) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    in += (size_t)blockIdx.z * rows * k;
    if (row < rows && col < n) {
        float value = bias != nullptr ? bias[col] : 0.0f;
        for (int i = 0; i < k; i++) value += in[row * k + i] * w[col * k + i];
        out[((size_t)blockIdx.z * rows + row) * n + col] = value > 0.0f ? value : 0.25f * value;
    }
}
"""


@pytest.mark.parametrize("has_bias", [True, False])
def test_a_bias_an_activation_and_a_batch(has_bias: bool) -> None:
    rows, n, k, batch = 33, 20, 19, 3
    given = np.stack([_matrix(rows, k) * (i + 1) for i in range(batch)])
    w, bias = _matrix(n, k), np.arange(n, dtype=np.float32) - 8
    out = np.zeros((batch, rows, n), np.float32)
    text = _is_dot(BIAS_AND_BATCH, (16, 16, 1))
    assert "    if bias_ptr is not None:\n        mask = col < n\n" in text
    assert "        mask_2 = (row < rows)" in text, "Triton's loops want one shape of a name"
    arguments = (out, given, w, bias if has_bias else None, rows, n, k)
    found, *_ = run(BIAS_AND_BATCH, *arguments, grid=(3, 2, batch), block=(16, 16, 1))
    value = given @ w.T + (bias if has_bias else 0)
    np.testing.assert_array_equal(found, np.where(value > 0, value, value / 4))


# --- element types -----------------------------------------------------------------------------------

STAGED_TYPES = """
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void k(const T* a, const T* b, float* c, int m, int n, int k) {
    __shared__ T as[16][16], bs[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < (k + 15) / 16; ++t) {
        const int p = t * 16 + threadIdx.x, q = t * 16 + threadIdx.y;
        if (row < m && p < k) as[threadIdx.y][threadIdx.x] = a[row * k + p];
        else as[threadIdx.y][threadIdx.x] = T(0.0f);
        bs[threadIdx.y][threadIdx.x] = T(0.0f);
        if (col < n && q < k) bs[threadIdx.y][threadIdx.x] = b[q * n + col];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += (float)as[threadIdx.y][i] * (float)bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
"""


@pytest.mark.parametrize(("name", "dtype"), [("__half", torch.float16), ("__nv_bfloat16", torch.bfloat16)])
def test_sixteen_bit_factors(name: str, dtype: torch.dtype) -> None:
    """Halves are multiplied as such; bfloat16 as float32, since the interpreter cannot."""
    source = f"#define T {name}\n{STAGED_TYPES}"
    text = _is_dot(source, (16, 16, 1))
    assert ("tl.dot(a_tile, b_tile, sum_)" in text) == (dtype == torch.float16)
    a, b = (torch.from_numpy(m) for m in (_matrix(M, K), _matrix(K, N)))
    c = torch.zeros(M, N)
    module_of(source, (16, 16, 1)).k(a.to(dtype), b.to(dtype), c, M, N, K, grid=(4, 5, 1), block=(16, 16, 1))
    assert torch.equal(c, a @ b)


def test_bytes_summed_in_integers() -> None:
    source = _naive("a[row * k + i]", "b[i * n + col]").replace("const float*", "const signed char*")
    source = source.replace("float* c", "int* c").replace("float sum = 0.0f", "int sum = 0")
    text = _is_dot(source, (16, 16, 1))
    assert "out_dtype=tl.int32" in text
    a, b = (_matrix(*shape) * 4 for shape in ((M, K), (K, N)))
    arguments = (a.astype(np.int8), b.astype(np.int8), np.zeros((M, N), np.int32), M, N, K)
    *_, found = run(source, *arguments, grid=(4, 5, 1), block=(16, 16, 1))
    np.testing.assert_array_equal(found, a @ b)


def test_doubles_without_an_instruction_that_every_triton_has() -> None:
    source = _naive("a[row * k + i]", "b[i * n + col]").replace("float", "double").replace("0.0f", "0.0")
    text = _text(source, (16, 16, 1))
    assert "tl.sum(a_tile[:, :, None] * b_tile[None, :, :], axis=1)" in text
    a, b = (_matrix(*shape).astype(np.float64) for shape in ((M, K), (K, N)))
    *_, found = run(source, a, b, np.zeros((M, N)), M, N, K, grid=(4, 5, 1), block=(16, 16, 1))
    np.testing.assert_array_equal(found, a @ b)


# --- tensor-core fragments ---------------------------------------------------------------------------

FRAGMENTS = """
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half* a, const half* b, float* c, int m, int n, int k) {
    const int warp_row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    const int warp_col = blockIdx.y * blockDim.y + threadIdx.y;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, @LAYOUT@> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc, old;
    wmma::fill_fragment(acc, 0.0f);
    const int row = warp_row * 16, col = warp_col * 16;
    for (int i = 0; i < k; i += 16) {
        if (row < m && i < k && col < n) {
            wmma::load_matrix_sync(left, a + row * k + i, k);
            wmma::load_matrix_sync(right, @RIGHT@);
            wmma::mma_sync(acc, left, right, acc);
        }
    }
    if (row < m && col < n) {
        wmma::load_matrix_sync(old, c + row * n + col, n, wmma::mem_row_major);
        for (int i = 0; i < old.num_elements; i++) old.x[i] = 2.0f * acc.x[i] - old.x[i];
        wmma::store_matrix_sync(c + row * n + col, old, n, wmma::mem_row_major);
    }
}
"""
BY_ROWS = FRAGMENTS.replace("@LAYOUT@", "wmma::row_major").replace("@RIGHT@", "b + i * n + col, n")
BY_COLUMNS = FRAGMENTS.replace("@LAYOUT@", "wmma::col_major").replace("@RIGHT@", "b + col * k + i, k")


@pytest.mark.parametrize("source", [BY_ROWS, BY_COLUMNS])
def test_fragments_straight_from_global_memory(source: str) -> None:
    """Eight warps a block, 64 x 32; sizes are multiples of a fragment, not of a block."""
    m, n, k, block = 80, 48, 32, (128, 2, 1)
    assert "tl.dot(a_tile, b_tile, acc)" in _is_dot(source, block)
    a, b, c = _matrix(m, k), _matrix(k, n), _matrix(m, n)
    given = np.ascontiguousarray(b.T) if source is BY_COLUMNS else b
    halves = (a.astype(np.float16), given.astype(np.float16))
    *_, found = run(source, *halves, c, m, n, k, grid=(2, 2, 1), block=block)
    np.testing.assert_array_equal(found, 2 * (a @ b) - c)


def test_fragments_for_something_else_than_a_product() -> None:
    source = BY_ROWS.replace("wmma::mma_sync(acc", "left.x[0] = left.x[1]; wmma::mma_sync(acc")
    assert [d.code for _, d in translated(source, (128, 2, 1)).declined] == ["TIL056"]


# --- tiles of other sizes ----------------------------------------------------------------------------


@pytest.mark.parametrize(("grid_x", "grid_y"), [(4, 5), (3, 5), (4, 2), (7, 9)])
def test_only_what_the_grid_reaches_is_computed(grid_x: int, grid_y: int) -> None:
    """Tiles reach beyond the grid only where there is no matrix."""
    source, block = _naive("a[row * k + i]", "b[i * n + col]"), (16, 16, 1)
    assert "block_y = 64 if m <= 16 * grid_y else math.gcd(16 * grid_y, 64)" in _text(source, block)
    a, b = _matrix(M, K), _matrix(K, N)
    *_, found = run(
        source, a, b, np.full((M, N), 9, np.float32), M, N, K, grid=(grid_x, grid_y, 1), block=block
    )
    expected = np.full((M, N), 9, np.float32)
    expected[: 16 * grid_y, : 16 * grid_x] = (a @ b)[: 16 * grid_y, : 16 * grid_x]
    np.testing.assert_array_equal(found, expected)


def test_blocks_of_one_row() -> None:
    source, block = _naive("a[row * k + i]", "b[i * n + col]"), (64, 1, 1)
    text = _is_dot(source, block)
    assert "block_y = 64 if m <= grid_y else" in text
    a, b, c = _matrix(M, K), _matrix(K, N), np.zeros((M, N), np.float32)
    *_, found = run(source, a, b, c, M, N, K, grid=(1, M, 1), block=block)
    np.testing.assert_array_equal(found, a @ b)


def test_a_tile_that_is_not_masked_keeps_to_the_grid() -> None:
    text = _text(DOUBLE_BUFFERED, (8, 8, 1))
    assert "block_y = math.gcd(32 * grid_y, 64)" in text
    assert "masked" not in text


def test_a_row_that_is_loaded_everywhere_is_not_masked() -> None:
    source = _placed("thread_row * TM + i", "thread_col * TN + j").replace("row < m && k0", "k0")
    source = source.replace("BM = 64, BN = 32", "BM = 32, BN = 32").replace("TM = 4", "TM = 2")
    assert "block_y = math.gcd(32 * grid_y, 64)" in _text(source, (256, 1, 1))


SPLIT_K = """
__global__ void k(const float* a, const float* b, float* c, int m, int n, int k, int part) {
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    const int first = blockIdx.z * part, last = min(first + part, k);
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = first; i < last; ++i) sum += a[row * k + i] * b[i * n + col];
    atomicAdd(&c[row * n + col], sum);
}
"""


def test_parts_of_k_added_atomically() -> None:
    block = (16, 16, 1)
    text = _is_dot(SPLIT_K, block)
    assert "tl.atomic_add(c_ptr + row * n + col, sum_" in text
    a, b, c = _matrix(M, K), _matrix(K, N), _matrix(M, N)
    *_, found = run(SPLIT_K, a, b, c, M, N, K, 15, grid=(4, 5, 3), block=block)
    np.testing.assert_array_equal(found, c + a @ b)


SUMMED_IN_MEMORY = """
__global__ void k(float* a, float* b, float* c, int m, int n, int k, float alpha, float beta) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < m) && (j < n)) {
        c[i * n + j] *= beta;
        int p;
        for (p = 0; p < k; p++) c[i * n + j] += alpha * a[i * k + p] * b[p * n + j];
    }
}
"""


def test_a_sum_in_global_memory() -> None:
    block = (32, 8, 1)
    text = _is_dot(SUMMED_IN_MEMORY, block)
    assert text.count("tl.store") == 1
    a, b, c = _matrix(M, K), _matrix(K, N), _matrix(M, N)
    *_, found = run(SUMMED_IN_MEMORY, a, b, c, M, N, K, 2.0, -0.5, grid=(2, 9, 1), block=block)
    np.testing.assert_array_equal(found, 2 * (a @ b) - c / 2)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("c[i * n + j] *= beta;", "", "a store to global memory in a loop"),
        ("c[i * n + j] *= beta;", "c[i * n + j] = c[i * n + j + 1];", "several places of `c`"),
        ("* b[p * n + j]", "* c[p * n + j]", "several places of `c`"),
        (
            "if ((i < m) && (j < n)) {\n",
            "if (i < m && j < n) c[i * n + j] = beta;\n    {\n",
            "other conditions",
        ),
    ],
)
def test_sums_in_global_memory_that_are_none(old: str, new: str, reason: str) -> None:
    assert old in SUMMED_IN_MEMORY
    assert reason in _reason(SUMMED_IN_MEMORY.replace(old, new), (32, 8, 1))


@pytest.mark.parametrize(("factor", "result"), [("alpha * ", "acc"), ("", "acc * alpha")])
def test_a_parameter_that_each_round_changes(factor: str, result: str) -> None:
    source = """#define T 16
__global__ void k(const float* a, const float* b, float* c, int n, float alpha) {
  __shared__ float as[T][T], bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    as[ty][tx] = row < n && k0 + tx < n ? a[row * n + k0 + tx] : 0.0f;
    bs[ty][tx] = col < n && k0 + ty < n ? b[(k0 + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < T; ++p) acc += @FACTOR@as[ty][p] * bs[p][tx];
    __syncthreads();
    alpha *= 0.5f;
  }
  if (row < n && col < n) c[row * n + col] = @RESULT@;
}"""
    source = source.replace("@FACTOR@", factor).replace("@RESULT@", result)
    a, b = _matrix(K, K), _matrix(K, K + 1)[:, :K].copy()
    out = run(source, a, b, np.zeros((K, K), np.float32), K, 2.0, grid=(3, 3, 1), block=(16, 16, 1))[2]
    parts = [a[:, s : s + 16].astype(float) @ b[s : s + 16].astype(float) for s in (0, 16, 32)]
    scales = (2.0, 1.0, 0.5) if factor else (0.25, 0.25, 0.25)
    assert np.allclose(out, sum(s * p for s, p in zip(scales, parts, strict=True)), rtol=1e-6, atol=1e-5)


# --- near misses -------------------------------------------------------------------------------------


def _reason(source: str, block: tuple[int, int, int] = (256, 1, 1)) -> str:
    """Why the kernel is no product."""
    lowered = lower_kernels(SourceText("kernel.cu", source.encode()), ())
    assert isinstance(lowered[0], Lowered)
    found = raise_products(lowered[0].kernel, block)
    assert found.block == block
    assert not found.raising.raised
    return found.raising.declined[0].reason


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("bs[p][@COL@]", "bs[BK - 1 - p][@COL@]", "the steps of a round do not go on"),
        ("bs[p][@COL@]", "bs[p][(@COL@) ^ (p & 1)]", "not linear"),
        ("acc[i][j] += as", "acc[i][j] += as[p][@ROW@] * bs[p][@COL@], acc[i][j] += as", "not linear"),
        (
            "p = 0; p < BK; ++p)\n            for",
            "p = 1; p < BK; ++p)\n            for",
            "steps of a round",
        ),
        ("e < BM * BK", "e < BM * BK - 256", "a factor that is not known"),
        ("        __syncthreads();\n        for", "        for", "no barrier between"),
        ("        __syncthreads();\n    }\n    for", "    }\n    for", "no barrier between"),
        (
            "c[row * n + col] = acc[i][j]",
            "c[row * n] = acc[i][j]",
            "stored in one place",
        ),
        ("= acc[i][j];", "= acc[i][1 - j];", "a place that is not linear"),
        ("= acc[i][j];", "= acc[i][0];", "not every element"),
        (
            "as[p][@ROW@] * bs[p][@COL@]",
            "as[p][@ROW@] * bs[p][@COL@] + 1.0f",
            "no loop that sums up products",
        ),
        ("as[p][@ROW@] *", "(as[p][@ROW@] + bs[p][@COL@]) *", "no row and column"),
        ("    }\n    for (int i", "        acc[0][0] *= 0.5f;\n    }\n    for (int i", "no row and column"),
        ("as[p][r] = row < m", "as[p][r] = row < m && tid != 3", "not linear"),
        ("k0 + p < k ? a", "k0 + p < k && row + p != 5 ? a", "steps of a round"),
        ("k0 < k; k0 += BK", "k0 < k; k0 += BK + 1", "steps of a round"),
    ],
)
def test_near_misses(old: str, new: str, reason: str) -> None:
    assert old in REGISTER_TILE
    source = REGISTER_TILE.replace(old, new)
    source = source.replace("@ROW@", "thread_row * TM + i").replace("@COL@", "thread_col * TN + j")
    assert reason in _reason(source)


def test_what_the_epilogue_loads_may_be_what_it_stores() -> None:
    source = _naive("a[row * k + i]", "b[i * n + col]").replace(
        "float* c, int m", "float* c, float* d, int m"
    )
    with_sum = source.replace("= sum;", "= sum + d[col * n + row];")
    assert "may have been stored" in _reason(with_sum, (16, 16, 1))
    neighbour = source.replace("= sum;", "= sum + c[row * n + col + 1];")
    assert "may have been stored" in _reason(neighbour, (16, 16, 1))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        # an infinite factor would count where it is left out: 0 * inf
        ("++i) sum +=", "++i) if (i <= row) sum +=", "counts for some elements only"),
        ("++i) sum +=", "++i) if (row < 5) sum +=", "counts for some elements only"),
        ("++i) sum +=", "++i) if ((row + col) % 2 == 0) sum +=", ""),
        ("float sum", "__half sum", "less than 32 bits"),
    ],
)
def test_products_that_count_for_some_elements(old: str, new: str, reason: str) -> None:
    source = "#include <cuda_fp16.h>\n" + _naive("a[row * k + i]", "b[i * n + col]").replace(old, new)
    if "__half" in new:
        source = source.replace("const float*", "const __half*").replace("= 0.0f", "= __half(0.0f)")
    assert reason in _reason(source, (16, 16, 1))


def test_a_condition_on_the_step_alone() -> None:
    source = _naive("a[row * k + i]", "b[i * n + col]").replace("++i) sum", "++i) if (i + 3 < k) sum")
    a, b, c = _matrix(M, K), _matrix(K, N), np.zeros((M, N), np.float32)
    _is_dot(source, (16, 16, 1))
    *_, found = run(source, a, b, c, M, N, K, grid=(4, 5, 1), block=(16, 16, 1))
    np.testing.assert_array_equal(found, a[:, :-3] @ b[:-3])


def test_an_index_that_may_have_wrapped() -> None:
    source = _naive("a[row * k + i]", "b[i * n + (unsigned)(col - 1)]")
    assert "wrapped" in _reason(source, (16, 16, 1))


def test_a_loop_that_some_threads_leave() -> None:
    source = _naive("a[row * k + i]", "b[i * n + col]").replace(
        "++i) sum += a[row * k + i] * b[i * n + col];",
        "++i) { if (sum < 0.0f) break; sum += a[row * k + i] * b[i * n + col]; }",
    )
    assert _reason(source, (16, 16, 1)) == "a loop of unknown length that is left inside"


BY_STEP = """
__global__ void k(const float* a, const float* b, float* c, int m, int n, int k) {
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row < m && col < n) {
        float s = 0.0f;
        for (int p = 0; p < k; ++p) s += @PRODUCT@;
        c[row * n + col] = s;
    }
}
"""


@pytest.mark.parametrize(
    ("product", "left", "right"),
    [
        ("a[row * k + p] * b[(p % 4) * n + col]", lambda p: p, lambda p: p % 4),
        ("a[row * k + p] * b[(p & 3) * n + col]", lambda p: p, lambda p: p & 3),
        ("a[row * k + p / 2] * b[p * n + col]", lambda p: p // 2, lambda p: p),
        ("a[row * k + p] * b[min(p, 7) * n + col]", lambda p: p, lambda p: np.minimum(p, 7)),
        ("a[row * k + (p + 1) % k] * b[p * n + col]", lambda p: (p + 1) % K, lambda p: p),
        ("a[row * k + (unsigned)p / 3u] * b[p * n + col]", lambda p: p // 3, lambda p: p),
    ],
)
def test_a_factor_that_does_not_go_on_linearly_with_the_step(product, left, right) -> None:
    a, b, c = _matrix(M, K), _matrix(K, N), np.full((M, N), 9, np.float32)
    source, steps = BY_STEP.replace("@PRODUCT@", product), np.arange(K)
    _is_dot(source, (16, 16, 1))
    *_, found = run(source, a, b, c, M, N, K, grid=(4, 5, 1), block=(16, 16, 1))
    np.testing.assert_array_equal(found, a[:, left(steps)] @ b[right(steps)])


def test_a_scale_for_each_group_of_steps() -> None:
    a, b, c = _matrix(M, K), _matrix(K, N), np.full((M, N), 9, np.float32)
    scales = np.float32(2) ** (np.arange(K) % 5 - 2).astype(np.float32)
    a[-1, : K // 8 + 1] = scales[: K // 8 + 1]  # beside the rows that are used
    source = BY_STEP.replace("@PRODUCT@", "a[row * k + p] * (b[p * n + col] * a[m * k + p / 8])")
    _is_dot(source, (16, 16, 1))
    *_, found = run(source, a, b, c[:-1], M - 1, N, K, grid=(4, 5, 1), block=(16, 16, 1))
    np.testing.assert_array_equal(found, a[:-1] @ (b * scales[np.arange(K) // 8][:, None]))


@pytest.mark.parametrize(
    ("product", "right"),
    [
        ("a[row * k + p] * b[(k / (k - p) % 4) * n + col]", lambda p: K // (K - p) % 4),
        ("a[row * k + p] * b[((p + 1) % (p + 2)) % 4 * n + col]", lambda p: (p + 1) % (p + 2) % 4),
    ],
)
def test_a_number_that_may_fail_beyond_the_last_step_is_no_factor(product, right) -> None:
    a, b, c = _matrix(M, K), _matrix(K, N), np.full((M, N), 9, np.float32)
    source = BY_STEP.replace("@PRODUCT@", product)
    assert "tl.dot(" not in _text(source, (16, 16, 1))
    *_, found = run(source, a, b, c, M, N, K, grid=(4, 5, 1), block=(16, 16, 1))
    np.testing.assert_array_equal(found, a @ b[right(np.arange(K))])


def test_a_round_of_several_steps_with_a_number_of_its_own_stays_a_loop() -> None:
    unrolled = "for (int p = 0; p < k; p += 4) for (int q = 0; q < 4; ++q)"
    source = BY_STEP.replace("for (int p = 0; p < k; ++p)", unrolled).replace(
        "@PRODUCT@", "a[row * k + p + q] * b[(p / 8) * n + col]"
    )
    assert "tl.dot(" not in _text(source, (16, 16, 1))
    k = 36
    a, b, c = _matrix(M, k), _matrix(k, N), np.full((M, N), 9, np.float32)
    *_, found = run(source, a, b, c, M, N, k, grid=(4, 5, 1), block=(16, 16, 1))
    np.testing.assert_array_equal(found, a @ b[np.arange(k) // 4 * 4 // 8])


@pytest.mark.parametrize("fault", ["raise_products", "_compile_raised"])
def test_a_fault_in_raising_costs_the_product_only(fault, monkeypatch) -> None:
    source = BY_STEP.replace("@PRODUCT@", "a[row * k + p] * b[p * n + col]")
    kernel = _only_kernel(source)
    launch = KernelLaunch(kernel, None, (16, 16, 1))
    as_it_is = getattr(lower, fault)
    calls = []

    def failing(*arguments):
        calls.append(arguments)
        if fault == "raise_products":
            raise KeyError("broken")
        if arguments[-1].raising.raised:
            raise Declined("TIL054", "`round` is read before it has a value", kernel.span)
        return as_it_is(*arguments)

    monkeypatch.setattr(lower, fault, failing)
    translation = lower.translate_triton((launch,), TileOptions(), source_name="kernel.cu")
    assert calls
    assert not translation.declined
    assert "tl.dot(" not in translation.text
    if fault == "raise_products":
        (reason,) = lower._products(kernel, (16, 16, 1)).raising.declined
        assert "KeyError" in reason.reason


def _only_kernel(source: str):
    (lowered,) = lower_kernels(SourceText("kernel.cu", source.encode()))
    assert isinstance(lowered, Lowered)
    return lowered.kernel


CARVED = """
__global__ void k(const float* a, const float* b, float* c, int m, int n, int k) {
    extern __shared__ float memory[];
    float* as = memory;
    float* bs = memory + @START@;
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < k; k0 += 16) {
        const int p = k0 + threadIdx.x, q = k0 + threadIdx.y;
        as[threadIdx.y * 17 + threadIdx.x] = row < m && p < k ? a[row * k + p] : 0.0f;
        bs[threadIdx.y * 16 + threadIdx.x] = col < n && q < k ? b[q * n + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < 16; ++p) sum += as[threadIdx.y * 17 + p] * bs[p * 16 + threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
"""


def test_tiles_carved_out_of_dynamic_shared_memory():
    _check(CARVED.replace("@START@", "16 * 17"), (16, 16, 1), (16, 16))


def test_carved_tiles_that_overlap_are_no_product():
    """Element 0 of the second one is the last of the first: who stores last is not known."""
    text = _text(CARVED.replace("@START@", "16 * 17 - 2"), (16, 16, 1))
    assert "tl.dot(" not in text
