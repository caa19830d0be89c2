"""Which kernels may be given other blocks than the original's, and that those others compute the same."""

import re

import numpy as np
import pytest

from tests.tile.run_text import run, translated

NUMBER = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
INDEPENDENT = {
    "guarded": f"void k(float* x, int n) {{ {NUMBER} if (i < n) x[i] *= 2.0f; }}",
    "64-bit": "void k(float* x, int n) { size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;"
    " if (i >= n) return; x[i] *= 2.0f; }",
    "the other way round": "void k(float* x, int n) { unsigned i = threadIdx.x + blockDim.x * blockIdx.x;"
    " if (i < n) x[i] *= 2.0f; }",
    "rows in y": f"void k(float* x, int n) {{ {NUMBER} if (i < n) x[blockIdx.y * n + i] *= 2.0f; }}",
    "an atomic": f"void k(float* x, int n) {{ {NUMBER} if (i < n) atomicAdd(x, x[i + 1]); }}",
}
DEPENDENT = {
    "the thread in its block": f"void k(float* x, int n) {{ {NUMBER} if (i < n) x[i] = threadIdx.x; }}",
    "the block": f"void k(float* x, int n) {{ {NUMBER} if (i < n) x[i] = blockIdx.x; }}",
    "the block's size": f"void k(float* x, int n) {{ {NUMBER} if (i < n) x[i] = blockDim.x; }}",
    "the grid's size": f"void k(float* x, int n) {{ {NUMBER} if (i < n) x[i] = gridDim.x; }}",
    "blocks that overlap": "void k(float* x, int n) { int i = blockIdx.x * (blockDim.x - 2) + threadIdx.x;"
    " if (i < n) x[i] = 1.0f; }",
    "another y": "void k(float* x, int n) { int i = blockIdx.y * blockDim.x + threadIdx.x;"
    " if (i < n) x[i] = 1.0f; }",
    "8 bits": "void k(float* x, int n) { int i = (unsigned char)blockIdx.x * blockDim.x + threadIdx.x;"
    " if (i < n) x[i] = 1.0f; }",
    "a loop": f"void k(float* x, int n) {{ {NUMBER} for (int j = 0; j < i; ++j) x[i] += 1.0f; }}",
    "shared memory": f"void k(float* x, int n) {{ __shared__ float s[64]; {NUMBER} s[threadIdx.x] = i;"
    " __syncthreads(); if (i < n) x[i] = s[63 - threadIdx.x]; }",
    "a vote": f"void k(float* x, int n) {{ {NUMBER} x[i] = __any_sync(0xffffffffu, i > n); }}",
}

