"""Flow of control: branches, calls, barriers, the end; and the instructions that only concern timing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import IsaError
from porter.harness.isa.operands import read_scalar
from porter.harness.isa.state import EXEC, VCC, Group, Status

Step = Callable[[Group], None]
_TIMING = (
    "S_NOP", "S_WAITCNT", "S_SLEEP", "S_SETPRIO", "S_ICACHE_INV", "S_INCPERFLEVEL", "S_DECPERFLEVEL",
    "S_TTRACEDATA", "S_WAKEUP", "S_DCACHE_INV", "S_DCACHE_WB", "BUFFER_WBL2", "BUFFER_INV", "S_SETHALT",
)  # fmt: skip
_CONDITIONS: dict[str, Callable[[Group], np.ndarray]] = {
    "S_CBRANCH_SCC0": lambda group: ~group.scc,
    "S_CBRANCH_SCC1": lambda group: group.scc,
    "S_CBRANCH_VCCZ": lambda group: group.scalar64(VCC) == 0,
    "S_CBRANCH_VCCNZ": lambda group: group.scalar64(VCC) != 0,
    "S_CBRANCH_EXECZ": lambda group: group.scalar64(EXEC) == 0,
    "S_CBRANCH_EXECNZ": lambda group: group.scalar64(EXEC) != 0,
}


JUMPS = ("S_GETPC_B64", "S_SETPC_B64", "S_SWAPPC_B64", "S_CALL_B64")


def is_timing(name: str) -> bool:
    """Instructions without an effect here: memory is always up to date, waiting takes no time."""
    return name in _TIMING


def compile_control(instruction: Instruction, pc: int, image_address: int) -> Step | None:
    """A step that sets the program counter itself; None for other instructions.

    `pc` is the instruction's place in the image, which lies at `image_address`.
    """
    name, following = instruction.name, pc + instruction.size
    if name == "S_BRANCH":
        return _jump(following + _distance(instruction))
    if name in _CONDITIONS:
        return _branch(_CONDITIONS[name], following + _distance(instruction), following)
    match name:
        case "S_ENDPGM":
            return _stop(Status.ENDED, following)
        case "S_BARRIER":
            return _stop(Status.AT_BARRIER, following)
        case "S_GETPC_B64":
            return _get_pc(instruction, following, image_address)
        case "S_SETPC_B64" | "S_SWAPPC_B64":
            return _set_pc(instruction, following, image_address)
        case "S_CALL_B64":
            return _call(instruction, following, image_address)
        case "S_TRAP":
            raise_ = IsaError("ISA014", f"S_TRAP {instruction.field('simm16') & 0xFF}")
            return _raise(raise_)
    return None


def _distance(instruction: Instruction) -> int:
    offset = instruction.field("simm16") & 0xFFFF
    return 4 * (offset - (1 << 16) if offset >> 15 else offset)


def _jump(target: int) -> Step:
    def step(group: Group) -> None:
        group.waves.pc[group.members] = target

    return step


def _branch(condition: Callable[[Group], np.ndarray], target: int, following: int) -> Step:
    def step(group: Group) -> None:
        group.waves.pc[group.members] = np.where(condition(group), target, following)

    return step


def _stop(status: Status, following: int) -> Step:
    def step(group: Group) -> None:
        group.waves.pc[group.members] = following
        group.waves.status[group.members] = status

    return step


def _get_pc(instruction: Instruction, following: int, image_address: int) -> Step:
    def step(group: Group) -> None:
        address = np.full(len(group.members), image_address + following, np.uint64)
        group.set_scalar(instruction.field("sdst"), address)
        group.waves.pc[group.members] = following

    return step


def _set_pc(instruction: Instruction, following: int, image_address: int) -> Step:
    links = instruction.name == "S_SWAPPC_B64"

    def step(group: Group) -> None:
        target = read_scalar(group, instruction, "ssrc0").astype(np.int64) - image_address
        if links:
            address = np.full(len(group.members), image_address + following, np.uint64)
            group.set_scalar(instruction.field("sdst"), address)
        group.waves.pc[group.members] = target

    return step


def _call(instruction: Instruction, following: int, image_address: int) -> Step:
    target = following + _distance(instruction)

    def step(group: Group) -> None:
        address = np.full(len(group.members), image_address + following, np.uint64)
        group.set_scalar(instruction.field("sdst"), address)
        group.waves.pc[group.members] = target

    return step


def _raise(error: IsaError) -> Step:
    def step(_group: Group) -> None:
        raise IsaError(error.code, error.reason)

    return step
