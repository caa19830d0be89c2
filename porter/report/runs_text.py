"""Runs as a person reads them in a terminal."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.filesize import decimal
from rich.table import Table
from rich.text import Text

from porter.core.run_record import RunRecord, RunState, RunStatus
from porter.report.check.shown import counted, printable

_STYLE = {"running": "cyan", "incomplete": "yellow", "damaged": "red"}


def print_runs(runs: Sequence[RunRecord], console: Console) -> None:
    """The runs as a table, and their size in all."""
    table = Table(box=None, pad_edge=False)
    for name in ("run", "started", "command", "what", "target", "state", "result"):
        table.add_column(name)
    table.add_column("size", justify="right")
    for run in runs:
        state = Text(str(run.state), style=_STYLE.get(str(run.state), ""))
        what = Text(printable(run.subject), overflow="fold")
        started = run.started.replace("T", " ")
        size = decimal(run.size_bytes)
        table.add_row(run.name, started, run.command, what, run.target, state, _counts(run.result), size)
    console.print(table)
    console.print(Text(f"{counted(len(runs), 'run')}, {decimal(sum(run.size_bytes for run in runs))}"))


def print_status(status: RunStatus, console: Console) -> None:
    run = status.run
    to = f" to {run.target}" if run.target else ""
    subject = f" {printable(run.subject)}" if run.subject else ""
    console.print(Text(f"{run.name}: {run.command}{subject}{to}, begun {run.started.replace('T', ' ')}"))
    console.print(Text(f"{run.state}{_by_whom(status)}", style=_STYLE.get(str(run.state), "")))
    if not status.files:
        console.print(Text(_counts(run.result) or "no results yet"))
    for kind, by_state in status.files.items():
        console.print(Text(f"  {kind:8s} {_counts(by_state)}"))
    if status.files:
        console.print(Text(_progress(status)))
    for file in status.last:
        console.print(Text(f"  {file.state:10s} {file.seconds:7.1f} s  {printable(file.name)}"))
    if run.state is RunState.INCOMPLETE and status.files:
        console.print(Text("porter migrate … --resume goes on"))


def _by_whom(status: RunStatus) -> str:
    working = status.working
    if status.run.state is not RunState.RUNNING or working is None:
        return ""
    since = time.strftime("%H:%M:%S", time.localtime(working.since))
    return f" since {since}, process {working.pid} on {working.host}"


def _progress(status: RunStatus) -> str:
    done = status.total - status.waiting
    text = f"{done} of {counted(status.total, 'file')}"
    if status.run.state is RunState.RUNNING and status.per_minute:
        text += f", {status.per_minute:.1f} a minute"
    if status.seconds_left is not None and status.waiting:
        text += f", {duration(status.seconds_left)} left"
    return text


def duration(seconds: float) -> str:
    """Rounded to what a person wants to know: seconds, minutes, or hours with minutes."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.items())
