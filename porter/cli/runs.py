"""`porter runs`, `porter status`, `porter clean`: what was run in this folder, what goes on, and its end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.filesize import decimal

from porter.cli.console import err, out
from porter.core.cache_limit import delete_down_to, unused_entries
from porter.core.cache_limit import size_bytes as cache_bytes
from porter.core.errors import ExitCode, InputError
from porter.migrate.runs.clean import Removed, Selection, seconds_of
from porter.migrate.runs.clean import clean as delete_runs
from porter.migrate.runs.listing import run_folders, run_record
from porter.migrate.runs.status import run_status
from porter.report.check.shown import counted, printable
from porter.report.runs_json import format_runs, format_status
from porter.report.runs_text import print_runs, print_status

_BASE = Path(".porter")


def runs(
    json: Annotated[bool, typer.Option("--json", help="print one JSON document (porter-runs-1)")] = False,
) -> int:
    """List the runs in this folder, the last one first: when, what, with which result, how large."""
    found = [run for folder in run_folders(_BASE) if (run := run_record(folder)) is not None]
    if json:
        print(format_runs(found))
    else:
        print_runs(found, out())
    return ExitCode.OK


def status(
    run: Annotated[
        str, typer.Argument(metavar="[RUN]", help="name of a run, or its beginning", show_default=False)
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="print one JSON document (porter-status-1)")] = False,
) -> int:
    """Say how far a run is: the one under way in this folder, else the last; also while it works."""
    found = run_status(_BASE, run)
    if json:
        print(format_status(found))
    else:
        print_status(found, out())
    return ExitCode.OK


def clean(
    older_than: Annotated[
        str, typer.Option(help="runs begun longer ago than this: 7d, 12h, 30m", show_default=False)
    ] = "",
    keep: Annotated[
        int | None, typer.Option(min=0, help="all runs but the last so many", show_default=False)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="all runs, and the ports that were tried")] = False,
    cache: Annotated[
        bool, typer.Option("--cache", help="what is cached for all folders, unless just used")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="only say what would be deleted")] = False,
) -> int:
    """Delete runs in this folder, and the cache. What is in use stays; models' answers stay too.

    Exit code 1: something that was meant stays, and it is said why.
    """
    if not (older_than or keep is not None or every or cache):
        raise InputError(
            "nothing is named to delete", hint="give --older-than 7d, --keep N, --all or --cache"
        )
    if every and (older_than or keep is not None):
        raise InputError("--all goes with neither --older-than nor --keep", hint="leave out one of them")
    freed, kept = 0, 0
    if older_than or keep is not None or every:
        age_s = seconds_of(older_than) if older_than else 0.0
        for removed in delete_runs(_BASE, Selection(age_s, keep or 0, every), dry_run=dry_run):
            _tell(removed, dry_run=dry_run)
            freed, kept = freed + removed.size_bytes * (not removed.why), kept + bool(removed.why)
    if cache:
        freed += _clean_cache(dry_run=dry_run)
    out().print(f"{'would free' if dry_run else 'freed'} {decimal(freed)}", markup=False)
    return ExitCode.FINDINGS if kept else ExitCode.OK


def _tell(removed: Removed, *, dry_run: bool) -> None:
    path, size = printable(str(removed.path)), decimal(removed.size_bytes)
    if removed.why:
        err().print(f"kept {path}, {size}: {removed.why}", markup=False)
    else:
        out().print(f"{'would delete' if dry_run else 'deleted'} {path}, {size}", markup=False)


def _clean_cache(*, dry_run: bool) -> int:
    """The bytes that are freed."""
    unused = list(unused_entries())
    freed = sum(entry.size_bytes for entry in unused) if dry_run else delete_down_to(0)
    rest = cache_bytes() - (freed if dry_run else 0)
    what = counted(len(unused), "result")
    verb = "would delete" if dry_run else "deleted"
    out().print(f"{verb} {what} of the cache, {decimal(freed)}", markup=False)
    if rest > 0:
        err().print(f"kept {decimal(rest)} of the cache: used within the last two hours", markup=False)
    return freed
