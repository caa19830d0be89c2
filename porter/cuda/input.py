"""Is this path something porter can read? One clear error otherwise."""

from __future__ import annotations

import os
from pathlib import Path

from porter.core.errors import InputError
from porter.core.span import SourceText

MAX_SOURCE_BYTES = 16 << 20


def check_input(path: Path) -> SourceText:
    """Reads `path`. Raises InputError when it is not a readable text file of sensible size."""
    shown = os.fsencode(path).decode("utf-8", "backslashreplace")
    if shown != str(path):
        raise InputError(f"{shown}: the name is not UTF-8", hint="rename the file")
    try:
        if path.is_dir():
            raise InputError(f"{path}: is a directory", hint="name one source file")
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is not a regular file", hint="write its text to a file first")
        size = path.stat().st_size
        if size > MAX_SOURCE_BYTES:
            limit = MAX_SOURCE_BYTES >> 20
            raise InputError(f"{path}: {size >> 20} MiB is too large for a source file (limit {limit} MiB)")
        source = SourceText.read(path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if not source.data.strip():
        raise InputError(f"{path}: is empty")
    nul = source.data.find(b"\0")
    if nul >= 0:
        line, column = source.position(nul)
        raise InputError(f"{path}:{line}:{column}: is binary (a NUL byte), not CUDA source")
    return source
