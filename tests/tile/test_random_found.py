"""What random kernels found: each one cut down, with the defect that it showed mended."""

import numpy as np
import torch

from tests.tile.run_text import module_of, run, translated

ONE = (1, 1, 1)
X = np.random.default_rng(7).integers(-(2**31), 2**31, 64, dtype=np.int32)


def test_a_condition_of_the_whole_block_masks_a_load():
    source = """__global__ void k(const int* x, int* out, int n) { const int i = threadIdx.x;
        out[i] = (n & 2) != 0 ? x[i] : i;
        if (n > 3 && x[i] > 2) out[i] += 1; }"""
    for n in (1, 2, 5):
        expected = np.where(n & 2, X, np.arange(64)) + (np.full(64, n > 3) & (X > 2))
        assert np.array_equal(run(source, X, np.zeros(64, np.int32), n, grid=ONE)[1], expected)


def test_a_scalar_comparison_joins_a_mask():
    source = """__global__ void k(const int* x, int* out, int n, int c) { const int i = threadIdx.x;
        if (i < n) { int v = 0; if (c > 3 || x[i] > 0) v = x[63 - i]; out[i] = v; } }"""
    for c in (2, 4):
        expected = np.where((np.arange(64) < 50) & ((c > 3) | (X > 0)), X[::-1], 0)
        assert np.array_equal(run(source, X, np.zeros(64, np.int32), 50, c, grid=ONE)[1], expected)


def test_a_condition_of_the_whole_block_becomes_one_of_every_thread():
    source = """__global__ void k(const int* x, int* out, int n) { const int i = threadIdx.x; int v = i;
        if (x[0] < n && v-- > 5) out[i] = v; else out[i] = -v; }"""
    x, i = np.arange(64, dtype=np.int32), np.arange(64)
    for n in (0, 3):
        v = i - 1 if n > 0 else i
        expected = np.where((n > 0) & (i > 5), v, -v)
        assert np.array_equal(run(source, x, np.zeros(64, np.int32), n, grid=ONE)[1], expected)


def test_lane_0_of_a_warp_that_only_padding_has_stores_nothing():
    source = """__global__ void k(const float* x, float* out) {
        const int t = threadIdx.x; float v = x[blockIdx.x * 96 + t];
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
        if (t % 32 == 0) out[blockIdx.x * 3 + t / 32] = v; }"""
    x = np.random.default_rng(1).integers(-9, 9, 192).astype(np.float32)
    out = run(source, x, np.full(8, -1, np.float32), grid=(2, 1, 1), block=(96, 1, 1))[1]
    assert np.array_equal(out, [*x.reshape(6, 32).sum(1), -1, -1])


def test_warps_add_what_they_keep_in_shared_memory_without_reaching_the_next_block_s():
    source = """__global__ void k(const float* x, float* out) {
        const int t = threadIdx.x; float v = x[blockIdx.x * 96 + t]; __shared__ float sums[3];
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
        if (t % 32 == 0) sums[t / 32] = v;
        __syncthreads();
        if (t < 3) out[blockIdx.x * 3 + t] = sums[2 - t]; }"""
    x = np.random.default_rng(2).integers(-9, 9, 192).astype(np.float32)
    out = run(source, x, np.zeros(6, np.float32), grid=(2, 1, 1), block=(96, 1, 1))[1]
    assert np.array_equal(out.reshape(2, 3), x.reshape(2, 3, 32).sum(2)[:, ::-1])
    # Interpreted, programs run one after the other: what a padded warp stores would be written over.
    text = translated(source, (96, 1, 1)).text
    store = next(line for line in text.splitlines() if "tl.store(sums_ptr" in line)
    assert "mask=" in store


def test_names_of_numbers_have_the_type_of_the_variable():
    """Compiled, `g = 0.1` would be a float32 and `w = 20` an int32, whatever the interpreter makes of it."""
    source = """__global__ void k(double* x, long long* y, unsigned* z, int n) {
        double g = 0.1; long long w = 20; unsigned b = 3;
        x[threadIdx.x] += g * n; y[threadIdx.x] = w * 2000000000 * n; z[threadIdx.x] = (b << n) >> 2; }"""
    text = translated(source).text
    assert "g = tl.full((), 0.1, tl.float64)" in text
    assert "w = tl.cast(20, tl.int64)" in text
    assert "b = tl.cast(3, tl.uint32)" in text
    x, y, z = np.ones(64), np.zeros(64, np.int64), np.zeros(64, np.uint32)
    x, y, z = run(source, x, y, z, 31, grid=ONE)
    assert np.allclose(x, 4.1, rtol=1e-15)
    assert (y == 20 * 2_000_000_000 * 31).all()
    assert (z == ((3 << 31) % 2**32) >> 2).all()


def test_unsigned_constants_added_to_a_number_of_64_bits():
    source = """__device__ long long f(long long u) { u = -(u % 1001ll) + (1u - 19); return u; }
        __global__ void k(long long* out) { out[threadIdx.x] = f(20); }"""
    assert (run(source, np.zeros(64, np.int64), grid=ONE)[0] == -20 + (2**32 - 18)).all()


