"""A migration as a person reads it in a terminal: what is done, with which evidence, and what needs them."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from porter.core.migration_report import RESTS_ON, MigrationReport, ModelsPart, Reason
from porter.report.asked_text import cost_text
from porter.report.check.shown import counted, one_line

_STATES = ("ported", "translated", "unchanged", "open", "crashed", "waiting")
_STYLE = {"ported": "green", "open": "yellow", "crashed": "red", "waiting": "cyan"}
_KINDS = {"kernels": "with kernels", "cuda": "headers and host code", "build": "build files"}
_MOST_REASONS = 15


def print_migration(report: MigrationReport, console: Console) -> None:
    console.print(_files(report))
    if report.kernels:
        total = sum(report.kernels.values())
        counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(report.kernels.items()))
        console.print(Text(f"{counted(total, 'kernel')}: {counts}"))
    if report.evidence:
        console.print(Text("evidence: " + ", ".join(f"{kind} {n}" for kind, n in report.evidence.items())))
    if report.rests_on:
        console.print(Text("of the ported kernels " + rests_on_text(report)))
    if report.models is not None:
        console.print(Text(_models(report.models)))
    if report.reasons:
        console.print(Text("\nWhat needs a person:"))
    for reason in report.reasons[:_MOST_REASONS]:
        console.print(_reason(reason))
    rest = len(report.reasons) - _MOST_REASONS
    if rest > 0:
        console.print(Text(f"… and {counted(rest, 'further reason')}: --json has them all"))


def rests_on_text(report: MigrationReport) -> str:
    rests = report.rests_on.items()
    return ", ".join(f"{count} checked {RESTS_ON.get(code, code)} ({code})" for code, count in rests)


def _models(part: ModelsPart) -> str:
    asked = counted(part.conversations, "conversation")
    taken = f"{part.accepted} accepted, {counted(part.kernels_taken, 'kernel')} taken"
    return f"models: {asked}, {taken}: {cost_text(part.cost)}"


def _files(report: MigrationReport) -> Table:
    """Only the columns that have something in them."""
    states = [s for s in _STATES if report.ended(s)]
    table = Table(box=None, pad_edge=False)
    table.add_column("files")
    for state in states:
        table.add_column(state, justify="right", style=_STYLE.get(state, ""))
    for kind, by_state in report.files.items():
        table.add_row(_KINDS.get(kind, kind), *(str(by_state.get(s, "")) for s in states))
    return table


def _reason(reason: Reason) -> Text:
    code = f"{reason.code}: " if reason.code else ""
    more = f" and {reason.count - len(reason.places)} more" if reason.count > len(reason.places) else ""
    places = one_line(", ".join(reason.places))
    return Text(f"{reason.count:5d} × {code}{one_line(reason.message)}\n        {places}{more}")
