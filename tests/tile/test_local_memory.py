"""What a thread has for itself: arrays, views of them as other types, pointers to variables."""

import numpy as np
import pytest

from tests.tile.run_text import declined, run, translated

N = 64
FLOATS = (np.arange(4 * N, dtype=np.float32) * 37) % 101 - 50
INTS = ((np.arange(4 * N) * 7919) % 4096 - 2048).astype(np.int32)
PACKED = """#include <cuda_fp16.h>
template <typename T> struct alignas(16) Packed {
    T payload[16 / sizeof(T)];
    __device__ Packed() = default;
    __device__ explicit Packed(int4 bits) { memcpy(&payload, &bits, sizeof(bits)); }
    __device__ T& operator[](int k) { return payload[k]; }
    __device__ const T& operator[](int k) const { return payload[k]; }
    __device__ int4 bits() const { int4 b; memcpy(&b, &payload, sizeof(b)); return b; }
};
template <typename T> __device__ Packed<T> packed(const T* p) { return Packed<T>{*(const int4*)p}; }
"""


def no_scratch(source: str) -> None:
    assert "scratch" not in translated(source).text


def test_packed_structs_of_floats():
    source = (
        PACKED
        + """__global__ void k(const float* a, const float* b, float* out, int n) {
        const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
        if (i >= n) return;
        Packed<float> x = packed(a + i), y = packed(b + i), sum;
        for (int k = 0; k < 4; k++) sum[k] = x[k] * y[3 - k];
        *reinterpret_cast<int4*>(out + i) = sum.bits();
    }"""
    )
    got = run(source, FLOATS, FLOATS[::-1], np.zeros(4 * N, np.float32), 100, grid=(1, 1, 1))[2]
    expected = np.zeros(4 * N, np.float32)
    expected[:100] = (FLOATS.reshape(-1, 4) * FLOATS[::-1].reshape(-1, 4)[:, ::-1]).ravel()[:100]
    assert np.array_equal(got, expected)
    no_scratch(source)


def test_packed_structs_of_halves():
    source = (
        PACKED
        + """__global__ void k(const half* a, half* out, int n) {
        const int i = threadIdx.x * 8;
        if (i >= n) return;
        Packed<half> x = packed(a + i), y;
        for (int k = 0; k < 8; k++) y[k] = __hmul(x[k], x[7 - k]);
        *reinterpret_cast<int4*>(out + i) = y.bits();
    }"""
    )
    a = np.tile(np.array([1, -2, 0.5, np.inf, np.nan, -0.0, 6e-8, 65504], np.float16), 8)
    got = run(source, a, np.zeros(64, np.float16), 40, grid=(1, 1, 1))[1]
    with np.errstate(over="ignore", invalid="ignore"):
        expected = (a.reshape(8, 8) * a.reshape(8, 8)[:, ::-1]).ravel()
    expected[40:] = 0
    assert np.array_equal(got, expected, equal_nan=True)


@pytest.mark.parametrize(("type_", "dtype"), [("int", np.int32), ("double", np.float64), ("short", np.int16)])
def test_an_element_chosen_by_a_value(type_, dtype):
    source = f"""__global__ void k(const int* which, {type_}* x, int n) {{
        {type_} v[5];
        for (int j = 0; j < 5; j++) v[j] = x[threadIdx.x] * ({type_})(j + 1);
        v[which[threadIdx.x] % 5] += 100;
        x[threadIdx.x] = v[n] + v[(which[threadIdx.x] + 1) % 5];
    }}"""
    which, x = np.abs(INTS[:N]), INTS[:N].astype(dtype) % 100
    for n in (0, 4):
        v = np.stack([x * dtype(j + 1) for j in range(5)])
        v[which % 5, np.arange(N)] += dtype(100)
        expected = v[n] + v[(which + 1) % 5, np.arange(N)]
        assert np.array_equal(run(source, which, x, n, grid=(1, 1, 1))[1], expected)
    no_scratch(source)


def test_constant_tables():
    source = """__global__ void k(const int* which, int* out) {
        const int reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
        const float weights[] = {0.5f, -1.0f};
        out[threadIdx.x] = reversed[which[threadIdx.x] & 7] + (int)(8 * weights[which[threadIdx.x] & 1]);
    }"""
    table = np.array([0, 4, 2, 6, 1, 5, 3, 7])[INTS[:N] & 7] + np.array([4, -8])[INTS[:N] & 1]
    assert np.array_equal(run(source, INTS[:N], np.zeros(N, np.int32), grid=(1, 1, 1))[1], table)


