"""A baseline holds while lines move and files are renamed; a damaged or foreign one is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from porter.core.check_report import CheckFinding, Region
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.errors import InputError
from porter.core.span import Span
from porter.migrate.check.baseline import Baseline, baseline_text
from porter.migrate.check.locate import fingerprint


def finding(path: str, line: int, text: str, code: str = "WAV001", function: str = "k") -> CheckFinding:
    span = Span(path, 0, 1, line, 1)
    region = Region(line, 1, line, 2, text)
    diagnostic = Diagnostic(code, Severity.WARNING, "m", span)
    return CheckFinding(diagnostic, region, function, fingerprint(code, function, text))


def accepted(root: Path, old: list[CheckFinding], new: list[CheckFinding]) -> tuple[list[bool], int]:
    path = root / "baseline.json"
    path.write_text(baseline_text(old))
    judged, stale = Baseline.read(path).accept(new, root)
    return [f.acceptance is not None for f in judged], stale


def test_moved_and_indented_lines_are_the_same(tmp_path: Path) -> None:
    old = [finding("a.cu", 3, "  int x = threadIdx.x % 32;")]
    assert accepted(tmp_path, old, [finding("a.cu", 90, "int x =  threadIdx.x % 32; ")]) == ([True], 0)


@pytest.mark.parametrize(
    "new",
    [
        finding("a.cu", 3, "int y = threadIdx.x % 32;"),
        finding("a.cu", 3, "int x;", code="WAV002"),
        finding("a.cu", 3, "int x;", function="other"),
        finding("b.cu", 3, "int x;"),
    ],
)
def test_another_text_code_function_or_file_is_new(tmp_path: Path, new: CheckFinding) -> None:
    (tmp_path / "a.cu").touch()
    assert accepted(tmp_path, [finding("a.cu", 3, "int x;")], [new]) == ([False], 1)


def test_a_third_occurrence_of_two_is_new(tmp_path: Path) -> None:
    same = [finding("a.cu", line, "int x;") for line in (3, 5, 9)]
    assert accepted(tmp_path, same[:2], same) == ([True, True, False], 0)
    assert accepted(tmp_path, same, same[:1]) == ([True], 2)


def test_a_renamed_file_keeps_its_entries_but_a_copy_gets_none(tmp_path: Path) -> None:
    old, new = [finding("old.cu", 3, "int x;")], [finding("new.cu", 3, "int x;")]
    assert accepted(tmp_path, old, new) == ([True], 0)
    (tmp_path / "old.cu").touch()
    assert accepted(tmp_path, old, new) == ([False], 1)


def test_a_name_that_is_no_utf8_survives(tmp_path: Path) -> None:
    odd = [finding("caf\udce9.cu", 3, "int x;")]
    assert accepted(tmp_path, odd, odd) == ([True], 0)


def test_the_document_is_sorted_and_the_same_for_the_same_findings() -> None:
    two = [finding("b.cu", 1, "int x;"), finding("a.cu", 2, "int y;")]
    assert baseline_text(two) == baseline_text(two[::-1])
    assert [entry["path"] for entry in json.loads(baseline_text(two))["findings"]] == ["a.cu", "b.cu"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no baseline"),
        ("{", "is no baseline"),
        ("[]", "it has no format tag"),
        ("{}", "it has no format tag"),
        (
            '{"format": "porter-baseline-2", "findings": []}',
            "its format is porter-baseline-2, and this version",
        ),
        ('{"format": "porter-baseline-1"}', "an entry is damaged"),
        ('{"format": "porter-baseline-1", "findings": [{"path": "a"}]}', "an entry is damaged"),
        ('{"format": "porter-baseline-1", "findings": 3}', "an entry is damaged"),
        (
            '{"format": "porter-baseline-1", "findings": [{"path": "a", "fingerprint": "b", "count": "x"}]}',
            "damaged",
        ),
    ],
)
def test_a_damaged_or_foreign_baseline(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as error:
        Baseline.read(path)
    assert error.value.hint == "write it again with --write-baseline"


def test_a_baseline_of_other_bytes_or_none(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    with pytest.raises(InputError, match="No such file"):
        Baseline.read(path)
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(InputError, match="is no baseline"):
        Baseline.read(path)
