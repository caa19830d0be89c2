"""`--fix` changes what findings say and nothing else, and leaves alone what it cannot."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from porter.core.check_report import CheckFinding
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.core.span import SourceText
from porter.migrate.check.fixes import apply_fixes
from porter.migrate.check.locate import region_of

TEXT = b"\xef\xbb\xbfint caf\xc3\xa9 = aa + bb;\r\nint y = aa;"


def finding(start: int, end: int, to: bytes, text: bytes = TEXT) -> CheckFinding:
    source = SourceText("a.cu", text)
    span = source.span(start, end)
    diagnostic = Diagnostic("WAV001", Severity.NOTE, "m", span, fix=(Edit(start, end, to),))
    return CheckFinding(diagnostic, region_of(source, span))


def test_edits_of_two_lines_with_every_other_byte_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(TEXT)
    path.chmod(0o755)
    first, second = TEXT.index(b"bb"), TEXT.rindex(b"aa")
    fixed = apply_fixes(tmp_path, [finding(second, second + 2, b"c"), finding(first, first + 2, b"c")])
    assert (fixed.files, fixed.messages) == (1, ("a.cu: 2 fixed",))
    assert path.read_bytes() == TEXT.replace(b"bb", b"c").replace(b"y = aa", b"y = c")
    assert path.stat().st_mode & 0o777 == 0o755
    assert os.listdir(tmp_path) == ["a.cu"]


def test_of_two_fixes_that_touch_the_first_is_applied(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(TEXT)
    at = TEXT.index(b"aa")
    fixed = apply_fixes(tmp_path, [finding(at, at + 2, b"c"), finding(at + 1, at + 4, b"d")])
    assert fixed.messages == ("a.cu: 1 fixed",)
    assert (tmp_path / "a.cu").read_bytes() == TEXT.replace(b"aa", b"c", 1)


def test_a_line_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"// " + TEXT)
    at = TEXT.index(b"aa")
    assert apply_fixes(tmp_path, [finding(at, at + 2, b"c")]).messages == ("a.cu: 0 fixed",)
    assert (tmp_path / "a.cu").read_bytes() == b"// " + TEXT


@pytest.mark.parametrize("gone", [True, False])
def test_a_file_that_is_gone_or_read_only(tmp_path: Path, *, gone: bool) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(TEXT)
    path.unlink() if gone else path.chmod(0o444)
    at = TEXT.index(b"aa")
    fixed = apply_fixes(tmp_path, [finding(at, at + 2, b"c")])
    assert fixed.files == 0
    assert fixed.messages == (
        f"a.cu: not fixed: {'No such file or directory' if gone else 'it is read-only'}",
    )
    assert gone or path.read_bytes() == TEXT
