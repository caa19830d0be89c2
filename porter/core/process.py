"""Runs programs that are hostile until proven otherwise: with limits, a clean environment, no network.

Everything that executes user code or a candidate goes through `run_limited`.
"""

from __future__ import annotations

import contextlib
import ctypes
import glob
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from porter.core.sandbox import Sandbox, sandbox_available, sandbox_prefix
from porter.core.seccomp import filter_system_calls


@dataclass(frozen=True)
class Limits:
    wall_seconds: float = 120.0
    memory_bytes: int = 8 << 30
    file_bytes: int = 2 << 30
    processes: int = 512


@dataclass(frozen=True)
class Completed:
    """How a child ended. `returncode` is negative for a signal, as in `subprocess`."""

    argv: tuple[str, ...]
    returncode: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False

    @property
    def ok(self) -> bool:
        return self.returncode == 0 and not self.timed_out


@cache
def network_isolation() -> tuple[str, ...]:
    """The prefix that takes the network away, or an empty tuple where the system forbids namespaces."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return ()
    prefix = (unshare, "--net", "--map-root-user", "--user")
    try:
        probe = subprocess.run([*prefix, "true"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return prefix if probe.returncode == 0 else ()


@contextlib.contextmanager
def isolation(sandbox: Sandbox | None, cwd: Path) -> Iterator[tuple[str, ...]]:
    """The prefix of the strongest isolation that is asked for and to be had."""
    if sandbox is None or not sandbox_available():
        yield network_isolation()
        return
    with sandbox_prefix(sandbox, cwd) as prefix:
        yield prefix


def run_limited(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    limits: Limits | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    passthrough: bool = False,
    sandbox: Sandbox | None = None,
) -> Completed:
    """Runs `argv` in `cwd` with resource limits, without network and with an environment of `env` only.

    With a `sandbox` the child also sees no file but the system's and those named there, where the system
    has namespaces, and is refused the system calls of `seccomp`. `passthrough` leaves stdout and stderr
    connected to porter's own. Kills the whole process group on time-out. Raises FileNotFoundError when the
    program does not exist.
    """
    limits = limits or Limits()
    with tempfile.TemporaryDirectory(prefix="porter-home-") as home, isolation(sandbox, cwd) as prefix:
        command = [*prefix, *(str(a) for a in argv)]
        # A sandbox has a /tmp of its own.
        private = "/tmp" if sandbox is not None and sandbox_available() else home
        stream = None if passthrough else subprocess.PIPE
        threads = _users_threads() + limits.processes
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**_child_environment(private), **(env or {})},
            stdin=subprocess.PIPE,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
            preexec_fn=lambda: _limit_self(limits, threads, filtered=sandbox is not None),
        )
        try:
            out, err = process.communicate(stdin, timeout=limits.wall_seconds)
            timed_out = False
        except subprocess.TimeoutExpired:
            _kill_group(process.pid)
            out, err = process.communicate()
            timed_out = True
        except BaseException:
            _kill_group(process.pid)
            process.wait()
            raise
    return Completed(tuple(str(a) for a in argv), process.returncode, out or b"", err or b"", timed_out)


def _child_environment(private: str) -> dict[str, str]:
    """What every child gets; `private` is a folder of its own."""
    path = os.environ.get("PATH", os.defpath)
    return {"PATH": path, "HOME": private, "TMPDIR": private, "LC_ALL": "C.UTF-8"}


_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def _limit_self(limits: Limits, threads: int, *, filtered: bool) -> None:
    if _LIBC is not None:  # a child must not outlive a porter that was killed
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.file_bytes, limits.file_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    cpu_seconds = int(limits.wall_seconds * (os.cpu_count() or 1)) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    _limit_processes(threads)
    if filtered:
        filter_system_calls()


def _limit_processes(threads: int) -> None:
    """The kernel counts every thread of the user, and never limits the system's administrator."""
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    if hard == resource.RLIM_INFINITY or threads < hard:
        resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))


@cache
def _users_threads() -> int:
    """The threads of this user when porter ran its first child."""
    count = 0
    for folder in glob.glob("/proc/[0-9]*"):
        with contextlib.suppress(OSError):
            if os.stat(folder).st_uid == os.getuid():
                count += len(os.listdir(f"{folder}/task"))
    return count


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
