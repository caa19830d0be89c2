"""What becomes of launches, declarations and keywords, and what is left alone."""

from __future__ import annotations

import pytest

from porter.simulator.diagnostics import original_offset
from porter.simulator.rewrite import rewrite

CONFIGURATION = "PORTER_LAUNCHER(::porter_sim::configuration("


def rewritten(source: str) -> str:
    return rewrite("k.cu", source.encode("latin-1")).data.decode("latin-1")


@pytest.mark.parametrize(
    ("before", "callee"),
    [
        ("k<<<g, b>>>(x, y);", "k"),
        ("k<float, (a > b)><<<g, b>>>(x, y);", "k<float, (a > b)>"),
        ("k<A<B<3>>><<<g, b>>>(x, y);", "k<A<B<3>>>"),
        ("ns::inner::k<T> <<<g, b>>>(x, y);", "ns::inner::k<T>"),
        ("::k<<<g, b>>>(x, y);", "::k"),
        ("(*pointer)<<<g, b>>>(x, y);", "(*pointer)"),
        ("self->table.k<<<g, b>>>(x, y);", "self->table.k"),
        ("kernels[i]<<<g, b>>>(x, y);", "kernels[i]"),
        ("KERNEL(name)<<<g, b>>>(x, y);", "KERNEL(name)"),
    ],
)
def test_launch(before: str, callee: str) -> None:
    assert rewritten(before) == f"{CONFIGURATION}g, b), {callee})(x, y);"


def test_configuration_with_commas_and_templates() -> None:
    after = rewritten("k<<<dim3(f<1>(a), b), max(1, 2), sizeof(T) * (n >> 1), s>>>();")
    assert after == f"{CONFIGURATION}dim3(f<1>(a), b), max(1, 2), sizeof(T) * (n >> 1), s), k)();"


def test_launch_in_statement_positions() -> None:
    assert rewritten("if (x) return k<<<1, 1>>>();").startswith(f"if (x) return {CONFIGURATION}")
    assert rewritten("else k<<<1, 1>>>();").startswith(f"else {CONFIGURATION}")
    assert rewritten("CHECK(k<<<1, 1>>>(a));") == f"CHECK({CONFIGURATION}1, 1), k)(a));"


def test_launch_in_a_macro_body() -> None:
    after = rewritten("#define RUN(name, ...) name##_kernel<<<g, \\\n b>>>(__VA_ARGS__)\nint x;")
    assert after == f"#define RUN(name, ...) {CONFIGURATION}g, \\\n b), name##_kernel)(__VA_ARGS__)\nint x;"


@pytest.mark.parametrize("source", ["k\n  <<<1,\n   2>>>\n  (a);\nb", "k // why\n<<<1, 2>>>(a);\nb"])
def test_lines_stay(source: str) -> None:
    after = rewritten(source)
    assert after.count("\n") == source.count("\n")
    assert after.splitlines()[-1] == "b"


@pytest.mark.parametrize(
    "source",
    [
        "x << y >> z;",
        'const char *s = "k<<<1, 1>>>()";',
        "// k<<<1, 1>>>();\n/* __shared__ int a; */",
        "std::vector<std::vector<std::vector<int>>> v(3);",
        "k<<<1, 1>>> + 2;",
        "#define STAGE __shared__",
        "int __shared__count;",
        "__device__ float square(float x) { return x * x; }",
        "extern __constant__ float table[4];",
        "template <class T> __device__ T zero;",
        "struct S { __device__ float f() const; };",
        "__attribute__((__noinline__)) void f();",
        "cudaMemcpy((void *)a, b, n, k);",
    ],
)
def test_left_alone(source: str) -> None:
    assert rewritten(source) == source


def test_shared_in_a_function() -> None:
    after = rewritten("void f() { __shared__ T a[N][M + 1], *b; }")
    assert after == (
        "void f() { typedef  T porter_type_a[N][M + 1], *porter_type_b; "
        "PORTER_SHARED(porter_type_a, a); PORTER_SHARED(porter_type_b, b); }"
    )


@pytest.mark.parametrize(
    ("declaration", "name"),
    [
        ("static __shared__ volatile float s[4];", "s"),
        ("__shared__ typename Reduce<T, 4>::Storage storage;", "storage"),
        ("__shared__ __align__(16) unsigned char bytes[64];", "bytes"),
        ("__shared__ float (*rows)[4];", "rows"),
        ("volatile __shared__ int flag;", "flag"),
        ("double __shared__ late[2];", "late"),
    ],
)
def test_shared_names(declaration: str, name: str) -> None:
    after = rewritten(f"void f() {{ {declaration} }}")
    assert f"PORTER_SHARED(porter_type_{name}, {name});" in after
    assert "__shared__" not in after


def test_dynamic_shared() -> None:
    inside = rewritten("void f() { extern __shared__ float x[]; }")
    assert inside.endswith(
        "float porter_type_x[]; auto &x = ::porter_sim::shared_dynamic<porter_type_x>(); }"
    )
    late = rewritten("void f() { extern T __shared__ x[]; }")
    assert late == (
        "void f() { typedef  T  porter_type_x[]; auto &x = ::porter_sim::shared_dynamic<porter_type_x>(); }"
    )
    outside = rewritten("namespace n { extern __shared__ float x[]; }")
    assert "static const ::porter_sim::DynamicShared<porter_type_x> x{};" in outside


@pytest.mark.parametrize(
    ("declaration", "names"),
    [
        ("__constant__ float w[9];", ["w"]),
        ("__device__ int a = 1, *b;", ["a", "b"]),
        ("static __device__ const Foo<int, 2> table[2] = {{1, 2}, {3, 4}};", ["table"]),
        ("__device__ __constant__ float3 c{1, 2, 3};", ["c"]),
    ],
)
def test_symbols(declaration: str, names: list[str]) -> None:
    after = rewritten(declaration)
    assert [
        n for n in ("w", "a", "b", "table", "c") if f'("{n}", &{n}, sizeof({n}), false,' in after
    ] == names


def test_managed_symbol() -> None:
    assert '("m", &m, sizeof(m), true,' in rewritten("__device__ __managed__ int m;")


def test_launch_bounds_are_checked_first() -> None:
    source = "__global__ void __launch_bounds__(f(T, 2), 4) k(int *p) { *p = 1; }"
    assert rewritten(source) == source.replace("{ *p", "{ ::porter_sim::check_launch_bounds(f(T, 2)); *p")
    declaration = "__global__ void __launch_bounds__(64) k(int *p);\nvoid f() { }"
    assert rewritten(declaration) == declaration


def test_casts_of_kernels_go() -> None:
    assert (
        rewritten("cudaLaunchKernel((const void *)k<int>, g, b, a);") == "cudaLaunchKernel(k<int>, g, b, a);"
    )
    assert rewritten("hipFuncSetAttribute(reinterpret_cast<const void*>(k), a, 1);") == (
        "hipFuncSetAttribute((k), a, 1);"
    )
    assert rewritten("cudaLaunchKernel(k, g, b, a);") == "cudaLaunchKernel(k, g, b, a);"


def test_noinline() -> None:
    assert rewritten("__noinline__ __device__ int f();") == "PORTER_NOINLINE __device__ int f();"


def test_places_map_back() -> None:
    source = "a; k<<<1, 2>>>(b); c;"
    result = rewrite("k.cu", source.encode())
    text = result.data.decode()
    for name in ("a;", "b);", "c;"):
        assert original_offset(result.stages[0], text.index(name)) == source.index(name)
    assert original_offset(result.stages[0], text.index("PORTER") + 5) == source.index("k<<<")
