"""Scalar arithmetic: SOP1, SOP2, SOPC, SOPK."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from porter.harness.isa.bits import Lanes
from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import IsaError
from porter.harness.isa.operands import read_scalar
from porter.harness.isa.semantics import semantics_of
from porter.harness.isa.state import EXEC, Group

_WITHOUT_RESULT = ("SOPC",)
_HARDWARE_MODE = 1
_NOTHING = np.zeros((), np.uint32)


def compile_scalar(instruction: Instruction) -> Callable[[Group], None]:
    """The step of a scalar instruction that does not change the flow of control."""
    if instruction.name in ("S_SETREG_IMM32_B32", "S_SETREG_B32", "S_GETREG_B32"):
        return _mode_register(instruction)
    return _arithmetic(instruction)


def _arithmetic(instruction: Instruction) -> Callable[[Group], None]:
    semantics = semantics_of(instruction.name)
    function, writes = semantics.function, semantics.writes
    destination = instruction.field("sdst")
    wide = instruction.bits("sdst") == 64
    has_result = not instruction.encoding.startswith(_WITHOUT_RESULT) and "D0" in writes
    needs_old = has_result and (semantics.reads_destination or instruction.encoding.startswith("SOPK"))
    sources = _sources(instruction)

    def step(group: Group) -> None:
        first, second = sources(group)
        old = _old(group, destination, wide) if needs_old else _NOTHING
        result = function(
            S0=first, S1=second, S2=_NOTHING, D0=old, SCC=group.scc, VCC=_NOTHING,
            EXEC=group.scalar64(EXEC), SIMM=_NOTHING, IEEE=False,
        )  # fmt: skip
        if "EXEC" in writes:
            group.set_scalar(EXEC, result["EXEC"])
        if has_result:
            value = result["D0"]
            group.set_scalar(destination, value.astype(np.uint64 if wide else np.uint32))
        if "SCC" in writes:
            group.scc = result["SCC"]

    return step


def _old(group: Group, register: int, wide: bool) -> Lanes:
    return group.scalar64(register) if wide else group.scalar32(register)


def _sources(instruction: Instruction) -> Callable[[Group], tuple[Lanes, Lanes]]:
    if instruction.encoding.startswith("SOPK"):
        immediate = np.uint32(instruction.field("simm16") & 0xFFFF)
        destination = instruction.field("sdst")
        compares = instruction.name.startswith("S_CMPK")

        def of_constant(group: Group) -> tuple[Lanes, Lanes]:
            value = np.full(len(group.members), immediate)
            return (group.scalar32(destination), value) if compares else (value, value)

        return of_constant
    two = "ssrc1" in instruction.fields

    def of_registers(group: Group) -> tuple[Lanes, Lanes]:
        first = read_scalar(group, instruction, "ssrc0")
        return first, read_scalar(group, instruction, "ssrc1") if two else first

    return of_registers


def _mode_register(instruction: Instruction) -> Callable[[Group], None]:
    """The rounding and denormal modes cannot be changed here; anything else of the register has no effect."""
    register = instruction.field("simm16")
    if instruction.name == "S_GETREG_B32" or (
        register & 63 == _HARDWARE_MODE and _touches_rounding(register)
    ):
        raise IsaError("ISA001", f"{instruction.name} of hardware register {register & 63}")
    return lambda _group: None


def _touches_rounding(register: int) -> bool:
    """Bits 0…7 of the mode register: rounding, then denormals."""
    return register >> 6 & 31 < 8
