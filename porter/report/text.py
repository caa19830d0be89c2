"""The report a person reads: a table of verdicts, then every finding with its source line."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from porter.core.diagnostic import Diagnostic, Severity, render
from porter.core.outcome import (
    Comparison,
    Declined,
    Failed,
    FailingCase,
    History,
    LastStore,
    Outcome,
    Partial,
    Ported,
)
from porter.core.result import Report, UnitResult
from porter.core.span import SourceText, shown_path
from porter.report.asked_text import asked_lines

_STYLE = {"ported": "green", "partial": "yellow", "declined": "yellow", "failed": "red"}
_SEVERITY_STYLE = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def print_report(
    report: Report, console: Console, sources: Mapping[str, SourceText], *, checked: bool = True
) -> None:
    """Rich on a terminal, plain text elsewhere; `sources` (by path) supplies the lines under findings.

    Of a port that was not to be `checked`, what is translated is all that was asked for, and said so.
    """
    console.print(verdict_table(tuple((report, unit) for unit in report.units)))
    for part in _explanations(report, sources):
        console.print(part)
    for line in asked_lines(report.asked) if report.asked else ():
        console.print(Text(line))
    console.print(summary_line(report, checked=checked))


def print_reports(reports: tuple[Report, ...], console: Console) -> None:
    """One table over many files and both targets, then why anything in it is not ported."""
    console.print(verdict_table(tuple((r, unit) for r in reports for unit in r.units)))
    for report in reports:
        for unit in report.units:
            for part in _unit_explanation(unit.outcome):
                console.print(Text(f"{unit.source} to {report.target}:"), part)
    for target in dict.fromkeys(r.target for r in reports):
        chosen = tuple(u for r in reports if r.target is target for u in r.units)
        console.print(f"{target}: {_summary(Counter(u.status for u in chosen))}")


_HEADINGS = ("kernel", "verdict", "evidence", "cases", "max ulp", "max rel", "error/own", "predicted")


def verdict_table(rows: tuple[tuple[Report, UnitResult], ...]) -> Table:
    """A row a kernel: outcome, evidence, error, predicted time; source and target if there are many."""
    many = len({(r.target, u.source) for r, u in rows}) > 1
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in (*(("source", "target") if many else ()), *_HEADINGS):
        table.add_column(heading, justify="right" if heading in _NUMERIC else "left")
    for report, unit in rows:
        where = (unit.source, str(report.target)) if many else ()
        table.add_row(*where, *unit_cells(unit))
    return table


_NUMERIC = ("cases", "max ulp", "max rel", "error/own", "predicted")


def unit_cells(unit: UnitResult) -> tuple[RenderableType, ...]:
    outcome = unit.outcome
    evidence = "" if isinstance(outcome, Declined) else " ".join(str(e) for e in outcome.evidence)
    comparison = None if isinstance(outcome, Declined) else outcome.comparison
    verdict = Text(unit.status, style=_STYLE[unit.status])
    predicted = f"{unit.prediction.time_us:.1f} us ({unit.prediction.bound})" if unit.prediction else "-"
    return outcome.kernel, verdict, evidence or "-", *_error_cells(comparison), predicted


def _error_cells(comparison: Comparison | None) -> tuple[str, str, str, str]:
    """`error/own`: the error against the double-precision run over the original's own error there."""
    if comparison is None:
        return "-", "-", "-", "-"
    own = comparison.worst_vs_reference
    ratio = "-" if own is None else f"{own:.3g}"
    return str(comparison.cases), f"{comparison.max_ulp:.4g}", f"{comparison.max_rel:.2g}", ratio


def _explanations(report: Report, sources: Mapping[str, SourceText]) -> list[RenderableType]:
    parts: list[RenderableType] = []
    shown: set[Diagnostic] = set()
    for unit in report.units:
        parts.extend(_unit_explanation(unit.outcome))
        parts.extend(_smallest_case(unit))
        parts.extend(_findings(unit.outcome.findings, sources, shown))
    parts.extend(_findings(report.findings, sources, shown))
    return parts


def _unit_explanation(outcome: Outcome) -> list[RenderableType]:
    if not isinstance(outcome, Partial | Declined | Failed):
        return _not_tried(outcome)
    lines = [Text(f"{outcome.kernel}: {outcome.reason}")]
    if isinstance(outcome, Failed) and outcome.comparison:
        lines += [Text(f"    {mismatch}") for mismatch in outcome.comparison.first_mismatches]
        lines.append(Text(f"    seed {outcome.comparison.seed}"))
    return [Group(*lines)]


def _not_tried(outcome: Ported) -> list[RenderableType]:
    """What the verdict does not rest on."""
    comparison = outcome.comparison
    if comparison is None:
        return []
    skipped = [f"{n} case{'s' * (n != 1)} not compared: {why}" for why, n in comparison.skipped.items()]
    lines = (*skipped, *comparison.not_raised)
    return [Text(f"{outcome.kernel}: {line}", style="dim") for line in lines]


def _smallest_case(unit: UnitResult) -> list[RenderableType]:
    """Where to look first, and the command that runs only that."""
    outcome = unit.outcome
    comparison = outcome.comparison if isinstance(outcome, Failed) else None
    case = comparison.smallest_failing if comparison is not None else None
    if not isinstance(outcome, Failed) or comparison is None or case is None:
        return []
    grid = " x ".join(map(str, case.grid))
    called = f", called with {', '.join(map(str, case.arguments))}" if case.arguments else ""
    command = (
        f"porter verify {shlex.quote(unit.source)} {shlex.quote(outcome.output)} "
        f"--kernel {shlex.quote(outcome.kernel)} --case {shlex.quote(case.case)} --seed {comparison.seed}"
    )
    block = f", block {' x '.join(map(str, case.block))}" if case.block is not None else ""
    return [
        Text(f"    smallest failing case: {case.case} (launch {case.launch}, grid {grid}{block}{called})"),
        *(Text(f"    {line}") for line in _wrong_element(case)),
        Text(f"    again: {command}"),
    ]


def _wrong_element(case: FailingCase) -> list[str]:
    """The first wrong element, and who wrote it last as far as that is known."""
    first = case.first
    histories = {"original": case.by_original, "port": case.by_port}
    told = {name: _seen_from_here(writer) for name, writer in histories.items() if writer is not None}
    return [
        f"  {first.buffer}[{first.index}]: expected {first.expected!r}, got {first.actual!r}",
        *(f"    written in the {name}: {writer}" for name, writer in told.items()),
    ]


def _seen_from_here(writer: History) -> History:
    return replace(writer, file=shown_path(writer.file)) if isinstance(writer, LastStore) else writer


def _findings(
    findings: tuple[Diagnostic, ...], sources: Mapping[str, SourceText], shown: set[Diagnostic]
) -> list[RenderableType]:
    fresh = [f for f in dict.fromkeys(findings) if f not in shown]
    shown.update(fresh)
    return [Text(render(f, sources.get(f.span.path)), style=_SEVERITY_STYLE[f.severity]) for f in fresh]


def summary_line(report: Report, *, checked: bool = True) -> str:
    return _summary(report.totals(), partial="partial" if checked else "translated, not checked")


def _summary(totals: Mapping[str, int], partial: str = "partial") -> str:
    names = {status: status for status in _STYLE} | {"partial": partial}
    parts = [f"{totals[status]} {name}" for status, name in names.items() if totals.get(status)]
    return ", ".join(parts) or "no kernels"