TOTAL = """
    __shared__ float part[64];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 32; s > 0; s >>= 1) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
"""
ADDS = f"""{NUMBER} __shared__ int part[64]; part[threadIdx.x] = i < n ? (int)x[i] : 0; __syncthreads();
    for (int s = 32; s > 0; s >>= 1) {{
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }}"""
COUNT = f"{NUMBER} int count = __syncthreads_count(i < n && x[i] > 0);"
INTEGERS = "void k(const float* x, int* t, int n)"
INDEPENDENT |= {
    "a total": f"{INTEGERS} {{ {ADDS} if (threadIdx.x == 0) atomicAdd(t, part[0]); }}",
    "a total that is not nothing": f"{INTEGERS} {{ {ADDS} const int sum = part[0];"
    " if (threadIdx.x == 0 && sum != 0) atomicAdd(t + n, sum); }",
    "a count": f"{INTEGERS} {{ {COUNT} if (threadIdx.x == 0 && count > 0) atomicAdd(t, count); }}",
    "a short loop": f"void k(float* x, int n) {{ {NUMBER} float s = 0; for (int k = -2; k <= 2; ++k)"
    " if (i + k >= 0 && i + k < n) s += x[i + k]; if (i < n) x[i + n] = s; }",
}
DEPENDENT |= {
    "a total's place": f"{INTEGERS} {{ {ADDS} if (threadIdx.x == 0) atomicAdd(t + blockIdx.x, part[0]); }}",
    "a total kept": f"{INTEGERS} {{ {ADDS} if (threadIdx.x == 0) t[blockIdx.x] = part[0]; }}",
    "a total's old value": f"{INTEGERS} {{ {ADDS} if (threadIdx.x == 0)"
    " t[n + blockIdx.x] = atomicAdd(t, part[0]); }",
    "totals above 0": f"{INTEGERS} {{ {ADDS} const int sum = part[0];"
    " if (threadIdx.x == 0 && sum > 0) atomicAdd(t, sum); }",
    "the largest total": f"{INTEGERS} {{ {ADDS} if (threadIdx.x == 0) atomicMax(t, part[0]); }}",
    "a total by every thread": f"{INTEGERS} {{ {COUNT} atomicAdd(t, count); }}",
    "a total by thread 1": f"{INTEGERS} {{ {COUNT} if (threadIdx.x == 1) atomicAdd(t, count); }}",
    "a total used twice": f"{INTEGERS} {{ {COUNT} if (threadIdx.x == 0) atomicAdd(t, count);"
    " if (i < n) t[i + 1] = count; }",
    "a total and one more": f"{INTEGERS} {{ {COUNT} if (threadIdx.x == 0) atomicAdd(t, count + 1); }}",
    "a long loop": f"void k(float* x, int n) {{ {NUMBER} float s = 0; for (int k = 0; k < 17; ++k)"
    " s += x[k]; if (i < n) x[i + n] = s; }",
}
ROW = "const float* x = a + blockIdx.x * n; float* out = y + blockIdx.x * n;"
ALL = "for (int c = threadIdx.x; c < n; c += blockDim.x)"
SUM = f"{ROW} float sum = 0.0f; {ALL} sum += x[c]; {TOTAL}"
FIRST = "if (threadIdx.x == 0) y[blockIdx.x] = part[0];"
FREE = {
    "a sum": f"{SUM} {FIRST}",
    "a step in figures": SUM.replace("blockDim.x", "64") + FIRST,
    "a map": f"{ROW} {ALL} out[c] = x[c] + c;",
    "a sum, then a map": f"{SUM} float t = part[0]; {ALL} out[c] = x[c] / t;",
    "in a branch": f"{ROW} if (n > 3) {{ {ALL} out[c] = x[c]; }}",
    "a broadcast": f"{SUM} __shared__ float t; if (threadIdx.x == 0) t = part[0]; __syncthreads();"
    f" {ALL} out[c] = x[c] + t;",
    "thread 0 among others": f"{SUM} if (threadIdx.x < 32) {{ {FIRST} }}",
    "an atomic by thread 0": f"{SUM} if (threadIdx.x == 0) atomicAdd(y, part[0]);",
    "rows in a loop": "for (int r = blockIdx.x; r < n; r += gridDim.x)"
    f" {ALL} y[r * n + c] = a[r * n + c] + c;",
    "a condition on the element": f"{ROW} float sum = 0.0f; {ALL} if (x[c] > 0) sum += x[c]; {TOTAL} {FIRST}",
}
BOUND = {
    "a sum that starts from 1": SUM.replace("sum = 0.0f", "sum = 1.0f") + FIRST,
    "a thread's sum": f"{ROW} float sum = 0; {ALL} sum += x[c]; y[blockIdx.x * 64 + threadIdx.x] = sum;",
    "a step that is no block": f"{ROW} {ALL.replace('blockDim.x', '32')} out[c] = x[c];",
    "a start off by one": f"{ROW} {ALL.replace('= threadIdx.x', '= threadIdx.x + 1')} out[c] = x[c];",
    "a column for each thread": f"{ROW} {ALL} y[c % 64] += x[c];",
    "what the thread stored before": f"{ALL} y[c + 64] = y[c] + 1.0f;",
    "a step back in what may be the same row": f"{ROW} {ALL} out[c] = x[c] + (c >= 64 ? x[c - 64] : 0.0f);",
    "another operator": f"{ROW} {ALL} if (c > 0) out[c + -n] = x[c] + out[c + ~n];",
    "the last element": f"{ROW} float last = 0.0f; {ALL} last = x[c]; y[threadIdx.x] = last;",
    "the number of threads": f"{ROW} {ALL} out[c] = blockDim.x;",
    "thread 1": f"{ROW} {ALL} out[c] = x[c]; if (threadIdx.x == 1) y[0] = 1.0f;",
    "half the threads": f"{ROW} if (threadIdx.x < 32) {{ {ALL} out[c] = x[c]; }}",
    "half a sum": f"{ROW} float sum = 0.0f; {ALL} {{ float old = sum; sum += x[c]; out[c] = old; }}",
    "a thread's own start in a loop of rows": "for (int r = threadIdx.x; r < n; r += gridDim.x)"
    f" {ALL} y[r * n + c] = c;",
    "a sum over the rows of a loop": f"{ROW} float sum = 0.0f; for (int r = 0; r < 3; ++r)"
    f" {{ {ALL} sum += x[c + r]; y[r * 64 + threadIdx.x] = sum; }}",
    "more than stores by thread 0": f"{SUM} float t = 0.0f; if (threadIdx.x == 0) t = part[0];"
    f" {ALL} out[c] = t;",
    "an atomic by some threads": f"{SUM} if (threadIdx.x < 32) atomicAdd(y, part[0]);",
    "a sum of sums": f"{ROW} float sum = 0.0f; {ALL} sum += sum + x[c]; {TOTAL} {FIRST}",
}


