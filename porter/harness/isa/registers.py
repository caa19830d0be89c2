"""The registers with which waves start: user and system scalar registers, work-item ids, the execution mask.

Source: LLVM, User Guide for AMDGPU Backend, "Initial Kernel Execution State", for gfx942 and gfx950 (scratch
memory is architected: no register describes it).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from porter.harness.isa.errors import IsaError
from porter.harness.isa.image import Kernel
from porter.harness.isa.state import EXEC, WAVEFRONT_SIZE, Waves, lane_mask

_PRELOAD_PROLOGUE_BYTES = 256
# Bits of the kernel code properties and how many registers each asks for, in the order of the registers.
_BUFFER, _DISPATCH, _QUEUE, _KERNARG, _DISPATCH_ID, _FLAT_SCRATCH, _PRIVATE_SIZE = range(7)
_SIZES = {
    _BUFFER: 4, _DISPATCH: 2, _QUEUE: 2, _KERNARG: 2, _DISPATCH_ID: 2, _FLAT_SCRATCH: 2, _PRIVATE_SIZE: 1,
}  # fmt: skip


@dataclass(frozen=True)
class LoadedArguments:
    """The kernel's arguments and where they lie, and the address of the dispatch packet."""

    data: bytes
    address: int
    packet_address: int


def set_initial_registers(
    waves: Waves, kernel: Kernel, block: tuple[int, int, int], arguments: LoadedArguments
) -> None:
    """Sets registers and program counters of waves that have not started."""
    at = _user_registers(waves, kernel, arguments)
    count, first = kernel.preload
    for k in range(count):
        waves.scalar[at + k] = struct.unpack_from("<I", arguments.data, 4 * (first + k))[0]
    waves.pc[:] = kernel.entry + (_PRELOAD_PROLOGUE_BYTES if count else 0)
    at = kernel.rsrc2 >> 1 & 31
    coordinates = waves.blocks[waves.block]
    for axis in range(3):
        if kernel.rsrc2 >> (7 + axis) & 1:
            waves.scalar[at] = coordinates[:, axis]
            at += 1
    if kernel.rsrc2 >> 10 & 1:
        raise IsaError("ISA004", "a kernel that asks for work-group information")
    _set_threads(waves, kernel, block)


def _user_registers(waves: Waves, kernel: Kernel, arguments: LoadedArguments) -> int:
    """Returns the register behind the last one."""
    values = {_KERNARG: arguments.address, _DISPATCH: arguments.packet_address, _DISPATCH_ID: 0, _QUEUE: 0}
    at = 0
    for bit, size in _SIZES.items():
        if not kernel.properties >> bit & 1:
            continue
        if bit == _PRIVATE_SIZE:
            waves.scalar[at] = kernel.scratch_bytes
        elif bit in values:
            waves.scalar[at] = values[bit] & 0xFFFFFFFF
            waves.scalar[at + 1] = values[bit] >> 32
        else:
            raise IsaError("ISA004", "a kernel that asks for a scratch descriptor")
        at += size
    return at


def _set_threads(waves: Waves, kernel: Kernel, block: tuple[int, int, int]) -> None:
    """Work-item ids, packed ten bits each in VGPR 0, and the lanes that exist."""
    first_of_block = np.concatenate(([True], waves.block[1:] != waves.block[:-1]))
    starts = np.flatnonzero(first_of_block)
    wave_of_block = np.arange(waves.count) - np.repeat(starts, np.diff([*starts, waves.count]))
    thread = wave_of_block[:, None] * WAVEFRONT_SIZE + np.arange(WAVEFRONT_SIZE)[None, :]
    x, y, _ = block
    ids: list[npt.NDArray[np.int64]] = [thread % x, thread // x % y, thread // (x * y)]
    dimensions = (kernel.rsrc2 >> 11 & 3) + 1
    packed = sum((ids[k] << (10 * k) for k in range(dimensions)), start=np.zeros_like(thread))
    waves.vector[0] = packed.astype(np.uint32)
    mask = lane_mask(thread < int(np.prod(block)))
    waves.scalar[EXEC] = mask.astype(np.uint32)
    waves.scalar[EXEC + 1] = (mask >> np.uint64(32)).astype(np.uint32)
