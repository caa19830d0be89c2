"""Files that appear in one step: a reader, also after a kill, finds the old contents or the new."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from pathlib import Path

_SCRATCH = re.compile(r"\.porter-[0-9a-f]{16}")


def scratch_name(key: str) -> str:
    """The name of what is not whole yet, which a kill may leave behind. `key` has 16 hexadecimal digits."""
    return f".porter-{key}"


def is_scratch(name: str) -> bool:
    return bool(_SCRATCH.fullmatch(name))


def write_atomically(
    path: Path, data: bytes | str, *, like: Path | None = None, on_disk: bool = False
) -> None:
    """The file has the old or the new contents at every moment, also after a crash; a text becomes UTF-8.

    It gets the permissions of `like` if that is a file. `on_disk`: a loss of power after the return takes
    nothing away. Raises OSError, with nothing left beside the file.
    """
    # A name of its own, whatever the length of the file's, and never a link that somebody put there.
    scratch = path.with_name(scratch_name(secrets.token_hex(8)))
    try:
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with open(descriptor, "wb") as out:
            out.write(data.encode() if isinstance(data, str) else data)
            if on_disk:
                out.flush()
                os.fsync(descriptor)
        if like is not None and like.is_file():
            shutil.copymode(like, scratch)
        scratch.replace(path)
        if on_disk:
            _name_on_disk(path.parent)
    except OSError as error:
        scratch.unlink(missing_ok=True)
        if error.filename in (None, str(scratch)):  # what a user knows is the file's own name
            error.filename, error.filename2 = str(path), None
        raise


def make_folder_on_disk(folder: Path) -> None:
    """The folder, and those that it is in, exist after a loss of power too. Raises OSError."""
    if folder.is_dir():
        return
    missing = [f for f in (folder, *folder.parents) if not f.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in missing:
        _name_on_disk(made.parent)


def _name_on_disk(folder: Path) -> None:
    """What the file is called lies in its folder, which is written on its own."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
