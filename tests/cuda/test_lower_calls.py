"""Intrinsics under their canonical names, and calls of the program's own functions."""

import pytest

from tests.cuda.lowering import body_lines, printed

KERNEL = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <algorithm>
#include <cmath>
__global__ void k(float *x, double *d, int *y, __half *h, __half2 *h2, __nv_bfloat16 *b, unsigned n)
{{ {body} }}
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x[0] = expf(x[1])", "x[0] = exp(x[1])"),
        ("x[0] = exp(x[1])", "x[0] = exp(x[1])"),
        ("d[0] = exp(d[1])", "d[0] = exp(d[1])"),
        ("x[0] = std::sqrt(x[1])", "x[0] = sqrt(x[1])"),
        ("d[0] = sqrt(y[1])", "d[0] = sqrt(float64(y[1]))"),
        ("x[0] = fmaxf(x[1], 2)", "x[0] = fmax(x[1], 2.0f)"),
        ("x[0] = max(x[1], x[2])", "x[0] = fmax(x[1], x[2])"),
        ("y[0] = max(y[1], 3)", "y[0] = max(y[1], 3)"),
        ("y[0] = std::min(y[1], 3)", "y[0] = min(y[1], 3)"),
        ("x[0] = fabsf(x[1])", "x[0] = fabs(x[1])"),
        ("y[0] = abs(y[1])", "y[0] = abs(y[1])"),
        ("x[0] = __expf(x[1])", "x[0] = __expf(x[1])"),
        ("x[0] = powf(x[1], 2)", "x[0] = pow(x[1], 2.0f)"),
        ("x[0] = fmaf(x[1], x[2], x[3])", "x[0] = fma(x[1], x[2], x[3])"),
        ("x[0] = __fmaf_rn(x[1], x[2], x[3])", "x[0] = fma(x[1], x[2], x[3])"),
        ("x[0] = __fadd_rn(x[1], x[2])", "x[0] = x[1] + x[2]"),
        ("x[0] = __frcp_rn(x[1])", "x[0] = 1.0f / x[1]"),
        ("x[0] = rsqrtf(x[1])", "x[0] = rsqrt(x[1])"),
        ("x[0] = isnan(x[1])", "x[0] = float32(isnan(x[1]))"),
        ("y[0] = __float2int_rn(x[1])", "y[0] = int32(rint(x[1]))"),
        ("y[0] = __float2int_rz(x[1])", "y[0] = int32(x[1])"),
        ("x[0] = __int2float_rn(y[1])", "x[0] = float32(y[1])"),
        ("y[0] = __float_as_int(x[1])", "y[0] = bits_as_int32(x[1])"),
        ("y[0] = __popc(n)", "y[0] = __popc(n)"),
        ("x[0] = __ldg(x + 3)", "x[0] = x[3]"),
        ("__stcs(x + 1, 2.0f)", "x[1] = 2.0f"),
        ("n = __umul24(n, 3)", "n = (n & 16777215u) * 3u"),
        ("h[0] = __float2half(x[0])", "h[0] = float16(x[0])"),
        ("h[0] = __hadd(h[1], h[2])", "h[0] = h[1] + h[2]"),
        ("h[0] = h[1] * h[2]", "h[0] = h[1] * h[2]"),
        ("x[0] = __half2float(h[1])", "x[0] = float32(h[1])"),
        ("h[0] = __hmax(h[1], h[2])", "h[0] = fmax(h[1], h[2])"),
        ("h[0] = hexp(h[1])", "h[0] = exp(h[1])"),
        ("y[0] = __hgt(h[1], h[2])", "y[0] = int32(h[1] > h[2])"),
        ("b[0] = __float2bfloat16(x[0] + (float)b[1])", "b[0] = bfloat16(x[0] + float32(b[1]))"),
        ("h2[0] = __float2half2_rn(x[0])", "h2[0] = float16x2{float16(packed), float16(packed)}"),
        ("h2[0] = __floats2half2_rn(1, 2)", "h2[0] = float16x2{1.0h, 2.0h}"),
        ("x[0] = __high2float(h2[1])", "x[0] = float32(h2[1].y)"),
        ("atomicAdd(x, 1)", "atomicAdd(x, 1.0f)"),
        ("y[0] = atomicCAS(y + 1, 2, 3)", "y[0] = atomicCAS(y + 1, 2, 3)"),
        ("n = atomicInc(&n, 5)", "n = atomicInc(&n, 5u)"),
        ("atomicMax_block(y, 4)", "atomicMax(y, 4)"),
        ("n = __ballot_sync(0xffffffff, y[0] > 1)", "n = __ballot_sync(4294967295u, int32(y[0] > 1))"),
        ("y[0] = __all(y[1])", "y[0] = __all_sync(4294967295u, y[1])"),
        ("y[0] = __shfl(y[1], 3)", "y[0] = __shfl_sync(4294967295u, y[1], 3, 32)"),
        ("y[0] = __syncthreads_count(y[1])", "y[0] = __syncthreads_count(y[1])"),
        ("n = __activemask()", "n = __activemask()"),
        ("__syncwarp()", "barrier warp"),
        ("__threadfence()", "barrier fence"),
        ("__trap()", "__trap()"),
    ],
)
def test_intrinsics(expression: str, expected: str) -> None:
    assert body_lines(KERNEL.format(body=f"{expression};"))[-1] == expected


