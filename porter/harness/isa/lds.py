"""LDS: the memory of a block. Places in it, and the DS instructions that use it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.harness.isa import atomics, memory
from porter.harness.isa.bits import Lanes
from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import AccessError, IsaError
from porter.harness.isa.lds_lanes import compile_lane_move
from porter.harness.isa.operands import VECTOR
from porter.harness.isa.state import M0, Group
from porter.harness.isa.transfers import Transfer, data_register, read_stored, transfer_of, write_loaded

Step = Callable[[Group], None]
Places = npt.NDArray[np.int64]


def places(group: Group, addresses: Lanes, size: int, active: Lanes) -> Places:
    """Positions of the blocks' addresses in the LDS array of all blocks, checked."""
    waves = group.waves
    each = len(waves.lds) // max(1, len(waves.blocks))
    wide = np.broadcast_to(addresses, active.shape).astype(np.int64)
    bad = active & (wide + size > each)
    if bad.any():
        lane = int(np.flatnonzero(bad)[0])
        raise AccessError(
            "ISA011", f"{size} bytes at byte {wide.reshape(-1)[lane]} of {each} bytes of LDS", lane
        )
    return np.where(active, waves.block[group.members][:, None] * each + wide, 0)


def direct_to_lds(group: Group, words: npt.NDArray[Any], size: int, offset: int) -> None:
    """Loaded words to LDS at M0 + the instruction's offset, one element a lane."""
    base = (group.scalar32(M0) & np.uint32(0x3FFFF)).astype(np.int64)[:, None] + offset
    stride = max(size, 4)
    addresses = base + np.arange(64)[None, :] * stride
    at = places(group, addresses, size, group.active)
    memory.scatter(group.waves.lds, at, words, size, group.active)


def compile_lds(instruction: Instruction) -> Step:
    """The step of a DS instruction."""
    name = instruction.name
    if instruction.field("gds"):
        raise IsaError("ISA001", f"{name} on global data share")
    if (moved := compile_lane_move(instruction)) is not None:
        return moved
    if name == "DS_NOP":
        return lambda _group: None
    if double := re.fullmatch(r"DS_(READ|WRITE)2(ST64)?_B(32|64)", name):
        size = int(double.group(3)) // 8
        stride = size * (64 if double.group(2) else 1)
        return (_read_two if double.group(1) == "READ" else _write_two)(instruction, size, stride)
    if atomic := atomics.lds_atomic(name):
        return _atomic(instruction, atomic)
    if name == "DS_READ_B64_TR_B16":
        return _read_transposed(instruction)
    if name.startswith("DS_READ_"):
        return _read(instruction, transfer_of(name))
    if name.startswith("DS_WRITE_"):
        return _write(instruction, transfer_of(name))
    raise IsaError("ISA001", name)


def _offset(instruction: Instruction) -> int:
    return instruction.field("offset0") | instruction.field("offset1") << 8


def _data(instruction: Instruction, field: str) -> int:
    return data_register(instruction.field(field), instruction.field("acc"))


def _address(instruction: Instruction, group: Group) -> Lanes:
    return group.vector32(instruction.field("addr") - VECTOR).astype(np.int64)


def _read(instruction: Instruction, transfer: Transfer) -> Step:
    destination, offset = _data(instruction, "vdst"), _offset(instruction)

    def step(group: Group) -> None:
        at = places(group, _address(instruction, group) + offset, transfer.size, group.active)
        words = memory.gather(group.waves.lds, at, transfer.size, group.active)
        write_loaded(group, transfer, destination, words)

    return step


def _write(instruction: Instruction, transfer: Transfer) -> Step:
    source, offset = _data(instruction, "data0"), _offset(instruction)

    def step(group: Group) -> None:
        at = places(group, _address(instruction, group) + offset, transfer.size, group.active)
        words = read_stored(group, transfer, source)
        memory.scatter(group.waves.lds, at, words, transfer.size, group.active)

    return step


def _read_two(instruction: Instruction, size: int, stride: int) -> Step:
    destination = _data(instruction, "vdst")
    offsets = [instruction.field(f) * stride for f in ("offset0", "offset1")]
    one = Transfer(size)

    def step(group: Group) -> None:
        address = _address(instruction, group)
        loaded = [
            memory.gather(group.waves.lds, places(group, address + o, size, group.active), size, group.active)
            for o in offsets
        ]
        for k, words in enumerate(loaded):
            write_loaded(group, one, destination + k * one.registers, words)

    return step


def _write_two(instruction: Instruction, size: int, stride: int) -> Step:
    offsets = [instruction.field(f) * stride for f in ("offset0", "offset1")]
    one = Transfer(size)

    def step(group: Group) -> None:
        address = _address(instruction, group)
        for field, offset in zip(("data0", "data1"), offsets, strict=True):
            at = places(group, address + offset, size, group.active)
            words = read_stored(group, one, _data(instruction, field))
            memory.scatter(group.waves.lds, at, words, size, group.active)

    return step


def _atomic(instruction: Instruction, atomic: atomics.Atomic) -> Step:
    first, second = _data(instruction, "data0"), _data(instruction, "data1")
    returns, offset = "_RTN" in instruction.name, _offset(instruction)
    destination = _data(instruction, "vdst")

    def step(group: Group) -> None:
        at = places(group, _address(instruction, group) + offset, atomic.size, group.active)
        read = group.vector64 if atomic.size == 8 else group.vector32
        data = read(first)
        other = read(second) if atomic.operands == 2 else data
        old = atomics.apply(group.waves.lds, at, atomic, data, other, group.active)
        if returns:
            group.set_vector(destination, old)

    return step


def _read_transposed(instruction: Instruction) -> Step:
    """DS_READ_B64_TR_B16: 16 lanes load 4 rows of 16 halves (4 lanes a row), lane i gets column i."""
    destination, offset = _data(instruction, "vdst"), _offset(instruction)
    lane = np.arange(64)
    source_lane = (lane // 16 * 16 + lane % 16 // 4)[:, None] + 4 * np.arange(4)[None, :]
    source_half = np.broadcast_to((lane % 4)[:, None], source_lane.shape)

    def step(group: Group) -> None:
        at = places(group, _address(instruction, group) + offset, 8, group.active)
        words = memory.gather(group.waves.lds, at, 8, group.active)
        halves = np.ascontiguousarray(words).view(np.uint16)
        columns = np.ascontiguousarray(halves[:, source_lane, source_half]).view(np.uint32)
        for k in range(2):
            group.set_vector(destination + k, columns[..., k])

    return step
