"""A file that one holds at a time, of all processes and threads of this machine. It goes with its holder,
however that ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Waits until nobody else is in such a block for `path`. The file is gone afterwards. Where the file
    system has no locks nobody waits. Raises OSError where the file cannot be made."""
    descriptor = _held(path)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _held(path: Path) -> int:
    while True:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            except OSError:
                return descriptor
            # The holder before may have taken the file away: then it is another that is to be held.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), path.stat()):
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
