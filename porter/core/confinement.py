"""What confines the programs that porter runs on this machine, in words: for `porter doctor` and reports."""

from __future__ import annotations

import os
from dataclasses import dataclass

from porter.core.process import Limits, network_isolation
from porter.core.sandbox import sandbox_available
from porter.core.seccomp import seccomp_available

_NAMESPACES = "user namespaces (sysctl kernel.unprivileged_userns_clone=1) and unshare of util-linux"


@dataclass(frozen=True)
class Measure:
    """`applies_to` is `all` (every child) or `ports` (candidates: hostile until proven otherwise)."""

    name: str
    in_force: bool
    figure: str
    applies_to: str
    needs: str = ""


def measures() -> tuple[Measure, ...]:
    """Every measure, in force or not. Figures are the defaults; commands may ask for less."""
    limits = Limits()
    # The kernel never limits the system's administrator.
    counted = "of its own, counted while it runs" if os.geteuid() == 0 else "more than the user had"
    return (
        Measure("memory", True, f"{limits.memory_bytes >> 30} GiB of address space", "all"),
        Measure("time", True, f"{limits.wall_seconds:g} s, and as much of every core", "all"),
        Measure("file size", True, f"{limits.file_bytes >> 30} GiB a file, no core dumps", "all"),
        Measure("processes", True, f"{limits.processes} threads {counted}", "all"),
        Measure("environment", True, "PATH, a home of its own, nothing else", "all"),
        Measure("network", bool(network_isolation()), "none (network namespace)", "all", _NAMESPACES),
        Measure(
            "files",
            sandbox_available(),
            "the system, its own scratch folder (mount namespace)",
            "ports",
            _NAMESPACES,
        ),
        Measure(
            "other processes", sandbox_available(), "none seen (process namespace)", "ports", _NAMESPACES
        ),
        Measure(
            "system calls",
            seccomp_available(),
            "tracing, kernel code, clocks, keys refused (seccomp)",
            "ports",
            "Linux with seccomp on x86-64 or AArch64",
        ),
    )
