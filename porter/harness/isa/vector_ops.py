"""Vector arithmetic: VOP1, VOP2, VOP3, VOP3P, VOPC, with SDWA and DPP."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from porter.harness.isa import modifiers
from porter.harness.isa.bits import Lanes
from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import IsaError
from porter.harness.isa.lowering import Semantics
from porter.harness.isa.operands import VECTOR, read_vector
from porter.harness.isa.packed import packed_source
from porter.harness.isa.semantics import semantics_of
from porter.harness.isa.state import EXEC, VCC, WAVEFRONT_SIZE, Group, lane_bits, lane_mask

Step = Callable[[Group], None]
Source = Callable[[Group], Lanes]
_NOTHING = np.zeros((), np.uint32)
_SATURATING = ("V_ADD_U32", "V_SUB_U32", "V_SUBREV_U32")
_CARRY_IN = ("V_ADDC_CO_U32", "V_SUBB_CO_U32", "V_SUBBREV_CO_U32", "V_CNDMASK_B32")
# Three-operand 16-bit instructions that came with op_sel keep the other half; those before it clear it.
# Source: LLVM, GCNSubtarget::zeroesHigh16BitsOfDest.
_KEEPS_HALF = (
    "V_MAD_F16", "V_MAD_U16", "V_MAD_I16", "V_FMA_F16", "V_DIV_FIXUP_F16", "V_ADD_I16", "V_SUB_I16",
    "V_MIN3_F16", "V_MAX3_F16", "V_MED3_F16", "V_MIN3_I16", "V_MAX3_I16", "V_MED3_I16",
    "V_MIN3_U16", "V_MAX3_U16", "V_MED3_U16", "V_BITOP3_B16",
)  # fmt: skip


def compile_vector(instruction: Instruction) -> Step:
    """The step of a vector arithmetic instruction within lanes."""
    semantics = semantics_of(instruction.name + (" CLAMP" if _saturates(instruction) else ""))
    sources = [_source(instruction, k) for k in range(3)]
    if instruction.name.startswith(("V_CMP_", "V_CMPX_")):
        return _comparison(instruction, semantics, sources)
    return _result(instruction, semantics, sources)


def _saturates(instruction: Instruction) -> bool:
    """The clamp bit on an unsigned sum or difference of 32 bits."""
    return bool(instruction.field("clmp")) and instruction.name in _SATURATING


def _comparison(
    instruction: Instruction, semantics: Semantics, sources: list[Source]
) -> Callable[[Group], None]:
    destination = _mask_destination(instruction)
    sets_exec = instruction.name.startswith("V_CMPX_")

    def step(group: Group) -> None:
        first, second = sources[0](group), sources[1](group)
        found = semantics.function(
            S0=first, S1=second, S2=_NOTHING, D0=_NOTHING, SCC=_NOTHING, VCC=_NOTHING, EXEC=_NOTHING,
            SIMM=_NOTHING, IEEE=group.waves.ieee_mode,
        )["VCC"]  # fmt: skip
        mask = lane_mask(np.broadcast_to(found, group.active.shape) & group.active)
        group.set_scalar(destination, mask)
        if sets_exec:
            group.set_scalar(EXEC, mask)

    return step


def _mask_destination(instruction: Instruction) -> int:
    if instruction.encoding == "VOP3_SDST":
        return instruction.field("vdst")
    if "SDWA" in instruction.encoding and instruction.field("sd"):
        return instruction.field("sdst")
    return VCC


def _result(instruction: Instruction, semantics: Semantics, sources: list[Source]) -> Step:
    function, writes = semantics.function, semantics.writes
    destination = instruction.field("vdst") - VECTOR
    wide = instruction.bits("vdst") == 64
    carry_out = instruction.field("sdst") if instruction.encoding == "VOP3SD" else VCC
    carry_in = _carry_in(instruction)
    immediate = np.full((1, 1), instruction.literal or 0, np.uint32)
    finish, enabled = _finish(instruction), _enabled(instruction)
    keeps_old = semantics.reads_destination or "SDWA" in instruction.encoding

    def step(group: Group) -> None:
        old = _old(group, destination, wide) if keeps_old else _NOTHING
        result = function(
            S0=sources[0](group), S1=sources[1](group), S2=sources[2](group), D0=_start(instruction, old),
            SCC=_NOTHING, VCC=carry_in(group), EXEC=_NOTHING, SIMM=immediate, IEEE=group.waves.ieee_mode,
        )  # fmt: skip
        where = enabled(group) if enabled else None
        if "VCC" in writes:
            carry = np.broadcast_to(result["VCC"], group.active.shape) & group.active
            group.set_scalar(carry_out, lane_mask(carry))
        value = finish(result["D0"], old)
        group.set_vector(destination, value.astype(np.uint64 if wide else np.uint32), where)

    return step


def _old(group: Group, register: int, wide: bool) -> Lanes:
    return group.vector64(register) if wide else group.vector32(register)


def _start(instruction: Instruction, old: Lanes) -> Lanes:
    """What the destination holds when a 16-bit result goes to its low half."""
    if (
        instruction.bits("vdst") == 16
        and instruction.name not in _KEEPS_HALF
        and not _accumulates(instruction)
    ):
        return np.zeros((1, 1), np.uint32)
    return old


def _accumulates(instruction: Instruction) -> bool:
    return "MAC" in instruction.name or "DOT" in instruction.name


def _carry_in(instruction: Instruction) -> Source:
    """The lane's bit of the carry or selection mask."""
    reads = instruction.name in _CARRY_IN or instruction.name.startswith("V_DIV_FMAS")
    if not reads:
        return lambda _group: _NOTHING
    three = instruction.encoding in ("VOP3", "VOP3SD") and instruction.name in _CARRY_IN
    register = instruction.field("src2") if three else VCC
    return lambda group: lane_bits(group.scalar64(register))


