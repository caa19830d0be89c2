"""Arrays of structs: padding, members of several types, vectors and arrays inside."""

import numpy as np

from tests.tile.run_text import declined, run

N = 64


def test_a_struct_that_is_larger_than_its_members():
    source = """struct alignas(16) Point { float x, y, z; };
    __global__ void k(Point* p, float* out) {
        const Point q = p[threadIdx.x + 1];
        out[threadIdx.x] = q.x + 2 * q.y + 4 * q.z;
        p[threadIdx.x].z = -1;
    }"""
    p = np.arange(4 * (N + 1), dtype=np.float32)
    rows = p.reshape(-1, 4)
    got, out = run(source, p, np.zeros(N, np.float32), grid=(1, 1, 1))
    assert np.array_equal(out, rows[1:, 0] + 2 * rows[1:, 1] + 4 * rows[1:, 2])
    expected = rows.copy()
    expected[:N, 2] = -1
    assert np.array_equal(got, expected.ravel())


def test_members_of_several_types():
    source = """struct Particle { float3 position; int kind; unsigned seed[2]; };
    __global__ void k(Particle* p, int n) {
        const int i = threadIdx.x;
        if (i >= n) return;
        Particle q = p[i];
        if (q.kind < 0) { p[i].seed[1] = q.seed[0] ^ 0xFFFFFFFFu; return; }
        q.position.y *= 2;
        q.kind += (int)q.position.x;
        p[i] = q;
    }"""
    dtype = np.dtype([("position", np.float32, 3), ("kind", np.int32), ("seed", np.uint32, 2)])
    p = np.zeros(N, dtype)
    p["position"] = np.arange(3 * N).reshape(N, 3)
    p["kind"] = np.arange(N) % 7 - 3
    p["seed"] = np.arange(2 * N).reshape(N, 2)
    expected = p.copy()
    inside, negative = np.arange(N) < 50, p["kind"] < 0
    chosen = inside & negative
    expected["seed"][chosen, 1] = p["seed"][chosen, 0] ^ np.uint32(0xFFFFFFFF)
    chosen = inside & ~negative
    expected["position"][chosen, 1] *= 2
    expected["kind"][chosen] += p["position"][chosen, 0].astype(np.int32)
    for view in (np.uint8, np.float32):
        got = run(source, p.view(view), 50, grid=(1, 1, 1))[0]
        assert np.array_equal(got.view(dtype), expected)


def test_a_shared_array_of_structs_of_several_types():
    source = """struct Best { float value; int index; };
    __global__ void k(const float* x, int* out) {
        __shared__ Best best[64];
        best[threadIdx.x] = Best{x[threadIdx.x], (int)threadIdx.x};
        __syncthreads();
        for (int s = 32; s > 0; s /= 2) {
            if (threadIdx.x < s && best[threadIdx.x + s].value > best[threadIdx.x].value) {
                best[threadIdx.x] = best[threadIdx.x + s];
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) out[0] = best[0].index;
    }"""
    x = ((np.arange(N) * 37) % 61).astype(np.float32)
    assert run(source, x, np.zeros(1, np.int32), grid=(1, 1, 1))[1][0] == np.argmax(x)


def test_members_of_several_sizes_are_declined():
    source = "struct S { double d; int i; }; __global__ void k(S* s) { s[threadIdx.x].i = 1; }"
    assert declined(source) == ["TIL051"]


def test_pointers_in_memory_are_declined():
    source = "struct S { float* p; float* q; }; __global__ void k(S* s) { s[threadIdx.x].p[0] = 1; }"
    assert declined(source) == ["TIL051"]
