"""BUFFER instructions: memory through a descriptor in four scalar registers that states base and size.

Only untyped buffers without swizzling. What the descriptor rules out reads 0 and is not written, as in
hardware; what it allows must lie in an allocation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from porter.harness.isa import atomics
from porter.harness.isa.bits import Lanes
from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import IsaError
from porter.harness.isa.global_ops import atomic_data
from porter.harness.isa.lds import direct_to_lds
from porter.harness.isa.operands import VECTOR, read_scalar
from porter.harness.isa.state import Group
from porter.harness.isa.transfers import data_register, read_stored, transfer_of, write_loaded

Step = Callable[[Group], None]
Place = tuple[npt.NDArray[np.uint64], Lanes]
_ADDRESS_BITS = np.uint64((1 << 48) - 1)


def compile_buffer(instruction: Instruction) -> Step:
    """The step of a BUFFER instruction."""
    name = instruction.name
    if "_FORMAT_" in name:
        raise IsaError("ISA001", name)
    if "_ATOMIC_" in name:
        return _atomic(instruction)
    return _load(instruction) if "_LOAD_" in name else _store(instruction)


def _place(instruction: Instruction, group: Group) -> Place:
    """The address of each lane, and which active lanes are within the buffer."""
    descriptor = instruction.field("srsrc")
    words = [group.scalar32(descriptor + k)[:, None] for k in range(4)]
    base = (words[0].astype(np.uint64) | (words[1].astype(np.uint64) << np.uint64(32))) & _ADDRESS_BITS
    stride = (words[1] >> np.uint32(16)) & np.uint32(0x3FFF)
    if (words[1] >> np.uint32(31)).any() or (words[3] >> np.uint32(23) & np.uint32(1)).any():
        raise IsaError("ISA003", f"{instruction.name}: a swizzled buffer")
    if stride.any():
        raise IsaError("ISA003", f"{instruction.name}: a buffer of records")
    register = instruction.field("vaddr") - VECTOR + instruction.field("idxen")
    offset = np.full(group.active.shape, instruction.field("offset"), np.uint64)
    if instruction.field("offen"):
        offset = offset + group.vector32(register).astype(np.uint64)
    scalar = _scalar_offset(instruction, group)
    records = words[2].astype(np.uint64)
    inside = group.active & (offset + scalar < records)
    return base + scalar + offset, inside


def _scalar_offset(instruction: Instruction, group: Group) -> Lanes:
    if instruction.field("soffset") == 128:  # the constant 0, the common case
        return np.zeros((1, 1), np.uint64)
    return read_scalar(group, instruction, "soffset").astype(np.uint64)[:, None]


def _data(instruction: Instruction) -> int:
    return data_register(instruction.field("vdata"), instruction.field("acc"))


def _load(instruction: Instruction) -> Step:
    transfer, destination = transfer_of(instruction.name), _data(instruction)
    to_lds = bool(instruction.field("lds"))

    def step(group: Group) -> None:
        addresses, inside = _place(instruction, group)
        words = group.waves.memory.load(addresses, transfer.size, inside)
        if to_lds:
            direct_to_lds(group, words, transfer.size, instruction.field("offset"))
        else:
            write_loaded(group, transfer, destination, words)

    return step


def _store(instruction: Instruction) -> Step:
    transfer, source = transfer_of(instruction.name), _data(instruction)

    def step(group: Group) -> None:
        addresses, inside = _place(instruction, group)
        group.waves.memory.store(addresses, read_stored(group, transfer, source), transfer.size, inside)

    return step


def _atomic(instruction: Instruction) -> Step:
    atomic, register = atomics.global_atomic(instruction.name), _data(instruction)
    returns = bool(instruction.field("sc0"))

    def step(group: Group) -> None:
        data, second = atomic_data(group, atomic, register)
        addresses, inside = _place(instruction, group)
        store, at = group.waves.memory.view(addresses, atomic.size, inside)
        old = atomics.apply(store, at, atomic, data, second, inside)
        if returns:
            group.set_vector(register, old)

    return step
