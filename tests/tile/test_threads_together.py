"""Shared memory, warps, atomics; aggregates, local arrays, constant memory: against NumPy."""

import numpy as np
import pytest

from tests.tile.run_text import declined, run, translated

X = ((np.arange(256) * 53) % 97).astype(np.int32)
ONE = (1, 1, 1)


def test_shared_memory_goes_through_scratch_between_barriers():
    source = """__global__ void k(const int* x, int* out) {
        __shared__ int s[64]; const int t = threadIdx.x;
        s[t] = x[blockIdx.x * 64 + t]; __syncthreads();
        int a = s[63 - t]; __syncthreads(); s[(t * 5) % 64] = a; __syncthreads();
        out[blockIdx.x * 64 + t] = s[t] + s[(t + 1) % 64]; }"""
    got = run(source, X[:128], np.zeros(128, np.int32), grid=(2, 1, 1))[1]
    for b in range(2):
        s = X[b * 64 : b * 64 + 64][::-1]
        t = np.zeros(64, np.int32)
        t[(np.arange(64) * 5) % 64] = s
        assert np.array_equal(got[b * 64 : b * 64 + 64], t + np.roll(t, -1))
    assert "tl.debug_barrier()" in translated(source).text


def test_dynamic_shared_memory_is_sized_from_the_launch():
    source = """__global__ void k(const int* x, int* out, int n) {
        extern __shared__ int s[]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads();
        out[threadIdx.x] = s[(threadIdx.x + 7) % n]; }
        void launch(const int* x, int* out, int n) { k<<<1, 64, n * sizeof(int)>>>(x, out, n); }"""
    assert np.array_equal(run(source, X[:64], np.zeros(64, np.int32), 64, grid=ONE)[1], np.roll(X[:64], -7))


def test_dynamic_shared_memory_of_unknown_size_is_the_callers():
    source = """int size(int);
        __global__ void k(int* out) { extern __shared__ int s[]; s[threadIdx.x ^ out[threadIdx.x]] = 1;
        __syncthreads(); out[threadIdx.x] = s[out[threadIdx.x]]; }
        void launch(int* out) { k<<<1, 64, size(3)>>>(out); }"""
    assert not declined(source)
    assert "def k(out, *, grid=None, shared_bytes):" in translated(source).text


