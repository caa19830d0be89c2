"""`inline_functions`: what stays an expression, what becomes statements, and what must not be shared."""

from porter.cuda.inline import inline_functions
from porter.cuda.kir import CallFunction, Declare, Kernel
from porter.cuda.kir_printer import print_statements
from porter.cuda.kir_verifier import verify_kernel
from porter.cuda.kir_walk import expressions, statements
from tests.cuda.lowering import only_kernel


def inlined(text: str) -> Kernel:
    kernel = inline_functions(only_kernel(text))
    verify_kernel(kernel)
    assert kernel.functions == {}
    assert not any(isinstance(e, CallFunction) for e in expressions(kernel.body))
    return kernel


def lines(text: str) -> list[str]:
    return list(print_statements(inlined(text).body))


def test_kernel_without_functions_is_the_same_object() -> None:
    kernel = only_kernel("__global__ void k(int *y) { y[0] = 1; }")
    assert inline_functions(kernel) is kernel


def test_a_single_return_is_substituted() -> None:
    assert lines("""
__device__ float leaky(float v, float slope) { return v >= 0 ? v : slope * v; }
__global__ void k(float *x, float s) { float v = x[0]; x[1] = leaky(v, s) + leaky(2, s); }
""") == ["v: float32 = x[0]", "x[1] = (v >= 0.0f ? v : s * v) + (2.0f >= 0.0f ? 2.0f : s * 2.0f)"]


def test_a_load_used_twice_is_loaded_once() -> None:
    assert lines("""
__device__ float square(float v) { return v * v; }
__global__ void k(float *x) { x[1] = square(x[0]); }
""") == ["v: float32 = x[0]", "x[1] = v * v"]


def test_an_assigned_parameter_is_a_variable_of_its_own() -> None:
    assert lines("""
__device__ int sum_to(int n) { int s = 0; while (n > 0) s += n--; return s; }
__global__ void k(int *y, int n) { y[0] = sum_to(n); y[1] = n; }
""") == [
        "n: int32 = n",
        "s: int32 = 0",
        "while n > 0 {",
        "  n_before: int32 = n",
        "  n = n - 1",
        "  s = s + n_before",
        "}",
        "y[0] = s",
        "y[1] = n",
    ]


def test_each_call_has_its_own_variables() -> None:
    kernel = inlined("""
__device__ int f(int v) { int t = v; for (int i = 0; i < 3; i++) t += i; return t; }
__global__ void k(int *y) { y[0] = f(1) + f(2); }
""")
    declared = [s.variable for s in statements(kernel.body) if isinstance(s, Declare)]
    assert len(declared) == len(set(declared)) == 4


def test_early_returns_become_branches() -> None:
    assert lines("""
__device__ int f(int v) { if (v < 0) return 0; if (v > 9) return 9; return v; }
__global__ void k(int *y) { int v = y[0]; y[1] = f(v); }
""") == [
        "v: int32 = y[0]",
        "f_result: int32",
        "if v < 0 {",
        "  f_result = 0",
        "} else if v > 9 {",
        "  f_result = 9",
        "} else {",
        "  f_result = v",
        "}",
        "y[1] = f_result",
    ]


def test_a_call_behind_a_condition_runs_only_under_it() -> None:
    body = lines(
        """
__device__ int first(int *p) { int v = p[0]; for (int i = 0; i < v; i++) v--; return v; }
__global__ void k(int *y, int n) { if (n > 0 && first(y + n) > 2) y[0] = 1; }
"""
    )
    assert body[:2] == ["condition: bool = n > 0", "if condition {"]
    assert body[-4:] == ["}", "if condition {", "  y[0] = 1", "}"]
    assert "  condition = v > 2" in body


def test_a_call_in_a_loop_condition_is_evaluated_each_time() -> None:
    text = """
__device__ bool more(int *p, int i) { int v = p[i]; if (v == 3) return false; return i < v; }
__global__ void k(int *y) { int i = 0; while (more(y, i)) { if (y[i]++) continue; i++; } }
"""
    (loop,) = [line for line in lines(text) if line.startswith("while")]
    assert loop == "while true {"
    assert "  if !more_result {" in lines(text)


def test_pointers_to_shared_arrays_are_seen_through() -> None:
    assert lines("""
__device__ void put(float *s, int i, float v) { s[i] = v; s[i + 1] = 0; }
__global__ void k(float *x) { __shared__ float tile[64]; put(tile, threadIdx.x, x[0]); put(tile + 8, 1, 2); }
""") == [
        "shared tile: float32[64]",
        "i: int32 = int32(threadIdx.x)",
        "v: float32 = x[0]",
        "tile[i] = v",
        "tile[i + 1] = 0.0f",
        "tile[9] = 2.0f",
        "tile[10] = 0.0f",
    ]