def _finish(instruction: Instruction) -> Callable[[Lanes, Lanes], Lanes]:
    """From the result to what is written: output modifiers, the half or the byte of the register."""
    if "SDWA" in instruction.encoding:
        if instruction.field("omod") or instruction.field("clmp"):
            raise IsaError("ISA003", f"{instruction.name}: output modifiers with SDWA")
        return lambda value, old: modifiers.sdwa_result(instruction, value, old)
    if instruction.encoding in ("VOP3", "VOP3SD"):
        if instruction.field("opsel") & 8:
            raise IsaError("ISA003", f"{instruction.name}: a result in the high half")
        if _saturates(instruction):
            return lambda value, _old: value
        return lambda value, _old: modifiers.clamped(instruction, value)
    if instruction.field("clmp"):
        raise IsaError("ISA003", f"{instruction.name}: a clamped packed result")
    return lambda value, _old: value


def _enabled(instruction: Instruction) -> Source | None:
    """With DPP, the lanes that are written: enabled rows and banks, and a lane to read from."""
    if "DPP" not in instruction.encoding:
        return None
    lanes, exists = modifiers.dpp_lanes(instruction)
    allowed = modifiers.dpp_enabled(instruction)
    zero_fill = bool(instruction.field("bc"))

    def where(group: Group) -> Lanes:
        usable = group.active & allowed
        return usable if zero_fill else usable & exists & group.active[:, lanes]

    return where


def _source(instruction: Instruction, index: int) -> Source:
    name = _operand_name(instruction, index)
    if name is None or (index == 2 and instruction.bits(name) == 64 and _is_mask(instruction)):
        return lambda _group: _NOTHING
    if "DPP" in instruction.encoding and index == 0:
        return _dpp_source(instruction)
    if "SDWA" in instruction.encoding:
        return _sdwa_source(instruction, index)
    if instruction.encoding.startswith("VOP3P"):
        return lambda group: packed_source(instruction, index, read_vector(group, instruction, name))
    if instruction.encoding.startswith("VOP3") and not instruction.name.startswith("V_BITOP3"):
        return lambda group: modifiers.vop3_source(instruction, index, read_vector(group, instruction, name))
    return lambda group: read_vector(group, instruction, name)


def _is_mask(instruction: Instruction) -> bool:
    return instruction.name in _CARRY_IN


def _operand_name(instruction: Instruction, index: int) -> str | None:
    """The field of the n-th source; of two-operand encodings the second is `vsrc1`."""
    names = (("src0",), ("src1", "vsrc1"), ("src2",))[index]
    return next((name for name in names if name in instruction.operands), None)


def _dpp_source(instruction: Instruction) -> Source:
    lanes, exists = modifiers.dpp_lanes(instruction)
    register = instruction.field("vsrc0") - VECTOR
    negative, absolute = bool(instruction.field("src0_neg")), bool(instruction.field("src0_abs"))
    if instruction.field("src1_neg") or instruction.field("src1_abs"):
        raise IsaError("ISA003", f"{instruction.name}: a sign modifier on the second source with DPP")
    bits = modifiers.float_bits(instruction, "src0")
    if (negative or absolute) and not bits:
        raise IsaError("ISA003", f"{instruction.name}: a sign modifier on an integer operand")
    if instruction.bits("src0") == 64:
        raise IsaError("ISA003", f"{instruction.name}: DPP of 64 bits")

    def read(group: Group) -> Lanes:
        moved = group.vector32(register)[:, lanes]
        value = np.where(exists & group.active[:, lanes], moved, np.uint32(0))
        return modifiers.signed(value, bits, absolute=absolute, negative=negative) if bits else value

    return read


def _sdwa_source(instruction: Instruction, index: int) -> Source:
    if index == 0:
        code = instruction.field("vsrc0")
        scalar = bool(instruction.field("s0"))
    else:
        code = instruction.field("vsrc1")
        scalar = bool(instruction.field("s1"))
    register = code - VECTOR
    if scalar and register >= 128:
        raise IsaError("ISA003", f"{instruction.name}: a constant with SDWA")

    def read(group: Group) -> Lanes:
        value = group.scalar32(register)[:, None] if scalar else group.vector32(register)
        return modifiers.sdwa_source(instruction, index, np.broadcast_to(value, (len(value), WAVEFRONT_SIZE)))

    return read