WARP = """int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows) return;
    const float* x = a + row * n; float* out = y + row * n;"""
LANES = "for (int c = lane; c < n; c += 32)"
SHUFFLES = "for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);"
WARP_SUM = f"float sum = 0.0f; {LANES} sum += x[c]; {SHUFFLES}"
FREE_WARPS = {
    "a sum, then a map": f"{WARP} {WARP_SUM} {LANES} out[c] = x[c] / sum;",
    "lane 0's store": f"{WARP} {WARP_SUM} {LANES} out[c] = x[c] / n; if (lane == 0) out[0] = sum;",
    "rows in a loop": "int lane = threadIdx.x & 31;"
    " for (int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; row < rows;"
    " row += gridDim.x * (blockDim.x >> 5)) {"
    f" const float* x = a + row * n; float* out = y + row * n; {WARP_SUM} {LANES} out[c] = x[c] / sum; }}",
}
BOUND_WARPS = {
    "half a warp": f"{WARP} {WARP_SUM.replace('o = 16', 'o = 8')} {LANES} out[c] = x[c] / sum;",
    "a step of 64": f"{WARP} {WARP_SUM} {LANES.replace('+= 32', '+= 64')} out[c] = x[c] / sum;",
    "the thread": f"{WARP} {WARP_SUM} {LANES} out[c] = x[c] / sum + threadIdx.x;",
    "a lane's value": f"{WARP} float sum = lane; {SHUFFLES} {LANES} out[c] = x[c] / sum;",
    "another lane's element": f"{WARP} {LANES} out[c] = x[c] + __shfl_xor_sync(~0u, x[c], 1);",
    "lane 1": f"{WARP} {WARP_SUM} {LANES} out[c] = x[c]; if (lane == 1) out[0] = sum;",
}


TILES = """
#define T 16
__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float left[T][T], right[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < k; k0 += T) {
        left[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        right[ty][tx] = k0 + ty < k && col < n ? b[(k0 + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < T; ++i) sum += left[ty][i] * right[i][tx];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
void run(const float* a, const float* b, float* c, int m, int n, int k) {
    product<<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T)>>>(a, b, c, m, n, k);
}
"""


def text_of(kernel: str) -> str:
    translation = translated(f"__global__ {kernel}")
    assert not translation.declined, translation.declined
    return translation.text


def row_kernel(body: str) -> str:
    return f"__global__ __launch_bounds__(64) void k(const float* a, float* y, int n) {{ {body} }}"


@pytest.mark.parametrize("kernel", INDEPENDENT.values(), ids=INDEPENDENT)
def test_a_program_does_several_blocks_of_threads_that_know_their_number_only(kernel: str) -> None:
    assert re.search(r"blocks = math.gcd\(grid\[0\], (1024 // block\[0\]|16)\)", text_of(kernel))


@pytest.mark.parametrize("kernel", DEPENDENT.values(), ids=DEPENDENT)
def test_a_block_keeps_its_program_where_threads_know_more(kernel: str) -> None:
    assert "math.gcd" not in text_of(kernel)


@pytest.mark.parametrize("body", FREE.values(), ids=FREE)
def test_a_row_has_a_lane_for_each_element(body: str) -> None:
    assert "lanes = min(triton.next_power_of_2(max(1, n)), 4096)" in translated(row_kernel(body)).text


@pytest.mark.parametrize("body", BOUND.values(), ids=BOUND)
def test_the_threads_of_a_block_stay_as_many_where_that_matters(body: str) -> None:
    assert "lanes = " not in translated(row_kernel(body)).text


def warp_kernel(body: str) -> str:
    return f"""__global__ __launch_bounds__(96) void k(const float* a, float* y, int rows, int n) {{ {body} }}
        void run(float* a, float* y, int rows, int n) {{ k<<<(rows + 2) / 3, 96>>>(a, y, rows, n); }}"""


@pytest.mark.parametrize("body", FREE_WARPS.values(), ids=FREE_WARPS)
def test_a_row_of_a_warp_has_a_lane_for_each_element(body: str) -> None:
    text = translated(warp_kernel(body)).text
    assert "lanes = min(triton.next_power_of_2(max(1, n)), 1024)" in text
    assert "num_warps=min(16, max(1, lanes * 4 // 256))" in text


@pytest.mark.parametrize("body", BOUND_WARPS.values(), ids=BOUND_WARPS)
def test_a_warp_keeps_its_lanes_where_they_matter(body: str) -> None:
    assert "lanes = " not in translated(warp_kernel(body)).text


