"""The instructions of a kernel as executable steps, compiled when they are first reached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from porter.harness.isa import control
from porter.harness.isa.buffer_ops import compile_buffer
from porter.harness.isa.cross_lane import compile_cross_lane
from porter.harness.isa.decode import Instruction, decode
from porter.harness.isa.errors import IsaError
from porter.harness.isa.global_ops import compile_global
from porter.harness.isa.lds import compile_lds
from porter.harness.isa.matrix import compile_matrix
from porter.harness.isa.scalar_memory import compile_scalar_memory
from porter.harness.isa.scalar_ops import compile_scalar
from porter.harness.isa.special_vector import (
    compile_accumulation_move,
    compile_bitop,
    compile_mix,
    compile_pair_move,
)
from porter.harness.isa.state import Group
from porter.harness.isa.vector_ops import compile_vector

Step = Callable[[Group], None]
_ENCODED = 16


@dataclass(frozen=True)
class Operation:
    """A step, and where the next instruction is; None where the step sets the program counters itself."""

    instruction: Instruction
    step: Step
    following: int | None


class Program:
    """The code of one image, loaded at `address`, for the GPU `arch`."""

    def __init__(self, code: bytes, address: int, arch: str) -> None:
        self._code = code
        self._address = address
        self._arch = arch
        self._operations: dict[int, Operation] = {}

    def at(self, pc: int) -> Operation:
        """The operation at a place in the image. Raises IsaError, with the place, where there is none."""
        found = self._operations.get(pc)
        if found is None:
            found = self._operations[pc] = self._compile(pc)
        return found

    def _compile(self, pc: int) -> Operation:
        if not 0 <= pc <= len(self._code) - 4:
            raise IsaError("ISA010", f"execution reaches 0x{pc:x}, outside of the code object")
        instruction = _decoded(self._code[pc : pc + _ENCODED])
        jump = control.compile_control(instruction, pc, self._address)
        if jump is not None:
            return Operation(instruction, jump, None)
        return Operation(instruction, compile_step(instruction, self._arch), pc + instruction.size)


@lru_cache(maxsize=20000)
def _decoded(code: bytes) -> Instruction:
    return decode(code, 0)


def compile_step(instruction: Instruction, arch: str) -> Step:
    """The effect of an instruction that does not change the flow of control."""
    name, encoding = instruction.name, instruction.encoding
    if control.is_timing(name) or name == "V_NOP":
        return lambda _group: None
    if encoding.startswith("SO"):
        return compile_scalar(instruction)
    if encoding.startswith("V"):
        return _vector(instruction, arch)
    match encoding:
        case "SMEM":
            return compile_scalar_memory(instruction)
        case "DS":
            return compile_lds(instruction)
        case "MUBUF":
            return compile_buffer(instruction)
        case "FLAT" | "GLOBAL" | "SCRATCH":
            return compile_global(instruction)
    raise IsaError("ISA001", name)


def _vector(instruction: Instruction, arch: str) -> Step:
    name = instruction.name
    if name.startswith(("V_MFMA", "V_SMFMAC")):
        return compile_matrix(instruction, arch)
    if name.startswith("V_ACCVGPR"):
        return compile_accumulation_move(instruction)
    if name.startswith("V_BITOP3"):
        return compile_bitop(instruction)
    if name.startswith("V_MAD_MIX"):
        return compile_mix(instruction)
    if name == "V_PK_MOV_B32":
        return compile_pair_move(instruction)
    return compile_cross_lane(instruction) or compile_vector(instruction)
