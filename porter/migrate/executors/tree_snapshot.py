"""A tree of files as one value, for machines that do not see it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from porter.core.cache import digest
from porter.core.errors import InputError

MOST_BYTES = 512 << 20


@dataclass(frozen=True)
class Snapshot:
    """`files` are names relative to the root, with their contents; `key` is a digest of all of it."""

    key: str
    files: tuple[tuple[str, bytes], ...]


def packed(root: Path, names: Iterable[str]) -> Snapshot:
    """Links and what cannot be read are left out. Raises InputError for a tree that is too large to send."""
    files: list[tuple[str, bytes]] = []
    size = 0
    for name in sorted(set(names)):
        path = root / name
        if path.is_symlink() or not path.is_file():
            continue
        size += path.stat().st_size
        if size > MOST_BYTES:
            raise InputError(
                f"{root}: more than {MOST_BYTES >> 20} MiB, too much to send to machines that do not see it",
                hint="put it on a file system that all nodes share, or take files away by .porterignore",
            )
        try:
            files.append((name, path.read_bytes()))
        except OSError:
            continue
    parts = [part for name, data in files for part in (os.fsencode(name), data)]
    return Snapshot(digest(*parts), tuple(files))


def unpacked(snapshot: Snapshot, scratch: Path) -> Path:
    """The tree below `scratch`, the same folder for the same contents; others may do so at the same time.

    Raises ValueError for a name that leads out of the tree.
    """
    root = scratch / snapshot.key[:16]
    if root.exists():  # it got its name when it was whole
        return root
    scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
    if scratch.stat().st_uid != os.getuid():
        raise ValueError(f"{scratch} belongs to somebody else")
    building = Path(tempfile.mkdtemp(prefix=".building-", dir=scratch))
    try:
        for name, data in snapshot.files:
            path = building / name
            if Path(name).is_absolute() or ".." in Path(name).parts:
                raise ValueError(f"{name!r} leads out of the tree")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        try:
            building.rename(root)
        except OSError:  # another process was first
            if not root.exists():
                raise
        return root
    finally:
        shutil.rmtree(building, ignore_errors=True)
