"""Work counted from the IR of kernels written here, against counts by hand."""

from __future__ import annotations

import pytest

from porter.core.span import SourceText
from porter.cuda.kir import Kernel
from porter.cuda.lower_kernel import Lowered, lower_kernels
from porter.perf.work import LaunchFacts, Work, work_of_launch


def kernel(text: str) -> Kernel:
    (found,) = lower_kernels(SourceText("k.cu", text.encode()))
    assert isinstance(found, Lowered), found
    return found.kernel


def count(text: str, launch: LaunchFacts) -> Work:
    return work_of_launch(kernel(text), launch)


def launch(
    grid: int,
    block: int,
    scalars: dict[str, int | float] | None = None,
    buffers: dict[str, int] | None = None,
) -> LaunchFacts:
    return LaunchFacts((grid, 1, 1), (block, 1, 1), scalars or {}, buffers or {})


INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def test_saxpy() -> None:
    text = f"""__global__ void saxpy(int n, float a, const float* x, float* y) {{
      {INDEX}
      if (i < n) y[i] = a * x[i] + y[i];
    }}"""
    n = 1000
    found = count(text, launch(4, 256, {"n": n, "a": 2.0}, {"x": 4 * n, "y": 4 * n}))
    assert (found.bytes_read, found.bytes_written) == (8 * n, 4 * n)
    assert found.flops_by_dtype == {"f32": 2 * n}
    assert found.assumptions == ()
    assert (found.workgroups, found.threads_per_block) == (4, 256)


def test_a_sample_is_exact_for_threads_that_differ_within_a_block() -> None:
    text = """__global__ void first(float* out) {
      if (threadIdx.x == 0) out[blockIdx.x] = 1.0f;
    }"""
    found = count(text, launch(1 << 20, 256, {}, {"out": 4 << 20}))
    assert found.bytes_written == 4 << 20
    assert "threads were counted" in found.assumptions[0]


def test_what_all_threads_share_is_moved_once() -> None:
    text = f"""__global__ void shared_row(const double* table, double* y, int k) {{
      {INDEX}
      double sum = 0;
      for (int j = 0; j < k; ++j) sum += table[j] * j;
      y[i] = sum;
    }}"""
    found = count(text, launch(64, 128, {"k": 100}, {"table": 800, "y": 8 * 64 * 128}))
    assert (found.bytes_read, found.bytes_written) == (800, 8 * 64 * 128)
    assert found.flops_by_dtype == {"f64": 2 * 100 * 64 * 128}


def test_nested_loops_with_many_iterations_are_scaled() -> None:
    text = f"""__global__ void nested(float* y, int k) {{
      {INDEX}
      float sum = 0;
      for (int a = 0; a < k; ++a)
        for (int b = 0; b < k; ++b) sum += 1.0f;
      y[i] = sum;
    }}"""
    assert count(text, launch(1, 4, {"k": 200})).flops_by_dtype == {"f32": 4 * 200 * 200}


def test_a_grid_stride_loop() -> None:
    text = """__global__ void stride(const float* x, float* y, int n) {
      int step = gridDim.x * blockDim.x;
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) y[i] = x[i] + 1.0f;
    }"""
    n = 1 << 16
    found = count(text, launch(4, 64, {"n": n}, {"x": 4 * n, "y": 4 * n}))
    assert (found.bytes_read, found.bytes_written) == (4 * n, 4 * n)
    assert found.flops_by_dtype == {"f32": n}


def test_shared_memory_does_not_cross_the_bus() -> None:
    text = """__global__ void tree(const float* x, float* y) {
      __shared__ float s[256];
      int t = threadIdx.x;
      s[t] = x[blockIdx.x * 256 + t];
      __syncthreads();
      for (int o = 128; o > 0; o /= 2) {
        if (t < o) s[t] += s[t + o];
        __syncthreads();
      }
      if (t == 0) y[blockIdx.x] = s[0];
    }"""
    found = count(text, launch(8, 256, {}, {"x": 8 * 1024, "y": 32}))
    assert (found.bytes_read, found.bytes_written) == (8 * 1024, 32)
    assert found.flops_by_dtype == {"f32": 8 * 255}


def test_a_pointer_into_a_buffer_is_that_buffer() -> None:
    text = """__global__ void rows(const float* input, float* out, int columns) {
      const float* row = input + blockIdx.x * columns;
      for (int c = threadIdx.x; c < columns; c += blockDim.x) out[blockIdx.x * columns + c] = row[c] * 2.0f;
    }"""
    found = count(text, launch(16, 32, {"columns": 100}, {"input": 6400, "out": 6400}))
    assert (found.bytes_read, found.bytes_written) == (6400, 6400)


def test_vectors_and_atomics() -> None:
    text = f"""__global__ void sum4(const float4* x, float* total) {{
      {INDEX}
      float4 v = x[i];
      atomicAdd(total, v.x + v.y + v.z + v.w);
    }}"""
    found = count(text, launch(2, 64, {}, {"x": 16 * 128, "total": 4}))
    assert (found.bytes_read, found.bytes_written) == (16 * 128 + 4, 4)
    assert found.flops_by_dtype == {"f32": 4 * 128}


def test_a_branch_on_data_counts_its_cheaper_side_and_says_so() -> None:
    text = f"""__global__ void branch(const float* x, float* y) {{
      {INDEX}
      float v = x[i];
      if (v > 0.0f) {{
        y[i] = v;
      }} else {{
        y[i] = v * v * v * v;
      }}
    }}"""
    found = count(text, launch(1, 16))
    assert found.flops_by_dtype.get("f32", 0) == 0
    assert found.bytes_written == 64
    assert any("cheaper side" in a and a.startswith("line 4:") for a in found.assumptions)


def test_a_loop_on_data_counts_one_iteration_and_says_so() -> None:
    text = f"""__global__ void sparse(const int* start, const float* value, float* y) {{
      {INDEX}
      float sum = 0;
      for (int j = start[i]; j < start[i + 1]; ++j) sum += value[j];
      y[i] = sum;
    }}"""
    found = count(text, launch(1, 16))
    assert found.flops_by_dtype == {"f32": 16}
    assert any("one iteration" in a for a in found.assumptions)


def test_device_functions_are_followed() -> None:
    text = f"""__device__ float square(float v) {{ return v * v; }}
    __global__ void apply(const float* x, float* y) {{
      {INDEX}
      y[i] = square(x[i]) + square(2.0f);
    }}"""
    assert count(text, launch(1, 8)).flops_by_dtype == {"f32": 3 * 8}


def test_an_unknown_scalar_leaves_a_lower_bound() -> None:
    text = f"""__global__ void guarded(int n, float* y) {{
      {INDEX}
      if (i < n) y[i] = 1.0f;
    }}"""
    found = count(text, launch(1, 8))
    assert found.bytes_written == 0
    assert found.assumptions


@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 1000])
def test_counts_do_not_depend_on_how_they_are_sampled(n: int) -> None:
    text = f"""__global__ void ramp(float* y, int n) {{
      {INDEX}
      float sum = 0;
      for (int j = 0; j < n; ++j) sum += 1.0f;
      y[i] = sum;
    }}"""
    found = count(text, launch(512, 256, {"n": n}))
    assert found.flops_by_dtype.get("f32", 0) == pytest.approx(n * 512 * 256)
