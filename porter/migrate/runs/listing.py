"""The runs of a `.porter` folder, from what lies in them: nothing that they hold is believed to be whole."""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from porter.core.errors import InputError
from porter.core.run_record import RunRecord, RunState
from porter.migrate.repository.journal import JOURNAL
from porter.migrate.repository.journal_view import viewed
from porter.pipeline.run_lock import is_in_use

MIGRATE = "migrate"
_NAME = re.compile(r"(\d{8}-\d{6})-[0-9a-f]{8}")
_LAST_WRITTEN = ("result.json", "selection.json")
_STAMP = "%Y%m%d-%H%M%S"


def run_folders(base: Path) -> list[Path]:
    """The folders of runs, those begun last first; links and what porter did not name are none.

    Raises InputError where `base` or its folder of runs is a link, which may lead anywhere.
    """
    for folder in (base, base / "runs"):
        if folder.is_symlink():
            raise InputError(f"{folder} is a link", hint="name the folder itself")
    try:
        with os.scandir(base / "runs") as found:
            names = [e.name for e in found if _NAME.fullmatch(e.name) and e.is_dir(follow_symlinks=False)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"{base}: {error.strerror or error}") from error
    return [base / "runs" / name for name in sorted(names, reverse=True)]


def run_record(folder: Path) -> RunRecord | None:
    """None for a folder that was deleted meanwhile."""
    try:
        busy = is_in_use(folder)
    except OSError:
        return None
    document = _document(folder / "run.json")
    command = _text(document, "command")
    state, result = _migration(folder) if command == MIGRATE else _units(folder)
    if busy:
        state = RunState.RUNNING
    elif not command:
        state = RunState.DAMAGED
    return RunRecord(
        name=folder.name,
        path=str(folder),
        started=time.strftime("%Y-%m-%dT%H:%M:%S", time.strptime(folder.name[:15], _STAMP)),
        command=command,
        subject=_text(document, "subject"),
        target=_text(document, "target"),
        state=state,
        result=result,
        size_bytes=size_bytes(folder),
    )


def _migration(folder: Path) -> tuple[RunState, Mapping[str, int]]:
    try:
        with viewed(folder / JOURNAL) as journal:
            files = journal.files()
    except InputError:
        return RunState.DAMAGED, {}
    counts: Counter[str] = Counter()
    for by_state in files.values():
        counts.update(by_state)
    return RunState.INCOMPLETE if counts["waiting"] or not counts else RunState.FINISHED, _ordered(counts)


def _units(folder: Path) -> tuple[RunState, Mapping[str, int]]:
    """The results of the files of another run, each in a folder of its own."""
    counts: Counter[str] = Counter()
    state, number = RunState.FINISHED, 0
    for unit in _folders(folder / "units"):
        number += 1
        if not any((unit / name).is_file() for name in _LAST_WRITTEN):
            state = RunState.INCOMPLETE
            continue
        totals = _document(unit / "result.json").get("totals")
        for outcome, count in totals.items() if isinstance(totals, dict) else ():
            if isinstance(count, int) and count > 0:
                counts[str(outcome)] += count
    return state if number else RunState.INCOMPLETE, _ordered(counts)


def _folders(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as found:
            yield from (Path(entry.path) for entry in found if entry.is_dir(follow_symlinks=False))
    except OSError:
        return


def _ordered(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in sorted(counts) if counts[name]}


def _document(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(document: Mapping[str, Any], key: str) -> str:
    value = document.get(key)
    return value if isinstance(value, str) else ""


def size_bytes(folder: Path) -> int:
    """Of all files below; links count as what they are. What is deleted meanwhile counts nothing."""
    total = 0
    for parent, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except OSError:
                continue
    return total
