"""Loops that wait for other threads are declined; loops that get on by themselves are not."""

import numpy as np
import pytest

from tests.tile.run_text import declined, run

WAITING = {
    "a spin lock": "if (threadIdx.x == 0) { while (atomicCAS(m, 0, 1) != 0); *x += 1; atomicExch(m, 0); }",
    "a lock by exchange": "while (atomicExch(m, 1) == 1) { } x[0] += 1; atomicExch(m, 0);",
    "a barrier across the grid": """if (threadIdx.x == 0) {
        atomicAdd(m, 1);
        while (*(volatile int*)m < gridDim.x);
    }
    __syncthreads();
    x[threadIdx.x] = m[0];""",
    "a look by atomicAdd": "int v; do { v = atomicAdd(&m[blockIdx.x], 0); } while (v == 0); x[0] = v;",
    "a flag with a rest": """while (true) {
        const int state = m[blockIdx.x - 1];
        const int done = state & 1;
        if (done) break;
        __nanosleep(20);
    }
    x[0] = 1;""",
    "a shared flag": """__shared__ volatile int ready;
    if (threadIdx.x == 0) ready = 1;
    while (!ready) __threadfence_block();
    x[threadIdx.x] = 1;""",
}

WORKING = {
    "an update by atomicCAS": """int old = m[0], assumed;
    do { assumed = old; old = atomicCAS(m, assumed, assumed + 2); } while (old != assumed);""",
    "a counter": "int tries = 0; while (m[1] == 0 && tries < 3) ++tries; atomicAdd(m, 2 * tries - 4);",
    "a walk": "int at = 2; while (m[at] != 0) at = m[at]; atomicAdd(m, at);",
    "a stack of work": "while (true) { const int k = atomicAdd(m, 2); if (k >= 0) break; }",
    "a block in braces": "do { const int k = m[3]; if (k) { atomicAdd(m, 2); } } while (0);",
    "left at once": "for (;;) { const int k = m[3]; atomicAdd(m, k); break; }",
}


@pytest.mark.parametrize("body", WAITING.values(), ids=WAITING)
def test_waiting_is_declined(body):
    assert declined(f"__global__ void k(int* m, int* x) {{ {body} }}") == ["TIL053"]


@pytest.mark.parametrize("body", WORKING.values(), ids=WORKING)
def test_what_gets_on_is_translated(body):
    m = np.int32([0, 0, 3, 2])
    m[3] = 0 if "at = " in body else 2
    got = run(f"__global__ void k(int* m) {{ {body} }}", m, grid=(1, 1, 1))[0]
    expected = {"a walk": 3, "a counter": 2}.get(next(n for n, b in WORKING.items() if b == body), 2)
    assert got[0] == 64 * expected


def test_waiting_in_a_device_function():
    source = """__device__ void lock(int* m) { while (atomicCAS(m, 0, 1)); }
    __global__ void k(int* m, int* x) { if (!threadIdx.x) { lock(m); *x += 1; atomicExch(m, 0); } }"""
    assert declined(source) == ["TIL053"]
