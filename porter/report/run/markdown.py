"""A run as a comment on a pull request: numbers, what needs a person, and kernels that are not proved."""

from __future__ import annotations

from porter.core.migration_report import Reason
from porter.core.run_report import RunReport
from porter.report.check.markdown import MAX_CHARACTERS, cell, code
from porter.report.check.shown import counted, printable
from porter.report.effort import effort_of
from porter.report.migration_text import rests_on_text

_STATES = ("ported", "translated", "unchanged", "open", "crashed", "waiting")


def format_markdown(report: RunReport) -> str:
    summary = report.summary
    verdict = "needs a person" if summary.exit_code else "ported"
    states = ", ".join(f"{summary.ended(s)} {s}" for s in _STATES if summary.ended(s))
    kernels = ", ".join(f"{n} {outcome}" for outcome, n in sorted(summary.kernels.items()))
    lines = [f"### porter: {verdict}\n\n", f"files: {states} (to {summary.target} for {summary.arch})\n"]
    if kernels:
        lines.append(f"kernels: {kernels}\n")
    if summary.rests_on:
        lines.append(f"of the ported kernels {rests_on_text(summary)}\n")
    if summary.evidence:
        lines.append("evidence: " + ", ".join(f"`{name}` {n}" for name, n in summary.evidence.items()) + "\n")
    lines += _table(
        "\n| what needs a person | how often | effort | where |\n|---|---:|---|---|\n",
        [_reason(reason) for reason in summary.reasons],
        MAX_CHARACTERS // 2,
    )
    open_ = [
        f"| {code(printable(k['kernel']))} | {code(printable(file.name))} | {k['outcome']} "
        f"| {cell(printable((k['reason'] or '').partition(chr(10))[0]))} |\n"
        for file in report.files
        for k in file.kernels
        if k["outcome"] != "ported"
    ]
    lines += _table("\n| kernel | file | outcome | why |\n|---|---|---|---|\n", open_, MAX_CHARACTERS // 3)
    return "".join(lines)


def _reason(reason: Reason) -> str:
    what = f"{reason.code}: {reason.message}" if reason.code else reason.message
    where = cell(printable(", ".join(reason.places)))
    return f"| {cell(printable(what))} | {reason.count} | {effort_of(reason.code)} | {where} |\n"


def _table(head: str, rows: list[str], room: int) -> list[str]:
    """As many rows as there is room for, and how many there are more."""
    if not rows:
        return []
    shown: list[str] = []
    for row in rows:
        room -= len(row)
        if room < 0:
            break
        shown.append(row)
    left = len(rows) - len(shown)
    return [
        head,
        *shown,
        f"\n{counted(left, 'further row')}: `porter report --html` has all.\n" if left else "",
    ]
