"""What statements and expressions become, as text."""

import pytest

from tests.cuda.lowering import body_lines, printed

KERNEL = "__global__ void k(float *x, int *y, int n) {{ {body} }}"


def lowered(body: str) -> list[str]:
    return body_lines(KERNEL.format(body=body))


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("y[0] = n + 1;", ["y[0] = n + 1"]),
        ("x[n] *= 2;", ["x[n] = x[n] * 2.0f"]),
        ("y[n] += 2.5f;", ["y[n] = int32(float32(y[n]) + 2.5f)"]),
        ("n++;", ["n = n + 1"]),
        ("y[n++] = 3;", ["n_before: int32 = n", "n = n + 1", "y[n_before] = 3"]),
        ("y[--n] = 3;", ["n = n - 1", "y[n] = 3"]),
        ("*x = *(x + n);", ["x[0] = x[n]"]),
        ("float *p = x + 4; p -= n;", ["p: *float32 = x + 4", "p = p + -n"]),
        ("x[0] = n ? x[1] : x[2];", ["x[0] = bool(n) ? x[1] : x[2]"]),
        ("y[0] = !n;", ["y[0] = int32(!bool(n))"]),
        ("y[0] = -7 / 2 + ~0u;", ["y[0] = -4"]),
        ("y[0] = sizeof(double) * 4;", ["y[0] = 32"]),
        ("int i = threadIdx.x;", ["i: int32 = int32(threadIdx.x)"]),
        (
            "y[0] = blockIdx.y * gridDim.z + warpSize;",
            ["y[0] = int32(blockIdx.y * gridDim.z + uint32(warpSize))"],
        ),
        ("const int c = 5; y[0] = c;", ["y[0] = 5"]),
        ("(void)n; ;", []),
        ("float &r = x[n]; n = 2; r = 1;", ["r_index: int32 = n", "n = 2", "x[r_index] = 1.0f"]),
        ("const float &r = x[3]; y[0] = r > 1;", ["y[0] = int32(x[3] > 1.0f)"]),
    ],
)
def test_simple_statements(body: str, lines: list[str]) -> None:
    assert lowered(body) == lines


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("if (n) y[0] = 1; else y[0] = 2;", ["if bool(n) {", "  y[0] = 1", "} else {", "  y[0] = 2", "}"]),
        ("if (sizeof(int) == 4) y[0] = 1; else y[0] = 2;", ["y[0] = 1"]),
        ("for (int i = 0; i < n; i++) y[i] = i;",
         ["for i: int32 = 0; i < n; i = i + 1 {", "  y[i] = i", "}"]),
        ("for (; n;) break;", ["for ; bool(n);  {", "  break", "}"]),
        ("for (int i = 0;; i++) { if (i) continue; }",
         ["for i: int32 = 0; true; i = i + 1 {", "  if bool(i) {", "    continue", "  }", "}"]),
        ("while (n-- > 0) y[n] = 0;",
         ["while true {", "  n_before: int32 = n", "  n = n - 1", "  if !(n_before > 0) {", "    break",
          "  }",
          "  y[n] = 0", "}"]),
        ("do { y[n] = 1; } while (--n);",
         ["while true {", "  y[n] = 1", "  n = n - 1", "  if !bool(n) {", "    break", "  }", "}"]),
        ("do { if (n > 9) continue; y[n] = 1; } while (n--);",
         ["while true {", "  if n > 9 {", "    n_before_2: int32 = n", "    n = n - 1",
          "    if !bool(n_before_2) {", "      break", "    }", "    continue", "  }", "  y[n] = 1",
          "  n_before: int32 = n", "  n = n - 1", "  if !bool(n_before) {", "    break", "  }", "}"]),
        ("do { y[n] = 1; } while (0);", ["y[n] = 1"]),
        ("switch (n) { case 1: case 2: y[0] = 1; break; default: y[0] = 2; }",
         ["if n == 1 || n == 2 {", "  y[0] = 1", "} else {", "  y[0] = 2", "}"]),
        ("if (n > 3) return; y[0] = 1;", ["if n > 3 {", "  return", "}", "y[0] = 1"]),
        ("y[0] = 1; return;", ["y[0] = 1"]),
    ],
)  # fmt: skip
def test_control_flow(body: str, lines: list[str]) -> None:
    assert lowered(body) == lines


def test_effects_in_conditions_are_guarded() -> None:
    assert lowered("if (n > 0 && atomicAdd(y, 1) < 5) x[0] = 1;") == [
        "condition: bool = n > 0",
        "if condition {",
        "  old_value: int32 = atomicAdd(y, 1)",
        "  condition = old_value < 5",
        "}",
        "if condition {",
        "  x[0] = 1.0f",
        "}",
    ]


