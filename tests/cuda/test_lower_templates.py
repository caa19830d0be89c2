"""Which instances of a kernel are found, and with which launch."""

import pytest

from porter.cuda.lower_kernel import Lowered, NotLowered
from tests.cuda.lowering import lower_text

KERNEL = "template <class T, int N = 4> __global__ void k(T *x) { x[0] *= N; }\n"


def instances(text: str) -> list[tuple[str, ...]]:
    results = lower_text(text)
    assert all(isinstance(r, Lowered) for r in results), results
    return [r.kernel.template_arguments for r in results if isinstance(r, Lowered)]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("void f(float *p) { k<<<1, 2>>>(p); }", [("float", "4")]),
        ("void f(float *p) { k<float, 8><<<1, 2>>>(p); k<float, 8><<<2, 2>>>(p); }", [("float", "8")]),
        ("template <class U> void f(U *p) { k<U, 2><<<1, 2>>>(p); } int main() { f((int *)0); "
         "f((double *)0); }",
         [("int", "2"), ("double", "2")]),
        ("template <class U> struct S { void f(U *p) { k<<<1, 2>>>(p); } }; int main() { S<short>().f(0); }",
         [("short", "4")]),
        ("#define GO(kernel, ...) kernel<<<1, 2>>>(__VA_ARGS__)\nint main() { GO((k<int, 3>), (int *)0); }",
         [("int", "3")]),
        ("int main() { auto go = [](auto n) { k<int, n.value><<<1, 2>>>(0); }; "
         "go(std::integral_constant<int, 7>{}); }",
         [("int", "7")]),
        ("int main() { cudaLaunchKernel((void *)k<char, 1>, dim3(1), dim3(1), nullptr); }", [("char", "1")]),
        ("template __global__ void k<float, 16>(float *x);", [("float", "16")]),
        ("template <class U> void f(U *p) { k<<<1, 2>>>(p); }\ntemplate void f(long *p);", [("long", "4")]),
        ("template <class U> struct S { void f(U *p) { k<<<1, 2>>>(p); } };\ntemplate struct S<float>;",
         [("float", "4")]),
        ("template <class U> void f(U *p) { CHECK(malloc(3)); k<U><<<1, 2>>>(p); } int main() { "
         "f((int *)0); }",
         [("int", "4")]),
        ("void f(Missing m) { k<unsigned><<<1, 2>>>(m.data()); }", [("unsigned int", "4")]),
    ],
)  # fmt: skip
def test_instances(host: str, expected: list[tuple[str, ...]]) -> None:
    assert instances(KERNEL + host) == expected


def test_half_is_spelled_as_the_user_does() -> None:
    text = "#include <cuda_fp16.h>\n" + KERNEL + "void f(__half *p) { k<<<1, 2>>>(p); }"
    assert instances(text) == [("__half", "4")]


def test_plain_kernel_needs_no_launch() -> None:
    (result,) = lower_text("__global__ void k(int *y) { *y = 1; }")
    assert isinstance(result, Lowered)
    assert result.launch is None


def test_each_instance_has_its_first_launch() -> None:
    text = KERNEL + "void f(float *p, int *q) {\n  k<<<1, 2>>>(p);\n  k<<<3, 4>>>(q);\n  k<<<5, 6>>>(q);\n}"
    launches = [
        (r.kernel.template_arguments[0], r.launch.grid)
        for r in lower_text(text)
        if isinstance(r, Lowered) and r.launch
    ]
    assert launches == [("float", "1"), ("int", "3")]


def test_template_without_launch_is_told_so() -> None:
    (result,) = lower_text(KERNEL)
    assert isinstance(result, NotLowered)
    assert result.diagnostic.code == "TIL012"
    assert (result.diagnostic.span.line, result.diagnostic.span.column) == (1, 1)


def test_comments_above_the_template_header_are_the_kernels() -> None:
    kernel = "// Scales.\ntemplate <class T>\n__global__ void k(T *x) { *x *= 2; }\n"
    text = kernel + "void f(float *p) { k<<<1, 2>>>(p); }"
    (result,) = lower_text(text)
    assert isinstance(result, Lowered)
    assert result.kernel.comments == ("Scales.",)


def test_functor_parameters_keep_their_place() -> None:
    text = """
struct Negate { __device__ float operator()(float v) const { return -v; } };
template <class F> __global__ void each(F f, float *x) { x[0] = f(x[0]); }
void go(float *p) { each<<<1, 2>>>(Negate(), p); }
"""
    (result,) = lower_text(text)
    assert isinstance(result, Lowered)
    assert [p.name for p in result.kernel.parameters] == ["f", "x"]


def test_results_are_in_source_order() -> None:
    text = (
        "__global__ void b(int *y) {}\n"
        + KERNEL
        + "__global__ void a(int *y) {}\nvoid f(int *p) { k<<<1, 2>>>(p); }"
    )
    assert [r.kernel.name for r in lower_text(text) if isinstance(r, Lowered)] == ["b", "k", "a"]