def test_a_long_table_and_a_long_array_are_in_memory():
    numbers = [(k * k * 7 + 3) % 64 for k in range(40)]
    source = f"""__global__ void k(const int* which, int* out) {{
        const int table[40] = {{{", ".join(map(str, numbers))}}};
        int seen[70];
        for (int j = 0; j < 70; j++) seen[j] = 0;
        seen[table[which[threadIdx.x] % 40]] = 5;
        out[threadIdx.x] = table[(which[threadIdx.x] + 1) % 40] + seen[which[threadIdx.x] % 70];
    }}"""
    which = np.abs(INTS[:N])
    expected = np.array(numbers)[(which + 1) % 40] + 5 * (np.array(numbers)[which % 40] == which % 70)
    assert np.array_equal(run(source, which, np.zeros(N, np.int32), grid=(1, 1, 1))[1], expected)
    assert "scratch" in translated(source).text


def test_an_index_that_reads_memory_stays_behind_its_guard():
    source = """__global__ void k(const int* which, int* out, int n) {
        int v[3] = {7, 8, 9};
        const int i = threadIdx.x;
        out[i] = i < n && v[which[i]] > 7 ? v[which[i]] : -1;
    }"""
    which = np.array([0, 1, 2, 2, 1], np.int32)
    got = run(source, which, np.zeros(N, np.int32), 5, grid=(1, 1, 1))[1]
    assert np.array_equal(got, [-1, 8, 9, 9, 8] + [-1] * (N - 5))


def test_counters_and_inner_names_are_constants_in_the_end():
    source = """__device__ int at(const int* v, int k) { const int j = k; return v[j]; }
    __global__ void k(const int* x, int* out) {
        int v[6], used = 0;
        for (int r = 0; r < 2; r++) for (int c = 0; c < 3; c++) v[used++] = x[threadIdx.x] * r + c;
        int total = 0;
        for (int j = 5; j >= 0; j -= 2) total = total * 10 + at(v, j);
        out[threadIdx.x] = total;
    }"""
    x = INTS[:N]
    v = [x * r + c for r in range(2) for c in range(3)]
    assert np.array_equal(
        run(source, x, np.zeros(N, np.int32), grid=(1, 1, 1))[1], (v[5] * 10 + v[3]) * 10 + v[1]
    )
    no_scratch(source)


def test_an_array_seen_as_vectors_and_a_vector_seen_as_an_array():
    source = """__global__ void k(float4* x, int n) {
        float v[8];
        *(float4*)v = x[2 * threadIdx.x];
        *(float4*)&v[4] = x[2 * threadIdx.x + 1];
        float* middle = v + 2;
        for (int j = 0; j < 4; j++) middle[j] += v[0];
        float4 last = ((float4*)v)[1];
        float* parts = (float*)&last;
        parts[n] = -1.0f;
        x[2 * threadIdx.x] = *(float4*)middle;
        x[2 * threadIdx.x + 1] = last;
    }"""
    rows = FLOATS[: 32 * 8].reshape(32, 8)
    expected = rows.copy()
    expected[:, 2:6] += rows[:, :1]
    last = expected[:, 4:].copy()
    last[:, 1] = -1
    expected = np.concatenate([expected[:, 2:6], last], axis=1).ravel()
    assert np.array_equal(run(source, rows.ravel(), 1, grid=(1, 1, 1), block=(32, 1, 1))[0], expected)
    assert "scratch" not in translated(source, (32, 1, 1)).text


def test_bytes_of_a_word_and_a_word_of_bytes():
    source = """__global__ void k(unsigned* x, unsigned long long* out) {
        unsigned w = x[threadIdx.x];
        unsigned char* bytes = (unsigned char*)&w;
        const unsigned char first = bytes[0];
        bytes[0] = bytes[3];
        bytes[3] = first;
        x[threadIdx.x] = w;
        unsigned short s[4] = {bytes[0], bytes[1], bytes[2], 0xFFFF};
        out[threadIdx.x] = *(unsigned long long*)s;
    }"""
    x = INTS[:N].view(np.uint32) * np.uint32(2654435761)
    swapped = x.view(np.uint8).reshape(-1, 4)[:, [3, 1, 2, 0]]
    words = np.concatenate([swapped[:, :3].astype(np.uint16), np.full((N, 1), 0xFFFF, np.uint16)], axis=1)
    got, out = run(source, x, np.zeros(N, np.uint64), grid=(1, 1, 1))
    assert np.array_equal(got, swapped.copy().view(np.uint32).ravel())
    assert np.array_equal(out, words.copy().view(np.uint64).ravel())


