"""Keeps the cache below its limit: what was not used for the longest goes first.

An entry's time of change is its time of last use (`mark_used`). Nothing that was used within two hours is
deleted: another process may be about to read it. One process at a time tidies; the others do not wait for it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.core.cache import cache_directory
from porter.core.errors import InputError

LIMIT_VARIABLE = "PORTER_CACHE_LIMIT"
DEFAULT_LIMIT_BYTES = 5 << 30
SAFE_SECONDS = 2 * 3600.0
TIDY_SECONDS = 600.0
"""At most so often is the cache looked through."""

_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
# Folders whose entries stand for themselves. What is left out is small, or another tool's own.
_ENTRY_FOLDERS = (
    *("simulator/programs", "simulator/runtime", "simulator/headers"),
    *("hip-builds", "triton-builds", "precompiled", "device-library", "synthesised"),
)


@dataclass(frozen=True)
class Entry:
    """A file or folder that was made in one piece and is deleted in one; a folder was used when the last of
    its files was. `used_at_s` counts from the epoch.
    """

    path: Path
    size_bytes: int
    used_at_s: float


def limit_bytes() -> int:
    """`$PORTER_CACHE_LIMIT`, in bytes or as `800M`, `5G`; 0 is none. Raises InputError for anything else."""
    text = os.environ.get(LIMIT_VARIABLE, "").strip()
    if not text:
        return DEFAULT_LIMIT_BYTES
    match = re.fullmatch(r"(\d+)([KMGT]?)(?:i?B)?", text, re.IGNORECASE)
    if match is None:
        raise InputError(f"{LIMIT_VARIABLE}={text}: a number of bytes is expected, or one like 800M or 5G")
    return int(match[1]) << _UNITS[match[2].upper()]


def mark_used(path: Path) -> None:
    """The entry that `path` is, or is a file of, is the last to go."""
    with contextlib.suppress(OSError):  # deleted meanwhile, or not ours to change
        os.utime(path)


def entries() -> Iterator[Entry]:
    """Everything in the cache that may go."""
    root = cache_directory(".")
    for folder in _ENTRY_FOLDERS:
        with contextlib.suppress(FileNotFoundError), os.scandir(root / folder) as found:
            for item in found:
                with contextlib.suppress(FileNotFoundError):
                    yield _entry(item)


def _entry(item: os.DirEntry[str]) -> Entry:
    path = Path(item.path)
    if not item.is_dir(follow_symlinks=False):
        status = item.stat(follow_symlinks=False)
        return Entry(path, status.st_size, status.st_mtime)
    statuses = [file.lstat() for file in path.rglob("*") if not file.is_dir()]
    used_at_s = max((s.st_mtime for s in statuses), default=item.stat().st_mtime)
    return Entry(path, sum(s.st_size for s in statuses), used_at_s)


def size_bytes() -> int:
    return sum(entry.size_bytes for entry in entries())


def unused_entries() -> Iterator[Entry]:
    """Those that no process is about to read."""
    return (entry for entry in entries() if time.time() - entry.used_at_s >= SAFE_SECONDS)


def tidy() -> int:
    """Deletes down to the limit if that was not tried a short while ago; the number of bytes deleted."""
    limit = limit_bytes()
    if limit == 0:
        return 0
    stamp = cache_directory(".") / "tidied"
    with stamp.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return 0
        # An empty stamp was made just now.
        if stamp.stat().st_size and time.time() - stamp.stat().st_mtime < TIDY_SECONDS:
            return 0
        lock.truncate(0)
        lock.write("when the cache was last looked through: this file's time\n")
        lock.flush()
        return delete_down_to(limit)


def delete_down_to(limit: int) -> int:
    """The number of bytes deleted, the entries used last being kept."""
    found = sorted(entries(), key=lambda entry: entry.used_at_s)
    over = sum(entry.size_bytes for entry in found) - limit
    deleted = 0
    for entry in found:
        if deleted >= over or time.time() - entry.used_at_s < SAFE_SECONDS:
            break
        _delete(entry.path)
        deleted += entry.size_bytes
    return deleted


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
