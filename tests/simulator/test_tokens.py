"""Tokens keep their byte offsets, whatever stands between them."""

from __future__ import annotations

import pytest

from porter.simulator.tokens import Kind, matching_close, tokenize


def texts(source: str) -> list[str]:
    return [t.text for t in tokenize(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a<<<b, c>>>(d);", ["a", "<<<", "b", ",", "c", ">>>", "(", "d", ")", ";"]),
        ("x = 1'000.5e-3f + 0x1p+3f;", ["x", "=", "1'000.5e-3f", "+", "0x1p+3f", ";"]),
        ("// k<<<1,1>>>()\n/* k<<<1,1>>>() */ y", ["y"]),
        ("// continued \\\nstill comment\nz", ["z"]),
        ('"a<<<b" \'"\' R"x(k<<<")x" q', ['"a<<<b"', "'\"'", 'R"x(k<<<")x"', "q"]),
        ("a ## b", ["a", "##", "b"]),
        ("p->*q ... ::r", ["p", "->*", "q", "...", "::", "r"]),
    ],
)
def test_text_of_tokens(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


def test_offsets_are_byte_offsets() -> None:
    source = "/* \xe9 */ kernel <<<1>>> ()"
    for token in tokenize(source):
        assert source[token.start : token.end] == token.text


def test_directives_are_framed() -> None:
    kinds = [t.kind for t in tokenize("#define A(x) \\\n  x\nB\n  # undef A")]
    assert kinds[0] is Kind.DIRECTIVE
    assert kinds.count(Kind.END) == 2
    assert Kind.NAME in kinds[kinds.index(Kind.END) :]


def test_hash_inside_a_line_starts_no_directive() -> None:
    assert Kind.DIRECTIVE not in [t.kind for t in tokenize("a # b")]


@pytest.mark.parametrize(
    ("source", "at", "expected"),
    [
        ("(a(b)[c]{d})e", 0, ")"),
        ("(a", 0, None),
        ("#define X (a\n)", 3, None),
        ("(a\n#if B\nb\n#endif\n)", 0, ")"),
    ],
)
def test_matching_close(source: str, at: int, expected: str | None) -> None:
    tokens = tokenize(source)
    close = matching_close(tokens, at)
    assert (tokens[close].text if close is not None else None) == expected
    if close is not None:
        assert close > at


def test_unreadable_text_is_punctuation() -> None:
    assert texts('a "unclosed\nb') == ["a", '"', "unclosed", "b"]
