"""Deletes runs: never one that is in use, never anything that is not in the folder of runs itself."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.core.errors import InputError
from porter.migrate.runs.listing import run_folders, size_bytes
from porter.pipeline.run_lock import unused

_UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


@dataclass(frozen=True)
class Selection:
    """Runs that are older than `older_than_s` seconds, and not among the `keep` that were begun last; of
    `all_candidates` the ports that were tried go too, which every run can write again."""

    older_than_s: float = 0.0
    keep: int = 0
    all_candidates: bool = False


@dataclass(frozen=True)
class Removed:
    """`why` is empty for what was deleted, or would be; else it says why it stays."""

    path: Path
    size_bytes: int
    why: str = ""


def seconds_of(text: str) -> float:
    """`7d`, `12h`, `30m`. Raises InputError for anything else."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smhdw])", text.strip())
    if match is None:
        raise InputError(f"--older-than {text}: a time like 7d, 12h or 30m is expected")
    return float(match[1]) * _UNITS_S[match[2]]


def clean(base: Path, selection: Selection, *, dry_run: bool) -> Iterator[Removed]:
    """What becomes of each run that is meant, one after the other. Raises InputError for a linked `base`."""
    in_use = False
    for folder in run_folders(base)[selection.keep :]:
        if _age_s(folder) >= selection.older_than_s:
            removed = _remove(folder, dry_run=dry_run)
            in_use = in_use or bool(removed.why)
            yield removed
    candidates = base / "candidates"
    if selection.all_candidates and candidates.is_dir() and not candidates.is_symlink():
        if in_use:
            yield Removed(candidates, size_bytes(candidates), "a run is in use")
        else:
            yield _remove(candidates, dry_run=dry_run)


def _age_s(folder: Path) -> float:
    """By its name: the time that it was begun."""
    return time.time() - time.mktime(time.strptime(folder.name[:15], "%Y%m%d-%H%M%S"))


def _remove(folder: Path, *, dry_run: bool) -> Removed:
    try:
        with unused(folder) as free:
            size = size_bytes(folder)
            if not free:
                return Removed(folder, size, "it is in use")
            if not dry_run:
                shutil.rmtree(folder)
    except FileNotFoundError:  # another process has deleted it
        return Removed(folder, 0)
    except OSError as error:
        return Removed(folder, size_bytes(folder), str(error.strerror or error))
    return Removed(folder, size)
