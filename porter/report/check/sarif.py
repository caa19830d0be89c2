"""SARIF 2.1.0 (OASIS Standard, 27 March 2020), for code scanning of GitHub, GitLab, Azure DevOps and editors.

Accepted findings are results with a suppression; columns count characters, not UTF-16 units.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from porter import __version__
from porter.core.check_report import AcceptedBy, CheckFinding, CheckReport, CodePage
from porter.core.diagnostic import Severity
from porter.core.edit import Edit
from porter.report.check.shown import explained, printable, uri_of

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_KINDS = {AcceptedBy.INLINE: "inSource", AcceptedBy.BASELINE: "external"}


def format_sarif(report: CheckReport) -> str:
    every = sorted((*report.findings, *report.accepted), key=lambda f: (f.path, f.diagnostic.span))
    codes = sorted({f.diagnostic.code for f in every})
    order = {code: index for index, code in enumerate(codes)}
    run = {
        "tool": {
            "driver": {
                "name": "porter",
                "semanticVersion": __version__,
                "rules": [_rule(code, report.pages) for code in codes],
            }
        },
        "automationDetails": {"id": f"porter/{report.target}/{report.arch}/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "the root of the repository"}}},
        "results": [_result(finding, order) for finding in every],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str, pages: Mapping[str, CodePage]) -> dict[str, Any]:
    page = pages.get(code)
    if page is None:
        return {"id": code}
    rule: dict[str, Any] = {"id": code, "shortDescription": {"text": page.summary}}
    if page.name:
        rule["name"] = page.name
    if page.text:
        rule["fullDescription"] = {"text": page.text.split("\n\n")[0]}
        rule["help"] = {"text": page.text, "markdown": page.text}
    return rule


def _result(finding: CheckFinding, order: Mapping[str, int]) -> dict[str, Any]:
    diagnostic = finding.diagnostic
    hint = f". {diagnostic.hint[:1].upper()}{diagnostic.hint[1:]}." if diagnostic.hint else ""
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": order[diagnostic.code],
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": explained(finding) + printable(hint)},
        "locations": [_location(finding)],
        "partialFingerprints": {"porterFinding/v1": f"{finding.fingerprint}:{finding.occurrence}"},
    }
    if finding.acceptance is not None:
        suppression = {"kind": _KINDS[finding.acceptance.by], "status": "accepted"}
        if finding.acceptance.reason:
            suppression["justification"] = printable(finding.acceptance.reason)
        result["suppressions"] = [suppression]
    if diagnostic.fix:
        result["fixes"] = [_fix(finding)]
    return result


def _artifact(finding: CheckFinding) -> dict[str, str]:
    absolute = finding.path.startswith("/")
    return {"uri": uri_of(finding.path)} | ({} if absolute else {"uriBaseId": _ROOT})


def _location(finding: CheckFinding) -> dict[str, Any]:
    region = finding.region
    physical = {
        "artifactLocation": _artifact(finding),
        "region": {
            "startLine": region.start_line,
            "startColumn": region.start_column,
            "endLine": region.end_line,
            "endColumn": region.end_column,
        },
    }
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.function:
        location["logicalLocations"] = [{"name": printable(finding.function), "kind": "function"}]
    return location


def _fix(finding: CheckFinding) -> dict[str, Any]:
    replacements = [_replacement(edit) for edit in finding.diagnostic.fix]
    change = {"artifactLocation": _artifact(finding), "replacements": replacements}
    return {"description": {"text": printable(finding.diagnostic.hint)}, "artifactChanges": [change]}


def _replacement(edit: Edit) -> dict[str, Any]:
    return {
        "deletedRegion": {"byteOffset": edit.start, "byteLength": edit.end - edit.start},
        "insertedContent": {"text": edit.replacement.decode("utf-8", "replace")},
    }
