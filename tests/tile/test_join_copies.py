"""Copies that inlining leaves are gone from the text, and stay where they hold an old value."""

import numpy as np
import pytest

from tests.tile.run_text import run, translated
from tests.tile.test_control_flow import GRID, HEAD, VALUES, N

GONE = {
    "a parameter": (
        "__device__ int twice(int value) { return value + value; }",
        "int v = x[i]; out[i] = twice(v);",
        lambda v: v + v,
    ),
    "a parameter of a variable that changes later": (
        "__device__ int more(int value, int by) { return value * by + value; }",
        "int v = x[i]; v = more(v, i % 3); v += 1; out[i] = v;",
        None,
    ),
    "an accumulator handed on and back": (
        """struct Sum { int a, b; };
        __device__ Sum add(Sum s, int v) { s.a += v; s.b += v * v; return s; }""",
        "Sum s = {0, 1}; for (int k = 0; k < 3; ++k) s = add(s, x[i] + k); out[i] = s.a - s.b;",
        lambda v: sum(v + k for k in range(3)) - 1 - sum((v + k) ** 2 for k in range(3)),
    ),
}
KEPT = {
    "an old value": ("int v = x[i]; int old = v; v += 7; out[i] = v * 2 - old;", lambda v: (v + 7) * 2 - v),
    "a swap": ("int a = x[i], b = 3; int t = a; a = b; b = t; out[i] = a * 1000 + b;", lambda v: 3000 + v),
    "a copy that changes": ("int v = x[i]; int w = v; w *= 3; out[i] = w - v;", lambda v: 2 * v),
    "an old value in a loop": (
        "int v = x[i], s = 0; for (int k = 0; k < 4; ++k) { int old = v; v = v / 2; s += old - v; }"
        " out[i] = s;",
        lambda v: v - int(int(int(int(v / 2) / 2) / 2) / 2),
    ),
    "changed in a branch": (
        "int v = x[i]; int old = v; if (v > 20) { v = 1; } out[i] = old * 10 + v;",
        lambda v: v * 10 + (1 if v > 20 else v),
    ),
    "read before it is copied back": (
        "int v = x[i]; int w = v; w += 5; int u = v; v = w; out[i] = v * 100 + u;",
        lambda v: (v + 5) * 100 + v,
    ),
    "used after it is copied back": (
        "int v = x[i]; int w = v; w += 5; v = w; w += 1; out[i] = v * 100 + w;",
        lambda v: (v + 5) * 100 + v + 6,
    ),
    "copied back in a branch": (
        "int v = x[i]; int w = v; w += 5; if (w > 30) { v = w; } out[i] = v;",
        lambda v: v + 5 if v + 5 > 30 else v,
    ),
    "an old value in a condition": (
        "int v = x[i]; int old = v; while (v > old - 3) { v -= 1; } out[i] = v;",
        lambda v: v - 3,
    ),
}


def kernel(body: str, before: str = "") -> str:
    return f"{before} __global__ void k(const int* x, int* out, int n) {{ {HEAD} if (i < n) {{ {body} }} }}"


@pytest.mark.parametrize(("before", "body", "expected"), GONE.values(), ids=GONE)
def test_names_of_parameters_and_results_are_not_copies(before, body, expected) -> None:
    source = kernel(body, before)
    got = run(source, VALUES, np.zeros(N, np.int32), N, grid=GRID)[1]
    wanted = [expected(int(v)) if expected else v * (i % 3) + v + 1 for i, v in enumerate(VALUES.tolist())]
    assert got.tolist() == wanted
    text = translated(source).text
    lines = text[text.index("def k_kernel") : text.index("def k(")].splitlines()
    assert not [line for line in lines if line.strip().replace(" = ", "").isidentifier() and " = " in line]


@pytest.mark.parametrize(("body", "expected"), KEPT.values(), ids=KEPT)
def test_copies_keep_what_they_held(body, expected) -> None:
    got = run(kernel(body), VALUES, np.zeros(N, np.int32), N, grid=GRID)[1]
    assert got.tolist() == [expected(v) for v in VALUES.tolist()]
