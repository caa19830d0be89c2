"""JUnit's XML, as Jenkins and GitLab read it: a suite a file, a test case a finding.

Findings that make the check fail are failures, accepted ones are skipped, the others pass with their text.
"""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree as ET

from porter.core.check_report import CheckFinding, CheckReport
from porter.report.check.shown import explained, printable, summary_of, title_of


def format_junit(report: CheckReport) -> str:
    every = sorted((*report.findings, *report.accepted), key=lambda f: (f.path, f.diagnostic.span))
    root = ET.Element("testsuites", name="porter check")
    for path, findings in groupby(every, key=lambda f: f.path):
        _suite(root, path, list(findings), report)
    if not every:
        suite = ET.SubElement(root, "testsuite", name="porter check", tests="1", failures="0", skipped="0")
        ET.SubElement(suite, "testcase", classname="porter.check", name=summary_of(report))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(root: ET.Element, path: str, findings: list[CheckFinding], report: CheckReport) -> None:
    suite = ET.SubElement(root, "testsuite", name=printable(path), tests=str(len(findings)))
    failures = [_case(suite, finding, report) for finding in findings].count("failure")
    skipped = sum(1 for f in findings if f.acceptance is not None)
    suite.set("failures", str(failures))
    suite.set("skipped", str(skipped))


def _case(suite: ET.Element, finding: CheckFinding, report: CheckReport) -> str:
    """Adds the finding; `failure`, `skipped` or `passed`."""
    region = finding.region
    name = f"{title_of(finding, report)} at {region.start_line}:{region.start_column}"
    classname = printable(finding.path)
    case = ET.SubElement(suite, "testcase", classname=classname, name=name, file=classname)
    case.set("line", str(region.start_line))
    message = explained(finding)
    text = f"{classname}:{region.start_line}:{region.start_column}: {message}\n{printable(region.text)}\n"
    if finding.diagnostic.hint:
        text += f"hint: {printable(finding.diagnostic.hint)}\n"
    if finding.acceptance is not None:
        why = finding.acceptance.reason or f"accepted by the {finding.acceptance.by}"
        ET.SubElement(case, "skipped", message=printable(why))
        return "skipped"
    if report.fail_on.counts(finding.diagnostic.severity):
        kind = str(finding.diagnostic.severity)
        ET.SubElement(case, "failure", type=kind, message=message).text = text
        return "failure"
    ET.SubElement(case, "system-out").text = text
    return "passed"
