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


def test_arrays_of_structs_are_declined():
    source = """struct Point { int a; float b; };
    struct All { Point p[2]; };
    __global__ void k(float* y, All all) { y[threadIdx.x] = all.p[1].b; }"""
    assert declined(source) == ["TIL051"]


def test_a_long_array_is_declined():
    source = """struct Table { int entries[200]; };
    __global__ void k(int* y, Table t) { y[threadIdx.x] = t.entries[threadIdx.x]; }"""
    assert declined(source) == ["TIL051"]
