"""The findings of a run as SARIF 2.1.0, by the way of `porter check`'s."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from porter.core.check_report import CheckFinding, CheckReport, CodePage, FailOn, Region
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Target
from porter.core.run_report import RunReport
from porter.core.span import Span
from porter.report.check.sarif import format_sarif as format_check


def format_sarif(report: RunReport, pages: Mapping[str, CodePage]) -> str:
    """Each finding once, whichever kernels have it."""
    seen: Counter[tuple[str, str, str]] = Counter()
    findings: dict[tuple[str, int, int, str, str], CheckFinding] = {}
    for file in report.files:
        for kernel, found in file.findings():
            place = (found["path"], found["line"], found["column"], found["code"], found["message"])
            if place in findings:
                continue
            path, line, column, code, message = place
            same = (path, code, message)
            diagnostic = Diagnostic(
                code,
                Severity(found["severity"]),
                message,
                Span(path, 0, 0, line, column),
                found.get("hint") or "",
            )
            region = Region(line, column, line, column + 1)
            fingerprint = f"{path}:{code}:{message}"
            findings[place] = CheckFinding(diagnostic, region, kernel, fingerprint, seen[same] + 1)
            seen[same] += 1
    return format_check(
        CheckReport(
            target=Target(report.summary.target),
            arch=report.summary.arch,
            findings=tuple(findings.values()),
            files=len(report.files),
            fail_on=FailOn.ERROR,
            pages=pages,
        )
    )
