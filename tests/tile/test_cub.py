"""CUB's primitives for blocks and warps become Triton's reductions and scans, and compute what CUB says."""

from __future__ import annotations

import numpy as np
import pytest

from porter.core.span import SourceText
from porter.cuda.lower_kernel import NotLowered, lower_kernels
from tests.tile.run_text import run, translated

BLOCK = (96, 1, 1)  # three warps: no power of two
N = 96
GRIDS = 3
HEAD = "#include <cub/cub.cuh>\n"

REDUCTIONS = (
    HEAD
    + """
__global__ void sum_floats(const float* x, float* out, int n) {
    typedef cub::BlockReduce<float, 96> BlockReduce;
    __shared__ typename BlockReduce::TempStorage temp;
    const int i = blockIdx.x * 96 + threadIdx.x;
    const float total = BlockReduce(temp).Sum(i < n ? x[i] : 0.0f);
    if (threadIdx.x == 0) out[blockIdx.x] = total;
}
__global__ void highest_of_some(const int* x, int* out, int n) {
    using BlockReduce = cub::BlockReduce<int, 96, cub::BLOCK_REDUCE_RAKING>;
    using BlockScan = cub::BlockScan<int, 96>;
    __shared__ union { BlockReduce::TempStorage reduce; BlockScan::TempStorage scan; } temp;
    const int i = blockIdx.x * 96 + threadIdx.x;
    int value;
    if (i < n) value = x[i];
    const int highest = BlockReduce(temp.reduce).Reduce(value, cub::Max(), min(96, n - (int)blockIdx.x * 96));
    if (threadIdx.x == 0) out[blockIdx.x] = highest;
}
__global__ void lowest_double(const double* x, double* out, int n) {
    using BlockReduce = cub::BlockReduce<double, 96, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
    __shared__ struct { typename BlockReduce::TempStorage reduce[1]; } shared;
    __shared__ double lowest;
    const int i = blockIdx.x * 96 + threadIdx.x;
    const double low = BlockReduce(shared.reduce[0]).Reduce(i < n ? x[i] : 1e300, cub::Min());
    if (threadIdx.x == 0) lowest = low;
    __syncthreads();
    if (i < n) out[i] = x[i] - lowest;
}
__global__ void parity(const unsigned* x, unsigned* out, int n) {
    using BlockReduce = cub::BlockReduce<unsigned, 96>;
    __shared__ typename BlockReduce::TempStorage temp;
    const int i = blockIdx.x * 96 + threadIdx.x;
    const unsigned value = i < n ? x[i] : 0u;
    const unsigned all = BlockReduce(temp).Reduce(value, [](unsigned a, unsigned b) { return a ^ b; });
    if (threadIdx.x == 0) out[blockIdx.x] = all;
}
__global__ void two_sums_of_arrays(const long long* x, long long* out) {
    using BlockLoad = cub::BlockLoad<long long, 96, 3, cub::BLOCK_LOAD_STRIPED>;
    using BlockReduce = cub::BlockReduce<long long, 96>;
    __shared__ typename BlockReduce::TempStorage temp;
    __shared__ typename BlockLoad::TempStorage loading;
    long long items[3];
    BlockLoad(loading).Load(x + blockIdx.x * 288, items);
    const long long total = BlockReduce(temp).Sum(items);
    __syncthreads();
    const long long highest = BlockReduce(temp).Reduce(items, cub::Max());
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = total;
        out[2 * blockIdx.x + 1] = highest;
    }
}
__global__ void mix_of_some(const int* x, int* out, int n) {
    using BlockReduce = cub::BlockReduce<int, 96>;
    __shared__ typename BlockReduce::TempStorage temp;
    const int i = blockIdx.x * 96 + threadIdx.x;
    const int here = min(96, n - (int)blockIdx.x * 96);
    const int value = i < n ? x[i] : 0;
    const int mix = BlockReduce(temp).Reduce(value, [](int a, int b) { return a + b + a * b; }, here);
    if (threadIdx.x == 0) out[blockIdx.x] = mix;
}
__global__ void warp_sums(const float* x, float* out, int n) {
    using WarpReduce = cub::WarpReduce<float>;
    __shared__ typename WarpReduce::TempStorage temp[3];
    const int i = blockIdx.x * 96 + threadIdx.x, warp = threadIdx.x / 32;
    const float total = WarpReduce(temp[warp]).Sum(i < n ? x[i] : 0.0f);
    if (cub::LaneId() == 0) out[blockIdx.x * 3 + warp] = total;
}
__global__ void highest_of_eight(const int* x, int* out, int n) {
    using WarpReduce = cub::WarpReduce<int, 8>;
    __shared__ typename WarpReduce::TempStorage temp[12];
    const int i = blockIdx.x * 96 + threadIdx.x;
    const int highest = WarpReduce(temp[threadIdx.x / 8]).Reduce(i < n ? x[i] : -5000, cub::Max(), 5);
    if (threadIdx.x % 8 == 0) out[blockIdx.x * 12 + threadIdx.x / 8] = highest;
}
"""
)
GRID = (GRIDS, 1, 1)
INTS = ((np.arange(3 * N * GRIDS) * 2654435761) % 1999 - 999).astype(np.int32)
COUNTS = (2 * N + 1, 3 * N - 5, 3 * N)


