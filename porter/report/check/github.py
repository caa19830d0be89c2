"""Workflow commands of GitHub Actions: an annotation a finding, on its line of the pull request.

GitHub shows the first ten errors and ten warnings of a step; all of them stand in the log.
"""

from __future__ import annotations

from porter.core.check_report import CheckFinding, CheckReport
from porter.core.diagnostic import Severity
from porter.report.check.shown import explained, printable, summary_of, title_of

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def format_github(report: CheckReport) -> str:
    return "".join(f"{_annotation(f, report)}\n" for f in report.findings) + summary_of(report) + "\n"


def _annotation(finding: CheckFinding, report: CheckReport) -> str:
    region, diagnostic = finding.region, finding.diagnostic
    properties = {
        "file": printable(finding.path),
        "line": str(region.start_line),
        "endLine": str(region.end_line),
        "title": title_of(finding, report),
    }
    if region.start_line == region.end_line:  # GitHub rejects columns of a range of lines
        properties |= {"col": str(region.start_column), "endColumn": str(region.end_column)}
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    hint = f"\nhint: {diagnostic.hint}" if diagnostic.hint else ""
    return f"::{_COMMANDS[diagnostic.severity]} {told}::{_data(explained(finding) + printable(hint))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
