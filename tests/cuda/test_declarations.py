"""Declarations at namespace scope: where each begins and ends."""

from __future__ import annotations

import pytest

from porter.core.span import SourceText
from porter.cuda.declarations import declarations
from porter.cuda.tokens import tokenize


def found(text: str) -> list[str]:
    source = SourceText("k.cu", text.encode())
    return [text[d.start : d.end] for d in declarations(tokenize(source))]


@pytest.mark.parametrize(
    "texts",
    [
        ["int a;", "int b = f(1, 2);", "int c[] = {1, 2};"],
        ["void f() { if (1) { g(); } }", "void h(int (*p)(int));"],
        ["struct S { int a; void f() { } };", "enum class E { A, B };", "int x;"],
        ["struct S { } s, t;", "typedef struct { int a; } T;"],
        ["template <class T> __global__ void k(T* x) { }", "int x;"],
        ["template <int N, class U = A<B<3>>> void f() { }", "template struct S<4>;"],
        ["void f(struct S s) { }", "int x;"],
        ["MODULE(name, m) { m.def(1); }", "int x;"],
        ["__shared__ float tile[4];", "int y;"],
    ],
)
def test_each_ends_where_it_ends(texts: list[str]) -> None:
    assert found("\n".join(texts)) == texts


def test_scopes_are_looked_into() -> None:
    text = 'namespace a::b { int x; namespace { void f() { } } }\nextern "C" { int g(); }\nextern int y;\n'
    assert found(text) == ["int x;", "void f() { }", "int g();", "extern int y;"]


def test_directives_are_no_part() -> None:
    assert found("#define X {\nint a;\n#if 1\nint b;\n#endif\n") == ["int a;", "int b;"]


def test_what_never_closes_ends_the_search() -> None:
    assert found("int a;\nvoid f() {\nint b;\n") == ["int a;"]
