"""The state of one run: of the one that is named, of one under way, or of the last."""

from __future__ import annotations

from pathlib import Path

from porter.core.errors import InputError
from porter.core.run_record import RunState, RunStatus
from porter.migrate.repository.journal import JOURNAL
from porter.migrate.repository.journal_view import viewed
from porter.migrate.runs.listing import MIGRATE, run_folders, run_record
from porter.pipeline.run_lock import is_in_use

_LAST_FILES = 5


def run_status(base: Path, name: str = "") -> RunStatus:
    """`name` is that of a run's folder, or its beginning. Raises InputError where there is no such run, or
    where its journal cannot be read."""
    folder = _folder(base, name)
    run = run_record(folder)
    if run is None:
        raise InputError(f"{folder}: the run was deleted", hint="porter runs lists those there are")
    if run.command != MIGRATE or (run.state is RunState.RUNNING and not (folder / JOURNAL).exists()):
        return RunStatus(run, {}, None, None, ())
    with viewed(folder / JOURNAL) as journal:
        return RunStatus(
            run, journal.files(), journal.working(), journal.per_minute(), journal.last(_LAST_FILES)
        )


def _folder(base: Path, name: str) -> Path:
    folders = run_folders(base)
    if name:
        found = [folder for folder in folders if folder.name.startswith(name)]
        if len(found) != 1:
            what = f"{len(found)} runs begin with {name}" if found else f"no run is called {name}"
            raise InputError(what, hint="porter runs lists those there are")
        return found[0]
    if not folders:
        raise InputError(f"nothing was run here: {base} has no runs", hint="go to the folder where it was")
    return next((folder for folder in folders if _is_busy(folder)), folders[0])


def _is_busy(folder: Path) -> bool:
    try:
        return is_in_use(folder)
    except OSError:
        return False