@pytest.mark.parametrize("n", [1, 31, 33, 1024, 1025])
@pytest.mark.parametrize("name", ["a sum, then a map", "rows in a loop"])
def test_rows_of_warps_have_the_same_sums(name: str, n: int) -> None:
    a = (np.arange(7 * n, dtype=np.float32) % 17) - 5
    y = run(warp_kernel(FREE_WARPS[name]), a, np.zeros(7 * n, np.float32), 7, n, grid=(3, 1, 1))[1]
    rows = a.reshape(7, n)
    assert np.allclose(y.reshape(7, n), rows / rows.sum(1, keepdims=True), rtol=1e-5, equal_nan=True)


def test_lines_of_a_two_dimensional_block_are_rows() -> None:
    source = """__global__ void k(const float* a, float* y, int rows, int n) {
        int row = blockIdx.x * blockDim.y + threadIdx.y;
        if (row >= rows) return;
        float sum = 0.0f;
        for (int c = threadIdx.x; c < n; c += 32) sum += a[row * n + c];
        for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
        for (int c = threadIdx.x; c < n; c += 32) y[row * n + c] = a[row * n + c] - sum;
    }"""
    assert "BLOCK_X=lanes" in translated(source, (32, 4, 1)).text
    a = np.arange(5 * 70, dtype=np.float32).reshape(5, 70)
    got = run(source, a.ravel(), np.zeros(350, np.float32), 5, 70, grid=(2, 1, 1), block=(32, 4, 1))[1]
    assert np.array_equal(got.reshape(5, 70), a - a.sum(1, keepdims=True))


@pytest.mark.parametrize("n", [1, 5, 63, 64, 65, 1000, 4096, 5001])
def test_rows_of_any_length_have_the_same_sums(n: int) -> None:
    a = (np.arange(3 * n, dtype=np.float32) % 17) - 5
    y = run(row_kernel(FREE["a sum, then a map"]), a, np.zeros(3 * n, np.float32), n, grid=(3, 1, 1))[1]
    rows = a.reshape(3, n)
    assert np.allclose(y.reshape(3, n), rows / rows.sum(1, keepdims=True), rtol=1e-5, equal_nan=True)


@pytest.mark.parametrize("name", ["a total", "a total that is not nothing", "a count"])
@pytest.mark.parametrize("blocks", [1, 3, 16, 17])
def test_totals_of_several_blocks_add_up(name: str, blocks: int) -> None:
    n = blocks * 64 - 5
    x = np.arange(n, dtype=np.float32) % 7 - 3
    totals = run(f"__global__ {INDEPENDENT[name]}", x, np.zeros(n + 1, np.int32), n, grid=(blocks, 1, 1))[1]
    assert totals.sum() == ((x > 0).sum() if name == "a count" else x.sum())


@pytest.mark.parametrize("blocks", [1, 3, 4, 6, 16, 17])
def test_any_grid_reaches_the_same_elements(blocks: int) -> None:
    """A grid that is too small leaves the rest alone, whatever shares a program."""
    x = np.ones(1000, np.float32)
    (result,) = run(f"__global__ {INDEPENDENT['guarded']}", x, 1000, grid=(blocks, 1, 1))
    reached = min(1000, blocks * 64)
    assert (result == np.where(np.arange(1000) < reached, 2.0, 1.0)).all()


@pytest.mark.parametrize(("m", "n", "k"), [(16, 16, 16), (64, 128, 33), (130, 70, 5), (49, 200, 64)])
def test_the_tiles_of_a_product_are_computed_together(m: int, n: int, k: int) -> None:
    a = (np.arange(m * k, dtype=np.float32) % 7) - 3
    b = (np.arange(k * n, dtype=np.float32) % 5) - 2
    grid = (-(-n // 16), -(-m // 16), 1)
    c = run(TILES, a, b, np.zeros(m * n, np.float32), m, n, k, grid=grid, name="product")[2]
    assert (c.reshape(m, n) == a.reshape(m, k) @ b.reshape(k, n)).all()


def test_a_tile_of_a_product_has_up_to_64_rows_and_columns() -> None:
    text = translated(TILES).text
    assert "block_x = 64 if n <= 16 * grid_x else math.gcd(16 * grid_x, 64)" in text
    assert "BLOCK_Y=block_y,\n        BLOCK_X=block_x,\n        BLOCK_K=16,\n" in text
    assert "row = pid_y * BLOCK_Y + tl.arange(0, BLOCK_Y)" in text


def test_a_tile_that_knows_its_block_stays_as_it_is() -> None:
    assert (
        "math.gcd"
        not in translated(TILES.replace("c[row * n + col] = sum", "c[row * n + col] = sum + ty")).text
    )
