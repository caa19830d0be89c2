"""FLAT, GLOBAL and SCRATCH instructions: per-lane addresses in global, LDS and scratch memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.harness.isa import atomics, lds, memory
from porter.harness.isa.bits import Lanes
from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import AccessError
from porter.harness.isa.lds import direct_to_lds
from porter.harness.isa.operands import PRIVATE_APERTURE, SHARED_APERTURE, VECTOR
from porter.harness.isa.state import Group
from porter.harness.isa.transfers import data_register, read_stored, transfer_of, write_loaded

Step = Callable[[Group], None]
_NO_SCALAR = (124, 125, 127)


def compile_global(instruction: Instruction) -> Step:
    """The step of a FLAT, GLOBAL or SCRATCH instruction."""
    name = instruction.name
    if "_ATOMIC_" in name:
        return _atomic(instruction)
    if "_LOAD_LDS_" in name:
        return _load_to_lds(instruction)
    return _load(instruction) if "_LOAD_" in name else _store(instruction)


def _offset(instruction: Instruction) -> int:
    offset = instruction.field("offset")
    if instruction.encoding == "FLAT":
        return offset
    return offset - (1 << 13) if offset >> 12 else offset


def _addresses(instruction: Instruction) -> Callable[[Group], Lanes]:
    """64-bit addresses; of scratch instructions offsets in the lane's own memory."""
    register, scalar = instruction.field("addr") - VECTOR, instruction.field("saddr")
    offset = np.uint64(_offset(instruction) % (1 << 64))
    scalar_used = scalar not in _NO_SCALAR and instruction.encoding != "FLAT"

    def of_scratch(group: Group) -> Lanes:
        base = np.zeros(group.active.shape, np.uint32)
        if instruction.field("sve"):
            base = base + group.vector32(register)
        if scalar_used:
            base = base + group.scalar32(scalar)[:, None]
        return (base + np.uint32(_offset(instruction) % (1 << 32))).astype(np.uint64)

    def of_global(group: Group) -> Lanes:
        if scalar_used:
            return group.scalar64(scalar)[:, None] + group.vector32(register).astype(np.uint64) + offset
        return group.vector64(register) + offset

    return of_scratch if instruction.encoding == "SCRATCH" else of_global


def _load(instruction: Instruction) -> Step:
    transfer, addresses = transfer_of(instruction.name), _addresses(instruction)
    destination = data_register(instruction.field("vdst"), instruction.field("acc"))

    def step(group: Group) -> None:
        write_loaded(group, transfer, destination, _read(instruction, group, addresses(group), transfer.size))

    return step


def _store(instruction: Instruction) -> Step:
    transfer, addresses = transfer_of(instruction.name), _addresses(instruction)
    source = data_register(instruction.field("data"), instruction.field("acc"))

    def step(group: Group) -> None:
        words = read_stored(group, transfer, source)
        _write(instruction, group, addresses(group), words, transfer.size)

    return step


def _load_to_lds(instruction: Instruction) -> Step:
    transfer, addresses = transfer_of(instruction.name), _addresses(instruction)
    # The documents add the instruction's offset to both addresses.
    offset = _offset(instruction)

    def step(group: Group) -> None:
        words = group.waves.memory.load(addresses(group), transfer.size, group.active)
        direct_to_lds(group, words, transfer.size, offset)

    return step


def _atomic(instruction: Instruction) -> Step:
    atomic, addresses = atomics.global_atomic(instruction.name), _addresses(instruction)
    accumulation = instruction.field("acc")
    source = data_register(instruction.field("data"), accumulation)
    destination = data_register(instruction.field("vdst"), accumulation)
    returns = bool(instruction.field("sc0"))

    def step(group: Group) -> None:
        data, second = atomic_data(group, atomic, source)
        places = addresses(group)
        shared = group.active & _is_in(instruction, places, SHARED_APERTURE)
        old = np.zeros(places.shape, data.dtype)
        if shared.any():
            at = lds.places(group, places.astype(np.uint32), atomic.size, shared)
            old = old | atomics.apply(group.waves.lds, at, atomic, data, second, shared)
        if (group.active & ~shared).any():
            store, at = group.waves.memory.view(places, atomic.size, group.active & ~shared)
            old = old | atomics.apply(store, at, atomic, data, second, group.active & ~shared)
        if returns:
            group.set_vector(destination, old)

    return step


