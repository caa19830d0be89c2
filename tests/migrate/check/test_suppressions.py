"""Comments that accept findings, and complaints about comments that accept nothing."""

from __future__ import annotations

import pytest

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import apply_edits
from porter.core.span import SourceText
from porter.cuda.translation_unit import TranslationUnit, read_translation_unit
from porter.migrate.check.suppressions import Suppression, complaints, suppressions

KNOWN = frozenset(("WAV001", "SYN003"))


def read(text: str) -> tuple[TranslationUnit, tuple[Suppression, ...]]:
    unit = read_translation_unit(SourceText("a.cu", text.encode()))
    return unit, suppressions(unit)


def complained(text: str, used: bool = False) -> list[Diagnostic]:
    unit, found = read(text)
    return list(complaints(unit.source, found, found if used else (), KNOWN))


@pytest.mark.parametrize(
    ("text", "line", "codes", "reason"),
    [
        ("int x; // porter: ignore[WAV001] tested on both\n", 1, ("WAV001",), "tested on both"),
        ("// porter: ignore[wav001, SYN003] why\n\n// more\nint x;\n", 4, ("WAV001", "SYN003"), "why"),
        ("/* porter: ignore[WAV001] in\n   two lines */\nint x;\n", 3, ("WAV001",), "in two lines"),
        ("int x; /* porter: ignore[WAV001] a */ int y;\n", 1, ("WAV001",), "a"),
        ("//porter:ignore[WAV001]because\nint x;", 2, ("WAV001",), "because"),
    ],
)
def test_what_a_comment_says(text: str, line: int, codes: tuple[str, ...], reason: str) -> None:
    _, found = read(text)
    assert [(s.line, s.codes, s.reason) for s in found] == [(line, codes, reason)]


@pytest.mark.parametrize(
    "text",
    [
        "// see porter: ignore[WAV001] x\n",
        'const char* s = "// porter: ignore[WAV001] x";\n',
        "// porter: ignored\n",
    ],
)
def test_what_is_no_such_comment(text: str) -> None:
    assert read(text)[1] == ()


def test_it_accepts_its_codes_on_its_line_only() -> None:
    unit, (comment,) = read("int x; // porter: ignore[WAV001] fine\nint y;\n")
    for code, offset, expected in (("WAV001", 0, True), ("SYN003", 0, False), ("WAV001", 39, False)):
        finding = Diagnostic(code, Severity.ERROR, "", unit.source.span(offset, offset + 1))
        assert comment.accepts(finding) is expected


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("int x; // porter: ignore\n", "CHK005", "the comment names no code, and so ignores nothing"),
        ("int x; // porter: ignore[] fine\n", "CHK005", "the comment names no code, and so ignores nothing"),
        (
            "int x; // porter: ignore[WAV001]\n",
            "CHK005",
            "the comment gives no reason, and so ignores nothing",
        ),
        ("int x; // porter: ignore[WAV999] fine\n", "CHK007", "porter has no finding WAV999"),
        ("int x; // porter: ignore[WAV001] fine\n", "CHK006", "nothing on line 1 is WAV001"),
    ],
)
def test_complaints(text: str, code: str, message: str) -> None:
    assert [(d.code, d.message) for d in complained(text)] == [(code, message)]


def test_a_comment_that_is_needed_is_no_complaint() -> None:
    assert complained("int x; // porter: ignore[WAV001] fine\n", used=True) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int x;  // porter: ignore[WAV001] fine\nint y;\n", "int x;\nint y;\n"),
        ("int x;\r\n  // porter: ignore[WAV001] fine\r\nint y;\r\n", "int x;\r\nint y;\r\n"),
        ("int x; /* porter: ignore[WAV001] a */ int y;\n", "int x; int y;\n"),
        ("// porter: ignore[WAV001] fine", ""),
    ],
)
def test_the_fix_removes_the_comment_and_nothing_else(before: str, after: str) -> None:
    (complaint,) = complained(before)
    assert apply_edits(before.encode(), complaint.fix) == after.encode()
