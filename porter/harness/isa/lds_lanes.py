"""DS instructions that use LDS's crossbar only: values move between lanes, no memory is touched."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from porter.harness.isa.bits import Lanes
from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import IsaError
from porter.harness.isa.operands import VECTOR
from porter.harness.isa.state import Group
from porter.harness.isa.transfers import data_register

Step = Callable[[Group], None]
_LANE = np.arange(64)


def compile_lane_move(instruction: Instruction) -> Step | None:
    """None for another instruction."""
    match instruction.name:
        case "DS_BPERMUTE_B32":
            return _pull(instruction)
        case "DS_PERMUTE_B32":
            return _push(instruction)
        case "DS_SWIZZLE_B32":
            return _swizzle(instruction)
    return None


def _offset(instruction: Instruction) -> int:
    return instruction.field("offset0") | instruction.field("offset1") << 8


def _selected_lane(instruction: Instruction, group: Group) -> Lanes:
    address = group.vector32(instruction.field("addr") - VECTOR)
    return ((address + np.uint32(_offset(instruction))) >> np.uint32(2)) & np.uint32(63)


def _pull(instruction: Instruction) -> Step:
    """Each lane reads from the lane it names; from one that is not active it reads 0."""
    source = data_register(instruction.field("data0"), instruction.field("acc"))
    destination = data_register(instruction.field("vdst"), instruction.field("acc"))

    def step(group: Group) -> None:
        lane = _selected_lane(instruction, group).astype(np.int64)
        values = np.where(group.active, group.vector32(source), np.uint32(0))
        group.set_vector(destination, np.take_along_axis(values, lane, axis=1))

    return step


def _push(instruction: Instruction) -> Step:
    """Each lane writes to the lane it names; of several the highest wins."""
    source = data_register(instruction.field("data0"), instruction.field("acc"))
    destination = data_register(instruction.field("vdst"), instruction.field("acc"))

    def step(group: Group) -> None:
        lane = _selected_lane(instruction, group)
        wave, sender = np.nonzero(group.active)  # in the order of lanes, so that the last one wins
        result = np.zeros(group.active.shape, np.uint32)
        result[wave, lane[wave, sender]] = group.vector32(source)[wave, sender]
        group.set_vector(destination, result)

    return step


def _swizzle(instruction: Instruction) -> Step:
    lanes = _swizzled_lanes(instruction)
    source = data_register(instruction.field("addr"), instruction.field("acc"))
    destination = data_register(instruction.field("vdst"), instruction.field("acc"))

    def step(group: Group) -> None:
        values = np.where(group.active, group.vector32(source), np.uint32(0))
        group.set_vector(destination, values[:, lanes])

    return step


def _swizzled_lanes(instruction: Instruction) -> Lanes:
    """The lane that each lane reads. Source: the ISA document, "DS_SWIZZLE_B32"."""
    offset = _offset(instruction)
    if offset & 0xE000 in (0xE000, 0xC000):
        raise IsaError("ISA003", f"{instruction.name}: the pattern 0x{offset:x}")
    if offset >> 15:
        return _LANE // 4 * 4 + (offset >> 2 * (_LANE % 4) & 3)
    keep, set_, flip = offset & 31, offset >> 5 & 31, offset >> 10 & 31
    return _LANE // 32 * 32 + (((_LANE % 32 & keep) | set_) ^ flip)
