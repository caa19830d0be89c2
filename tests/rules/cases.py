"""What a rule must find, with the place, and what it must leave alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cases:
    """`finds`: text and the place of its first finding; `noop`: text without one."""

    finds: tuple[tuple[str, tuple[int, int]], ...]
    noop: tuple[str, ...]


K = "__global__ void k(int* p, int n) { "
"""The head of a kernel, 35 characters long."""
