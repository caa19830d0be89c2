"""What changed in the working tree since it left a commit: lines of files, as git tells them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from porter.migrate.git import git, merge_base, split_names

_HUNK = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True)
class FileChange:
    """What of a file counts in a check of changes.

    `lines` are the first and last of each run of new lines, `gaps` the lines after which some were deleted.
    `whole`: all of the file is new. `definitions` says for names that are defined on changed lines, here or
    in a header, where that is.
    """

    lines: tuple[tuple[int, int], ...] = ()
    gaps: tuple[int, ...] = ()
    whole: bool = False
    definitions: Mapping[str, str] = field(default_factory=dict)

    def touches(self, first: int, last: int) -> bool:
        """Whether one of the lines from `first` to `last` is new."""
        return self.whole or any(start <= last and first <= end for start, end in self.lines)

    def alters(self, first: int, last: int) -> bool:
        """Whether what stands on those lines was changed, by new lines or by deleted ones."""
        return self.touches(first, last) or any(first <= gap < last for gap in self.gaps)


def changes_since(root: Path, base: str) -> dict[str, FileChange]:
    """The changed files by name, as they are called now; untracked ones are new as a whole.

    Deleted files and submodules are left out. Raises InputError where `base` cannot be compared with.
    """
    start = merge_base(root, base)
    # What attributes and settings say of how people want to see a difference must not hide lines.
    as_text = ("--text", "--no-color", "--no-ext-diff", "--no-textconv", "--inter-hunk-context=0")
    options = (*as_text, "--ignore-submodules=all", "-M")
    listing = git(root, "diff", *options, "--raw", "-z", start)
    patch = git(root, "diff", *options, "-U0", start)
    named, parts = _raw_names(listing), _patches(patch)
    # Git tells the files of both in one order; where it does not, all of a file counts.
    aligned = len(named) == len(parts)
    changes = {
        name: _change(parts[i]) if aligned else FileChange(whole=True)
        for i, (status, name) in enumerate(named)
        if status != "D"
    }
    new = split_names(git(root, "ls-files", "-z", "--others", "--exclude-standard"))
    return {**changes, **dict.fromkeys(new, FileChange(whole=True))}


def _raw_names(listing: bytes) -> list[tuple[str, str]]:
    """Status letter and present name of each record of `git diff --raw -z`."""
    fields = iter(listing.split(b"\0"))
    named: list[tuple[str, str]] = []
    for head in fields:
        if not head:
            continue
        status = head.rsplit(b" ", 1)[-1][:1].decode("ascii")
        name = next(fields)
        if status in "RC":
            name = next(fields)
        named.append((status, os.fsdecode(name)))
    return named


def _patches(patch: bytes) -> list[list[bytes]]:
    """The lines of each file's patch. Lines of files have a sign in front, so none looks like a head."""
    parts: list[list[bytes]] = []
    for line in patch.split(b"\n"):
        if line.startswith(b"diff --git "):
            parts.append([])
        elif parts:
            parts[-1].append(line)
    return parts


def _change(lines: Iterable[bytes]) -> FileChange:
    added: list[tuple[int, int]] = []
    gaps: list[int] = []
    for line in lines:
        match = _HUNK.match(line)
        if match is None:
            continue
        first, count = int(match[1]), int(match[2]) if match[2] is not None else 1
        if count:
            added.append((first, first + count - 1))
        else:
            gaps.append(first)
    return FileChange(tuple(added), tuple(gaps))