def test_call_with_an_effect_is_a_whole_right_hand_side() -> None:
    assert lowered(
        "float v = __shfl_down_sync(0xffffffffu, x[0], 4); v += __shfl_xor_sync(~0u, v, 1, 8);"
    ) == [
        "v: float32 = __shfl_down_sync(4294967295u, x[0], 4u, 32)",
        "shuffled: float32 = __shfl_xor_sync(4294967295u, v, 1, 8)",
        "v = v + shuffled",
    ]


def test_comments_go_with_the_statement_below_or_beside() -> None:
    text = """
// Doubles x.
__global__ void k(float *x) {
    // the thread's place
    int i = threadIdx.x; // one block
    /* twice
     * as much */
    x[i] *= 2;

    // alone

    for (int j = 0; j < 3; j++) // three times
        x[j] = 4;
    char c = '"'; /* " */ x[0] = c;
    __syncthreads(); // all together
}
"""
    assert printed(text).splitlines() == [
        "# Doubles x.",
        "kernel k(x: *float32) {",
        "  # the thread's place",
        "  # one block",
        "  i: int32 = int32(threadIdx.x)",
        "  # twice",
        "  # as much",
        "  x[i] = x[i] * 2.0f",
        "  # three times",
        "  for j: int32 = 0; j < 3; j = j + 1 {",
        "    x[j] = 4.0f",
        "  }",
        '  # "',
        "  c: int8 = 34i8",
        "  x[0] = float32(c)",
        "  # all together",
        "  barrier block",
        "}",
    ]


def test_shared_memory_and_its_carving() -> None:
    assert lowered(
        "extern __shared__ float all[]; __shared__ int tile[4][5]; __shared__ int hits;"
        "int *second = (int *)&all[n]; tile[threadIdx.y][2] = second[1]; hits = 0;"
    ) == [
        "dynamic_shared all: float32[0]",
        "shared tile: int32[4, 5]",
        "shared hits: int32",
        "second: *int32 = *int32(&all[n])",
        "tile[threadIdx.y][2] = second[1]",
        "hits = 0",
    ]


def test_globals_constants_and_bounds() -> None:
    text = """
__constant__ float taps[3] = {1, 2.5f};
__device__ int hits;
static const int table[2] = {3, 4};
constexpr int kSize = 4;
enum { kLast = kSize * 2 };
__global__ void __launch_bounds__(kSize * 32, 2) k(float *x, int n) {
    x[n] = taps[n] + table[n & 1] + kLast;
    atomicAdd(&hits, 1);
}
"""
    assert printed(text).splitlines() == [
        "constant taps: float32[3] = {1.0, 2.5, 0.0}",
        "constant table: int32[2] = {3, 4}",
        "global hits: int32",
        "kernel k(x: *float32, n: int32) launch_bounds(128, 2) {",
        "  x[n] = taps[n] + float32(table[n & 1]) + 8.0f",
        "  atomicAdd(&hits, 1)",
        "}",
    ]


def test_local_arrays() -> None:
    assert lowered(
        "float t[2] = {1}; const int c[2][2] = {{1, 2}, {3}}; float z[200] = {}; x[0] = t[n] + "
        "c[1][n] + z[n];"
    ) == [
        "t: float32[2]",
        "t[0] = 1.0f",
        "t[1] = 0.0f",
        "c: int32[2, 2] = {1, 2, 3, 0}",
        "z: float32[200]",
        "for element: int32 = 0; element < 200; element = element + 1 {",
        "  z[element] = 0.0f",
        "}",
        "x[0] = t[n] + float32(c[1][n]) + z[n]",
    ]


def test_vectors_are_values_with_members() -> None:
    assert lowered(
        "float4 v = reinterpret_cast<float4 *>(x)[n]; v.x += v.w; int2 p = make_int2(n, 2);"
        "*(float2 *)&x[4] = make_float2(p.y, 1); uint3 t = threadIdx; y[t.y] = blockDim.x; float2 "
        "z{}; x[0] = z.y;"
    ) == [
        "v: float32x4 = *float32x4(x)[n]",
        "v.x = v.x + v.w",
        "p: int32x2 = int32x2{n, 2}",
        "*float32x2(&x[4])[0] = float32x2{float32(p.y), 1.0f}",
        "t: uint32x3 = uint32x3{threadIdx.x, threadIdx.y, threadIdx.z}",
        "y[t.y] = int32(blockDim.x)",
        "z: float32x2 = float32x2{0.0f, 0.0f}",
        "x[0] = z.y",
    ]


def test_shared_memory_of_the_file_is_declared_by_each_kernel_that_uses_it() -> None:
    source = """extern __shared__ float s[];
        __shared__ int total;
        __shared__ int unused;
        __global__ void k(float *x) { if (x) s[threadIdx.x] = total; }"""
    inside = """__global__ void k(float *x) {
            extern __shared__ float s[];
            __shared__ int total;
            if (x) s[threadIdx.x] = total; }"""
    declared = body_lines(inside)
    assert sorted(body_lines(source)[:2]) == sorted(declared[:2])
    assert body_lines(source)[2:] == declared[2:]
    assert not any("unused" in line for line in declared)