def test_a_function_is_called_with_its_own_result():
    source = """__device__ int f(int a, int b) { if (a > b) return a - 2 * b; return b; }
        __global__ void k(const int* x, int* out) { const int v = x[threadIdx.x] % 100;
        out[threadIdx.x] = f(f(v, 3), f(4, v)); }"""

    def f(a, b):
        return np.where(a > b, a - 2 * b, b)

    v = np.sign(X) * (np.abs(X.astype(np.int64)) % 100)
    assert np.array_equal(run(source, X, np.zeros(64, np.int32), grid=ONE)[1], f(f(v, 3), f(4, v)))


def test_high_halves_of_products_and_bits_of_64_bit_words():
    source = """__global__ void k(const int* x, const long long* y, int* high, int* bits) {
        const int i = threadIdx.x; high[i] = __mulhi(x[i], x[63 - i]) + __mulhi(-7, x[i]);
        bits[i] = __popcll(y[i]) * 100 + __popcll(255ull); }"""
    y = np.random.default_rng(3).integers(-(2**63), 2**63, 64, dtype=np.int64)
    empty = np.zeros(64, np.int32)
    high, bits = run(source, X, y, empty, empty, grid=ONE)[2:]
    wide = X.astype(np.int64)
    assert np.array_equal(high, ((wide * wide[::-1] >> 32) + (-7 * wide >> 32)).astype(np.int32))
    assert bits.tolist() == [bin(int(v) % 2**64).count("1") * 100 + 8 for v in y]


def test_the_high_half_of_a_product_of_constants_is_unsigned():
    source = """__global__ void k(unsigned c, unsigned* out) { const int i = threadIdx.x;
        out[i] = __umulhi(4000000000u, 3021033999u) % (c | 1u); out[64 + i] = __umulhi(1937425u, 20u) % c;
        out[128 + i] = __umulhi(c, 77777777u) / 3u; }"""
    for c in (3, 4_000_000_000):
        out = run(source, c, np.zeros(192, np.uint32), grid=ONE)[0]
        assert out[0] == (4_000_000_000 * 3_021_033_999 >> 32) % (c | 1)
        assert out[64] == 0
        assert out[128] == (c * 77777777 >> 32) // 3


def test_an_array_that_calls_fill_and_nothing_reads_is_still_declared():
    source = """__global__ void k(const int* x, int* out) { const int i = threadIdx.x;
        __shared__ int s[64]; s[i] = x[i]; __syncthreads();
        int q[3]; q[blockIdx.x] = abs(i); unsigned w[2] = {1, 2}; w[x[i] & 1] = __clz(i);
        out[i] = s[63 - i]; }"""
    assert run(source, X, np.zeros(64, np.int32), grid=ONE)[1].tolist() == X[::-1].tolist()