def atomic_data(group: Group, atomic: atomics.Atomic, register: int) -> tuple[Lanes, Lanes]:
    """The first datum and the second (the first again where there is one only)."""
    if atomic.size == 8:
        first = group.vector64(register)
        return first, group.vector64(register + 2) if atomic.operands == 2 else first
    first32 = group.vector32(register)
    return first32, group.vector32(register + 1) if atomic.operands == 2 else first32


def _is_in(instruction: Instruction, addresses: npt.NDArray[np.uint64], aperture: int) -> Lanes:
    """Which generic addresses lie in an aperture; only FLAT instructions look."""
    if instruction.encoding != "FLAT":
        return np.zeros(addresses.shape, np.bool_)
    return (addresses >> np.uint64(32)) == aperture


def _read(instruction: Instruction, group: Group, addresses: Any, size: int) -> npt.NDArray[Any]:
    if instruction.encoding == "SCRATCH":
        at = _scratch_places(group, addresses, size, group.active)
        return memory.gather(group.waves.scratch, at, size, group.active)
    if instruction.encoding == "GLOBAL":
        return group.waves.memory.load(addresses, size, group.active)
    shared = group.active & _is_in(instruction, addresses, SHARED_APERTURE)
    private = group.active & _is_in(instruction, addresses, PRIVATE_APERTURE)
    words = group.waves.memory.load(addresses, size, group.active & ~shared & ~private)
    if shared.any():
        at = lds.places(group, addresses.astype(np.uint32), size, shared)
        words = words | memory.gather(group.waves.lds, at, size, shared)
    if private.any():
        at = _scratch_places(group, addresses & np.uint64(0xFFFFFFFF), size, private)
        words = words | memory.gather(group.waves.scratch, at, size, private)
    return words


def _write(
    instruction: Instruction, group: Group, addresses: Any, words: npt.NDArray[Any], size: int
) -> None:
    if instruction.encoding == "SCRATCH":
        at = _scratch_places(group, addresses, size, group.active)
        memory.scatter(group.waves.scratch, at, words, size, group.active)
        return
    if instruction.encoding == "GLOBAL":
        group.waves.memory.store(addresses, words, size, group.active)
        return
    shared = group.active & _is_in(instruction, addresses, SHARED_APERTURE)
    private = group.active & _is_in(instruction, addresses, PRIVATE_APERTURE)
    group.waves.memory.store(addresses, words, size, group.active & ~shared & ~private)
    at = lds.places(group, addresses.astype(np.uint32), size, shared)
    memory.scatter(group.waves.lds, at, words, size, shared)
    at = _scratch_places(group, addresses & np.uint64(0xFFFFFFFF), size, private)
    memory.scatter(group.waves.scratch, at, words, size, private)


def _scratch_places(group: Group, offsets: Any, size: int, active: Lanes) -> npt.NDArray[np.int64]:
    """Positions in the scratch memory of all lanes."""
    waves = group.waves
    each = len(waves.scratch) // max(1, waves.count * 64)
    bad = active & (offsets + np.uint64(size) > np.uint64(each))
    if bad.any():
        lane = int(np.flatnonzero(bad)[0])
        at = int(offsets.reshape(-1)[lane])
        raise AccessError("ISA011", f"{size} bytes at byte {at} of {each} bytes of scratch memory", lane)
    thread = group.members[:, None] * 64 + np.arange(64)[None, :]
    return np.where(active, thread * each + offsets.astype(np.int64), 0)
