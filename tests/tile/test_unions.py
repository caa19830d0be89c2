"""Unions: in registers, in shared and in global memory, with names and without."""

import numpy as np

from tests.tile.run_text import run

N = 64
INTS = ((np.arange(N) * 2654435761) % (1 << 32)).astype(np.uint32).view(np.int32)


def test_the_bits_of_a_number():
    source = """union Bits { float value; unsigned word; };
    __global__ void k(float* x) {
        Bits b;
        b.value = x[threadIdx.x];
        b.word ^= 0x80000000u;
        if (b.word >> 23 == 0xFF) b.value = 0;
        x[threadIdx.x] = b.value;
    }"""
    x = np.array([1.5, -2, 0, np.inf, -np.inf, 1e-40] * 10 + [3] * 4, np.float32)
    expected = -x
    expected[np.isposinf(expected)] = 0
    got = run(source, x, grid=(1, 1, 1))[0]
    assert np.array_equal(got.view(np.uint32), expected.view(np.uint32))


def test_a_vector_an_array_and_words():
    source = """union Quad { float4 v; float a[4]; unsigned w[4]; };
    __global__ void k(float4* x, int n) {
        Quad q;
        q.v = x[threadIdx.x];
        float sum = 0;
        for (int j = 0; j < 4; j++) sum += q.a[j];
        q.w[n] = __float_as_uint(sum) | 1u;
        x[threadIdx.x] = q.v;
    }"""
    x = np.arange(4 * N, dtype=np.float32)
    expected = x.reshape(N, 4).copy()
    total = ((x[0::4] + x[1::4]) + x[2::4]) + x[3::4]
    expected[:, 2] = (total.view(np.uint32) | 1).view(np.float32)
    assert np.array_equal(run(source, x, 2, grid=(1, 1, 1))[0], expected.ravel())


def test_anonymous_members():
    source = """struct Tagged { int tag; union { float real; int whole; struct { short low, high; }; }; };
    union Turned { int word; struct { short low, high; }; };
    __global__ void k(int* x) {
        Tagged t;
        t.tag = x[threadIdx.x] & 1;
        t.whole = x[threadIdx.x];
        if (t.tag) t.real = 1.5f; else t.low = t.high;
        Turned u;
        u.word = t.whole;
        u.high += u.low;
        x[threadIdx.x] = u.word + t.tag;
    }"""
    whole = np.where(INTS & 1, np.float32(1.5).view(np.int32), INTS)
    halves = whole.astype(np.int32).view(np.int16).reshape(N, 2).copy()
    even = (INTS & 1) == 0
    halves[even, 0] = halves[even, 1]
    halves[:, 1] += halves[:, 0]
    expected = halves.view(np.int32).ravel() + (INTS & 1)
    assert np.array_equal(run(source, INTS, grid=(1, 1, 1))[0], expected)


def test_unions_in_global_memory():
    source = """union Packed { short2 h; int word; };
    __global__ void k(Packed* x, int n) {
        const short2 h = x[threadIdx.x].h;
        x[threadIdx.x].word = h.x * n + h.y;
        x[threadIdx.x].h.y += 1;
    }"""
    h = INTS.view(np.int16).reshape(N, 2)
    words = (h[:, 0].astype(np.int32) * 3 + h[:, 1]).astype(np.int32)
    expected = words.view(np.int16).reshape(N, 2).copy()
    expected[:, 1] += 1
    assert np.array_equal(run(source, INTS.view(np.int16), 3, grid=(1, 1, 1))[0], expected.ravel())


def test_a_shared_union_that_is_used_twice():
    source = """__global__ void k(const int* x, float* y) {
        __shared__ union { int keys[65]; float sums[64]; } shared;
        const int t = threadIdx.x;
        shared.keys[t] = x[t];
        __syncthreads();
        const int v = shared.keys[63 - t];
        __syncthreads();
        shared.sums[t] = v * 0.5f;
        __syncthreads();
        y[t] = shared.sums[(t + 1) % 64];
    }"""
    got = run(source, INTS, np.zeros(N, np.float32), grid=(1, 1, 1))[1]
    assert np.array_equal(got, np.roll(INTS[::-1].astype(np.float32) * np.float32(0.5), -1))


def test_a_union_of_structs_of_several_types_is_kept_as_words():
    source = """struct Point { float x; int id; }; union Slot { Point p; unsigned long long key; };
    __global__ void k(const float* x, unsigned long long* keys) {
        Slot s;
        s.p.x = x[threadIdx.x];
        s.p.id = threadIdx.x;
        keys[threadIdx.x] = s.key;
    }"""
    x = np.linspace(-3, 3, N, dtype=np.float32)
    expected = x.view(np.uint32).astype(np.uint64) | np.arange(N, dtype=np.uint64) << np.uint64(32)
    assert np.array_equal(run(source, x, np.zeros(N, np.uint64), grid=(1, 1, 1))[1], expected)


def test_bit_fields_stay_declined():
    source = "union B { unsigned w; unsigned low : 4; }; __global__ void k(B* x) { x[0].low = 1; }"
    from porter.core.span import SourceText
    from porter.cuda.lower_kernel import NotLowered, lower_kernels

    (result,) = lower_kernels(SourceText("kernel.cu", source.encode()))
    assert isinstance(result, NotLowered)
    assert result.diagnostic.code == "TIL002"


def test_structs_in_memory_may_come_as_bytes():
    source = """struct Wall { float at[3]; float rate; };
    __constant__ Wall wall;
    __global__ void k(const Wall* others, float* out, int n) {
        out[threadIdx.x] = wall.at[n] * wall.rate + others[threadIdx.x % 2].at[2] - others[1].rate;
    }"""
    wall = np.array([1, 2, 3, 0.5], np.float32)
    others = np.arange(8, dtype=np.float32) * 10
    expected = np.full(N, 2 * 0.5, np.float32) + others.reshape(2, 4)[np.arange(N) % 2, 2] - others[7]
    for data in (wall, wall.view(np.uint8)):
        given = others.view(data.dtype)
        got = run(source, given, np.zeros(N, np.float32), 1, data, grid=(1, 1, 1))[1]
        assert np.array_equal(got, expected)


def test_a_pointer_to_structs_that_may_be_null():
    source = """struct P { float x, y; };
    __global__ void k(const P* p, float* out) {
        out[threadIdx.x] = 1;
        if (p != nullptr) out[threadIdx.x] = p[1].y;
    }"""
    assert (run(source, None, np.zeros(N, np.float32), grid=(1, 1, 1))[0] == 1).all()
    p = np.arange(4, dtype=np.float32)
    assert (run(source, p, np.zeros(N, np.float32), grid=(1, 1, 1))[1] == 3).all()
