"""The bytes of a listed file, or what is wrong with it as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from porter.core.diagnostic import Severity

MAX_BYTES = 2 << 20
"""Above that a file is data or was generated; nobody reads findings in it."""

UNREADABLE = "CHK001"
TOO_LARGE = "CHK002"
LFS_POINTER = "CHK003"

_LFS = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True)
class Unusable:
    """A file that cannot be analysed, and why."""

    code: str
    severity: Severity
    message: str
    hint: str


def read_source_file(path: Path, *, limit: int = MAX_BYTES) -> bytes | Unusable:
    """Never raises for what a file is or holds; nothing above `limit` bytes is read."""
    try:
        size = path.stat().st_size
        if size > limit:
            return _too_large(size, limit)
        data = path.read_bytes()
    except OSError as error:
        hint = "make it readable, or exclude it"
        return Unusable(UNREADABLE, Severity.WARNING, f"cannot be read: {error.strerror or error}", hint)
    if data.startswith(_LFS):
        message = "is a pointer of Git LFS: its contents are not here"
        return Unusable(LFS_POINTER, Severity.WARNING, message, "run git lfs pull, or exclude it")
    if b"\0" in data:
        message = "is binary (a NUL byte), not source text"
        return Unusable(UNREADABLE, Severity.WARNING, message, "exclude it")
    return data


def _too_large(size: int, limit: int) -> Unusable:
    message = f"has {size >> 20} MiB, above the limit of {limit >> 20} MiB, and was not checked"
    return Unusable(TOO_LARGE, Severity.WARNING, message, "exclude generated files")
