from porter.core.diagnostic import Diagnostic, Severity, render
from porter.core.span import SourceText


def source(text: str) -> SourceText:
    return SourceText("k.cu", text.encode("latin-1"))


def test_positions_count_from_one() -> None:
    text = source("ab\ncd\n\nef")
    assert [text.position(i) for i in (0, 1, 3, 6, 7)] == [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1)]


def test_offset_is_the_inverse_of_position() -> None:
    text = source("ab\r\n\tcd\n")
    assert all(text.offset(*text.position(i)) == i for i in range(len(text.data)))


def test_bytes_that_are_no_utf8_keep_their_offsets() -> None:
    text = source("caf\xe9 x")
    assert text.slice(text.span(3, 6)) == "\xe9 x"


def test_a_finding_shows_its_line_and_carets_under_tabs() -> None:
    text = source("int a;\n\tfoo(b);\n")
    finding = Diagnostic("API001", Severity.ERROR, "no such call", text.span(8, 11), hint="use bar")
    assert render(finding, text).split("\n") == [
        "k.cu:2:2: error: no such call [API001]",
        "    \tfoo(b);",
        "    \t^^^",
        "    hint: use bar",
    ]


def test_carets_stop_at_the_end_of_the_line() -> None:
    text = source("foo(a,\n    b);\n")
    finding = Diagnostic("API001", Severity.ERROR, "m", text.span(0, 13))
    assert render(finding, text).split("\n")[2] == "    ^^^^^^"
