"""Which comments a line has."""

import pytest

from porter.core.span import SourceText
from porter.cuda.source_comments import comment_map


def comments(text: str, line: int) -> tuple[str, ...]:
    return comment_map(SourceText("a.cu", text.encode())).of_line(line)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("// a\nx;", 2, ("a",)),
        ("// a\n// b\nx; // c", 3, ("a", "b", "c")),
        ("/* a\n * b\n */\nx;", 4, ("a", "b")),
        ("/// a\n//! b\nx;", 3, ("a", "b")),
        ("y; // not mine\nx;", 2, ()),
        ("// far\n\nx;", 3, ()),
        ('x("// text");', 1, ()),
        ("x('\"'); // real", 1, ("real",)),
        ('x(R"(// raw ")"); // real', 1, ("real",)),
        ("x; /* a */ /* b */", 1, ("a", "b")),
        ("//\nx;", 2, ()),
    ],
)
def test_comments_of_a_line(text: str, line: int, expected: tuple[str, ...]) -> None:
    assert comments(text, line) == expected