@pytest.mark.parametrize(
    ("call", "source_lane"),
    [
        ("__shfl_sync(0xffffffff, v, 5, 32)", lambda t: t // 32 * 32 + 5),
        ("__shfl_xor_sync(0xffffffff, v, 6, 32)", lambda t: t ^ 6),
        ("__shfl_up_sync(0xffffffff, v, 3, 32)", lambda t: np.where(t % 32 < 3, t, t - 3)),
        ("__shfl_down_sync(0xffffffff, v, 9, 32)", lambda t: np.where(t % 32 > 22, t, t + 9)),
        ("__shfl_down_sync(0xffffffff, v, 3, 8)", lambda t: np.where(t % 8 > 4, t, t + 3)),
        ("__shfl_sync(0xffffffff, v, 11, 8)", lambda t: t // 8 * 8 + 3),
        ("__shfl_up_sync(0xffffffff, v, 2, 16)", lambda t: np.where(t % 16 < 2, t, t - 2)),
        # Of the lane and the distance the hardware takes five bits: 37 is 5, -8 is 24.
        ("__shfl_sync(0xffffffff, v, 37, 32)", lambda t: t // 32 * 32 + 5),
        ("__shfl_up_sync(0xffffffff, v, 37, 32)", lambda t: np.where(t % 32 < 5, t, t - 5)),
        ("__shfl_down_sync(0xffffffff, v, 37, 32)", lambda t: np.where(t % 32 > 26, t, t + 5)),
        ("__shfl_xor_sync(0xffffffff, v, -8, 32)", lambda t: t ^ 24),
        ("__shfl_xor_sync(0xffffffff, v, -8, 16)", lambda t: np.where(t % 32 < 16, t, t ^ 24)),
        ("__shfl_xor_sync(0xffffffff, v, x[t] * 0 - 8, 16)", lambda t: np.where(t % 32 < 16, t, t ^ 24)),
        ("__shfl_down_sync(0xffffffff, v, x[t] * 0 + 37, 8)", lambda t: np.where(t % 8 > 2, t, t + 5)),
    ],
)
@pytest.mark.parametrize("block", [(32, 1, 1), (128, 1, 1), (16, 4, 1)])
def test_shuffles(call, source_lane, block):
    source = f"""__global__ void k(const int* x, int* out) {{
        const int t = threadIdx.y * blockDim.x + threadIdx.x; const int v = x[t]; out[t] = {call}; }}"""
    threads = block[0] * block[1]
    lanes = source_lane(np.arange(threads))
    got = run(source, X[:threads], np.zeros(threads, np.int32), grid=ONE, block=block)[1]
    assert np.array_equal(got, X[:threads][lanes])


def test_shuffles_of_other_types_keep_their_bits():
    source = """__global__ void k(const double* x, double* out) {
        out[threadIdx.x] = __shfl_xor_sync(0xffffffff, x[threadIdx.x], 1, 32); }"""
    x = np.random.default_rng(1).normal(size=64)
    assert np.array_equal(run(source, x, np.zeros(64), grid=ONE)[1], x[np.arange(64) ^ 1])


def test_votes():
    source = """__global__ void k(const int* x, int* out, int n) {
        const int t = threadIdx.x; const bool p = t < n && x[t] > 40;
        unsigned b = __ballot_sync(0xffffffff, p); int any = __any_sync(0xffffffff, p);
        int all = __all_sync(0xffffffff, x[t] >= 0 || t > 90); int count = __syncthreads_count(p);
        out[t] = __popc(b & ((1u << (t % 32)) - 1u)) + 100 * any + 1000 * all + 10000 * count; }"""
    t = np.arange(128)
    p = (t < 70) & (X[:128] > 40)
    warps = p.reshape(4, 32)
    below = np.cumsum(warps, axis=1) - warps
    expected = below.ravel() + 100 * np.repeat(warps.any(1), 32) + 1000 + 10000 * p.sum()
    got = run(source, X[:128], np.zeros(128, np.int32), 70, grid=ONE, block=(128, 1, 1))[1]
    assert np.array_equal(got, expected)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("atomicAdd(&out[v % 4], v)", lambda o, v: o + v),
        ("atomicMax(&out[v % 4], v)", max),
        ("atomicMin(&out[v % 4], v - 50)", lambda o, v: min(o, v - 50)),
        ("atomicOr(&out[v % 4], v)", lambda o, v: o | v),
        ("atomicXor(&out[v % 4], v)", lambda o, v: o ^ v),
        ("atomicSub(&out[v % 4], v)", lambda o, v: o - v),
    ],
)
def test_atomics_by_some_threads(call, expected):
    source = f"""__global__ void k(const int* x, int* out, int n) {{
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n && x[i] != 13) {{ const int v = x[i]; {call}; }} }}"""
    wanted = [0, 0, 0, 0]
    for v in X[:100].tolist():
        if v != 13:
            wanted[v % 4] = expected(wanted[v % 4], v)
    assert run(source, X, np.zeros(4, np.int32), 100, grid=(2, 1, 1))[1].tolist() == wanted


def test_an_atomic_without_a_condition_counts_every_thread():
    source = "__global__ void k(int* out) { atomicAdd(out, 1); if (threadIdx.x == 0) atomicAdd(out + 1, 1); }"
    assert run(source, np.zeros(2, np.int32), grid=(3, 1, 1))[0].tolist() == [192, 3]


def test_the_old_value_of_an_atomic_is_used():
    source = """__global__ void k(const int* x, int* out, int* count, int n) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n && x[i] > 50) out[atomicAdd(count, 1)] = x[i]; }"""
    _, out, count = run(source, X, np.zeros(256, np.int32), np.zeros(1, np.int32), 200, grid=(4, 1, 1))
    kept = X[:200][X[:200] > 50]
    assert count[0] == kept.size
    assert np.array_equal(np.sort(out[: kept.size]), np.sort(kept))


def test_compare_and_swap_by_some_threads_leaves_the_others_alone():
    source = "__global__ void k(int* x, int n) { if (threadIdx.x < n) atomicCAS(x + threadIdx.x, 0, 7); }"
    x = (np.arange(64) % 2).astype(np.int32)
    got = run(source, x, 33, grid=ONE)[0]
    assert np.array_equal(got, np.where((np.arange(64) < 33) & (x == 0), 7, x))


def test_structs_by_value_are_flattened():
    source = """struct Line { float slope; int start; };
        __global__ void k(Line line, float* out) {
        out[threadIdx.x] = line.slope * (line.start + (int)threadIdx.x); }"""
    got = run(source, 0.5, 3, np.zeros(64, np.float32), grid=ONE)[0]
    assert np.array_equal(got, 0.5 * (3 + np.arange(64, dtype=np.float32)))


def test_vectors_are_their_components():
    source = """__global__ void k(const float4* x, float4* out, float* flat) {
        float4 v = x[threadIdx.x]; v.y += v.x; float4 w = make_float4(v.w, v.z, v.y, v.x);
        if (threadIdx.x % 2) w.x = -1.0f; out[threadIdx.x] = w;
        reinterpret_cast<float2*>(flat)[threadIdx.x] = make_float2(w.x, w.y); }"""
    x = np.arange(256, dtype=np.float32).reshape(64, 4)
    _, out, flat = run(source, x.ravel(), np.zeros(256, np.float32), np.zeros(128, np.float32), grid=ONE)
    w = np.stack([x[:, 3], x[:, 2], x[:, 1] + x[:, 0], x[:, 0]], axis=1)
    w[1::2, 0] = -1
    assert np.array_equal(out.reshape(64, 4), w)
    assert np.array_equal(flat.reshape(64, 2), w[:, :2])


def test_structs_in_shared_memory_are_an_array_a_member():
    source = """struct Pair { float value; int index; };
        __global__ void k(const float* x, float* out, int* where) {
        __shared__ Pair best[64]; const int t = threadIdx.x;
        Pair mine; mine.value = x[t]; mine.index = t; best[t] = mine; __syncthreads();
        Pair other = best[t ^ 1]; if (other.value > mine.value) mine = other;
        out[t] = mine.value; where[t] = mine.index; }"""
    x = np.random.default_rng(2).normal(size=64).astype(np.float32)
    _, out, where = run(source, x, np.zeros(64, np.float32), np.zeros(64, np.int32), grid=ONE)
    t = np.arange(64)
    expected = np.where(x[t ^ 1] > x, t ^ 1, t)
    assert np.array_equal(where, expected)
    assert np.array_equal(out, x[expected])


def test_a_local_array_with_constant_places_is_unrolled():
    source = """__global__ void k(const int* x, int* out) {
        int a[4]; for (int j = 0; j < 4; j++) a[j] = x[threadIdx.x * 4 + j] * j;
        int s = 0; for (int j = 3; j >= 0; j--) s = s * 2 + a[j]; out[threadIdx.x] = s; }"""
    a = X.reshape(64, 4) * np.arange(4)
    expected = ((a[:, 3] * 2 + a[:, 2]) * 2 + a[:, 1]) * 2 + a[:, 0]
    assert np.array_equal(run(source, X, np.zeros(64, np.int32), grid=ONE)[1], expected)
    assert "scratch" not in translated(source).text


def test_a_local_array_indexed_by_a_value_lives_in_scratch():
    source = """__global__ void k(const int* x, int* out) {
        int a[4]; for (int j = 0; j < 4; j++) a[j] = 0;
        for (int j = 0; j < 8; j++) a[(x[threadIdx.x] + j * j) % 4] += j;
        out[threadIdx.x] = a[0] + 10 * a[1] + 100 * a[2] + 1000 * a[3]; }"""
    expected = np.zeros((64, 4), np.int64)
    for t in range(64):
        for j in range(8):
            expected[t, (int(X[t]) + j * j) % 4] += j
    got = run(source, X, np.zeros(64, np.int32), grid=ONE)[1]
    assert np.array_equal(got, expected @ [1, 10, 100, 1000])


def test_constant_memory_is_a_tensor_the_launcher_takes():
    source = """__constant__ float weights[3];
        __global__ void k(float* out) { float s = 0;
        for (int j = 0; j < 3; j++) s += weights[j] * (threadIdx.x + j);
        out[threadIdx.x] = s; }"""
    import torch

    from tests.tile.run_text import module_of

    out = torch.zeros(64)
    module_of(source).k(out, weights=torch.tensor([1.0, 2.0, 3.0]), grid=ONE)
    assert torch.equal(out, torch.arange(64) * 6.0 + 8)


def test_pointers_move_and_functions_are_inlined():
    source = """__device__ int twice(int v) { return 2 * v; }
        __device__ int folded(const int* p, int n) { int s = 0;
            for (int j = 0; j < n; j++) s = s * 3 + twice(*p++);
            if (s < 0) return -1; return s; }
        __global__ void k(const int* x, int* out, int n) {
        const int* row = x + threadIdx.x * n; out[threadIdx.x] = folded(row, n); }"""
    rows = X.reshape(64, 4).astype(np.int64)
    expected = ((rows[:, 0] * 2 * 3 + rows[:, 1] * 2) * 3 + rows[:, 2] * 2) * 3 + rows[:, 3] * 2
    assert np.array_equal(run(source, X, np.zeros(64, np.int32), 4, grid=ONE)[1], expected)


def test_a_pointer_parameter_that_each_thread_moves():
    source = """__global__ void k(const int* x, int* out, int n) {
        x += threadIdx.x * n; out += threadIdx.x; int s = 0;
        for (int j = 0; j < n; j++) { s = s * 3 + *x; x++; } *out = s; }"""
    rows = X.reshape(64, 4)
    expected = ((rows[:, 0] * 3 + rows[:, 1]) * 3 + rows[:, 2]) * 3 + rows[:, 3]
    assert np.array_equal(run(source, X, np.zeros(64, np.int32), 4, grid=ONE)[1], expected)


def test_a_null_pointer_is_none():
    source = """__global__ void k(int* out, int* extra) { out[threadIdx.x] = 1;
        if (extra != nullptr && threadIdx.x == 3) extra[0] = 7; }"""
    assert run(source, np.zeros(64, np.int32), None, grid=ONE)[0].all()
    assert run(source, np.zeros(64, np.int32), np.zeros(1, np.int32), grid=ONE)[1][0] == 7


def test_a_store_and_a_load_of_one_thread_are_ordered():
    source = """__global__ void k(int* x) { const int i = threadIdx.x; x[2 * i] = i; x[i] = x[2 * i] + 1; }"""
    text = translated(source).text
    store, barrier, load = (text.index(s) for s in ("tl.store(", "tl.debug_barrier()", "tl.load("))
    assert store < barrier < load


def test_a_launcher_refuses_blocks_it_was_not_shown_right_for():
    source = """__global__ void k(const int* x, int* out) {
        __shared__ int s[64]; s[threadIdx.x] = x[threadIdx.x];
        __syncthreads(); out[threadIdx.x] = s[(x[threadIdx.x] + 1) % 64]; }"""
    from tests.tile.run_text import module_of

    with pytest.raises(ValueError, match="written for blocks of"):
        module_of(source).k(None, None, grid=ONE, block=(7, 3, 1))


def test_infinities_in_kernels_of_whole_warps():
    source = """__global__ void k(const float* x, float* y) {
        float m = x[threadIdx.x];
        const float other = __shfl_xor_sync(0xffffffffu, m, 1);
        m = m == -INFINITY ? 0.f : fmaxf(m, other);
        y[threadIdx.x] = m != INFINITY ? m : 1.f;
    }"""
    x = np.where(np.arange(64) % 5 == 0, -np.inf, np.arange(64)).astype(np.float32)
    x[33] = np.inf
    pairs = np.maximum(x, x.reshape(-1, 2)[:, ::-1].ravel())
    expected = np.where(x == -np.inf, 0, pairs)
    expected[expected == np.inf] = 1
    assert np.array_equal(run(source, x, np.zeros(64, np.float32), grid=(1, 1, 1))[1], expected)