def reduced(name: str, x: np.ndarray, *arguments: object, size: int = GRIDS) -> np.ndarray:
    return run(REDUCTIONS, x, np.zeros(size, x.dtype), *arguments, grid=GRID, block=BLOCK, name=name)[1]


def parts(x: np.ndarray, n: int) -> list[np.ndarray]:
    """What each block works on."""
    return np.split(x[:n], range(N, n, N))


def text_of(source: str, name: str) -> str:
    text = translated(source, BLOCK).text
    kernel = text[text.index(f"def {name}_kernel(") :]
    return kernel[: kernel.index("\ndef ")]


@pytest.mark.parametrize("n", COUNTS)
def test_block_reductions(n):
    floats = (INTS / 7).astype(np.float32)
    totals = [part.sum(dtype=np.float64) for part in parts(floats, n)]
    assert np.allclose(reduced("sum_floats", floats, n), totals, rtol=1e-5, atol=1e-2)
    below_zero = INTS - 2000  # zeros of absent threads would show
    assert reduced("highest_of_some", below_zero, n).tolist() == [p.max() for p in parts(below_zero, n)]
    bits = INTS.view(np.uint32)
    assert reduced("parity", bits, n).tolist() == [np.bitwise_xor.reduce(p) for p in parts(bits, n)]


def test_a_result_that_the_block_shares():
    doubles, n = INTS / 3.0, 3 * N - 7
    expected = np.concatenate([p - p.min() for p in parts(doubles, n)])
    assert np.array_equal(reduced("lowest_double", doubles, n, size=3 * N)[:n], expected)


def test_arrays_of_items_and_storage_that_is_used_twice():
    wide = INTS.astype(np.int64) << 33
    rows = wide.reshape(GRIDS, 3 * N)
    expected = np.stack([rows.sum(axis=1), rows.max(axis=1)], axis=1).ravel()
    assert np.array_equal(reduced("two_sums_of_arrays", wide, size=2 * GRIDS), expected)


def test_an_operator_of_the_program_keeps_the_order_and_the_count():
    n, expected = 2 * N + 41, []
    for part in parts(INTS % 3 - 1, n):
        product = (
            int(np.prod([int(v) + 1 for v in part], dtype=object)) - 1
        )  # a + b + ab = (1 + a)(1 + b) - 1
        expected.append((product + 2**31) % 2**32 - 2**31)
    assert reduced("mix_of_some", INTS % 3 - 1, n).tolist() == expected


