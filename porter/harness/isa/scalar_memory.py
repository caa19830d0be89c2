"""Scalar loads: the same words for a whole wave."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import IsaError
from porter.harness.isa.state import Group

_NOT_USED = (124, 125)


def compile_scalar_memory(instruction: Instruction) -> Callable[[Group], None]:
    """The step of an SMEM instruction."""
    if instruction.name == "S_MEMTIME" or instruction.name == "S_MEMREALTIME":
        return _time(instruction)
    match = re.fullmatch(r"S_LOAD_DWORD(?:X(\d+))?", instruction.name)
    if match is None:
        raise IsaError("ISA001", instruction.name)
    return _load(instruction, int(match.group(1) or 1))


def _load(instruction: Instruction, count: int) -> Callable[[Group], None]:
    destination, base = instruction.field("sdata"), instruction.field("sbase")
    offset = instruction.field("offset")
    constant = (offset - (1 << 21) if offset >> 20 else offset) if instruction.field("imm") else 0
    register = instruction.field("soffset") if instruction.field("soffset_en") else None
    if not instruction.field("imm") and register is None:
        register = offset & 0x7F  # the offset field then names a register

    def step(group: Group) -> None:
        address = group.scalar64(base) + np.uint64(constant % (1 << 64))
        if register is not None and register not in _NOT_USED:
            address = address + group.scalar32(register).astype(np.uint64)
        address = address & np.uint64(0xFFFFFFFFFFFFFFFC)
        everywhere = np.ones(address.shape, np.bool_)
        words = group.waves.memory.load(address, 4 * count, everywhere)
        for k in range(count):
            group.set_scalar(destination + k, words[..., k])

    return step


def _time(instruction: Instruction) -> Callable[[Group], None]:
    """A counter that grows; no kernel's result may depend on it."""
    ticks = [0]

    def step(group: Group) -> None:
        ticks[0] += 64
        group.set_scalar(instruction.field("sdata"), np.full(len(group.members), ticks[0], np.uint64))

    return step