def test_pointers_and_references_to_variables():
    source = """struct Pair { int low, high; };
    __device__ void order(int& a, int& b) { if (a > b) { int t = a; a = b; b = t; } }
    __device__ void split(int v, int* quotient, int* rest) { *quotient = v / 7; *rest = v - *quotient * 7; }
    __device__ void widen(Pair* p, int by) { p->low -= by; p->high += by; }
    __global__ void k(const int* x, int* out) {
        Pair p = {x[threadIdx.x], x[63 - threadIdx.x]};
        order(p.low, p.high);
        int q, r;
        split(p.high, &q, &r);
        widen(&p, r);
        Pair* same = &p;
        out[threadIdx.x] = same->high * 3 - p.low + q;
    }"""
    x = INTS[:N]
    low, high = np.minimum(x, x[::-1]), np.maximum(x, x[::-1])
    q = np.trunc(high / 7).astype(np.int32)
    r = high - q * 7
    assert np.array_equal(
        run(source, x, np.zeros(N, np.int32), grid=(1, 1, 1))[1], (high + r) * 3 - (low - r) + q
    )


def test_a_pointer_keeps_the_index_it_was_made_with():
    source = """__global__ void k(int* x) {
        int v[4] = {10, 20, 30, 40};
        int j = x[threadIdx.x] & 1;
        int* p = &v[j];
        j += 2;
        p[1] += j;
        x[threadIdx.x] = *p * 1000 + v[1] + v[2];
    }"""
    j = INTS[:N] & 1
    v = np.tile(np.array([10, 20, 30, 40]), (N, 1))
    v[np.arange(N), j + 1] += j + 2
    assert np.array_equal(
        run(source, INTS[:N], grid=(1, 1, 1))[0], v[np.arange(N), j] * 1000 + v[:, 1] + v[:, 2]
    )


def test_arrays_of_structs_and_structs_of_arrays():
    source = """struct Node { float w[2]; int n; };
    __global__ void k(const float* x, float* out, int m) {
        Node nodes[3];
        for (int j = 0; j < 3; j++) { nodes[j].n = j; nodes[j].w[0] = x[threadIdx.x]; nodes[j].w[1] = j; }
        Node copy = nodes[1];
        nodes[1] = nodes[2];
        float total = copy.w[1];
        for (int j = 0; j < 3; j++) total = total * 3 + nodes[j].w[m] + nodes[j].n;
        out[threadIdx.x] = total;
    }"""
    x = FLOATS[:N]
    for m in (0, 1):
        total = np.full(N, 1.0, np.float32)
        for n in (0, 2, 2):
            total = total * 3 + (x if m == 0 else np.float32(n)) + n
        assert np.array_equal(run(source, x, np.zeros(N, np.float32), m, grid=(1, 1, 1))[1], total)


def test_a_pointer_that_moves_through_an_array():
    source = """__global__ void k(const int* x, int* out) {
        int v[4];
        int* p = v;
        for (int j = 0; j < 4; j++) *p++ = x[threadIdx.x] + j;
        out[threadIdx.x] = v[0] * 2 + v[3] + p[-2];
    }"""
    x = INTS[:N]
    assert np.array_equal(run(source, x, np.zeros(N, np.int32), grid=(1, 1, 1))[1], x * 2 + x + 3 + x + 2)


def test_a_pointer_to_one_of_two_variables_is_declined():
    source = """__global__ void k(int* x) {
        int a = x[0], b = x[1];
        int* p = x[2] > 0 ? &a : &b;
        *p = 5;
        x[threadIdx.x] = a + b;
    }"""
    assert declined(source) == ["TIL054"]