@pytest.mark.parametrize("n", COUNTS)
def test_warp_reductions(n):
    floats = (INTS[: 3 * N] / 7).astype(np.float32)
    padded = np.where(np.arange(3 * N) < n, floats, 0).reshape(-1, 32)
    assert np.allclose(reduced("warp_sums", floats, n, size=9), padded.sum(axis=1), rtol=1e-5, atol=1e-2)
    eights = np.where(np.arange(3 * N) < n, INTS[: 3 * N], -5000).reshape(-1, 8)
    assert np.array_equal(reduced("highest_of_eight", INTS, n, size=36), eights[:, :5].max(axis=1))


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("sum_floats", "tl.sum("),
        ("highest_of_some", "tl.max("),
        ("lowest_double", "tl.min("),
        ("parity", "tl.xor_sum("),
        ("two_sums_of_arrays", "tl.sum("),
        ("two_sums_of_arrays", "tl.max("),
        ("warp_sums", "tl.sum("),
        ("highest_of_eight", "tl.max("),
    ],
)
def test_reductions_are_tritons(name, call):
    text = text_of(REDUCTIONS, name)
    assert call in text
    assert not [word for word in ("scratch", "barrier", "gather") if word in text]


SCANS = (
    HEAD
    + """
#define I (blockIdx.x * 96 + threadIdx.x)
__global__ void inclusive(const int* x, int* out, int* totals, int n) {
    typedef cub::BlockScan<int, 96> BlockScan;
    __shared__ typename BlockScan::TempStorage temp;
    int value = I < n ? x[I] : 0, total;
    BlockScan(temp).InclusiveSum(value, value, total);
    if (I < n) out[I] = value;
    if (threadIdx.x == 95) totals[blockIdx.x] = total;
}
__global__ void exclusive(const int* x, int* out, int n) {
    using BlockScan = cub::BlockScan<int, 96, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename BlockScan::TempStorage temp;
    int sum;
    BlockScan(temp).ExclusiveSum(I < n ? x[I] : 0, sum);
    if (I < n) out[I] = sum;
}
__global__ void highest_so_far(const float* x, float* out, int n) {
    using BlockScan = cub::BlockScan<float, 96>;
    __shared__ typename BlockScan::TempStorage temp;
    float highest;
    BlockScan(temp).InclusiveScan(I < n ? x[I] : -1e30f, highest, cub::Max());
    if (I < n) out[I] = highest;
}
__global__ void lowest_before(const int* x, int* out, int initial, int n) {
    using BlockScan = cub::BlockScan<int, 96>;
    __shared__ typename BlockScan::TempStorage temp;
    int lowest, all;
    BlockScan(temp).ExclusiveScan(I < n ? x[I] : 1000, lowest, initial, cub::Min(), all);
    if (I < n) out[I] = min(lowest, all + 2000);
}
__global__ void positions(const int* x, int* out, int n) {
    using BlockLoad = cub::BlockLoad<int, 96, 3, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using BlockStore = cub::BlockStore<int, 96, 3, cub::BLOCK_STORE_TRANSPOSE>;
    using BlockScan = cub::BlockScan<int, 96>;
    __shared__ union {
        typename BlockLoad::TempStorage load;
        typename BlockStore::TempStorage store;
        typename BlockScan::TempStorage scan;
    } temp;
    __shared__ int running;
    if (threadIdx.x == 0) running = 0;
    __syncthreads();
    for (int base = 0; base < n; base += 288) {
        int items[3], total;
        BlockLoad(temp.load).Load(x + base, items, n - base, 0);
        __syncthreads();
        BlockScan(temp.scan).ExclusiveSum(items, items, total);
        __syncthreads();
        const int before = running;
        for (int k = 0; k < 3; k++) items[k] += before;
        BlockStore(temp.store).Store(out + base, items, n - base);
        __syncthreads();
        if (threadIdx.x == 0) running += total;
        __syncthreads();
    }
}
__global__ void striped(const float* x, float* out, int n) {
    using BlockLoad = cub::BlockLoad<float, 96, 3, cub::BLOCK_LOAD_STRIPED>;
    using BlockStore = cub::BlockStore<float, 96, 3, cub::BLOCK_STORE_STRIPED>;
    using BlockScan = cub::BlockScan<float, 96>;
    __shared__ typename BlockScan::TempStorage temp;
    float items[3] = {0, 0, 0};
    BlockLoad().Load(x + blockIdx.x * 288, items, n - (int)blockIdx.x * 288);
    BlockScan(temp).InclusiveScan(items, items, cub::Sum());
    BlockStore().Store(out + blockIdx.x * 288, items, n - (int)blockIdx.x * 288);
}
__global__ void second_of_pair(const int* x, int* out, int n) {
    using BlockScan = cub::BlockScan<int, 96>;
    __shared__ typename BlockScan::TempStorage temp;
    int last;
    BlockScan(temp).InclusiveScan(I < n ? x[I] : 0, last, [](int a, int b) { return b == 0 ? a : b; });
    if (I < n) out[I] = last;
}
__global__ void warp_scans(const int* x, int* out, int n) {
    using WarpScan = cub::WarpScan<int>;
    __shared__ typename WarpScan::TempStorage temp[3];
    int upto, before, total;
    WarpScan(temp[threadIdx.x / 32]).InclusiveSum(I < n ? x[I] : 0, upto, total);
    WarpScan(temp[threadIdx.x / 32]).ExclusiveSum(I < n ? x[I] : 0, before);
    if (I < n) {
        out[3 * I] = upto;
        out[3 * I + 1] = before;
        out[3 * I + 2] = total;
    }
}
"""
)


