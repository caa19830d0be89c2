from __future__ import annotations

import pytest

from porter.core.span import SourceText
from porter.cuda.directives import find_macros
from porter.cuda.tokens import tokenize
from porter.cuda.writes import declared_names, doubtful_names, valueless_names, written_names

FILE = "void pick(int& t) { }\nvoid look(const int& t) { }\n#define SET() hidden = 1\n"


def names(text: str) -> tuple[set[str], frozenset[str]]:
    """Names that `text` writes, and those that it may write besides."""
    tokenized = tokenize(SourceText("k.cu", f"{FILE}void f() {{ {text} }}".encode()))
    first, last = tokenized.code_index(len(FILE)), len(tokenized.code)
    doubtful = doubtful_names(tokenized, find_macros(tokenized), first, last)
    return written_names(tokenized, first, last, set()), doubtful - {"hidden"}


@pytest.mark.parametrize("text", ["t += 1;", "--t;", "g(&t);", "int& r = t;", "pick(t);", "std::swap(t, 1);"])
def test_written(text: str) -> None:
    assert "t" in names(text)[0]


@pytest.mark.parametrize("text", ["g(t);", "(t) = 1;", "pick((int&)t);", "T r = t;", "T r{t};"])
def test_doubtful(text: str) -> None:
    assert "t" not in names(text)[0]
    assert "t" in names(text)[1]


@pytest.mark.parametrize(
    "text",
    ["x = t & 3;", "look(t);", "const int& r = t;", 'printf("%d", t);', "dim3 b(t);", "k<<<1, t>>>(t);"],
)
def test_read(text: str) -> None:
    written, doubtful = names(text)
    assert "t" not in written | doubtful


def test_declared_with_and_without_a_value() -> None:
    text = "int a = 1, b = 2; int c[d]; auto [e, g] = h; [](int i) { return j; }; for (auto& k : l) m(n * o);"
    tokenized = tokenize(SourceText("k.cu", f"void f() {{ {text} }}".encode()))
    assert declared_names(tokenized, 4, len(tokenized.code)) == set("abcegik")
    assert valueless_names(tokenized, 4, len(tokenized.code)) == set("ik")
