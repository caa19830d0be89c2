"""Where a command writes: nothing is overwritten unless asked, and never half a file."""

from __future__ import annotations

import os
from pathlib import Path

from porter.core.atomic_file import write_atomically
from porter.core.errors import InputError
from porter.hip.dual_header import COMPATIBILITY_HEADER, merge_headers


def resolve_output(output: str, default_name: str, *, force: bool, source: Path | None = None) -> Path:
    """The file to write: `output`, or `default_name` inside it when it is a folder or ends in a slash.

    Raises InputError when the file exists and `force` is off, when it is the `source` itself (by whatever
    name), or when its folder does not exist; one that `output` names with a slash need not exist yet.
    """
    named_folder = output.endswith(os.sep)
    path = Path(output) / default_name if named_folder or Path(output).is_dir() else Path(output)
    if source is not None and path.exists() and source.exists() and path.samefile(source):
        raise InputError(f"{path} is the source itself", hint="name another file with -o")
    if path.exists() and not force:
        raise InputError(f"{path} exists", hint="name another file with -o, or overwrite it with --force")
    if not path.parent.is_dir() and (path.parent.exists() or not named_folder):
        raise InputError(f"{path.parent} is not a folder", hint="create it first")
    return path


def make_folder(folder: Path) -> None:
    """Raises InputError when there is none and it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from error


def write_output(path: Path, data: bytes) -> None:
    """Raises InputError when the folder cannot be written."""
    try:
        write_atomically(path, data)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error


def header_path(folder: Path, name: str, data: bytes, *, force: bool) -> Path:
    """Where a header of a port goes; a header of porter's serves all ports in a folder.

    Raises InputError where the folder has another file of that name, and `force` is off.
    """
    path = folder / name
    if path.name == COMPATIBILITY_HEADER and path.exists():
        merged_header(path, data)
        return path
    if path.is_file() and not force:
        if path.read_bytes() == data:
            return path
        hint = "write the port into another folder, or overwrite it with --force"
        raise InputError(f"{path} exists, and this port's header of that name differs", hint=hint)
    return resolve_output(str(path), path.name, force=force)


def merged_header(path: Path, data: bytes) -> bytes:
    """`data`, joined with the compatibility header that is there already.

    Raises InputError when what is there is not porter's, or gives a name another meaning.
    """
    if path.name != COMPATIBILITY_HEADER or not path.exists():
        return data
    try:
        return merge_headers(path.read_bytes(), data)
    except ValueError as error:
        raise InputError(f"{path}: {error}", hint="write the port into another folder") from error
