"""Launches are found in any disguise, with their constants resolved."""

from __future__ import annotations

import pytest

from porter.core.span import SourceText
from porter.cuda.launch import LaunchSite
from porter.cuda.launches import find_launches


def launches(code: str) -> tuple[LaunchSite, ...]:
    return find_launches(SourceText("t.cu", code.encode("latin-1")))


def only(body: str, before: str = "") -> LaunchSite:
    (found,) = launches(f"{before}\nvoid f(int n) {{ {body} }}")
    return found


def test_every_part_as_written() -> None:
    launch = only(
        "ns::k<T, 4><<<dim3((n + 255) / 256, 1), min(256, n), n > 4 ? 16 : 0, s>>>(x, (n + 1) * 2);"
    )
    assert launch.kernel == "k"
    assert launch.template_arguments == ("T", "4")
    assert launch.grid == "dim3((n + 255) / 256, 1)"
    assert launch.block == "min(256, n)"
    assert launch.shared == "n > 4 ? 16 : 0"
    assert launch.stream == "s"
    assert launch.arguments == ("x", "(n + 1) * 2")
    assert launch.enclosing_function == "f"
    assert launch.block_dim is None


@pytest.mark.parametrize(
    ("body", "block"),
    [
        ("k<<<1, 128>>>();", (128, 1, 1)),
        ("k<<<1, dim3(16, 16)>>>();", (16, 16, 1)),
        ("dim3 b(32, 8); k<<<1, b>>>();", (32, 8, 1)),
        ("dim3 b = dim3(4, 4, 4); k<<<1, b>>>();", (4, 4, 4)),
        ("dim3 b{2, 3}; k<<<1, b>>>();", (2, 3, 1)),
        ("dim3 g(1), b(64); k<<<g, b>>>();", (64, 1, 1)),
        ("const int t = 64 * 2; k<<<1, t>>>();", (128, 1, 1)),
        ("int t = 96; k<<<1, t>>>();", (96, 1, 1)),
        ("int a = 1, t = 96; k<<<1, t>>>();", (96, 1, 1)),
        ("k<<<1, BLOCK>>>();", (256, 1, 1)),
        ("k<<<1, kWarp * 4>>>();", (128, 1, 1)),
        ("dim3 b(16, 16); k<<<1, b.x * b.y>>>();", (256, 1, 1)),
        ("k<int, V<3>><<<1, 64>>>();", (64, 1, 1)),
        ("k<(A > B)><<<1, 64>>>();", (64, 1, 1)),
    ],
)
def test_constant_blocks(body: str, block: tuple[int, int, int]) -> None:
    assert only(body, "#define BLOCK 256\nconstexpr int kWarp = 32;\n").block_dim == block


@pytest.mark.parametrize(
    "body",
    [
        "k<<<1, n>>>();",
        "int t = 64; t = 32; k<<<1, t>>>();",
        "int t = 64; t++; k<<<1, t>>>();",
        "int t = 64; scan(&t); k<<<1, t>>>();",
        "dim3 b(16, 16); b.x = 8; k<<<1, b>>>();",
        "k<<<1, pick(n)>>>();",
        "k<<<1, BOTH>>>();",
    ],
)
def test_blocks_that_are_not_constant(body: str) -> None:
    guarded = "#ifdef A\n#define BOTH 1\n#else\n#define BOTH 2\n#endif\n"
    assert only(body, guarded).block_dim is None


def test_resolved_names_are_followed() -> None:
    launch = only("const int t = 256; int blocks = (n + t - 1) / t; k<<<blocks, t>>>(n);")
    assert dict(launch.resolved) == {"blocks": "(n + t - 1) / t", "t": "256"}
    assert launch.grid_dim is None


def test_template_constants_of_the_enclosing_function() -> None:
    code = "template <int B> void run() { k<B><<<1, B>>>(); }\nint main() { run<128>(); }"
    assert launches(code)[0].block_dim == (128, 1, 1)


def test_two_instantiations_give_no_constant() -> None:
    code = "template <int B> void run() { k<B><<<1, B>>>(); }\nint main() { run<128>(); run<64>(); }"
    assert launches(code)[0].block_dim is None


def test_a_launch_in_a_macro() -> None:
    (launch,) = launches("#define RUN(g, ...) k<<<g, 64>>>(__VA_ARGS__)\n")
    assert (launch.kernel, launch.enclosing_function, launch.block_dim) == ("k", "RUN", (64, 1, 1))


def test_a_launch_with_a_lambda_argument() -> None:
    launch = only("k<<<1, 2>>>([=] __device__(int i) { return i; }, n);")
    assert launch.arguments == ("[=] __device__(int i) { return i; }", "n")


@pytest.mark.parametrize(
    "code",
    [
        "// k<<<1, 2>>>(x);",
        'void f() { puts("k<<<1, 2>>>(x)"); }',
        "void f() { int x = 1 << 2; }",
        "void f() { k<<<1, 2; }",
        "void f() { a >>> b; }",
        "",
    ],
)
def test_no_launch(code: str) -> None:
    assert launches(code) == ()


def test_the_span_covers_the_whole_launch() -> None:
    code = "void f() {\n  ns::k<1><<<1, 2>>>(a,\n    b);\n}"
    (launch,) = launches(code)
    assert code[launch.span.start : launch.span.end] == "ns::k<1><<<1, 2>>>(a,\n    b)"
    assert (launch.span.line, launch.span.column) == (2, 3)
