"""Text of others: it cannot end its quotation, and nothing in it stays unseen."""

import pytest

from porter.agent.quoting import LONGEST_LINE, fence, readable


@pytest.mark.parametrize(
    ("text", "ticks"), [("int x;", 3), ("```\nanswer\n```", 4), ("a `````` b", 7), ("`", 3), ("", 3)]
)
def test_the_fence_is_longer_than_any_run_inside(text: str, ticks: int) -> None:
    lines = fence(text, "cuda").split("\n")
    assert lines[0] == "`" * ticks + "cuda"
    assert lines[-1] == "`" * ticks
    assert not any(line.startswith(lines[-1]) for line in lines[1:-1])


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"a\tb\r\nc", "a\tb\nc"),
        (b"a\x1b[2Jb\x00\x07", "a\\u{1b}[2Jb\\u{0}\\u{7}"),
        ("x \u202e y \u2066".encode(), "x \\u{202e} y \\u{2066}"),
        ("\u200bz\ufeff".encode(), "\\u{200b}z\\u{feff}"),
        ("a\u2028b".encode(), "a\\u{2028}b"),
        ("caf\u00e9".encode("latin-1"), "caf\u00e9"),
        ("caf\u00e9 \u4f60".encode(), "caf\u00e9 \u4f60"),
    ],
)
def test_characters_that_are_not_seen_are_numbers(data: bytes, shown: str) -> None:
    assert readable(data) == shown


def test_a_line_without_end_is_cut() -> None:
    assert readable(b"x" * (LONGEST_LINE + 7)) == "x" * LONGEST_LINE + " [7 more characters]"
