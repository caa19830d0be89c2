"""Vector instructions that move values between lanes, or between lanes and scalar registers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from porter.harness.isa.decode import Instruction
from porter.harness.isa.operands import VECTOR, read_scalar, read_vector
from porter.harness.isa.state import Group

Step = Callable[[Group], None]
NAMES = (
    "V_READFIRSTLANE_B32", "V_READLANE_B32", "V_WRITELANE_B32", "V_SWAP_B32", "V_PERMLANE16_SWAP_B32",
    "V_PERMLANE32_SWAP_B32",
)  # fmt: skip


def compile_cross_lane(instruction: Instruction) -> Step | None:
    """None for an instruction that is none of these."""
    match instruction.name:
        case "V_READFIRSTLANE_B32":
            return _read_first_lane(instruction)
        case "V_READLANE_B32":
            return _read_lane(instruction)
        case "V_WRITELANE_B32":
            return _write_lane(instruction)
        case "V_SWAP_B32":
            return _swap_registers(instruction)
        case "V_PERMLANE16_SWAP_B32":
            return _swap_rows(instruction, 16)
        case "V_PERMLANE32_SWAP_B32":
            return _swap_rows(instruction, 32)
    return None


def _scalar_destination(instruction: Instruction) -> int:
    """The encodings share a field with vector destinations; the number is that of a scalar register."""
    register = instruction.field("vdst")
    return register - VECTOR if register >= VECTOR else register


def _read_first_lane(instruction: Instruction) -> Step:
    destination = _scalar_destination(instruction)

    def step(group: Group) -> None:
        values = np.broadcast_to(read_vector(group, instruction, "src0"), group.active.shape)
        first = group.active.argmax(axis=1)  # lane 0 where no lane is active
        group.set_scalar(destination, values[np.arange(len(first)), first])

    return step


def _read_lane(instruction: Instruction) -> Step:
    destination = _scalar_destination(instruction)

    def step(group: Group) -> None:
        values = np.broadcast_to(read_vector(group, instruction, "src0"), group.active.shape)
        lane = read_scalar(group, instruction, "src1") & np.uint32(63)
        group.set_scalar(destination, values[np.arange(len(lane)), lane])

    return step


def _write_lane(instruction: Instruction) -> Step:
    destination = instruction.field("vdst") - VECTOR

    def step(group: Group) -> None:
        lane = read_scalar(group, instruction, "src1") & np.uint32(63)
        chosen = np.arange(64)[None, :] == lane[:, None]
        group.set_vector(destination, read_scalar(group, instruction, "src0")[:, None], chosen)

    return step


def _swap_registers(instruction: Instruction) -> Step:
    left, right = instruction.field("vdst") - VECTOR, instruction.field("src0") - VECTOR

    def step(group: Group) -> None:
        held = group.vector32(left).copy()
        group.set_vector(left, group.vector32(right).copy())
        group.set_vector(right, held)

    return step


def _swap_rows(instruction: Instruction, width: int) -> Step:
    """Odd rows of the destination change places with even rows of the source; all lanes take part."""
    destination, source = instruction.field("vdst") - VECTOR, instruction.field("src0") - VECTOR
    lanes = np.arange(64)
    odd = (lanes // width % 2).astype(np.bool_)

    def step(group: Group) -> None:
        to, from_ = group.vector32(destination).copy(), group.vector32(source).copy()
        everywhere = np.ones_like(group.active)
        group.set_vector(destination, from_[:, lanes - width], everywhere & odd)
        group.set_vector(source, to[:, (lanes + width) % 64], everywhere & ~odd)

    return step
