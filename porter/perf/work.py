"""What a launch does: bytes through memory and floating-point operations, counted from the kernel's IR.

Bytes are those that must cross the memory bus at least once: of every buffer the smaller of its size and of
what all threads together ask for. Operations are counted on a sample of threads and scaled to the launch.
Integer arithmetic is not counted: what of it the compiler removes cannot be seen here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.cuda.kir import Kernel, Variable
from porter.perf.thread_count import Counts, ThreadCounter

_FEWEST_THREADS = 24
_STEPS = 15_000  # statements; a few tenths of a second
_GOLDEN_RATIO = 0.6180339887498949


@dataclass(frozen=True)
class Work:
    """Of one launch. Operations are keyed by dtype (f64, f32, f16, bf16); an FMA is two.

    `assumptions` say in words where a figure is not exact.
    """

    bytes_read: float
    bytes_written: float
    flops_by_dtype: Mapping[str, float]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    matrix_flops_by_dtype: Mapping[str, float] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()

    @property
    def workgroups(self) -> int:
        return math.prod(self.grid)

    @property
    def threads_per_block(self) -> int:
        return math.prod(self.block)

    @property
    def arithmetic_intensity(self) -> float:
        """Operations a byte; infinite for a kernel that moves nothing."""
        flops = sum(self.flops_by_dtype.values()) + sum(self.matrix_flops_by_dtype.values())
        moved = self.bytes_read + self.bytes_written
        return flops / moved if moved else math.inf


@dataclass(frozen=True)
class LaunchFacts:
    """A captured launch in the terms of its kernel: scalar arguments, and the sizes of pointer arguments.

    Both are keyed by parameter name (globals by theirs). A size counts from the pointer to the end of its
    allocation. What is missing is taken as unknown.
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    scalars: Mapping[str, int | float] = field(default_factory=dict)
    buffer_bytes: Mapping[str, int] = field(default_factory=dict)


def work_of_launch(kernel: Kernel, launch: LaunchFacts) -> Work:
    """Counts a launch of `kernel`. Deterministic: the same launch gives the same sample."""
    threads = math.prod(launch.grid) * math.prod(launch.block)
    sample = _sample(launch, _count(kernel, launch, 0).steps)
    total = Counts()
    for index in sample:
        total.add(_count(kernel, launch, index))
    scale = threads / max(len(sample), 1)
    assumptions = list(dict.fromkeys(total.assumptions))
    if len(sample) < threads:
        assumptions.insert(0, f"{len(sample)} of {threads} threads were counted")
    return Work(
        bytes_read=_bytes(total.loads, launch.buffer_bytes, scale),
        bytes_written=_bytes(total.stores, launch.buffer_bytes, scale),
        flops_by_dtype={dtype: n * scale for dtype, n in sorted(total.flops.items())},
        grid=launch.grid,
        block=launch.block,
        assumptions=tuple(assumptions),
    )


def _count(kernel: Kernel, launch: LaunchFacts, thread: int) -> Counts:
    return ThreadCounter(kernel, launch.grid, launch.block, launch.scalars).count(thread)


def _bytes(asked: Counter[Variable], sizes: Mapping[str, int], scale: float) -> float:
    """What each buffer contributes: all that is asked for, but no more than its size."""
    return sum(min(n * scale, sizes.get(variable.name, math.inf)) for variable, n in asked.items())


def _sample(launch: LaunchFacts, steps_of_one: int) -> tuple[int, ...]:
    """Thread numbers: every thread of a block equally often, of blocks spread over the grid.

    A golden-ratio sequence has no period that a block size could share. As many threads as are cheap.
    """
    threads = math.prod(launch.block)
    blocks = math.prod(launch.grid)
    wanted = max(_FEWEST_THREADS, _STEPS // max(steps_of_one, 1))
    if blocks * threads <= wanted:
        return tuple(range(blocks * threads))
    whole = wanted // threads * threads
    if whole == 0:
        return tuple(_spread(i, blocks) * threads + _spread(i, threads) for i in range(wanted))
    return tuple(_spread(i, blocks) * threads + i % threads for i in range(min(whole, 2 * threads)))


def _spread(i: int, extent: int) -> int:
    return int((i * _GOLDEN_RATIO + 0.5) % 1.0 * extent)
