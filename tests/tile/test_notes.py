"""What is told of kernels that are translated, but keep a pattern that no idiom explains, or lose a call."""

from __future__ import annotations

import numpy as np
import pytest

from porter.core.diagnostic import Diagnostic, Severity
from tests.tile.run_text import run, translated

SIZES = "const float* a, const float* b, float* c, int m, int n, int k"
PLACE = "int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;"


def notes(source: str, block: tuple[int, int, int] = (64, 1, 1)) -> list[Diagnostic]:
    translation = translated(source, block)
    assert not translation.declined, [str(d) for _, d in translation.declined]
    found = [note for kernel in translation.kernels for note in kernel.notes]
    assert all(note.severity is Severity.NOTE for note in found)
    return found


def told(source: str, block: tuple[int, int, int] = (64, 1, 1)) -> list[tuple[str, int]]:
    """The codes and lines."""
    return [(note.code, note.span.line) for note in notes(source, block)]


TILED = f"""__global__ void k({SIZES}) {{
  __shared__ float x[16][16];
  __shared__ float y[16][16];
  {PLACE}
  float sum = 0.0f;
  for (int t = 0; t < k; t += 16) {{
    x[threadIdx.y][threadIdx.x] = a[row * k + t + threadIdx.x];
    y[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
    FIRST
    for (int j = 0; j < 16; ++j)
      sum += x[threadIdx.y][j] * y[j][threadIdx.x];
    __syncthreads();
  }}
  if (row < m && col < n) c[row * n + col] = sum;
}}"""


def test_a_product_without_its_barrier_says_so():
    found = notes(TILED.replace("FIRST", ""), (16, 16, 1))
    assert [(note.code, note.span.line) for note in found] == [("TIL062", 2), ("TIL062", 3), ("TIL060", 6)]
    assert "no barrier" in found[-1].message
    assert all(note.hint for note in found)
    assert told(TILED.replace("FIRST", "__syncthreads();"), (16, 16, 1)) == []


@pytest.mark.parametrize(
    "body",
    [
        "float s = 0; for (int j = 0; j < k; ++j) s += a[j * n + i] * b[j * n + i]; c[i] = s;",
        "float s = 0; for (int j = 0; j < k; ++j) s += a[i + j] * b[j]; c[i] = s;",
        "float s = 0; for (int j = i; j < k; j += 64) s += a[j] * b[j]; atomicAdd(c, s);",
        "float s = 0; for (int j = 0; j < k; ++j) { float d = a[j] - b[i]; s += d * d; } c[i] = s;",
        "if (i < n) { float s = 0; for (int j = 0; j < k; ++j) s += a[i * 8 + j] * b[j]; c[i] = s; }",
    ],
    ids=["columns", "filter", "dot", "distances", "filter under a condition"],
)
def test_other_sums_of_products_are_no_matrix_products(body):
    assert told(f"__global__ void k({SIZES}) {{ int i = threadIdx.x; {body} }}") == []


def test_a_combination_of_lanes_that_is_no_reduction():
    source = """__global__ void k(float* x) {
      float v = x[threadIdx.x];
      for (int o = 16; o > 0; o /= 2)
        v = v - __shfl_down_sync(0xffffffffu, v, o);
      x[threadIdx.x] = v;
    }"""
    assert told(source) == [("TIL061", 4)]
    assert (
        told(source.replace("v - __", "v + __").replace("x[threadIdx.x] = v;", "if (!threadIdx.x) *x = v;"))
        == []
    )


def test_an_exchange_of_lanes_is_no_reduction():
    assert (
        told("__global__ void k(float* x) { x[threadIdx.x] = __shfl_xor_sync(~0u, x[threadIdx.x], 1); }")
        == []
    )


def test_a_tree_in_shared_memory_that_is_no_reduction():
    source = """__global__ void k(float* x) {
      __shared__ float s[64];
      s[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      for (int o = 32; o > 0; o /= 2) {
        if (threadIdx.x < o)
          s[threadIdx.x] = s[threadIdx.x] - s[threadIdx.x + o];
        __syncthreads();
      }
      if (threadIdx.x == 0) *x = s[0];
    }"""
    assert told(source) == [("TIL061", 7)]
    assert told(source.replace("] - s", "] + s")) == []


def test_counters_that_are_no_power_of_two():
    source = """__global__ void k(const int* x, int* out) {
      __shared__ int bins[48];
      if (threadIdx.x < 48) bins[threadIdx.x] = 0;
      __syncthreads();
      atomicAdd(&bins[x[threadIdx.x] & 31], 1);
      __syncthreads();
      if (threadIdx.x < 48) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
    }"""
    (note,) = notes(source)
    assert (note.code, note.span.line) == ("TIL063", 2)
    assert "power of two" in note.message
    assert told(source.replace("48", "32")) == []


def test_shared_memory_with_two_names():
    source = """__global__ void k(float* x) {
      extern __shared__ float s[];
      extern __shared__ int t[];
      s[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      x[threadIdx.x] = t[63 - threadIdx.x];
    }"""
    (note,) = notes(source)
    assert note.code == "TIL062"
    assert "several names" in note.message


def test_calls_that_are_left_out():
    source = """#include <cassert>
    #include <cstdio>
    __device__ void check(int n) { if (n < 0) __trap(); }
    __device__ void unused(int n) { assert(n); }
    __global__ void k(float* x, int n) {
      assert(n > 0);
      check(n);
      x[threadIdx.x] += 1.0f;
      if (n == 7) printf("%d %f", n, x[0]);
    }"""
    found = notes(source)
    assert [(n.code, n.span.line) for n in found] == [("TIL064", 6), ("TIL064", 9), ("TIL064", 3)]
    assert [n.message.split("`")[1] for n in found] == ["assert", "printf", "__trap"]
    (x,) = run(source, np.arange(64, dtype=np.float32), 7, grid=(1, 1, 1))
    assert (x == np.arange(64) + 1).all()
