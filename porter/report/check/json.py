"""For programs: one document, format `porter-check-1`; its schema is `docs/check.schema.json`.

It is stable: fields are added, never renamed or removed.
"""

from __future__ import annotations

import json
from typing import Any

from porter import __version__
from porter.core.check_report import CheckFinding, CheckReport
from porter.report.check.shown import printable

FORMAT = "porter-check-1"


def format_json(report: CheckReport) -> str:
    document = {
        "format": FORMAT,
        "porter": __version__,
        "target": str(report.target),
        "arch": report.arch,
        "base": report.base,
        "files": report.files,
        "findings": [_finding(f, report) for f in report.findings],
        "accepted": [_accepted(f, report) for f in report.accepted],
        "totals": report.totals(),
        "stale_baseline": report.stale_baseline,
        "fail_on": str(report.fail_on),
        "exit_code": int(report.exit_code),
    }
    return json.dumps(document, indent=2) + "\n"


def _accepted(finding: CheckFinding, report: CheckReport) -> dict[str, Any]:
    acceptance = finding.acceptance
    by, reason = (str(acceptance.by), acceptance.reason) if acceptance is not None else ("", "")
    return {**_finding(finding, report), "accepted_by": by, "reason": printable(reason)}


def _finding(finding: CheckFinding, report: CheckReport) -> dict[str, Any]:
    diagnostic, region = finding.diagnostic, finding.region
    page = report.pages.get(diagnostic.code)
    return {
        "code": diagnostic.code,
        "name": page.name if page is not None else "",
        "severity": str(diagnostic.severity),
        "path": printable(finding.path),
        "line": region.start_line,
        "column": region.start_column,
        "end_line": region.end_line,
        "end_column": region.end_column,
        "message": printable(diagnostic.message),
        "hint": printable(diagnostic.hint),
        "function": printable(finding.function),
        "because": printable(finding.because),
        "fingerprint": finding.fingerprint,
        "occurrence": finding.occurrence,
        "fixable": bool(diagnostic.fix),
    }
