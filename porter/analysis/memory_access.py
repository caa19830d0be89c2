"""How a kernel's wavefronts access memory: coalescing of global accesses, bank conflicts of shared ones.

Figures are for one instruction of each wavefront of one block, summed over wavefronts and over the iterations
of loops that were followed. Global memory moves in lines of 128 bytes (MI300 and MI350: the line of L2), and
buffers are taken to start on one. What a cache keeps for the next instruction is not in it: a wasteful access
asks L1 and L2 for more than it uses, and HBM too where the lines do not stay.

Shared memory has banks of 4 bytes. The threads of a wavefront are served in groups, in order, as many as the
LDS delivers bytes for in a clock; a group takes as many passes as the busiest bank has distinct words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from porter.analysis.access_values import LaunchShape, RawAccess
from porter.analysis.access_walk import AccessWalk
from porter.analysis.lane_values import LaneValue, Numbers, Unknown, relative, step
from porter.analysis.sizes import size_bytes
from porter.analysis.values import Mask
from porter.core.span import Span
from porter.cuda.kir import SHARED_STORAGE, Kernel, Storage
from porter.hardware.gpu import MemoryLimits

LINE_BYTES = 128
BANK_BYTES = 4


class Pattern(Enum):
    """Where neighbouring threads access: rows are contiguous runs of a few threads each."""

    UNIFORM = "one address"
    CONTIGUOUS = "contiguous"
    ROWS = "rows"
    STRIDED = "strided"
    SCATTERED = "scattered"


@dataclass(frozen=True)
class Coalescing:
    """Bytes of one instruction: used by the threads, and moved in whole lines."""

    pattern: Pattern
    stride_bytes: int | None
    useful_bytes: int
    moved_bytes: int

    @property
    def efficiency(self) -> float:
        return self.useful_bytes / self.moved_bytes


@dataclass(frozen=True)
class GlobalAccess:
    """`operation` is load, store or atomic; `alignment_bytes` divides every address the access can have,
    counted from the start of the buffer. `pitch` names the symbols taken as large multiples of a line."""

    operation: str
    buffer: str
    span: Span
    bytes_per_lane: int
    alignment_bytes: int
    coalescing: Coalescing | Unknown
    in_loop: bool
    conditional: bool
    pitch: tuple[str, ...] = ()


@dataclass(frozen=True)
class BankConflicts:
    """`degree` is the most passes any group of threads takes, 1 without a conflict; `passes` their sum."""

    banks: int
    degree: int
    passes: int
    least_passes: int


@dataclass(frozen=True)
class SharedAccess:
    operation: str
    array: str
    span: Span
    bytes_per_lane: int
    conflicts: BankConflicts | Unknown
    in_loop: bool


@dataclass(frozen=True)
class KernelAccesses:
    """Every access of a kernel, in source order, and what was assumed to know it."""

    kernel: str
    block: tuple[int, int, int]
    global_accesses: tuple[GlobalAccess, ...]
    shared_accesses: tuple[SharedAccess, ...]
    assumptions: tuple[str, ...]


def accesses_of(
    kernel: Kernel, shape: LaunchShape, memory: MemoryLimits, wavefront_size: int
) -> KernelAccesses:
    """Analyses one launch shape of `kernel` on a GPU."""
    walk = AccessWalk(kernel, shape)
    walk.run()
    places: dict[tuple[str, Span, str], list[RawAccess]] = {}
    for access in walk.accesses:
        places.setdefault((access.operation, access.span, access.root.name), []).append(access)
    groups = sorted(places.values(), key=lambda g: (g[0].span, g[0].operation))
    shared = [g for g in groups if g[0].root.storage in SHARED_STORAGE]
    other = [g for g in groups if g[0].root.storage in (Storage.PARAMETER, Storage.GLOBAL)]
    return KernelAccesses(
        kernel.name,
        shape.block,
        tuple(_global(g, wavefront_size) for g in other),
        tuple(_shared(g, memory, wavefront_size) for g in shared),
        tuple(dict.fromkeys(walk.assumptions)),
    )


def _global(group: list[RawAccess], wavefront_size: int) -> GlobalAccess:
    first = group[0]
    alignments = [step(a.offset) for a in group if isinstance(a.offset, LaneValue)]
    pitch = {s.name for a in group if isinstance(a.offset, LaneValue) for s in relative(a.offset, 1)[1]}
    return GlobalAccess(
        operation=first.operation,
        buffer=first.root.name,
        span=first.span,
        bytes_per_lane=size_bytes(first.type),
        alignment_bytes=_alignment(alignments, size_bytes(first.type)),
        coalescing=_coalescing(group, wavefront_size),
        in_loop=any(a.in_loop for a in group),
        conditional=any(a.conditional for a in group),
        pitch=tuple(sorted(pitch)),
    )


def _alignment(steps: list[int], bytes_: int) -> int:
    """The greatest power of two up to a line that divides every address."""
    common = int(np.gcd.reduce(steps)) if steps else bytes_
    return LINE_BYTES if common == 0 else min(common & -common, LINE_BYTES)


def _coalescing(group: list[RawAccess], wavefront_size: int) -> Coalescing | Unknown:
    useful = moved = 0
    patterns: list[tuple[Pattern, int | None]] = []
    for access in group:
        if isinstance(access.offset, Unknown):
            return access.offset
        bytes_ = size_bytes(access.type)
        distances, _ = relative(access.offset, LINE_BYTES)
        for places in wavefronts(distances, access.active, wavefront_size):
            touched = np.unique((places[:, None] + np.arange(bytes_)).ravel())
            useful += len(touched)
            moved += len(np.unique(touched // LINE_BYTES)) * LINE_BYTES
            patterns.append(pattern_of(places, bytes_))
    if not patterns:
        return Unknown("no thread of the block gets there", group[0].span)
    worst, stride = max(patterns, key=lambda p: _ORDER.index(p[0]))
    return Coalescing(worst, stride, useful, moved)


_ORDER = (Pattern.UNIFORM, Pattern.CONTIGUOUS, Pattern.ROWS, Pattern.STRIDED, Pattern.SCATTERED)


def wavefronts(distances: Numbers, active: Mask, wavefront_size: int) -> Iterable[Numbers]:
    """The places of each wavefront's active threads; wavefronts without any are left out."""
    for start in range(0, len(distances), wavefront_size):
        mask = active[start : start + wavefront_size]
        if mask.any():
            yield distances[start : start + wavefront_size][mask]


