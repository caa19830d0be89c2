"""Vector arithmetic whose meaning depends on more of the encoding: truth tables, mixed precision."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from porter.harness.isa import numeric
from porter.harness.isa.bits import Lanes, insert, typed
from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import IsaError
from porter.harness.isa.operands import VECTOR, read_vector
from porter.harness.isa.state import FIRST_ACCUMULATION, Group

_SOURCES = ("src0", "src1", "src2")


def compile_bitop(instruction: Instruction) -> Callable[[Group], None]:
    """Any function of three bits; the truth table stands in the modifier fields."""
    table = instruction.field("omod") << 6 | instruction.field("abs") << 3 | instruction.field("neg")
    destination = instruction.field("vdst") - VECTOR
    narrow = instruction.name.endswith("B16")
    if instruction.field("opsel"):
        raise IsaError("ISA003", f"{instruction.name}: a half of a source")

    def step(group: Group) -> None:
        a, b, c = (read_vector(group, instruction, name) for name in _SOURCES)
        result = np.zeros(np.broadcast_shapes(a.shape, b.shape, c.shape), np.uint32)
        for row in range(8):
            if table >> row & 1:
                result |= (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
        if narrow:
            result = insert(group.vector32(destination), 15, 0, result)
        group.set_vector(destination, result)

    return step


def compile_pair_move(instruction: Instruction) -> Callable[[Group], None]:
    """V_PK_MOV_B32: one half of each source pair."""
    destination, select = instruction.field("vdst") - VECTOR, instruction.field("opsel")

    def step(group: Group) -> None:
        first, second = (read_vector(group, instruction, name) for name in _SOURCES[:2])
        low = (first >> np.uint64(32 * (select & 1))).astype(np.uint32)
        high = (second >> np.uint64(32 * (select >> 1 & 1))).astype(np.uint32)
        group.set_vector(destination, low)
        group.set_vector(destination + 1, high)

    return step


def compile_mix(instruction: Instruction) -> Callable[[Group], None]:
    """V_MAD_MIX_*: a fused multiply-add in float32 of operands that are float32 or halves of registers.

    The encoding that older GPUs use for an unfused operation is the fused one on gfx906 and later.
    """
    destination = instruction.field("vdst") - VECTOR
    high = instruction.name.endswith("HI_F16")
    whole = instruction.name.endswith("_F32")
    if instruction.field("clmp"):
        raise IsaError("ISA003", f"{instruction.name}: a clamped result")

    def step(group: Group) -> None:
        result = numeric.fma(*(_mix_source(group, instruction, k) for k in range(3)))
        if whole:
            group.set_vector(destination, result.view(np.uint32))
            return
        half = result.astype(np.float16).view(np.uint16)
        old = group.vector32(destination)
        group.set_vector(destination, insert(old, 31, 16, half) if high else insert(old, 15, 0, half))

    return step


def _mix_source(group: Group, instruction: Instruction, index: int) -> Lanes:
    value = read_vector(group, instruction, _SOURCES[index])
    above = instruction.field("opsel_hi2") if index == 2 else instruction.field("opsel_hi") >> index & 1
    if above:
        shifted = value >> np.uint32(16) if instruction.field("opsel") >> index & 1 else value
        number = typed(shifted, "f", 16).astype(np.float32)
    else:
        number = typed(value, "f", 32)
    # In this encoding the field of the high halves' signs holds |x|.
    number = np.abs(number) if instruction.field("neg_hi") >> index & 1 else number
    return -number if instruction.field("neg") >> index & 1 else number


def compile_accumulation_move(instruction: Instruction) -> Callable[[Group], None]:
    """Between a VGPR and an accumulation register."""
    name = instruction.name
    destination = instruction.field("vdst") - VECTOR
    to_accumulation = name != "V_ACCVGPR_READ"
    from_accumulation = name != "V_ACCVGPR_WRITE"

    def step(group: Group) -> None:
        value = read_vector(group, instruction, "src0", accumulation=from_accumulation)
        group.set_vector(destination + (FIRST_ACCUMULATION if to_accumulation else 0), value)

    return step
