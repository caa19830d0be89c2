"""A run that is in use cannot be deleted: whoever works on it holds a shared lock on its folder.

The lock is the folder's own, so that runs of every version have one, and goes with the process, however it
ends. Where the file system has no locks, nothing counts as unused.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from porter.core.errors import InputError

_TRIES, _PAUSE_SECONDS = 40, 0.05


def held(folder: Path) -> int:
    """A descriptor that keeps the folder in use until it is closed; one without a lock where there are none.

    Raises InputError for a folder that is being deleted or is gone.
    """
    descriptor = _opened(folder)
    if _is_locked(descriptor) and folder.is_dir():
        return descriptor
    os.close(descriptor)
    raise _gone(folder)


@contextmanager
def in_use(folder: Path) -> Iterator[None]:
    descriptor = held(folder)
    try:
        yield
    finally:
        os.close(descriptor)


def is_in_use(folder: Path) -> bool:
    """Whether a process has it open at this moment; no where the file system has no locks."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


@contextmanager
def unused(folder: Path) -> Iterator[bool]:
    """Whether nobody uses the folder; if so, nobody can begin to within. Links are not followed."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def _is_locked(descriptor: int) -> bool:
    """With a shared lock, or where there are none. Who only looks whether a run is in use locks it for a
    moment; who deletes it, until it is gone."""
    for _ in range(_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE_SECONDS)
        except OSError:
            return True
        else:
            return True
    return False


def _opened(folder: Path) -> int:
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        raise _gone(folder) from None


def _gone(folder: Path) -> InputError:
    return InputError(f"{folder}: the run is being deleted", hint="begin a new one")
