"""Kernels that look like what may be rewritten, and differ in one thing: the results stay CUDA's."""

import numpy as np
import pytest

from tests.tile.run_text import run, translated

HEAD = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
SHUFFLES = "for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);"


def ran(
    parameters: str, body: str, *arguments: object, blocks: int = 1, threads: int = 64
) -> list[np.ndarray]:
    source = f"__global__ void k({parameters}) {{ {body} }}"
    return run(source, *arguments, grid=(blocks, 1, 1), block=(threads, 1, 1))


@pytest.mark.parametrize(
    "body",
    [
        f"{HEAD} size_t off = threadIdx.x; int a = (int)off; out[i] = a;",
        f"{HEAD} int tid = threadIdx.x; size_t off = tid; unsigned again = off; out[i] = again;",
    ],
)
def test_a_thread_s_number_under_other_names_keeps_its_block(body: str) -> None:
    assert np.array_equal(ran("int* out", body, np.zeros(256, np.int32), blocks=4)[0], np.arange(256) % 64)


@pytest.mark.parametrize(
    ("parameters", "body", "values", "start", "expected"),
    [
        # Each block's total is cut off for itself.
        ("const float* v, int* out",
         f"float x = v[i]; {SHUFFLES} if (threadIdx.x == 0) atomicAdd(out, (int)x);",
         np.full(128, 0.11, np.float32), np.zeros(1, np.int32), 4 * 3),
        # Each block's total wraps for itself.
        ("const unsigned* v, unsigned long long* out",
         f"unsigned x = v[i]; {SHUFFLES} if (threadIdx.x == 0) atomicAdd(out, (unsigned long long)x);",
         np.full(128, 0xFFFFFFFF, np.uint32), np.zeros(1, np.uint64), 4 * (0xFFFFFFFF * 32 & 0xFFFFFFFF)),
        # The largest of the blocks' largest as unsigned numbers.
        ("const int* v, unsigned* out",
         "int x = v[i]; for (int d = 16; d > 0; d /= 2) x = max(x, __shfl_xor_sync(~0u, x, d));"
         " if (threadIdx.x == 0) atomicMax(out, (unsigned)x);",
         np.where(np.arange(128) < 32, -3, 255).astype(np.int32), np.zeros(1, np.uint32), 2**32 - 3),
    ],
)  # fmt: skip
def test_totals_that_are_changed_before_they_are_added_up(parameters, body, values, start, expected) -> None:
    got = ran(parameters, f"{HEAD} {body}", values, start, blocks=4, threads=32)[1]
    assert int(got[0]) == expected


def test_totals_where_the_first_thread_has_left() -> None:
    body = f"""{HEAD} if (i < n) return;
        int c = __syncthreads_count(v[i] > 2); if (threadIdx.x == 0) atomicAdd(out, c);"""
    v = np.full(256, 3, np.int32)
    got = ran("const int* v, int* out, int n", body, v, np.zeros(1, np.int32), 10, blocks=8, threads=32)[1]
    assert got[0] == 7 * 32


@pytest.mark.parametrize(("r", "first"), [(3, 0), (0, 0)])
def test_a_signed_counter_against_an_unsigned_bound(r: int, first: int) -> None:
    body = f"{HEAD} int s = 0; for (int j = i - r; j < n; ++j) s += v[j & 31]; out[i] = s;"
    v = np.arange(32, dtype=np.int32)
    got = ran(
        "const int* v, int* out, int r, unsigned n", body, v, np.zeros(32, np.int32), r, 20, threads=32
    )[1]
    assert got.tolist() == [sum(v[j & 31] for j in range(i - r, 20)) if i >= r else 0 for i in range(32)]


def test_the_end_of_a_row_that_its_loop_moves() -> None:
    body = "int m = 5; for (int c = threadIdx.x; c < m; c += 64) { m = max(m, x[c]); out[c] = 3; }"
    x = np.where(np.arange(300) < 5, 200, 0).astype(np.int32)
    got = ran("const int* x, int* out", body, x, np.zeros(300, np.int32))[1]
    wanted = np.zeros(300, np.int32)
    for t in range(64):
        m, c = 5, t
        while c < m:
            m, wanted[c], c = max(m, x[c]), 3, c + 64
    assert np.array_equal(got, wanted)


def test_two_stores_of_a_row_at_a_distance() -> None:
    body = "for (int c = threadIdx.x; c < n; c += 64) { out[c] = 1; out[c + 64] = -1; }"
    got = ran("int* out, int n", body, np.zeros(300, np.int32), 200)[0]
    wanted = np.zeros(300, np.int32)
    for t in range(64):
        for c in range(t, 200, 64):
            wanted[c], wanted[c + 64] = 1, -1
    assert np.array_equal(got, wanted)


def test_a_pointer_to_const_may_be_the_row_that_is_stored() -> None:
    source = """__global__ __launch_bounds__(64) void k(const int* in, int* out, int n) {
        for (int c = threadIdx.x; c < n; c += 64) out[c] = in[c % 64] + 1; }"""
    assert "lanes = " not in translated(source).text


@pytest.mark.parametrize(("first", "end", "step"), [(10, 3, -1), (3, 3, 0), (0, 9, 2)])
def test_steps_that_are_arguments(first: int, end: int, step: int) -> None:
    body = "int s = 0; for (int j = a; j < n; j += step) s += j + 1; out[threadIdx.x] = s;"
    got = ran("int* out, int a, int n, int step", body, np.zeros(64, np.int32), first, end, step)[0]
    assert set(got.tolist()) == {sum(j + 1 for j in range(first, end, step)) if step > 0 else 0}


def test_a_mask_of_what_changes_later() -> None:
    body = f"""{HEAD} if (i >= n) return;
        for (int k = 0; k < 3; ++k) {{ if (i < m) out[k] = k + 1; n -= 40; }}"""
    got = ran("int* out, int n, int m", body, np.zeros(3, np.int32), 1, 64)[0]
    assert got.tolist() == [1, 2, 3]


def test_a_bound_in_memory_that_the_loop_changes() -> None:
    body = """if (threadIdx.x) return; int s = 0;
        for (int j = 0; j < q[0]; ++j) { int old = atomicSub(&q[0], 1); s = s * 10 + old; } out[0] = s;"""
    q, out = ran("int* q, int* out", body, np.array([6], np.int32), np.zeros(1, np.int32))
    assert (q[0], out[0]) == (3, 654)


def test_a_start_in_memory_that_changes_before_the_loop() -> None:
    source = """__device__ int g; __global__ void k(int* out, int n) { if (threadIdx.x) return;
        int i = g; int old = atomicAdd(&g, 3); int s = old; while (i < n) { s += i; i += 1; } out[0] = s; }"""
    text = translated(source).text
    assert text.index("= tl.load(g_ptr") < text.index("tl.atomic_add(")


def test_a_byte_that_several_threads_are_zero_in() -> None:
    body = "unsigned char t = threadIdx.x; if (t == 0) atomicAdd(out, 1);"
    assert ran("int* out", body, np.zeros(1, np.int32), threads=512)[0][0] == 2