def scanned(name: str, x: np.ndarray, *arguments: object, size: int = 3 * N) -> list[np.ndarray]:
    return run(SCANS, x, np.zeros(size, x.dtype), *arguments, grid=GRID, block=BLOCK, name=name)[1:]


@pytest.mark.parametrize("n", COUNTS)
def test_block_scans(n):
    chunks = parts(INTS, n)
    upto, totals = scanned("inclusive", INTS, np.zeros(GRIDS, np.int32), n)
    assert np.array_equal(upto[:n], np.concatenate([p.cumsum() for p in chunks]))
    assert totals.tolist() == [p.sum() for p in chunks]
    (before,) = scanned("exclusive", INTS, n)
    assert np.array_equal(before[:n], np.concatenate([p.cumsum() - p for p in chunks]))
    floats = (INTS / 7).astype(np.float32)
    (highest,) = scanned("highest_so_far", floats, n)
    assert np.array_equal(highest[:n], np.concatenate([np.maximum.accumulate(p) for p in parts(floats, n)]))


@pytest.mark.parametrize("initial", [-400, 5000])
def test_an_initial_value_comes_first(initial):
    n, expected = 3 * N - 5, []
    for part in parts(INTS, n):
        lowest = np.minimum.accumulate(np.concatenate([[initial], part[:-1]]))
        expected.append(np.minimum(lowest, part.min() + 2000))
    assert np.array_equal(scanned("lowest_before", INTS, initial, n)[0][:n], np.concatenate(expected))


@pytest.mark.parametrize("n", [1, 287, 700])
def test_several_items_a_thread(n):
    out = run(SCANS, INTS, np.zeros(864, np.int32), n, grid=(1, 1, 1), block=BLOCK, name="positions")[1]
    assert np.array_equal(out[:n], INTS[:n].cumsum() - INTS[:n])
    assert not out[n:].any()


def test_striped_items_are_scanned_in_the_order_of_the_threads():
    n = 3 * N * GRIDS - 100
    x = np.where(np.arange(INTS.size) < n, INTS, 0).astype(np.float32).reshape(GRIDS, 3, N)
    expected = x.transpose(0, 2, 1).reshape(GRIDS, -1).cumsum(axis=1).reshape(GRIDS, N, 3).transpose(0, 2, 1)
    (out,) = scanned("striped", INTS.astype(np.float32), n, size=INTS.size)
    assert np.array_equal(out[:n], expected.ravel()[:n])


def test_an_operator_that_does_not_commute():
    n = 3 * N - 9
    sparse = np.where(np.arange(INTS.size) % 7 == 3, INTS, 0).astype(np.int32)
    expected = []
    for part in parts(sparse, n):
        last = 0
        for value in part:
            last = value if value else last
            expected.append(last)
    assert np.array_equal(scanned("second_of_pair", sparse, n)[0][:n], expected)


