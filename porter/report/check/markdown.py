"""A comment on a pull request: the totals, then a table; cut to what GitHub takes (65536 characters)."""

from __future__ import annotations

import re

from porter.core.check_report import CheckFinding, CheckReport
from porter.report.check.shown import counted, explained, printable, summary_of, title_of

MAX_CHARACTERS = 60_000


def format_markdown(report: CheckReport) -> str:
    verdict = "failed" if report.exit_code else "passed"
    head = f"### porter check: {verdict}\n\n{printable(summary_of(report))} (to {report.target})\n"
    if not report.findings:
        return head
    lines = [head, "\n| place | severity | finding | what |\n|---|---|---|---|\n"]
    room = MAX_CHARACTERS - sum(map(len, lines))
    shown = 0
    for finding in report.findings:
        row = _row(finding, report)
        room -= len(row)
        if room < 0:
            break
        lines.append(row)
        shown += 1
    left = len(report.findings) - shown
    if left:
        lines.append(f"\n{counted(left, 'further finding')}: run `porter check` for all of them.\n")
    return "".join(lines)


def _row(finding: CheckFinding, report: CheckReport) -> str:
    place = f"{printable(finding.path)}:{finding.region.start_line}"
    hint = f"<br>{cell(printable(finding.diagnostic.hint))}" if finding.diagnostic.hint else ""
    what = f"{cell(explained(finding))}{hint}"
    return f"| {code(place)} | {finding.diagnostic.severity} | {title_of(finding, report)} | {what} |\n"


def cell(text: str) -> str:
    """Text that stays text in a table: nothing in it is markup, a mention or a cell's border."""
    escaped = re.sub(r"([\\`*_\[\]{}|~#])", r"\\\1", " ".join(text.split()))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")


def code(text: str) -> str:
    """A span of code in a table cell, whatever backticks and bars the text has."""
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    bars = text.replace("|", "\\|")
    return f"{fence}{pad}{bars}{pad}{fence}"
