"""The system calls that a sandboxed child is refused, and the limits every child has."""

import os
import platform
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from porter.core.confinement import measures
from porter.core.process import Limits, run_limited
from porter.core.sandbox import Sandbox
from porter.core.seccomp import (
    filter_bytes,
    filter_system_calls,
    seccomp_available,
    single_process_bytes,
)

needs_seccomp = pytest.mark.skipif(not seccomp_available(), reason="this system takes no seccomp filters")
PTRACE = {"x86_64": 101, "aarch64": 117}.get(platform.machine(), 0)


def _outcome(instructions: bytes, architecture: int, number: int, argument: int = 0) -> int:
    """The filter's answer, by running its five kinds of instruction."""
    lines = [struct.unpack_from("=HBBI", instructions, at) for at in range(0, len(instructions), 8)]
    data = {0: number, 4: architecture, 16: argument}
    word, at = 0, 0
    while True:
        code, yes, no, value = lines[at]
        if code == 0x06:
            return value
        if code == 0x20:
            word, at = data[value], at + 1
        else:
            taken = {0x15: word == value, 0x35: word >= value, 0x45: bool(word & value)}[code]
            at += 1 + (yes if taken else no)


@pytest.mark.parametrize(
    ("machine", "architecture", "refused", "allowed"),
    [
        ("x86_64", 0xC000003E, (101, 321, 438, 0x40000001), (0, 1, 56, 100, 102, 435)),
        ("aarch64", 0xC00000B7, (117, 280, 438), (56, 63, 64, 220)),
    ],
)
def test_the_filter(
    machine: str, architecture: int, refused: tuple[int, ...], allowed: tuple[int, ...]
) -> None:
    code = filter_bytes(machine)
    assert {_outcome(code, architecture, n) for n in refused} == {0x00050001}
    assert {_outcome(code, architecture, n) for n in allowed} == {0x7FFF0000}
    assert _outcome(code, 0x40000003, 1) == 0x80000000
    assert filter_bytes("pdp11") == b""


@pytest.mark.parametrize(
    ("machine", "refused", "clone"),
    [("x86_64", (57, 58, 59, 62, 41, 88, 322), 56), ("aarch64", (221, 129, 198, 281), 220)],
)
def test_the_filter_of_a_single_process(machine: str, refused: tuple[int, ...], clone: int) -> None:
    code = single_process_bytes(machine)
    assert {_outcome(code, 0, n) for n in refused} == {0x00050001}
    assert _outcome(code, 0, clone, 0x11) == 0x00050001  # SIGCHLD: a process
    assert _outcome(code, 0, clone, 0x3D0F00) == 0x7FFF0000  # what the C library asks for a thread
    assert _outcome(code, 0, 435) == 0x00050026
    assert {_outcome(code, 0, n) for n in (0, 1, 64, 63)} == {0x7FFF0000}
    assert single_process_bytes("pdp11") == b""


@needs_seccomp
def test_the_kernel_refuses_what_the_filter_names() -> None:
    script = (
        "import ctypes; libc = ctypes.CDLL(None, use_errno=True); "
        f"print(libc.syscall({PTRACE}, 0, 0, 0, 0), ctypes.get_errno())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, preexec_fn=filter_system_calls, check=True
    )
    assert done.stdout == b"-1 1\n"


@needs_seccomp
def test_a_sandboxed_child_has_the_filter(tmp_path: Path) -> None:
    done = run_limited(["cat", "/proc/self/status"], cwd=tmp_path, sandbox=Sandbox((), (tmp_path,)))
    status = dict(line.split(":\t", 1) for line in done.stdout.decode().splitlines() if ":\t" in line)
    assert (status["Seccomp"], status["NoNewPrivs"]) == ("2", "1")


@pytest.mark.skipif(os.geteuid() == 0, reason="the kernel does not limit the administrator's processes")
def test_a_child_that_forks_without_end_is_stopped(tmp_path: Path) -> None:
    script = (
        "import os, time\ntry:\n  for _ in range(400):\n    os.fork() or (time.sleep(2), os._exit(0))\n"
        "except BlockingIOError: print('refused')"
    )
    done = run_limited([sys.executable, "-c", script], cwd=tmp_path, limits=Limits(processes=20))
    assert b"refused" in done.stdout


def test_every_measure_says_what_it_needs() -> None:
    found = {m.name: m for m in measures()}
    assert {"memory", "time", "file size", "processes", "network", "files", "system calls"} <= set(found)
    assert all(m.in_force or m.needs for m in found.values())
    assert found["processes"].in_force
