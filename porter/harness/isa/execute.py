"""Runs waves until all have ended: those at the same instruction together, the ones furthest behind first.

Waves that took different branches meet again where their program counters do. So that a wave which waits for
another one's store does not keep it from running, every now and then the one that waited longest goes first.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from porter.harness.isa.errors import AccessError, IsaError
from porter.harness.isa.program import Program
from porter.harness.isa.state import Group, Status, Waves

_TURNS_OF_FAIRNESS = 64
Members = npt.NDArray[np.int64]


class Executor:
    """`budget` bounds the instructions executed (one for a group of waves counts once; of the
    `wavefront_instructions` it is one a wave)."""

    def __init__(self, program: Program, waves: Waves, budget: int, name: str) -> None:
        self._program = program
        self._waves = waves
        self._budget = budget
        self._name = name
        self._last_run = np.zeros(waves.count, np.int64)
        self.instructions = 0
        self.wavefront_instructions = 0

    def run(self) -> None:
        """Raises IsaError with the place of the failing instruction."""
        turn = 0
        with np.errstate(all="ignore"):
            while (self._waves.status != Status.ENDED).any():
                self._release()
                running = np.flatnonzero(self._waves.status == Status.RUNNING)
                turn += 1
                fair = turn % _TURNS_OF_FAIRNESS == 0
                self._run_together(running, self._next_pc(running, fair), turn, fair)

    def _release(self) -> None:
        """Opens the barrier of every block all of whose waves wait; ended ones do not take part."""
        waves = self._waves
        waiting = waves.status == Status.AT_BARRIER
        if waiting.any():
            absent = np.zeros(len(waves.blocks), np.bool_)
            absent[waves.block[waves.status == Status.RUNNING]] = True
            waves.status[waiting & ~absent[waves.block]] = Status.RUNNING

    def _next_pc(self, running: Members, fair: bool) -> int:
        counters = self._waves.pc[running]
        return int(counters[self._last_run[running].argmin()] if fair else counters.min())

    def _run_together(self, running: Members, pc: int, turn: int, fair: bool) -> None:
        """Straight on until a branch, or until the place where other waves wait."""
        counters = self._waves.pc[running]
        members = running[counters == pc]
        others = counters[counters > pc]
        meeting = -1 if fair or not len(others) else int(others.min())
        self._last_run[members] = turn
        group = Group(self._waves, members)
        while True:
            pc_next = self._step(group, pc)
            if pc_next is None:
                return
            pc = pc_next
            if pc == meeting:
                self._waves.pc[members] = pc
                return

    def _step(self, group: Group, pc: int) -> int | None:
        try:
            operation = self._program.at(pc)
            self.instructions += 1
            self.wavefront_instructions += len(group.members)
            if self.instructions > self._budget:
                raise IsaError("ISA015", f"more than {self._budget} instructions")
            operation.step(group)
        except IsaError as error:
            self._locate(error, group, pc)
            raise
        return operation.following

    def _locate(self, error: IsaError, group: Group, pc: int) -> None:
        try:
            name = f"{self._program.at(pc).instruction.name.lower()} "
        except IsaError:
            name = ""
        place = f"{self._name}+0x{pc:x}"
        if isinstance(error, AccessError):
            wave, lane = group.members[error.lane // 64], error.lane % 64
            block = tuple(int(c) for c in self._waves.blocks[self._waves.block[wave]])
            first = int(np.flatnonzero(self._waves.block == self._waves.block[wave])[0])
            place += f", block {block}, thread {(wave - first) * 64 + lane}"
        error.place = name + "in " + place if name else place
