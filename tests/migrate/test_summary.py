"""What a report says needs a person."""

from __future__ import annotations

from typing import Any

from porter.migrate.repository.results import Result
from porter.migrate.repository.summary import reasons_of
from porter.migrate.repository.units import Kind, State, Unit

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


def test_a_line_of_the_port_is_not_given_in_a_folder_of_porters() -> None:
    path = "/home/a/.porter/candidates/f3df/50-candidate.hip"
    assert found((path, 215)) == [("BLD901", "unknown type", "src/k.cu (line 215 of its port)")]
