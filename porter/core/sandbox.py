"""A file system of its own for a child: it sees the system, the paths it is given, and nothing else.

Linux only, by user and mount namespaces; where the system forbids them `sandbox_prefix` is empty and the
child runs with what `run_limited` enforces anyway. The child has no network and sees no other process.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")

# $1 new root, $2 working directory, then `ro PATH`/`rw PATH`/`no PATH` pairs up to `--`, then the command.
# What is not mounted below the new root is out of reach once the old one is detached.
_SCRIPT = r"""
set -e
root=$1; cwd=$2; shift 2
mount -t tmpfs -o mode=755 tmpfs "$root"
while [ "$1" != -- ]; do
  mode=$1; path=$2; shift 2
  if [ "$mode" = no ]; then
    if [ -d "$root$path" ]; then mount -t tmpfs -o mode=755 tmpfs "$root$path"
    elif [ -e "$root$path" ]; then mount --bind /dev/null "$root$path"; fi
    continue
  fi
  if [ -L "$path" ]; then mkdir -p "$root${path%/*}"; cp -P "$path" "$root$path"; continue; fi
  if [ -d "$path" ]; then mkdir -p "$root$path"
  else mkdir -p "$root${path%/*}"; : > "$root$path"; fi
  mount --rbind "$path" "$root$path"
  if [ "$mode" = ro ]; then mount -o remount,bind,ro "$root$path" 2>/dev/null || :; fi
done
shift
mkdir -p "$root/proc" "$root/tmp" "$root/dev/shm" "$root/.old"
mount -t proc proc "$root/proc" 2>/dev/null || :
cd "$root"
pivot_root . .old
cd /
umount -l /.old
cd "$cwd"
exec "$@"
"""


@dataclass(frozen=True)
class Sandbox:
    """What a child may see besides the system: paths to read and paths to write (which must exist).

    What is `hidden` is empty to the child where it lies within one of these.
    """

    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()


@contextmanager
def sandbox_prefix(sandbox: Sandbox, cwd: Path) -> Iterator[tuple[str, ...]]:
    """The words to put before a command. Empty where namespaces are not to be had."""
    if not sandbox_available():
        yield ()
        return
    with tempfile.TemporaryDirectory(prefix="porter-root-") as root:
        yield _prefix(sandbox, cwd, root)


def _prefix(sandbox: Sandbox, cwd: Path, root: str) -> tuple[str, ...]:
    namespaces = ("--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc", "--fork", "--kill-child")
    mounts: list[str] = []
    for path in _outermost((*map(Path, (*_SYSTEM, *_DEVICES)), *sandbox.readable)):
        mounts += ["ro", str(path)]
    for path in sandbox.writable:
        mounts += ["rw", str(path.absolute())]
    for path in dict.fromkeys(p for hidden in sandbox.hidden for p in (hidden.absolute(), hidden.resolve())):
        mounts += ["no", str(path)]
    shell = ("sh", "-c", _SCRIPT, "sandbox", root, str(cwd.absolute()))
    return ("unshare", *namespaces, "--", *shell, *mounts, "--")


def _outermost(paths: Sequence[Path]) -> list[Path]:
    """Those that exist and lie below no other one; nothing can be put into what is mounted to be read."""
    existing = dict.fromkeys(path.absolute() for path in paths if os.path.lexists(path))
    folders = {path for path in existing if path.is_dir() and not path.is_symlink()}
    return [path for path in existing if folders.isdisjoint(path.parents)]


@cache
def sandbox_available() -> bool:
    """Whether a trial run in a sandbox works on this system."""
    if any(shutil.which(tool) is None for tool in ("unshare", "mount", "pivot_root", "sh")):
        return False
    with tempfile.TemporaryDirectory(prefix="porter-root-") as root:
        return _runs([*_prefix(Sandbox(), Path("/"), root), "true"])


def _runs(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