def pattern_of(places: Numbers, bytes_: int) -> tuple[Pattern, int | None]:
    """The pattern of one wavefront, and the most frequent distance of neighbours."""
    steps = np.unique(np.diff(places))
    if len(steps) == 0 or (len(steps) == 1 and steps[0] == 0):
        return Pattern.UNIFORM, 0
    if len(steps) == 1:
        return (Pattern.CONTIGUOUS if abs(steps[0]) <= bytes_ else Pattern.STRIDED), int(steps[0])
    # Rows of a tile, each of whole lines, are as good as one run.
    covered = len(np.unique(places)) * bytes_
    lines = len(np.unique(places // LINE_BYTES))
    if covered >= lines * LINE_BYTES:
        return Pattern.CONTIGUOUS, None
    distances, counts = np.unique(np.diff(places), return_counts=True)
    most = int(distances[counts.argmax()])
    return (Pattern.ROWS if abs(most) == bytes_ else Pattern.SCATTERED), most


def _shared(group: list[RawAccess], memory: MemoryLimits, wavefront_size: int) -> SharedAccess:
    first = group[0]
    return SharedAccess(
        first.operation,
        first.root.name,
        first.span,
        size_bytes(first.type),
        bank_conflicts(group, memory, wavefront_size),
        any(a.in_loop for a in group),
    )


def bank_conflicts(
    group: list[RawAccess], memory: MemoryLimits, wavefront_size: int
) -> BankConflicts | Unknown:
    """The conflicts of one access over all its executions, on LDS of `memory`."""
    degree, passes, least = 1, 0, 0
    for access in group:
        if isinstance(access.offset, Unknown):
            return access.offset
        distances, _ = relative(access.offset, memory.lds_banks * BANK_BYTES)
        bytes_ = size_bytes(access.type)
        for needed in group_passes(distances, access.active, bytes_, memory, wavefront_size):
            degree, passes, least = max(degree, needed), passes + needed, least + 1
    if not least:
        return Unknown("no thread of the block gets there", group[0].span)
    return BankConflicts(memory.lds_banks, degree, passes, least)


def group_passes(
    distances: Numbers, active: Mask, bytes_: int, memory: MemoryLimits, wavefront_size: int
) -> Iterable[int]:
    """Passes of each group of threads that one clock could serve: distinct words of the busiest bank."""
    together = min(max(memory.lds_bytes_per_clock // max(bytes_, BANK_BYTES), 1), wavefront_size)
    words_each = max(bytes_ // BANK_BYTES, 1)
    for start in range(0, len(distances), together):
        places = distances[start : start + together][active[start : start + together]]
        if len(places):
            distinct = np.unique(places[:, None] // BANK_BYTES + np.arange(words_each))
            yield int(np.bincount(distinct % memory.lds_banks).max())
