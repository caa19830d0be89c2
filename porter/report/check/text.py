"""For people at a terminal: each finding with its line and carets, then one line of totals."""

from __future__ import annotations

from porter.core.check_report import CheckFinding, CheckReport
from porter.core.diagnostic import carets
from porter.report.check.shown import counted, explained, one_line, printable, summary_of


def format_text(report: CheckReport) -> str:
    lines = [line for finding in report.findings for line in _finding(finding)]
    lines.append(summary_of(report))
    fixes = sum(1 for f in report.findings if f.diagnostic.fix)
    if fixes:
        lines.append(f"{counted(fixes, 'finding')} can be fixed with --fix")
    if report.stale_baseline:
        entries = counted(report.stale_baseline, "entry").replace("entrys", "entries")
        lines.append(
            f"{entries} of the baseline found nothing any more: write it again with --write-baseline"
        )
    return "\n".join(lines) + "\n"


def _finding(finding: CheckFinding) -> list[str]:
    region, diagnostic = finding.region, finding.diagnostic
    place = f"{one_line(finding.path)}:{region.start_line}:{region.start_column}"
    lines = [f"{place}: {diagnostic.severity}: {explained(finding)} [{diagnostic.code}]"]
    if region.text.strip():
        whole = region.end_line == region.start_line
        end = region.end_column if whole else len(region.text) + 1
        lines += carets(printable(region.text), region.start_column, end - region.start_column)
    if diagnostic.hint:
        lines.append(f"    hint: {printable(diagnostic.hint)}")
    return lines
