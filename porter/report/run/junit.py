"""A run as JUnit's XML: a suite a file, a test case a kernel, or the file itself where it has none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

from porter.core.run_report import FileReport, RunReport
from porter.report.check.shown import printable

_PASSED = ("ported", "translated", "unchanged")


def format_junit(report: RunReport) -> str:
    root = ET.Element("testsuites", name=f"porter to {report.summary.target}")
    for file in report.files:
        _suite(root, file)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(root: ET.Element, file: FileReport) -> None:
    name = printable(file.name)
    suite = ET.SubElement(root, "testsuite", name=name)
    if file.kernels:
        ends = [_case(suite, name, k["kernel"], k["outcome"], _why(k)) for k in file.kernels]
    else:
        ends = [_case(suite, name, name, file.state, _reason(file))]
    suite.set("tests", str(len(ends)))
    suite.set("failures", str(ends.count("failure")))
    suite.set("skipped", str(ends.count("skipped")))


def _case(suite: ET.Element, file: str, name: str, outcome: str, why: str) -> str:
    """What could not be checked is skipped, and never passed."""
    case = ET.SubElement(suite, "testcase", classname=file, name=printable(name), file=file)
    if outcome in _PASSED:
        return "passed"
    end = "skipped" if outcome in ("partial", "waiting") else "failure"
    ET.SubElement(case, end, message=f"{outcome}: {printable(why)}".rstrip(": "))
    return end


def _why(kernel: Mapping[str, Any]) -> str:
    return (kernel["reason"] or "").partition("\n")[0]


def _reason(file: FileReport) -> str:
    errors = (f for f in file.document["findings"] if f["severity"] == "error")
    first = next(errors, None)
    return file.document.get("reason") or (f"{first['message']} [{first['code']}]" if first else "")
