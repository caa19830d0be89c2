"""What a translation to Triton tells of kernels that nothing launches, macros define, or includes need."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Porter

WITHOUT_MAIN = """__global__ void flat(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2.0f;
}
__global__ void __launch_bounds__(64) small(float* x) { x[threadIdx.x] = x[threadIdx.x ^ 1]; }
__device__ int row() { return threadIdx.y; }
__global__ void tiled(float* x) { x[row() * blockDim.x + threadIdx.x] = 1.0f; }
"""

BY_MACRO = """#define KERNEL(name, value) __global__ void name(float* x) { x[threadIdx.x] = value; }
KERNEL(one, 1.0f)
KERNEL(ticks, (float)clock64())
int main() {
    float* x; float h[32] = {};
    cudaMalloc(&x, sizeof(h));
    cudaMemset(x, 0, sizeof(h));
    one<<<1, 32>>>(x);
    cudaMemcpy(h, x, sizeof(h), cudaMemcpyDeviceToHost);
    return h[31] == 1.0f ? 0 : 1;
}
"""

MISSING = """#ifdef NEVER
#include "never.h"
#endif
  #include "sizes/block.h"
__global__ void flat(float* x) { x[threadIdx.x] = 1.0f; }
__global__ void typed(element_t* x) { x[threadIdx.x] = 1; }
int main() { float* x; cudaMalloc(&x, 4096); flat<<<1, THREADS>>>(x); return 0; }
"""

KEPT = """#include <cstdio>
__global__ void last(int* x, int n) {
    __shared__ int s[32];
    s[x[threadIdx.x] & 31] = threadIdx.x & 0;
    if (n > 99) printf("%d", n);
    __syncthreads();
    x[threadIdx.x] = s[x[threadIdx.x] & 31] + n;
}
template <int N> __global__ void times(int* x) { x[threadIdx.x] *= N; }
__global__ void sum(const int* a, int* o) { o[threadIdx.x] += a[threadIdx.x]; }
int main() {
    int *x, h[32] = {};
    for (int i = 0; i < 32; ++i) h[i] = i;
    cudaMalloc(&x, sizeof(h));
    cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);
    if (h[1] == 7) times<64><<<1, 32>>>(x);
    times<32><<<1, 32>>>(x);
    times<16><<<1, 32>>>(x);
    sum<<<1, 16>>>(x + 16, x);
    last<<<1, 32>>>(x, 3);
    cudaMemcpy(h, x, sizeof(h), cudaMemcpyDeviceToHost);
    return h[31] == 3 ? 0 : 1;
}
"""


def translated(porter: Porter, text: str, *options: str) -> tuple[int, dict[str, dict[str, object]], str]:
    """The exit code, the report's units by kernel, and all that was printed."""
    Path("k.cu").write_text(text)
    ran = porter("translate", "k.cu", "--target", "triton", "-o", "k.py", "--json", "--force", *options)
    report = json.loads(ran.out)
    return ran.code, {unit["kernel"]: unit for unit in report["units"]}, ran.out


def test_without_a_launch_the_block_is_the_callers(porter: Porter) -> None:
    _, units, told = translated(porter, WITHOUT_MAIN, "--no-check")
    assert {name: unit["outcome"] for name, unit in units.items()} == {
        "flat": "partial",
        "small": "partial",
        "tiled": "declined",
    }
    assert all(word in told for word in ("TIL040", "--no-check", "constant block size", "porter.toml"))
    module = Path("k.py").read_text()
    assert "def flat(x, n, *, grid, block):" in module
    assert "def small(x, *, grid, block):" in module
    assert "Not checked: porter has neither built this module" in module


def test_kernels_of_macros_have_their_rows(porter: Porter) -> None:
    code, units, told = translated(porter, BY_MACRO)
    assert "porter.toml" in told
    assert "--no-check" not in told
    assert {name: unit["outcome"] for name, unit in units.items()} == {"one": "ported", "ticks": "declined"}
    assert code == 1
    assert "Not checked" not in Path("k.py").read_text()
    code, units, _ = translated(porter, BY_MACRO, "--kernel", "one", "--no-check")
    assert (code, list(units)) == (0, ["one"])


def test_a_missing_include_is_told_first(porter: Porter) -> None:
    code, units, told = translated(porter, MISSING)
    (finding,) = [f for f in json.loads(told)["findings"] if f["code"] == "TIL041"]
    assert "sizes/block.h" in finding["message"]
    assert (finding["line"], finding["column"]) == (4, 12)
    assert "-I" in finding["hint"]
    assert code == 1
    assert (units["flat"]["outcome"], units["typed"]["outcome"]) == ("partial", "declined")
    assert "TIL040" not in told
    Path("sizes").mkdir()
    Path("sizes/block.h").write_text("#define THREADS 64\ntypedef float element_t;\n")
    assert "TIL041" not in translated(porter, MISSING, "--no-check")[2]


def test_what_was_kept_or_left_out_is_a_note_and_no_fault(porter: Porter) -> None:
    code, units, _ = translated(porter, KEPT)
    assert (code, units["last"]["outcome"]) == (0, "ported")
    found = units["last"]["findings"]
    assert isinstance(found, list)
    assert [(f["code"], f["severity"], f["line"]) for f in found] == [
        ("TIL062", "note", 3),
        ("TIL064", "note", 5),
    ]
    assert units["times"]["outcome"] == "ported"  # each launch by the launcher of its instantiation
    assert "times = times_64\n" in Path("k.py").read_text()
    assert units["sum"]["outcome"] == "ported"  # although Python has the name
    text = porter("translate", "k.cu", "--target", "triton", "-o", "k.py", "--force", "--no-check").out
    assert "note: shared memory `s` becomes a buffer in global memory" in text
    assert "is left out" in porter("explain", "TIL064").out


@pytest.mark.parametrize("kernel", ["absent", "threadIdx"])
def test_no_such_kernel(porter: Porter, kernel: str) -> None:
    Path("k.cu").write_text(WITHOUT_MAIN)
    assert porter("translate", "k.cu", "--target", "triton", "--kernel", kernel).code == 2
