"""Structs with arrays by value: a launcher takes a number for each element."""

import inspect

import numpy as np

from tests.tile.run_text import declined, module_of, run

N = 64
X = (np.arange(N, dtype=np.float32) * 37) % 101 - 50


def test_an_array_by_constants_and_by_a_value():
    source = """struct Filter { float scale; int at[2]; float w[3]; };
    __global__ void k(const float* x, float* y, Filter f) {
        float s = 0;
        for (int t = 0; t < 3; ++t) s += f.w[t] * x[(threadIdx.x + t) % 64];
        f.scale += 1;
        y[threadIdx.x] = f.scale * s + f.at[threadIdx.x & 1] + f.w[f.at[0]];
    }"""
    names = ["x", "y", "f_scale", "f_at_0", "f_at_1", "f_w_0", "f_w_1", "f_w_2"]
    launcher = module_of(source).k
    assert list(inspect.signature(launcher).parameters)[: len(names)] == names
    w = np.float32([0.25, 0.5, -2])
    got = run(source, X, np.zeros(N, np.float32), 1.5, 2, -7, *map(float, w), grid=(1, 1, 1))[1]
    total = sum(w[t] * np.roll(X, -t) for t in range(3))
    assert np.array_equal(got, 2.5 * total + np.where(np.arange(N) % 2, -7, 2) + w[2])


def test_arrays_in_two_dimensions_and_vectors():
    source = """struct Inner { int a; float2 b; };
    struct All { float m[2][2]; Inner p; };
    __global__ void k(float* y, All all) {
        const All copy = all;
        const float2 b = copy.p.b;
        y[threadIdx.x] = copy.m[1][0] * threadIdx.x + copy.m[0][1] + copy.p.a * b.x + b.y;
    }"""
    numbers = [1.0, 2.0, 3.0, 4.0, 5, 6.0, 7.0]
    got = run(source, np.zeros(N, np.float32), *numbers, grid=(1, 1, 1))[0]
    assert np.array_equal(got, 3 * np.arange(N, dtype=np.float32) + 2 + 5 * 6 + 7)


def test_pointers_in_an_array():
    source = """struct List { float* at[2]; };
    __global__ void k(List list, int n) {
        if (threadIdx.x < n) list.at[1][threadIdx.x] = 2 * list.at[0][threadIdx.x];
    }"""
    got = run(source, X, np.zeros(N, np.float32), 50, grid=(1, 1, 1))[1]
    assert np.array_equal(got, np.where(np.arange(N) < 50, 2 * X, 0))


NESTED = """struct Inner { int a; float b[2]; };
struct Outer { Inner in[3]; int tag; };
"""


def test_arrays_of_structs():
    source = (
        NESTED
        + """__global__ void k(const float* x, float* y, Outer o) {
        Outer p = o;
        p.tag = threadIdx.x % 3;
        p.in[1].b[0] += x[threadIdx.x];
        const Inner q = p.in[p.tag];
        float sum = 0;
        for (int i = 0; i < 3; ++i) { p.in[i].a += i; sum += p.in[i].a * o.in[i].b[1]; }
        y[threadIdx.x] = sum + 100 * q.a + q.b[0];
    }"""
    )
    a, b = np.array([3, 5, 7]), np.float32([[1, 2], [4, 8], [16, 32]])
    numbers = [n for i in range(3) for n in (int(a[i]), *map(float, b[i]))]
    got = run(source, X, np.zeros(N, np.float32), *numbers, 9, grid=(1, 1, 1))[1]
    tag = np.arange(N) % 3
    expected = sum((a[i] + i) * b[i, 1] for i in range(3)) + 100 * a[tag] + b[tag, 0]
    assert np.array_equal(got, expected + np.where(tag == 1, X, 0))


def test_arrays_of_structs_are_put_together_of_memory():
    source = (
        NESTED
        + """__global__ void k(const Inner* x, float* y) {
        Outer o;
        for (int i = 0; i < 3; ++i) o.in[i] = x[threadIdx.x + i];
        o.in[0] = o.in[2];
        y[threadIdx.x] = o.in[0].a + 2 * o.in[1].b[1] + 4 * o.in[2].b[0];
    }"""
    )
    x = np.zeros(N + 2, np.dtype([("a", np.int32), ("b", np.float32, 2)]))
    x["a"], x["b"] = np.arange(N + 2), np.arange(2 * (N + 2)).reshape(-1, 2)
    got = run(source, x.view(np.uint8), np.zeros(N, np.float32), grid=(1, 1, 1))[1]
    at = np.arange(N)
    assert np.array_equal(got, (at + 2) + 2 * (2 * (at + 1) + 1) + 4 * 2 * (at + 2))


def test_arrays_of_structs_in_memory_are_declined():
    source = (
        NESTED + "__global__ void k(const Outer* x, float* y) { Outer o = x[0]; y[0] = o.in[y[1] > 0].b[0]; }"
    )
    assert declined(source) == ["TIL051"]


def test_a_long_array_is_declined():
    source = """struct Table { int entries[200]; };
    __global__ void k(int* y, Table t) { y[threadIdx.x] = t.entries[threadIdx.x]; }"""
    assert declined(source) == ["TIL051"]
