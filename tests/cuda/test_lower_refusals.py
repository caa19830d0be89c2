"""What is declined says why, with a code and at the right place."""

import re
from pathlib import Path

import pytest

from porter.cuda.lower_kernel import Lowered, NotLowered
from tests.cuda.lowering import lower_text, refusal

PRELUDE = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"


@pytest.mark.parametrize(
    ("code", "text", "at"),
    [
        ("TIL001", "__global__ void k(int *y) { y[0] = unknown_name; }", "unknown_name"),
        ("TIL001", "int host; __global__ void k(int *y) { y[0] = host; }", "host; }"),
        ("TIL002", "union U { int i : 3; float f; }; __global__ void k(U u, int *y) { y[0] = u.i; }", "U u"),
        ("TIL002", "struct B { int a : 3; }; __global__ void k(B b, int *y) { y[0] = b.a; }", "B b"),
        ("TIL016", "__global__ void k(int *y) { static int calls; y[0] = calls++; }", "static int calls"),
        ("TIL017", "__global__ void k(int *y, int n) { int a = 1, b = 2; (n ? a : b) = 3; y[0] = a; }",
         "(n ? a"),
        ("TIL013", "__global__ void k(int *y, int n) { switch (n) { y[0] = 1; case 3: y[0] = 2; } }",
         "y[0] = 1"),
        ("TIL003", "typedef int (*F)(int); __global__ void k(F f, int *y) { y[0] = 1; }", "F f"),
        ("TIL004", "__device__ int f(int n) { return n ? f(n - 1) : 0; } __global__ void k(int *y) { "
                   "*y = f(3); }",
         "f(n - 1)"),
        ("TIL005", "__global__ void k(int *y) { again: if (y[0]++ < 3) goto again; }", "again:"),
        ("TIL006", "struct A { int i; __device__ virtual int f() { return i; } };"
                   "__global__ void k(A *a, int *y) { *y = a->f(); }", "a->f()"),
        ("TIL006", "struct A { __device__ virtual int f() const = 0; };"
                   "struct B : A { __device__ int f() const override { return 1; } };"
                   "__global__ void k(int *y) { B b; const A *a = &b; *y = a->f(); }", "b; *y"),
        ("TIL006", "struct A { __device__ virtual int f() const { return 2; } }; struct B : A { };"
                   "__global__ void k(int *y) { B b; const A *a = &b; *y = a->f(); }", "b; *y"),
        ("TIL017", "struct A { __device__ int f() const { return 1; } };"
                   "__global__ void k(int *y) { A b; const A *a = &b; *y = a->f(); }", "b; *y"),
        ("TIL008", '__global__ void k(int *y) { asm("mov.u32 %0, %%laneid;" : "=r"(y[0])); }', "asm"),
        ("TIL009", "__global__ void c(int *y) {} __global__ void k(int *y) { c<<<1, 2>>>(y); }", "c<<<"),
        ("TIL010", "__global__ void k(float *x, cudaTextureObject_t t) { x[0] = tex2D<float>(t, 1, "
                   "2); }", "tex2D"),
        ("TIL011", "__global__ void k(float *x) { cub::BlockReduce<float, 128> r; }", "cub"),
        ("TIL011", "__device__ float f(float); __global__ void k(float *x) { x[0] = f(x[1]); }", "f(x[1])"),
        ("TIL014", "__global__ void k(float *x) { int *p = new int[3]; x[0] = p[1]; }", "new"),
        ("TIL014", "__global__ void k(float *x) { int *p = (int *)malloc(8); x[0] = p[1]; }", "malloc"),
        ("TIL019", "__global__ void k(int *y, int n) { auto f = [=](int i) { return i + n; }; n = 3; "
                   "y[0] = f(n); }",
         "=](int"),
        ("TIL019", "template <class F> __global__ void k(F f, int *y) { y[0] = f(1); }\n"
                   "void go(int a, int *y) { k<<<1, 2>>>([=] __device__(int i) { return i + a; }, "
                   "y); }", "a; }, y"),
        ("TIL020", PRELUDE + "__global__ void k(int *y) { cg::this_grid().sync(); }", "cg::this_grid().sync"),
    ],
)  # fmt: skip
def test_refusals(code: str, text: str, at: str) -> None:
    result = refusal(text)
    assert (result.kernel_name, result.diagnostic.code) == ("k", code), result.diagnostic
    assert text[result.diagnostic.span.start :].startswith(at), text[result.diagnostic.span.start :]


def test_one_refusal_loses_no_other_kernel() -> None:
    text = "__global__ void bad(int *y) { y[0] = nothing; }\n__global__ void good(int *y) { y[0] = 1; }"
    bad, good = lower_text(text)
    assert isinstance(bad, NotLowered)
    assert isinstance(good, Lowered)


def test_error_in_a_function_is_placed_in_the_function() -> None:
    text = "__device__ int f(int i) {\n  return i + missing;\n}\n__global__ void k(int *y) { y[0] = f(2); }"
    assert (refusal(text).diagnostic.span.line, refusal(text).diagnostic.span.column) == (2, 14)


def test_no_kernels() -> None:
    assert lower_text("int main() { return 0; }") == ()
    assert lower_text("") == ()
    assert lower_text("\x00\x01 not C++ at all {{{") == ()


def test_every_code_is_documented() -> None:
    root = Path(__file__).parents[2]
    documented = set(
        re.findall(r"^\| (TIL0[0-3]\d) \|", (root / "docs" / "triton-codes.md").read_text(), re.MULTILINE)
    )
    sources = (root / "porter" / "cuda").glob("*.py")
    used = {code for path in sources for code in re.findall(r'"(TIL\d+)"', path.read_text())}
    assert documented == used


def test_an_explosion_of_inlining_ends() -> None:
    levels = "".join(
        f"__device__ void f{i}(int &v) {{ f{i - 1}(v); f{i - 1}(v); f{i - 1}(v); f{i - 1}(v); }}\n"
        for i in range(1, 9)
    )
    text = "__device__ void f0(int &v) { v++; }\n" + levels + "__global__ void k(int *y) { f8(y[0]); }"
    assert refusal(text).diagnostic.code == "TIL016"
