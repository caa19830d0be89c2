"""The waves that run together: registers, LDS, scratch memory. One numpy array each for all waves.

Vector registers are [register, wave, lane], scalar registers [register, wave]. VGPRs are 0…255, the
accumulation registers 256…511. Scalar registers have the numbers of the encoding: VCC 106, M0 124, EXEC 126.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.harness.isa.bits import Lanes
from porter.harness.isa.memory import Memory

WAVEFRONT_SIZE = 64
VCC, M0, EXEC = 106, 124, 126
FIRST_ACCUMULATION = 256
_SCALARS = 128
_VECTORS = 512
# What a register or a byte of LDS holds before anything is written to it: a signalling NaN, far from 0.
POISON = 0xFFA5_5A5A


class Status(IntEnum):
    RUNNING = 0
    AT_BARRIER = 1
    ENDED = 2


@dataclass
class Waves:
    """The waves of some blocks; `block` is each wave's block among them, `blocks` the blocks' coordinates."""

    memory: Memory
    block: npt.NDArray[np.int64]
    blocks: npt.NDArray[np.int64]
    lds: npt.NDArray[np.uint8]
    scratch: npt.NDArray[np.uint8]
    ieee_mode: bool
    vgprs: int
    agprs: int
    vector: npt.NDArray[np.uint32] = field(init=False)
    scalar: npt.NDArray[np.uint32] = field(init=False)
    scc: npt.NDArray[np.bool_] = field(init=False)
    pc: npt.NDArray[np.int64] = field(init=False)
    status: npt.NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        count = len(self.block)
        self.vector = np.empty((_VECTORS, count, WAVEFRONT_SIZE), np.uint32)
        self.vector[: self.vgprs] = POISON
        self.vector[FIRST_ACCUMULATION : FIRST_ACCUMULATION + self.agprs] = POISON
        self.scalar = np.full((_SCALARS, count), POISON, np.uint32)
        self.scc = np.zeros(count, np.bool_)
        self.pc = np.zeros(count, np.int64)
        self.status = np.full(count, Status.RUNNING, np.int64)

    @property
    def count(self) -> int:
        return len(self.block)


class Group:
    """Waves at the same instruction, executed together. `rows` picks them from the arrays of `waves`."""

    def __init__(self, waves: Waves, members: npt.NDArray[np.int64]) -> None:
        self.waves = waves
        self.members = members
        self.rows: Any = slice(None) if len(members) == waves.count else members
        self._active: npt.NDArray[np.bool_] | None = None
        self._all_active = False

    # Execution mask

    @property
    def active(self) -> npt.NDArray[np.bool_]:
        """[wave, lane]: which lanes execute."""
        if self._active is None:
            self._active = lane_bits(self.scalar64(EXEC))
            self._all_active = bool(self._active.all())
        return self._active

    @property
    def all_active(self) -> bool:
        return bool(self.active is not None and self._all_active)

    # Scalar registers

    def scalar32(self, register: int) -> Lanes:
        return self.waves.scalar[register][self.rows]

    def scalar64(self, register: int) -> Lanes:
        low, high = self.scalar32(register), self.scalar32(register + 1)
        return low.astype(np.uint64) | (high.astype(np.uint64) << np.uint64(32))

    def set_scalar(self, register: int, words: Lanes) -> None:
        """32 bits or 64, by the type of `words`."""
        if words.dtype.itemsize == 8:
            wide = words.view(np.uint64)
            self.waves.scalar[register][self.rows] = wide.astype(np.uint32)
            self.waves.scalar[register + 1][self.rows] = (wide >> np.uint64(32)).astype(np.uint32)
        else:
            self.waves.scalar[register][self.rows] = words
        if register in (EXEC, EXEC + 1):
            self._active = None

    @property
    def scc(self) -> Lanes:
        return self.waves.scc[self.rows]

    @scc.setter
    def scc(self, value: Lanes) -> None:
        self.waves.scc[self.rows] = value

    # Vector registers

    def vector32(self, register: int) -> Lanes:
        return self.waves.vector[register][self.rows]

    def vector64(self, register: int) -> Lanes:
        low, high = self.vector32(register), self.vector32(register + 1)
        return low.astype(np.uint64) | (high.astype(np.uint64) << np.uint64(32))

    def set_vector(self, register: int, words: Lanes, where: Lanes | None = None) -> None:
        """Writes 32 bits, or 64 by the type of `words`, in the active lanes (or in `where`)."""
        if words.dtype.itemsize == 8:
            wide = words.view(np.uint64)
            self._set_vector32(register, wide.astype(np.uint32), where)
            self._set_vector32(register + 1, (wide >> np.uint64(32)).astype(np.uint32), where)
        else:
            self._set_vector32(register, words, where)

    def _set_vector32(self, register: int, words: Lanes, where: Lanes | None) -> None:
        target = self.waves.vector[register]
        if where is None and self.all_active:
            target[self.rows] = words
        elif isinstance(self.rows, slice):
            np.copyto(target, words, where=self.active if where is None else where)
        else:
            mask = self.active if where is None else where
            target[self.rows] = np.where(mask, words, target[self.rows])


def lane_bits(masks: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """[wave] 64-bit masks to [wave, lane]."""
    as_bytes = np.ascontiguousarray(masks).view(np.uint8).reshape(len(masks), 8)
    return np.unpackbits(as_bytes, axis=1, bitorder="little").astype(np.bool_)


def lane_mask(lanes: Lanes) -> npt.NDArray[np.uint64]:
    """[wave, lane] to [wave] 64-bit masks."""
    packed = np.packbits(np.ascontiguousarray(lanes), axis=1, bitorder="little")
    return np.ascontiguousarray(packed).view(np.uint64).reshape(len(packed))
