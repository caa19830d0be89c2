"""Every format of a check: what it says of the same findings, and that its readers can read it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from porter.core.check_report import (
    Acceptance,
    AcceptedBy,
    CheckFinding,
    CheckReport,
    CodePage,
    FailOn,
    Region,
)
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.core.outcome import Target
from porter.core.span import Span
from porter.report.check.formats import FORMATTERS, CheckFormat

ROOT = Path(__file__).parents[3]
SARIF = json.loads((ROOT / "tests" / "report" / "data" / "sarif-2.1.0.schema.json").read_text())
CHECK = json.loads((ROOT / "docs" / "check.schema.json").read_text())


def finding(
    path: str = "src/a.cu",
    code: str = "WAV001",
    severity: Severity = Severity.WARNING,
    message: str = "it is 32",
    acceptance: Acceptance | None = None,
) -> CheckFinding:
    span = Span(path, 40, 42, 7, 5)
    diagnostic = Diagnostic(code, severity, message, span, "write 64", (Edit(40, 42, b"64"),))
    region = Region(7, 5, 7, 7, "x = 32;  ")
    return CheckFinding(diagnostic, region, "k", "00ff", 2, "k uses W, which changed (w.h:3)", acceptance)


PAGES = {
    "WAV001": CodePage("WAV001", "hardcoded-warp-size", "a bare 32", "A bare 32.\n\nWhy it matters: so.")
}
REPORT = CheckReport(
    Target.HIP,
    "gfx950",
    (finding(), finding(severity=Severity.NOTE, code="LCH002", message="a | b `c` <d> @e 100%\n::error::x")),
    (
        finding(acceptance=Acceptance(AcceptedBy.INLINE, "on purpose")),
        finding(acceptance=Acceptance(AcceptedBy.BASELINE)),
    ),
    files=3,
    base="main",
    pages=PAGES,
)
NOTHING = CheckReport(Target.TRITON, "gfx942", (), files=1)
ODD = replace(REPORT, findings=(finding(path="d ir/caf\udce9\x1b,:%.cu", message="it \udcff is \x00"),))


def shown(format_: CheckFormat, report: CheckReport = REPORT) -> str:
    return FORMATTERS[format_](report)


@pytest.mark.parametrize("format_", CheckFormat)
@pytest.mark.parametrize("report", [REPORT, NOTHING, ODD], ids=["some", "none", "odd"])
def test_every_format_is_text_that_any_stream_takes(format_: CheckFormat, report: CheckReport) -> None:
    text = shown(format_, report)
    assert text.endswith("\n")
    assert text.encode("utf-8").find(b"\x1b") == -1


def test_text() -> None:
    lines = shown(CheckFormat.TEXT).splitlines()
    assert lines[:4] == [
        "src/a.cu:7:5: warning: it is 32 (k uses W, which changed (w.h:3)) [WAV001]",
        "    x = 32;  ",
        "        ^^",
        "    hint: write 64",
    ]
    assert lines[-2:] == [
        "1 warning, 1 note in 3 files, on changes since main; accepted: 1 by comments, 1 by the baseline",
        "2 findings can be fixed with --fix",
    ]
    assert shown(CheckFormat.TEXT, NOTHING) == "no findings in 1 file\n"


def test_stale_entries_are_told() -> None:
    text = shown(CheckFormat.TEXT, replace(NOTHING, stale_baseline=2))
    assert "2 entries of the baseline found nothing any more" in text


@pytest.mark.parametrize("report", [REPORT, NOTHING, ODD], ids=["some", "none", "odd"])
def test_json_is_what_its_schema_says(report: CheckReport) -> None:
    document = json.loads(shown(CheckFormat.JSON, report))
    jsonschema.validate(document, CHECK)
    assert len(document["findings"]) == len(report.findings)
    assert document["exit_code"] == int(report.exit_code)


@pytest.mark.parametrize("report", [REPORT, NOTHING, ODD], ids=["some", "none", "odd"])
def test_sarif_is_valid(report: CheckReport) -> None:
    jsonschema.Draft7Validator(SARIF).validate(json.loads(shown(CheckFormat.SARIF, report)))


def test_the_schema_of_sarif_rejects_what_is_not() -> None:
    document = json.loads(shown(CheckFormat.SARIF))
    document["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(SARIF).validate(document)


def test_sarif_has_levels_rules_suppressions_fixes_and_fingerprints() -> None:
    (run,) = json.loads(shown(CheckFormat.SARIF))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["LCH002", "WAV001"]
    assert rules[1]["name"] == "hardcoded-warp-size"
    results = run["results"]
    assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in results)
    assert sorted(r["level"] for r in results) == ["note", "warning", "warning", "warning"]
    kinds = [s["kind"] for r in results for s in r.get("suppressions", ())]
    assert kinds == ["inSource", "external"]
    (replacement,) = results[0]["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacement["deletedRegion"] == {"byteOffset": 40, "byteLength": 2}
    assert replacement["insertedContent"] == {"text": "64"}
    assert results[0]["partialFingerprints"] == {"porterFinding/v1": "00ff:2"}


def test_sarif_paths_are_uris_of_their_bytes() -> None:
    (result, *_) = json.loads(shown(CheckFormat.SARIF, ODD))["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "d%20ir/caf%E9%1B%2C%3A%25.cu"


def test_junit_fails_skips_and_passes() -> None:
    suites = ET.fromstring(shown(CheckFormat.JUNIT))
    (suite,) = suites
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "1", "2")
    assert [child.tag for case in suite for child in case] == ["failure", "system-out", "skipped", "skipped"]
    (passed,) = ET.fromstring(shown(CheckFormat.JUNIT, NOTHING))
    assert [(case.get("name"), len(case)) for case in passed] == [("no findings in 1 file", 0)]
    ET.fromstring(shown(CheckFormat.JUNIT, ODD))


def test_github_annotations_are_one_line_each_and_escaped() -> None:
    lines = shown(CheckFormat.GITHUB).splitlines()
    assert lines[0] == (
        "::warning file=src/a.cu,line=7,endLine=7,title=WAV001 hardcoded-warp-size,col=5,endColumn=7"
        "::it is 32 (k uses W, which changed (w.h:3))%0Ahint: write 64"
    )
    assert lines[1].startswith("::notice file=src/a.cu,")
    assert "100%25%0A::error::x" in lines[1]
    assert len([line for line in lines if line.startswith("::")]) == 2
    assert "file=d ir/caf\\xe9%2C%3A%25.cu," in shown(CheckFormat.GITHUB, ODD)


def test_markdown_is_one_table_that_no_finding_breaks() -> None:
    text = shown(CheckFormat.MARKDOWN)
    assert text.startswith("### porter check: failed\n\n1 warning, 1 note in 3 files")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [5, 5, 5, 5]
    assert "a \\| b \\`c\\` &lt;d&gt; &#64;e 100% ::error::x" in rows[3]
    assert shown(CheckFormat.MARKDOWN, NOTHING).startswith("### porter check: passed")


def test_markdown_is_cut_to_what_a_comment_holds() -> None:
    text = shown(CheckFormat.MARKDOWN, replace(REPORT, findings=(finding(),) * 2000))
    assert len(text) < 65536
    cut = re.search(r"(\d+) further findings", text)
    assert cut is not None
    assert int(cut[1]) + text.count("| warning |") == 2000


@pytest.mark.parametrize(
    ("fail_on", "severities", "code"),
    [
        (FailOn.WARNING, [Severity.NOTE], 0),
        (FailOn.WARNING, [Severity.NOTE, Severity.WARNING], 1),
        (FailOn.ERROR, [Severity.WARNING], 0),
        (FailOn.ERROR, [Severity.ERROR], 1),
        (FailOn.NOTE, [Severity.NOTE], 1),
        (FailOn.NEVER, list(Severity), 0),
        (FailOn.NOTE, [], 0),
    ],
)
def test_exit_codes(fail_on: FailOn, severities: list[Severity], code: int) -> None:
    findings = tuple(finding(severity=severity) for severity in severities)
    accepted = (finding(severity=Severity.ERROR, acceptance=Acceptance(AcceptedBy.INLINE)),)
    assert CheckReport(Target.HIP, "", findings, accepted, fail_on=fail_on).exit_code == code
