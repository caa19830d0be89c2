"""What a report says needs a person."""

from __future__ import annotations

from typing import Any

from porter.core.migration_report import MigrationReport
from porter.migrate.repository.results import Result
from porter.migrate.repository.summary import reasons_of, summed_up
from porter.migrate.repository.units import Kind, State, Unit
from porter.report.migration_text import rests_on_text

UNIT = Unit(0, "src/k.cu", Kind.KERNELS, "")


def found(*findings: tuple[str, int], outcome: str = "failed") -> list[tuple[str, str, str]]:
    """Of a file with two kernels, both with these findings: path and line."""
    errors: list[dict[str, Any]] = [
        {"code": "BLD901", "severity": "error", "path": path, "line": line, "message": "unknown type"}
        for path, line in findings
    ]
    units = [{"outcome": outcome, "reason": "does not build", "findings": errors} for _ in range(2)]
    document = {"findings": [], "units": units}
    return list(reasons_of(Result(UNIT, State.OPEN, {}, document, ""), checked=True))


def test_what_stops_a_file_is_told_once() -> None:
    assert found(("src/k.cu", 7), ("src/k.h", 3)) == [
        ("BLD901", "unknown type", "src/k.cu:7"),
        ("BLD901", "unknown type", "src/k.h:3"),
    ]


def test_what_a_proof_rests_on_is_counted() -> None:
    note = {"code": "VER022", "severity": "note", "path": "k.cu", "line": 1, "message": "m"}
    units = [
        {"kernel": "k", "outcome": outcome, "reason": "", "evidence": [], "findings": [note, note]}
        for outcome in ("ported", "ported", "failed")
    ]
    result = Result(UNIT, State.OPEN, {}, {"findings": [], "units": units}, "")
    report = summed_up(MigrationReport("r", "hip", "gfx950"), [result], checked=True)
    assert report.rests_on == {"VER022": 2}
    assert "2 checked in a copy of the file without its host code (VER022)" in rests_on_text(report)


def test_a_line_of_the_port_is_not_given_in_a_folder_of_porters() -> None:
    path = "/home/a/.porter/candidates/f3df/50-candidate.hip"
    assert found((path, 215)) == [("BLD901", "unknown type", "src/k.cu (line 215 of its port)")]