def test_warp_scans():
    n = 3 * N - 9
    rows = np.where(np.arange(3 * N) < n, INTS[: 3 * N], 0).reshape(-1, 32)
    upto = rows.cumsum(axis=1)
    expected = np.stack([upto, upto - rows, upto[:, -1:].repeat(32, axis=1)], axis=-1).reshape(-1, 3)
    (out,) = scanned("warp_scans", INTS, n, size=9 * N)
    assert np.array_equal(out.reshape(-1, 3)[:n], expected[:n])


@pytest.mark.parametrize(
    "name",
    ["inclusive", "exclusive", "highest_so_far", "lowest_before", "positions", "striped", "warp_scans"],
)
def test_scans_are_tritons(name):
    text = text_of(SCANS, name)
    assert "tl.associative_scan(" in text or "tl.cumsum(" in text
    assert "warp_totals" not in text


@pytest.mark.parametrize(
    "body",
    [
        "typedef cub::BlockRadixSort<int, 64, 1> Sort; __shared__ Sort::TempStorage t; Sort(t).Sort(x);",
        "size_t bytes = 0; cub::DeviceReduce::Sum(nullptr, bytes, x, x, 4);",
    ],
)
def test_the_rest_of_the_library_is_refused(body):
    source = SourceText("kernel.cu", (HEAD + f"__global__ void k(int* x) {{ {body} }}").encode())
    (kernel,) = lower_kernels(source, ())
    assert isinstance(kernel, NotLowered)
    assert kernel.diagnostic.code == "TIL011"


PAIRS = (
    HEAD
    + """
template <class Op> __device__ void search(const float* x, int* at, float* value, int n, Op op, float worst) {
    using Pair = cub::KeyValuePair<int, float>;
    using BlockReduce = cub::BlockReduce<Pair, 96>;
    __shared__ typename BlockReduce::TempStorage temp;
    Pair best(1 << 30, worst);
    for (int i = threadIdx.x; i < n; i += 96) best = op(best, Pair(i, x[blockIdx.x * n + i]));
    best = BlockReduce(temp).Reduce(best, op);
    if (threadIdx.x == 0) { at[blockIdx.x] = best.key; value[blockIdx.x] = best.value; }
}
__global__ void highest(const float* x, int* at, float* value, int n) {
    search(x, at, value, n, cub::ArgMax(), -INFINITY);
}
__global__ void lowest(const float* x, int* at, float* value, int n) {
    search(x, at, value, n, cub::ArgMin(), INFINITY);
}
__global__ void of_warps(const float* x, int* at) {
    using WarpReduce = cub::WarpReduce<cub::KeyValuePair<int, float>>;
    __shared__ typename WarpReduce::TempStorage temp[3];
    cub::KeyValuePair<int, float> own;
    own.key = threadIdx.x % 32;
    own.value = x[threadIdx.x];
    const auto best = WarpReduce(temp[threadIdx.x / 32]).Reduce(own, cub::ArgMax());
    if (threadIdx.x % 32 == 0) at[threadIdx.x / 32] = best.key;
}
"""
)


def test_pairs_of_a_key_and_a_value():
    n = 200
    x = ((np.arange(GRIDS * n) * 37) % 101).astype(np.float32).reshape(GRIDS, n)  # every value is there twice
    for name, places in (("highest", x.argmax(1)), ("lowest", x.argmin(1))):
        at, value = np.zeros(GRIDS, np.int32), np.zeros(GRIDS, np.float32)
        _, at, value = run(PAIRS, x.ravel(), at, value, n, grid=(GRIDS, 1, 1), block=BLOCK, name=name)
        assert np.array_equal(at, places)
        assert np.array_equal(value, x[np.arange(GRIDS), places])
    at = run(PAIRS, x.ravel(), np.zeros(3, np.int32), grid=(1, 1, 1), block=BLOCK, name="of_warps")[1]
    assert np.array_equal(at, x.ravel()[:96].reshape(3, 32).argmax(1))
