"""The lexer keeps every byte's place, whatever the file looks like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porter.core.span import SourceText
from porter.cuda.tokens import Kind, matching, matching_angle, split_arguments, text_of, tokenize


def lex(code: str) -> list[str]:
    return [t.text for t in tokenize(SourceText("t.cu", code.encode("latin-1"))).tokens]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("k<<<g, b>>>(x)", ["k", "<<<", "g", ",", "b", ">>>", "(", "x", ")"]),
        ("k<1><<<g,b>>>()", ["k", "<", "1", ">", "<<<", "g", ",", "b", ">>>", "(", ")"]),
        ("a<B<C>>x", ["a", "<", "B", "<", "C", ">>", "x"]),
        ("0xFFu 1e-3f 1'000 .5", ["0xFFu", "1e-3f", "1'000", ".5"]),
        ("'a' '\\'' 'x", ["'a'", "'\\''", "'", "x"]),
        ('"a\\"b" "c"', ['"a\\"b"', '"c"']),
        ('R"(a " b)" x', ['R"(a " b)"', "x"]),
        ('R"q(a )" b)q" x', ['R"q(a )" b)q"', "x"]),
        ("a // b\nc", ["a", "// b", "c"]),
        ("a // b \\\n still\nc", ["a", "// b \\\n still", "c"]),
        ("/* a */b/* c", ["/* a */", "b", "/* c"]),
        ("p->*q a->b c::d", ["p", "->*", "q", "a", "->", "b", "c", "::", "d"]),
        ("\xef\xbb\xbf#include <a>\n", ["#", "include", "<", "a", ">"]),
        ("", []),
    ],
)
def test_splits_into_tokens(code: str, expected: list[str]) -> None:
    assert lex(code) == expected


def test_a_directive_reaches_over_continuation_lines() -> None:
    tokenized = tokenize(SourceText("t.cu", b"#define F(x) \\\n  g(x)\nint y;\n"))
    assert [d.name for d in tokenized.directives] == ["define"]
    assert [t.text for t in tokenized.code] == ["int", "y", ";"]


def test_a_hash_inside_a_line_is_no_directive() -> None:
    tokenized = tokenize(SourceText("t.cu", b"a # b\n/* c */ #define D 1\n"))
    assert [d.name for d in tokenized.directives] == ["define"]


def test_crlf_ends_a_directive() -> None:
    tokenized = tokenize(SourceText("t.cu", b"#define A 1\r\nint x;\r\n"))
    assert [t.text for t in tokenized.code] == ["int", "x", ";"]


@given(st.binary(max_size=300))
def test_tokens_are_exact_slices_in_order(data: bytes) -> None:
    source = SourceText("t.cu", data)
    end = 0
    for token in tokenize(source).tokens:
        assert token.start >= end
        assert source.text[token.start : token.end] == token.text
        end = token.end


@given(st.binary(max_size=200))
def test_only_white_space_lies_between_tokens(data: bytes) -> None:
    source = SourceText("t.cu", data)
    rest = list(source.text)
    for token in tokenize(source).tokens:
        rest[token.start : token.end] = [" "] * (token.end - token.start)
    assert not "".join(rest).replace("\\", " ").removeprefix("\xef\xbb\xbf").strip()


def test_matching_brackets() -> None:
    tokens = tokenize(SourceText("t.cu", b"f(a[1], {b})(c")).code
    assert matching(tokens, 1) == 11 - 1
    assert matching(tokens, 11) is None


def test_matching_angle_counts_double_brackets_and_skips_comparisons_in_brackets() -> None:
    tokens = tokenize(SourceText("t.cu", b"f<A<B>>(x) g<(a > b)> h < i;")).code
    assert tokens[matching_angle(tokens, 1) or 0].text == ">>"
    opened = next(i for i, t in enumerate(tokens) if t.text == "g") + 1
    assert matching_angle(tokens, opened) == opened + 6
    opened = next(i for i, t in enumerate(tokens) if t.text == "h") + 1
    assert matching_angle(tokens, opened) is None


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", []),
        ("a", ["a"]),
        ("a, f(b, c), {d, e}", ["a", "f(b, c)", "{d, e}"]),
        ("dim3<1, 2>(x), y", ["dim3<1, 2>(x)", "y"]),
        ("a < b, c > d", ["a < b", "c > d"]),
        ("[=](int x, int y) { return x; }, z", ["[=](int x, int y) { return x; }", "z"]),
    ],
)
def test_splits_arguments_at_top_level_commas(code: str, expected: list[str]) -> None:
    source = SourceText("t.cu", code.encode())
    tokens = tokenize(source).code
    pieces = split_arguments(tokens, 0, len(tokens))
    assert [text_of(source, tokens, *piece) for piece in pieces] == expected


def test_strings_and_comments_are_their_own_kinds() -> None:
    kinds = [t.kind for t in tokenize(SourceText("t.cu", b'"s" // c\n')).tokens]
    assert kinds == [Kind.STRING, Kind.COMMENT]
