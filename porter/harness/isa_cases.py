"""What the two targets give the verdict on machine code: cases that can be executed, and the choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from porter.core.outcome import Target
from porter.harness.isa.errors import IsaError
from porter.harness.tensors import Tensor
from porter.harness.truths import JudgedCase

MAX_BLOCKS = 16
MAX_CASES = 6
_FEWEST_CASES = 2


@dataclass(frozen=True)
class IsaRequest:
    """The original, the port and the GPU whose machine code is executed."""

    original: Path
    port: Path
    target: Target
    arch: str


@dataclass(frozen=True)
class NotExecuted:
    """No case can be executed, and why."""

    reason: str


@dataclass(frozen=True)
class CaseOutputs:
    """The buffers' allocations after the case by their names in a replay, and the instructions executed: of
    all wavefronts, and those of wavefronts that went together counted once (0 where that was not counted)."""

    outputs: Mapping[str, Tensor]
    instructions: int
    wavefront_instructions: int


@dataclass(frozen=True)
class IsaCase:
    """One case; `run` executes it, or says what stopped it."""

    judged: JudgedCase
    run: Callable[[], CaseOutputs | IsaError]

    @property
    def label(self) -> str:
        return self.judged.planned.case.kind


def blocks_of(judged: JudgedCase) -> int:
    """How many blocks the original runs for the case."""
    planned = judged.planned
    return int(np.prod(planned.case.grid or planned.launch.grid, dtype=np.int64))


def threads_of(judged: JudgedCase) -> int:
    """How many threads the original runs for the case."""
    return blocks_of(judged) * int(np.prod(judged.planned.launch.block, dtype=np.int64))


def chosen(cases: Iterable[JudgedCase]) -> list[JudgedCase]:
    """A few of different kinds and launches, small ones; the two smallest where all are large."""
    ordered = sorted(cases, key=blocks_of)
    small = [case for case in ordered if blocks_of(case) <= MAX_BLOCKS]
    if not small:
        return ordered[:_FEWEST_CASES]
    steps = max(1, len(small) // MAX_CASES)
    return small[::steps][:MAX_CASES]