def test_functions_that_read_or_loop_are_called_only_where_c_calls_them():
    """`halvings(0)` never ends, and `read` of the last element is outside."""
    source = """__device__ int halvings(int v) { int c = 0;
            while (v != 1) { v = v % 2 ? 3 * v + 1 : v / 2; c++; } return c; }
        __device__ int read(const int* p, int at) { int s = 0;
            for (int j = 0; j < 2; j++) s += p[at + j]; if (s < 0) return -s; return s; }
        __global__ void k(const int* x, int* out, int n) { const int i = threadIdx.x; const int v = x[i];
            int r = 0; if (v > 0 && halvings(v) > 10) r = 1; if (v <= 0 || halvings(v) < 5) r += 2;
            out[i] = r + 10 * (i + 1 < n ? read(x, i) : -7); }"""

    def halvings(v):
        return 0 if v == 1 else 1 + halvings(3 * v + 1 if v % 2 else v // 2)

    x = np.arange(64, dtype=np.int32) - 5
    pairs = np.append(np.abs(x[:-1] + x[1:]), -7)
    flags = [(v > 0 and halvings(v) > 10) + 2 * (v <= 0 or halvings(v) < 5) for v in x.tolist()]
    got = run(source, x, np.zeros(64, np.int32), 64, grid=ONE)[1]
    assert np.array_equal(got, flags + 10 * pairs)


def test_garbage_where_a_mask_is_off_is_not_seen():
    from tests.tile.random_kernels.compare import undefined_values

    source = """__global__ void k(const int* x, int* out, int n) { const int i = threadIdx.x; int v = 3;
        if (i < n) v = x[i]; out[i] = v; }"""
    with undefined_values():
        got = run(source, X, np.zeros(64, np.int32), 40, grid=ONE)[1]
    assert np.array_equal(got, np.where(np.arange(64) < 40, X, 3))


PLACES = np.arange(1000, 1256, 4)
EVERYWHERE = np.ones(64, bool)


def _after(*accesses):
    from tests.tile.random_kernels.hazards import Hazards

    hazards = Hazards()
    for name, places, mask in accesses:
        getattr(hazards, name)(places, mask)
    return hazards.found


def test_barriers_that_lack_are_found():
    store, load = ("store", PLACES, EVERYWHERE), ("load", PLACES[::-1], EVERYWHERE)
    assert _after(store, load) == "no barrier in front of a load behind a store"
    assert _after(load, store) == "no barrier in front of a store behind a load of another thread"
    assert _after(store, ("store", PLACES[:1], EVERYWHERE[:1])) == "no barrier in front of two stores"
    assert _after(("count", PLACES, EVERYWHERE), load) == "no barrier in front of a load behind a store"


def test_loads_from_outside_are_found():
    from tests.tile.random_kernels.hazards import watched

    source = """__global__ void k(const int* x, int* out, int n) { const int i = threadIdx.x;
        if (i >= n) return; out[i] = x[i] + 1; }"""
    for n, found in ((60, ""), (61, "loads outside of its buffers")):
        launcher = module_of(source).k
        x, out = torch.arange(100, dtype=torch.int32)[20:80], torch.zeros(64, dtype=torch.int32)
        with watched([x, out]) as hazards:
            launcher(x, out, n, grid=ONE)
        assert hazards.found == found


def test_lanes_without_a_thread_load_nothing_from_shared_memory():
    from tests.tile.random_kernels.hazards import watched

    source = """__global__ void k(const int* x, int* out, int n) { const int t = threadIdx.x;
        __shared__ int s[100]; s[99 - t] = x[t]; __syncthreads();
        for (int d = 0; d < n; d++) { const int v = s[t] + d; __syncthreads(); s[99 - t] = v;
            __syncthreads(); }
        out[t] = s[t]; }"""
    x, out = torch.arange(100, dtype=torch.int32), torch.zeros(100, dtype=torch.int32)
    with watched([x, out]) as hazards:
        module_of(source, (100, 1, 1)).k(x, out, 3, grid=ONE, block=(100, 1, 1))
    assert not hazards.found
    assert out.tolist() == list(range(3, 103))


def test_accesses_that_need_no_barrier_are_none():
    store, load = ("store", PLACES, EVERYWHERE), ("load", PLACES, EVERYWHERE)
    assert _after(load, store) == ""
    assert _after(store, ("load", PLACES + 256, EVERYWHERE)) == ""
    assert _after(store, ("load", PLACES, ~EVERYWHERE)) == ""
    assert _after(("count", PLACES, EVERYWHERE), ("count", PLACES[::-1], EVERYWHERE)) == ""


def test_the_condition_of_a_loop_reads_what_its_body_stores():
    source = """__global__ void k(int* x, int n) { while (x[0] < n) x[0] = x[0] + 3; }"""
    text = translated(source, (1, 1, 1)).text
    body = text[text.index("while ") : text.index("\ndef k(")]
    assert body.index("tl.store(") < body.rindex("tl.debug_barrier()")
    assert run(source, np.zeros(1, np.int32), 10, grid=ONE, block=(1, 1, 1))[0].tolist() == [12]


def test_a_negated_comparison_of_the_whole_block_is_a_number():
    """Interpreted, `not` gives a bool of Python, which no tensor's method has."""
    source = """__global__ void k(const float* x, int* out, float c, int n) { const int i = threadIdx.x;
        const bool held = n > 3 && !(c >= x[1]); int f = !(x[2] < c);
        float w = !(c >= x[0]) || !(x[1] < c); double d = !(x[3] > c);
        if (n > 7) f = held + 3;
        out[i] = held + 10 * f + (int)(100 * w) + (int)(1000 * d) + 10000 * (!(c > x[0]));
        out[64 + i] = __syncthreads_count(!(c < x[i])) + ((!(c > x[0])) ^ (x[i] > 0.0f)); }"""
    x = np.concatenate([[1, 2, 3, 4], np.tile([-1, 5], 30)]).astype(np.float32)
    for c in (1.0, 2.5, np.nan):
        for n in (2, 5, 9):
            held = n > 3 and not c >= 2
            f = held + 3 if n > 7 else int(not c > 3)
            parts = f * 10 + 100 * (not c >= 1 or not c > 2) + 1000 * (not c < 4) + 10000 * (not c > 1)
            counted = int((~(c < x)).sum()) + ((x > 0) ^ (not c > 1))
            out = run(source, x, np.zeros(128, np.int32), c, n, grid=ONE)[1]
            assert (out[:64] == held + parts).all()
            assert np.array_equal(out[64:], counted)


def test_the_value_of_one_thread_where_what_pads_a_row_has_its_number():
    """33 threads a row are 64 places: place 34 of row 1 would be thread 67, which is thread 1 of row 2."""
    source = """__global__ void k(int* out) {
        const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
        const int i = row * (int)(gridDim.x * blockDim.x) + col;
        const int t = threadIdx.y * blockDim.x + threadIdx.x; __shared__ int one;
        if (t == 67) one = (int)(float)i;
        __syncthreads();
        out[i] = one; }"""
    out = run(source, np.zeros(4 * 99, np.int32), grid=(2, 2, 1), block=(33, 3, 1))[0].reshape(6, 66)
    for y in (0, 1):
        for x in (0, 1):
            assert (out[3 * y : 3 * y + 3, 33 * x : 33 * x + 33] == (3 * y + 2) * 66 + 33 * x + 1).all()
