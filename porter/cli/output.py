"""Where a command writes: nothing is overwritten unless asked, and never half a file."""

from __future__ import annotations

from pathlib import Path

from porter.core.errors import InputError
from porter.pipeline.run_directory import write_atomically


def resolve_output(output: Path, default_name: str, *, force: bool) -> Path:
    """The file to write: `output`, or `default_name` inside it when it is a folder.

    Raises InputError when the file exists and `force` is off, or when its folder does not exist.
    """
    path = output / default_name if output.is_dir() else output
    if path.exists() and not force:
        raise InputError(f"{path} exists", hint="name another file with -o, or overwrite it with --force")
    if not path.parent.is_dir():
        raise InputError(f"{path.parent} is not a folder", hint="create it first")
    return path


def write_output(path: Path, data: bytes) -> None:
    """Raises InputError when the folder cannot be written."""
    try:
        write_atomically(path, data)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
