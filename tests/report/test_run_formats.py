"""A run for other tools: SARIF, JUnit, Markdown; texts beside each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from jsonschema import Draft7Validator

from porter.core.migration_report import MigrationReport, Reason
from porter.core.run_report import FileReport, RunReport
from porter.report.effort import Effort, effort_of
from porter.report.run.html import format_html
from porter.report.run.junit import format_junit
from porter.report.run.markdown import format_markdown
from porter.report.run.sarif import format_sarif
from porter.report.run.side_by_side import MOST_ROWS, side_by_side
from porter.rules import all_rules

SCHEMA = Path(__file__).parent / "data" / "sarif-2.1.0.schema.json"


def finding(code: str, line: int, severity: str = "error") -> dict[str, Any]:
    place = {"path": "a.cu", "line": line, "column": 2}
    return {"code": code, "severity": severity, **place, "message": f"m|{line} @all", "hint": "h"}


def kernel(name: str, outcome: str, findings: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "kernel": name, "outcome": outcome,
        "reason": "" if outcome == "ported" else "because <of> it\nand more", "findings": findings,
        "evidence": [], "evidence_details": [], "comparison": None, "estimate": None,
        "produced_by": None,
    }  # fmt: skip


TWICE = finding("PTX001", 3)
FILES = (
    FileReport(
        "a.cu",
        "kernels",
        "open",
        b"a\n",
        {"a.cu": b"b\n"},
        {
            "units": [
                kernel("k", "declined", [TWICE]),
                kernel("l", "partial", [TWICE]),
                kernel("m", "ported", []),
            ],
            "findings": [finding("MEM010", 9, "note")],
        },
    ),
    FileReport("b.cuh", "cuda", "translated", b"a\n", {}, {"units": [], "findings": []}),
    FileReport("c.cuh", "cuda", "crashed", None, {}, {"units": [], "findings": [], "reason": "SIGSEGV"}),
)
RUN = RunReport(
    "20261201-000000-aaaaaaaa",
    "20261201-000000",
    MigrationReport(
        root="/r",
        target="hip",
        arch="gfx950",
        files={"kernels": {"open": 1}, "cuda": {"translated": 1, "crashed": 1}},
        kernels={"declined": 1, "partial": 1, "ported": 1},
        evidence={"built:gfx950": 1},
        reasons=(Reason("PTX001", "m|3 @all", 1, ("a.cu:3",)),),
    ),
    FILES,
)


def test_sarif_has_each_finding_once() -> None:
    document = json.loads(format_sarif(RUN, {}))
    results = document["runs"][0]["results"]
    assert [(r["ruleId"], r["level"]) for r in results] == [("PTX001", "error"), ("MEM010", "note")]
    region = results[0]["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == (3, 2)


def test_sarif_keeps_the_official_schema() -> None:
    Draft7Validator(json.loads(SCHEMA.read_text())).validate(json.loads(format_sarif(RUN, {})))


def test_junit_never_calls_passed_what_was_not_checked() -> None:
    root = ET.fromstring(format_junit(RUN))
    ends = {
        case.get("name"): [child.tag for child in case]
        for suite in root
        for case in suite.findall("testcase")
    }
    assert ends == {"k": ["failure"], "l": ["skipped"], "m": [], "b.cuh": [], "c.cuh": ["failure"]}
    first = root.find("testsuite")
    assert first is not None
    assert (first.get("tests"), first.get("failures"), first.get("skipped")) == ("3", "1", "1")


def test_markdown_is_text_and_says_what_is_open() -> None:
    text = format_markdown(RUN)
    assert "### porter: needs a person" in text
    assert "1 declined, 1 partial, 1 ported" in text
    assert "m\\|3 &#64;all" in text
    assert "because &lt;of&gt; it" in text
    assert "and more" not in text
    assert "`m`" not in text


def test_markdown_is_cut_where_a_comment_ends() -> None:
    many = [kernel(f"k{i}", "declined", []) for i in range(5000)]
    file = FileReport("a.cu", "kernels", "open", b"", {}, {"units": many, "findings": []})
    text = format_markdown(RunReport("r", "", RUN.summary, (file,)))
    assert len(text) < 60_000
    assert "further rows" in text


def test_sides_stand_beside_each_other() -> None:
    before = b"".join(b"line %d\n" % i for i in range(1, 41))
    after = before.replace(b"line 10\n", b"line ten\nline eleven\n").replace(b"line 30\n", b"")
    shown = side_by_side(before, after, wanted=[20])
    assert (shown.added, shown.removed, shown.cut) == (2, 2, "")
    assert ("~", 10, "line 10", 10, "line ten") in shown.rows
    assert ("+", 0, "", 11, "line eleven") in shown.rows
    assert ("-", 30, "line 30", 0, "") in shown.rows
    assert ("=", 20, "line 20", 21, "line 20") in shown.rows
    gaps = [row[1] for row in shown.rows if row[0] == "…"]
    assert gaps == [7, 17, 27]
    assert not any(row[1] in (1, 15, 40) for row in shown.rows if row[0] == "=")


def test_long_texts_are_cut_and_it_says_so() -> None:
    assert "compare the files" in side_by_side(b"", b"x\n" * 7000).cut
    shown = side_by_side(b"", b"x\n" * (MOST_ROWS + 10))
    assert len(shown.rows) == MOST_ROWS
    assert "further lines" in shown.cut


def test_bytes_that_are_no_text_are_shown() -> None:
    (_, row) = side_by_side(b"", b"\xff\n").rows
    assert row[4] == "\\xff"


def test_every_rule_has_an_effort() -> None:
    for rule in all_rules():
        if rule.code[:3] not in ("ISA", "SIM", "VER"):
            assert effort_of(rule.code) is not Effort.UNKNOWN, rule.code
    assert effort_of("") is Effort.UNKNOWN


def test_the_page_holds_no_script_but_its_own() -> None:
    """Also with JSON that would end its block."""
    file = FileReport("</script>", "cuda", "open", b"<!--", {}, {"units": [], "findings": []})
    page = format_html(RunReport("<!--<script>", "", RUN.summary, (file,)))
    assert page.count("</script>") == 2
    assert page.count("<script") == 2
    assert "<!--" not in page
