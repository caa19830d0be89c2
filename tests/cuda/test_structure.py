"""Functions are found by brackets, whatever macros and errors stand around them."""

from __future__ import annotations

import pytest

from porter.core.span import SourceText
from porter.cuda.structure import Function, FunctionKind, find_functions
from porter.cuda.tokens import tokenize


def functions(code: str) -> tuple[Function, ...]:
    return find_functions(tokenize(SourceText("t.cu", code.encode("latin-1"))))


def only(code: str) -> Function:
    (found,) = functions(code)
    return found


@pytest.mark.parametrize(
    ("code", "name", "kind"),
    [
        ("__global__ void k() {}", "k", FunctionKind.KERNEL),
        ("static __global__ void k(int n) { if (n) {} }", "k", FunctionKind.KERNEL),
        ('extern "C" __global__ void k() {}', "k", FunctionKind.KERNEL),
        ('extern "C" { __global__ void k() {} }', "k", FunctionKind.KERNEL),
        ("__global__ void __launch_bounds__(256, 2) k() {}", "k", FunctionKind.KERNEL),
        ("void __global__ k() {}", "k", FunctionKind.KERNEL),
        ("template <int N> __global__ void k() {}", "k", FunctionKind.KERNEL),
        ("template <typename T, int N = (3 > 2)> __global__ void k(T* x) {}", "k", FunctionKind.KERNEL),
        ("__global__ void k();", "k", FunctionKind.KERNEL),
        ("__device__ float f(float x) { return x; }", "f", FunctionKind.DEVICE),
        ("__host__ __device__ int f() { return 1; }", "f", FunctionKind.HOST_DEVICE),
        ("int main() { return 0; }", "main", FunctionKind.HOST),
        ("#define K(n) __global__ void n() {}\nK(a)\nint main() { return 0; }", "main", FunctionKind.HOST),
        ("struct P f() { return {}; }", "f", FunctionKind.HOST),
        ("S::S(int a) : x(a), y{b(a)} {}", "S", FunctionKind.HOST),
        ("auto f() -> int { return 1; }", "f", FunctionKind.HOST),
        ("int f() noexcept(true) { return 1; }", "f", FunctionKind.HOST),
        ("FOO(bar)\n__global__ void k() {}", "k", FunctionKind.KERNEL),
        (
            "struct A { __device__ float operator()(float x) const { return x; } };",
            "operator()",
            FunctionKind.DEVICE,
        ),
        ("struct A { __device__ A operator+(A o) { return o; } };", "operator+", FunctionKind.DEVICE),
    ],
)
def test_finds_one_function(code: str, name: str, kind: FunctionKind) -> None:
    found = only(code)
    assert (found.name, found.kind) == (name, kind)


@pytest.mark.parametrize(
    "code",
    [
        "int x[] = {1, 2};",
        "enum E { A, B };",
        "struct S { int x; };",
        "namespace n { int y; }",
        "int f(int);",
        "auto l = [](int x) { return x; };",
        "// __global__ void k() {}",
        'const char* s = "__global__ void k() {}";',
        "#define K __global__ void k() {}",
        "",
    ],
)
def test_finds_nothing_else(code: str) -> None:
    assert functions(code) == ()


def test_a_function_in_scopes() -> None:
    found = only("namespace a { namespace b { struct S { void f() {} }; } }")
    assert (found.scope, found.name) == ("a::b::S", "f")


def test_nested_blocks_and_lambdas_belong_to_their_function() -> None:
    found = functions("void f() { for (;;) { auto g = [&](int x) { return x; }; } }\nvoid h() {}")
    assert [f.name for f in found] == ["f", "h"]


def test_parameters_keep_their_text() -> None:
    found = only(
        "__global__ void k(const float* __restrict__ x, int n = f(1, 2), float (*g)(int), P<a, b> p[3]) {}"
    )
    assert [p.name for p in found.parameters] == ["x", "n", "g", "p"]
    assert found.parameters[0].type_text == "const float* __restrict__"
    assert found.parameters[3].type_text == "P<a, b>[3]"
    assert found.parameters[1].text == "int n = f(1, 2)"


def test_unnamed_and_void_parameters() -> None:
    assert only("void f(void) {}").parameters == ()
    assert [p.name for p in only("void f(int, unsigned int) {}").parameters] == ["", ""]


def test_template_parameters() -> None:
    found = only("template <typename T, int N = 4, template <class> class C> void f() {}")
    assert [(p.kind, p.name, p.default) for p in found.template_parameters[:2]] == [
        ("typename", "T", ""),
        ("int", "N", "4"),
    ]


def test_launch_bounds_and_doc_comment() -> None:
    found = only("// unrelated\n\n// Adds.\n/* Twice. */\n__global__ void __launch_bounds__(T, B + 1) k() {}")
    assert found.launch_bounds == ("T", "B + 1")
    assert found.doc_comment == "// Adds.\n/* Twice. */"


def test_a_trailing_comment_is_no_doc_comment() -> None:
    assert functions("int x; // count\nvoid f() {}")[0].doc_comment == ""


def test_branches_that_open_the_same_block() -> None:
    kernels = "#ifdef A\n__global__ void k(int n) {\n#else\n__global__ void k(long n) {\n#endif\n"
    code = kernels + "  n++;\n}\nvoid f() {}\n"
    assert [f.name for f in functions(code)] == ["k", "f"]


def test_both_branches_when_each_is_complete() -> None:
    code = "#ifdef A\nvoid f() {}\n#else\nvoid g() {}\n#endif\n"
    assert [f.name for f in functions(code)] == ["f", "g"]


def test_qualifiers_behind_a_macro() -> None:
    text = "#ifdef A\n#define HD __host__ __device__\n#else\n#define HD\n#endif\nHD int f() { return 1; }\n"
    assert only(text).kind is FunctionKind.HOST_DEVICE


@pytest.mark.parametrize("opening", ["BEGIN_NS", "OPEN(a, b)", "API EXPORT(x)", "extern"])
def test_macros_before_a_template_are_no_part_of_it(opening: str) -> None:
    function = only(f"{opening}\ntemplate <class T = int, int N = 1> __global__ void k(T* x) {{ f(x); }}")
    assert (function.name, function.kind) == ("k", FunctionKind.KERNEL)
    assert [p.name for p in function.template_parameters] == ["T", "N"]
    assert function.span.line == 2
    assert only(f"{opening}\ntemplate <class T = int> __global__ void k(T* x);").span.line == 2
    assert only(f"{opening}\ntemplate <class T = int> struct S {{ void f() {{}} }};").scope == "S"


def test_the_word_template_inside_a_declarator_is_no_head() -> None:
    function = only("typename A::template B<int> f(int n = 0) { return {}; }")
    assert (function.name, function.template_parameters) == ("f", ())


def test_spans_are_exact() -> None:
    code = "int a;\n__global__ void k(int n)\n{\n  n;\n}\nint b;\n"
    found = only(code)
    assert code[found.span.start : found.span.end].startswith("__global__")
    assert found.body is not None
    assert code[found.body.start : found.body.end] == "{\n  n;\n}"
    assert (found.span.line, found.span.column) == (2, 1)
    assert code[found.name_span.start : found.name_span.end] == "k"


def test_an_unclosed_body_does_not_lose_the_function() -> None:
    assert [f.name for f in functions("__global__ void k() { if (x) {")] == ["k"]