def test_std_max_keeps_its_meaning_for_nan() -> None:
    assert body_lines(KERNEL.format(body="x[0] = std::max(x[1], 2.0f);")) == [
        "operand: float32 = x[1]",
        "x[0] = operand < 2.0f ? 2.0f : operand",
    ]


def test_results_through_pointers() -> None:
    assert body_lines(KERNEL.format(body="float s, c; sincosf(x[0], &s, &c); x[1] = s + c;")) == [
        "s: float32",
        "c: float32",
        "angle: float32 = x[0]",
        "s = sin(angle)",
        "c = cos(angle)",
        "x[1] = s + c",
    ]


def test_printf_and_assert() -> None:
    body = '#include <cassert>\n__global__ void k(int n) { printf("%d %s\\n", n, "text"); assert(n > 2); }'
    assert body_lines(body) == ["printf(n)", "assert(n > 2)"]


def test_memcpy_goes_through_the_bits() -> None:
    body = (
        "int4 v = *(int4 *)y; float t[4]; memcpy(&t, &v, sizeof(v));"
        "__half u[2]; memcpy(u, y + 1, 4); x[0] = t[1];"
    )
    assert body_lines(KERNEL.format(body=body))[2:-1] == [
        "t[0] = bits_as_float32(v.x)",
        "t[1] = bits_as_float32(v.y)",
        "t[2] = bits_as_float32(v.z)",
        "t[3] = bits_as_float32(v.w)",
        "u: float16[2]",
        "u[0] = bits_as_float16(uint16(bits_as_uint32(y[1])))",
        "u[1] = bits_as_float16(uint16(bits_as_uint32(y[1]) >> 16u))",
    ]


def test_functions_keep_their_names_and_effects_their_places() -> None:
    text = """
// Twice.
template <typename T> __device__ T twice(T v) { return v + v; }
__device__ int bump(int *p) { return atomicAdd(p, 1); }
__global__ void k(float *x, int *y) { x[0] = twice(x[1]) + twice(2.0); y[0] = bump(y + 1) * 2; bump(y); }
"""
    assert printed(text).splitlines() == [
        "# Twice.",
        "function twice<float>(v: float32) -> float32 {",
        "  return v + v",
        "}",
        "",
        "# Twice.",
        "function twice<double>(v: float64) -> float64 {",
        "  return v + v",
        "}",
        "",
        "function bump(p: *int32) -> int32 {",
        "  old_value: int32 = atomicAdd(p, 1)",
        "  return old_value",
        "}",
        "",
        "kernel k(x: *float32, y: *int32) {",
        "  x[0] = float32(float64(@twice<float>(x[1])) + @twice<double>(2.0))",
        "  bump_result: int32 = @bump(y + 1)",
        "  y[0] = bump_result * 2",
        "  @bump(y)",
        "}",
    ]


def test_references_and_outputs_are_inlined() -> None:
    text = """
__device__ void order(int &a, int &b) { if (a <= b) return; int t = a; a = b; b = t; }
__global__ void k(int *y) { int m = y[0]; order(m, y[1]); y[2] = m; }
"""
    assert body_lines(text) == [
        "m: int32 = y[0]",
        "if m <= y[1] {",
        "} else {",
        "  t: int32 = m",
        "  m = y[1]",
        "  y[1] = t",
        "}",
        "y[2] = m",
    ]


def test_shared_array_of_an_inlined_function_is_one_array() -> None:
    text = """
__device__ float all(float v) { __shared__ float s[32]; s[threadIdx.x] = v; __syncthreads(); return s[0]; }
__global__ void k(float *x) { x[0] = all(x[1]); x[1] = all(x[2]); }
"""
    assert body_lines(text) == [
        "shared s: float32[32]",
        "x[0] = @all(x[1])",
        "x[1] = @all(x[2])",
    ]


def test_functions_as_template_arguments() -> None:
    text = """
typedef float (*Op)(float);
__device__ float inverse(float v) { return 1 / v; }
template <Op op> __device__ float applied(float v) { return op(v); }
__global__ void k(float *x) { x[0] = applied<inverse>(x[1]); }
"""
    assert body_lines(text) == ["x[0] = @applied<?>(x[1])"]
    assert "return @inverse(v)" in printed(text)