def test_a_shuffled_vector_is_shuffled_by_component():
    source = """#include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    __global__ void k(float4* x) {
        auto warp = cg::tiled_partition<32>(cg::this_thread_block());
        float4 v = x[threadIdx.x];
        v = warp.shfl_xor(v, 3);
        x[threadIdx.x] = v;
    }"""
    x = FLOATS.reshape(N, 4)
    assert np.array_equal(run(source, FLOATS, grid=(1, 1, 1))[0], x[np.arange(N) ^ 3].ravel())


def test_a_shared_array_of_vectors_seen_as_scalars():
    source = """__global__ void k(uint2* x, unsigned* out) {
        __shared__ uint2 pairs[64];
        unsigned* words = (unsigned*)pairs;
        pairs[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        out[threadIdx.x] = words[127 - threadIdx.x];
    }"""
    x = INTS[: 2 * N].view(np.uint32)
    assert np.array_equal(run(source, x, np.zeros(N, np.uint32), grid=(1, 1, 1))[1], x[::-1][:N])


def test_shared_memory_that_nothing_uses():
    source = "__global__ void k(int* x) { extern __shared__ int unused[]; x[threadIdx.x] *= 2; }"
    assert np.array_equal(run(source, INTS[:N], grid=(1, 1, 1))[0], INTS[:N] * 2)


def test_a_pointer_as_a_condition():
    source = """__global__ void k(const int* x, int* out) { out[threadIdx.x] = x ? x[threadIdx.x] : 7; }"""
    zeros = np.zeros(N, np.int32)
    assert np.array_equal(run(source, INTS[:N], zeros, grid=(1, 1, 1))[1], INTS[:N])
    assert np.array_equal(run(source, None, zeros, grid=(1, 1, 1))[0], zeros + 7)


def test_a_byte_of_words_chosen_by_a_value():
    source = """__global__ void k(const unsigned* x, unsigned* out, int n) {
        unsigned words[2] = {x[threadIdx.x], ~x[threadIdx.x]};
        unsigned char* bytes = (unsigned char*)words;
        unsigned short* shorts = (unsigned short*)words;
        bytes[n] = bytes[threadIdx.x % 8];
        shorts[threadIdx.x & 3] += 1;
        out[threadIdx.x] = words[0] ^ words[1] << 1;
    }"""
    x = INTS[:N].view(np.uint32) * np.uint32(2654435761)
    words = np.stack([x, ~x], axis=1)
    data = words.copy().view(np.uint8).reshape(N, 8)
    data[:, 5] = data[np.arange(N), np.arange(N) % 8]
    halves = data.copy().view(np.uint16).reshape(N, 4)
    halves[np.arange(N), np.arange(N) & 3] += 1
    final = halves.copy().view(np.uint32).reshape(N, 2)
    got = run(source, x, np.zeros(N, np.uint32), 5, grid=(1, 1, 1))[1]
    assert np.array_equal(got, final[:, 0] ^ final[:, 1] << np.uint32(1))


def test_a_copy_keeps_its_value_when_the_original_changes():
    source = """struct Four { int at[4]; };
    __global__ void k(const int* x, int* out) {
        Four now, before;
        for (int j = 0; j < 4; j++) { now.at[j] = x[threadIdx.x] + j; before.at[j] = -1; }
        int total = 0;
        for (int round = 0; round < 3; round++) {
            Four kept = now;
            for (int j = 0; j < 4; j++) now.at[j] = kept.at[3 - j] * 2 + before.at[j];
            before = kept;
            total += before.at[0] - now.at[1];
        }
        out[threadIdx.x] = total;
    }"""
    now = INTS[:N, None] + np.arange(4, dtype=np.int32)
    before, total = np.full((N, 4), -1, np.int32), np.zeros(N, np.int32)
    for _ in range(3):
        kept = now.copy()
        now = kept[:, ::-1] * 2 + before
        before = kept
        total += before[:, 0] - now[:, 1]
    assert np.array_equal(run(source, INTS[:N], np.zeros(N, np.int32), grid=(1, 1, 1))[1], total)


def test_an_index_outside_of_an_array_is_declined():
    source = "__global__ void k(int* x) { int v[2] = {1, 2}; x[0] = v[x[1] & 1]; x[1] = v[2]; }"
    assert declined(source) == ["TIL054"]


def test_time_is_declined_with_what_to_do():
    source = "__global__ void k(long long* x) { x[0] = clock64(); }"
    ((_, diagnostic),) = translated(source).declined
    assert (diagnostic.code, diagnostic.hint) == ("TIL052", "measure around the launch instead")
