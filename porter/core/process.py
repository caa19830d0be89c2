"""Runs programs that are hostile until proven otherwise: with limits, a clean environment, no network.

Everything that executes user code or a candidate goes through `run_limited`.
"""

from __future__ import annotations

import contextlib
import ctypes
import glob
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from porter.core.sandbox import Sandbox, sandbox_available, sandbox_prefix
from porter.core.seccomp import filter_system_calls


@dataclass(frozen=True)
class Limits:
    """What a child may use. `output_bytes` is what is kept of each of its two streams; the rest is read and
    dropped. `processes` are threads: beyond what the user had, or, for the administrator, whom the kernel
    does not limit, those of the child as they are counted while it runs.

    `patience`: a child that after `wall_seconds` has used less than as much processor time, since others use
    the processors or since it sleeps, gets up to so many times as long."""

    wall_seconds: float = 120.0
    patience: float = 1.0
    memory_bytes: int = 8 << 30
    file_bytes: int = 2 << 30
    processes: int = 512
    output_bytes: int = 64 << 20


@dataclass(frozen=True)
class Completed:
    """How a child ended. `returncode` is negative for a signal, as in `subprocess`.

    `cpu_seconds` is the processor time of the child and of what descends from it; None where the system does
    not tell. `starved`: its time was up, but it never got as much processor time as that.
    """

    argv: tuple[str, ...]
    returncode: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False
    cpu_seconds: float | None = None
    starved: bool = False

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
        out, err, end = _communicate(process, stdin, limits)
    words = tuple(str(a) for a in argv)
    return Completed(words, process.returncode, out, err, end.timed_out, end.cpu_seconds, end.starved)


@dataclass(frozen=True)
class _End:
    """As in `Completed`."""

    timed_out: bool = False
    cpu_seconds: float | None = None
    starved: bool = False


def _communicate(process: subprocess.Popen[bytes], stdin: bytes, limits: Limits) -> tuple[bytes, bytes, _End]:
    """What the child wrote, and how it ended. Nothing of its process group is left behind."""
    readers = [_Reader(pipe, limits.output_bytes) for pipe in (process.stdout, process.stderr) if pipe]
    for thread in (*readers, threading.Thread(target=_feed, args=(process, stdin), daemon=True)):
        thread.start()
    try:
        end = _end_of(process, limits)
    finally:
        kill_group(process.pid)
        process.wait()
    for reader in readers:
        reader.join(_LEFT_BEHIND_SECONDS)  # where a process left the group with the pipe in its hands
    out, err = [bytes(reader.kept) for reader in readers] or (b"", b"")
    return out, err, end


class _Reader(threading.Thread):
    """Reads a pipe to its end and keeps the beginning: a child that floods it must not fill our memory."""

    def __init__(self, pipe: IO[bytes], limit_bytes: int) -> None:
        super().__init__(daemon=True)
        self.kept = bytearray()
        self._pipe, self._limit_bytes = pipe, limit_bytes

    def run(self) -> None:
        with self._pipe:
            while chunk := os.read(self._pipe.fileno(), 1 << 16):
                self.kept += chunk[: self._limit_bytes - len(self.kept)]


def _feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError), process.stdin:
        process.stdin.write(data)


_BETWEEN_LOOKS_SECONDS = 0.1
_LEFT_BEHIND_SECONDS = 5.0


def _end_of(process: subprocess.Popen[bytes], limits: Limits) -> _End:
    """Waits for the child until its time is up, or until it has grown into too many processes."""
    started = time.monotonic()
    before = _threads_of_the_system()
    # Where porter is not the system's administrator, the kernel itself limits the number of processes.
    counts = os.geteuid() == 0
    while True:
        left = limits.wall_seconds - (time.monotonic() - started)
        if _waited(process, min(left, _BETWEEN_LOOKS_SECONDS) if left > 0 else _BETWEEN_LOOKS_SECONDS):
            return _End(cpu_seconds=_seconds_used(process.pid))
        if counts and _threads_of_the_system() - before > limits.processes:
            family = _family(process.pid)
            if family.threads > limits.processes:
                return _End(True, family.cpu_seconds)
        ran = time.monotonic() - started
        if ran >= limits.wall_seconds:
            used = _family(process.pid).cpu_seconds
            starved = used is not None and used < limits.wall_seconds
            if not starved or ran >= limits.patience * limits.wall_seconds:
                return _End(True, used, starved)


def _waited(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether the child has ended. On Linux it is not reaped, so that its number stays its own."""
    if not hasattr(os, "pidfd_open"):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return process.returncode is not None
    descriptor = os.pidfd_open(process.pid)
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


def _threads_of_the_system() -> int:
    """Of all users, from one small file; 0 where there is none."""
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
    except (OSError, ValueError, IndexError):
        return 0


@dataclass(frozen=True)
class _Family:
    """A process and all that descend from it or joined its session: those that live and those that are
    waited for. Without /proc nothing is known of them."""

    threads: int
    cpu_seconds: float | None


def _family(ancestor: int) -> _Family:
    parents: dict[int, int] = {}
    threads: dict[int, int] = {}
    used: dict[int, float] = {}
    family = {ancestor}
    for stat in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            pid, fields = int(stat.split("/")[2]), _fields(stat)
            parents[pid], threads[pid], used[pid] = int(fields[1]), int(fields[17]), _seconds_in(fields)
            if int(fields[3]) == ancestor:
                family.add(pid)
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    seconds = sum(used.get(pid, 0.0) for pid in family) if ancestor in used else None
    return _Family(sum(threads.get(pid, 0) for pid in family), seconds)


def _seconds_used(pid: int) -> float | None:
    """Of processor time, by a process that has ended but is not reaped, and by those it has waited for."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return _seconds_in(_fields(f"/proc/{pid}/stat"))
    return None


def _fields(stat: str) -> list[bytes]:
    """What the system says of a process, from its state on: its name may have blanks and parentheses."""
    return Path(stat).read_bytes().rpartition(b")")[2].split()


def _seconds_in(fields: Sequence[bytes]) -> float:
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _child_environment(private: str) -> dict[str, str]:
    """What every child gets; `private` is a folder of its own."""
    path = os.environ.get("PATH", os.defpath)
    return {"PATH": path, "HOME": private, "TMPDIR": private, "LC_ALL": "C.UTF-8"}


_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent() -> None:
    """In a child, on Linux: it must not outlive a porter that was killed."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit_self(limits: Limits, threads: int, *, filtered: bool) -> None:
    die_with_parent()
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


def kill_group(pid: int) -> None:
    """Ends every process of the group, if there is one left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
