"""Pointers that walk: compared with an end, subtracted from a start."""

import numpy as np
import pytest

from tests.tile.run_text import run

N = 64


@pytest.mark.parametrize(
    ("type_", "dtype", "size"),
    [
        ("float", np.float32, 1),
        ("double", np.float64, 1),
        ("float2", np.float32, 2),
        ("float3", np.float32, 3),
    ],
)
def test_walking_to_an_end(type_, dtype, size):
    source = f"""__device__ float first({type_} v) {{ return {"v" if size == 1 else "v.x"}; }}
    __global__ void k(const {type_}* a, float* out, int* places, int n) {{
        const {type_}* begin = a + blockIdx.x;
        const {type_}* end = begin + n;
        float sum = 0;
        const {type_}* at = end;
        for (const {type_}* p = begin + threadIdx.x; p < end; p += 64) {{
            sum += first(*p);
            at = p;
        }}
        out[threadIdx.x] = sum;
        places[threadIdx.x] = at == end ? -1 : (int)(at - begin) * (begin <= at && !(at > end - 1));
    }}"""
    rows = np.arange(200 * size, dtype=dtype).reshape(200, size)
    _, out, places = run(
        source, rows.ravel(), np.zeros(N, np.float32), np.zeros(N, np.int32), 100, grid=(1, 1, 1)
    )
    first = rows[:100, 0]
    assert np.array_equal(out, first[:N] + np.pad(first[N:], (0, 28)))
    assert np.array_equal(places, np.where(np.arange(N) < 36, np.arange(N) + 64, np.arange(N)))


def test_a_pointer_that_runs_backwards():
    source = """__global__ void k(const int* a, int* out, int n) {
        const int* p = a + n - 1 - threadIdx.x;
        int count = 0;
        while (p >= a && *p != 7) { p -= 2; ++count; }
        out[threadIdx.x] = p < a ? -count : count;
    }"""
    a = np.arange(N, dtype=np.int32)
    a[20] = 7
    out = run(source, a, np.zeros(N, np.int32), N, grid=(1, 1, 1))[1]
    expected = []
    for thread in range(N):
        p, count = N - 1 - thread, 0
        while p >= 0 and a[p] != 7:
            p, count = p - 2, count + 1
        expected.append(-count if p < 0 else count)
    assert np.array_equal(out, expected)
