"""Which variables differ between threads, and along which axes; integer ranges of the same kernels."""

import pytest

from porter.analysis.ranges import INT32_MAX, Interval, Ranges
from porter.analysis.uniformity import UNIFORM, AxisModel, analyse_uniformity, divergent_barriers
from porter.analysis.walk import definitions, walk
from porter.core.span import SourceText
from porter.cuda import kir
from porter.cuda.lower_kernel import Lowered, lower_kernels

X, Y = frozenset({"x"}), frozenset({"y"})
BLOCK = (64, 4, 1)


def kernel_of(body: str) -> kir.Kernel:
    text = f"__global__ void k(int* p, const int* q, int n, unsigned m) {{ {body} }}"
    (lowered,) = lower_kernels(SourceText("k.cu", text.encode()))
    assert isinstance(lowered, Lowered), lowered
    return lowered.kernel


def model() -> AxisModel:
    return AxisModel(
        builtin=lambda b: frozenset({b.axis}) if b.name == "threadIdx" else UNIFORM,
        call=lambda call, below: X | Y if call.name.startswith("atomic") else below,
        collective=lambda _node, _axes: {},
        everything=X | Y,
    )


def axes_of(body: str) -> dict[str, frozenset[str]]:
    kernel = kernel_of(body)
    result = analyse_uniformity(kernel, model())
    names = {n.variable.name: n.variable for n in walk(kernel.body) if isinstance(n, kir.Declare)}
    return {name: result.variables.get(variable, UNIFORM) for name, variable in names.items()}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int a = n * 2; int b = blockIdx.x + a;", {"a": UNIFORM, "b": UNIFORM}),
        ("int a = threadIdx.x; int b = threadIdx.y * n; int c = a + b;", {"a": X, "b": Y, "c": X | Y}),
        ("int a = q[n]; int b = q[threadIdx.y];", {"a": UNIFORM, "b": Y}),
        ("int a = 0; if (threadIdx.x < n) a = 1;", {"a": X}),
        ("int a = 0; if (n > 3) a = 1;", {"a": UNIFORM}),
        ("if (threadIdx.x < n) { int a = n; a = a + 1; p[a] = a; }", {"a": UNIFORM}),
        ("int s = 0; for (int i = 0; i < n; i++) s += i;", {"s": UNIFORM, "i": UNIFORM}),
        ("int s = 0; for (int i = 0; i < threadIdx.y; i++) s += 1;", {"s": Y, "i": UNIFORM}),
        ("int s = 0; for (int i = threadIdx.x; i < n; i += 64) s += n;", {"s": X, "i": X}),
        ("int a = n, b = n; while (a < threadIdx.x) { b = a; a = a + 1; }", {"a": X, "b": X}),
        ("int a = 0, b = 0; for (int i = 0; i < n; i++) { a = b; b = threadIdx.x; }", {"a": X, "b": X}),
        ("int a = atomicAdd(p, 1);", {"a": X | Y}),
        ("const int* r = q + threadIdx.y; int a = r[n];", {"r": Y, "a": Y}),
    ],
)
def test_variables(body, expected):
    found = axes_of(body)
    assert {name: found[name] for name in expected} == expected


def test_a_barrier_under_divergent_control_is_found():
    kernel = kernel_of("if (n > 1) __syncthreads(); if (threadIdx.x < n) { __syncthreads(); __syncwarp(); }")
    found = divergent_barriers(kernel, analyse_uniformity(kernel, model()))
    assert len(found) == 1


@pytest.mark.parametrize(
    ("expression", "interval"),
    [
        ("threadIdx.x", Interval(0, 63)),
        ("(int)(threadIdx.x + 3) % 8", Interval(0, 7)),
        ("(int)threadIdx.x - 5", Interval(-5, 58)),
        ("(int)(threadIdx.x / 32)", Interval(0, 1)),
        ("(int)(threadIdx.x & 31)", Interval(0, 31)),
        ("(int)(blockIdx.x * blockDim.x + threadIdx.x)", Interval(0, INT32_MAX)),
        ("min((int)threadIdx.y, 2) * -3", Interval(-6, 0)),
        ("(n % 4)", Interval(-3, 3)),
        ("(n > 3 ? 7 : (int)threadIdx.y)", Interval(0, 7)),
        ("n + 1", Interval(-(2**31), INT32_MAX)),
        ("(int)(m >> 28)", Interval(0, 15)),
        ("(1 << (int)threadIdx.y)", Interval(1, 8)),
    ],
)
def test_ranges(expression, interval):
    kernel = kernel_of(f"int a = {expression}; p[0] = a;")
    ranges = Ranges(BLOCK, definitions(kernel.body))
    declared = next(n for n in walk(kernel.body) if isinstance(n, kir.Declare) and n.variable.name == "a")
    assert declared.value is not None
    assert ranges.of(declared.value) == interval


def test_a_variable_that_changes_has_no_definition():
    kernel = kernel_of("int a = 3; int b = 4; a = n; p[a] = b;")
    assert {v.name for v in definitions(kernel.body)} == {"b"}
