"""What encodings do to sources and results: negate, abs, clamp, halves, bytes (SDWA), other lanes (DPP)."""

from __future__ import annotations

import numpy as np

from porter.harness.isa.bits import Lanes
from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import IsaError

_SOURCES = ("src0", "src1", "src2")
_ROW = 16


def float_bits(instruction: Instruction, operand: str) -> int:
    """16, 32 or 64 for a floating-point operand, else 0. A selection takes the sign modifiers of float32."""
    if instruction.name == "V_CNDMASK_B32":
        return 32
    described = instruction.operands.get(operand)
    format_ = described.format if described else ""
    return {"F16": 16, "F32": 32, "F64": 64, "BF16": 16}.get(format_, 0)


def signed(value: Lanes, bits: int, *, absolute: bool, negative: bool) -> Lanes:
    """The sign bit of a float of `bits` bits cleared, then flipped."""
    bit = value.dtype.type(1 << (bits - 1))
    if absolute:
        value = value & ~bit
    return value ^ bit if negative else value


def vop3_source(instruction: Instruction, index: int, value: Lanes) -> Lanes:
    """The modifiers of the three-operand encoding: the half for 16-bit operands, |x|, −x."""
    name = _SOURCES[index]
    negative, absolute = (bool(instruction.field(f) >> index & 1) for f in ("neg", "abs"))
    if instruction.bits(name) == 16 and instruction.field("opsel") >> index & 1:
        value = value >> value.dtype.type(16)
    if not (negative or absolute):
        return value
    bits = float_bits(instruction, name)
    if not bits:
        raise IsaError("ISA003", f"{instruction.name}: a sign modifier on an integer operand")
    return signed(value, bits, absolute=absolute, negative=negative)


def clamped(instruction: Instruction, result: Lanes) -> Lanes:
    """Output scaling, then clamping to [0, 1], of floating-point results."""
    scale, clamp = instruction.field("omod"), instruction.field("clmp")
    if not scale and not clamp:
        return result
    bits = float_bits(instruction, "vdst")
    if bits not in (32, 64):
        raise IsaError("ISA003", f"{instruction.name}: clamp or output scaling of this type")
    number = result.view(f"f{bits // 8}")
    if scale:
        number = number * number.dtype.type({1: 2.0, 2: 4.0, 3: 0.5}[scale])
    if clamp:
        number = np.fmin(np.fmax(number, number.dtype.type(0)), number.dtype.type(1))
    return number.view(result.dtype)


def sdwa_source(instruction: Instruction, index: int, value: Lanes) -> Lanes:
    """A byte or a half of the source, extended, then its sign modified."""
    select = instruction.field(f"src{index}_sel")
    extend = bool(instruction.field(f"src{index}_sext"))
    value = _selected(value.astype(np.uint32), select, extend)
    negative, absolute = (bool(instruction.field(f"src{index}_{f}")) for f in ("neg", "abs"))
    if not (negative or absolute):
        return value
    bits = float_bits(instruction, "src0" if index == 0 else "vsrc1")
    if not bits:
        raise IsaError("ISA003", f"{instruction.name}: a sign modifier on an integer operand")
    return signed(value, bits, absolute=absolute, negative=negative)


def _selected(value: Lanes, select: int, extend: bool) -> Lanes:
    if select == 6:
        return value
    bits, low = (8, 8 * select) if select < 4 else (16, 16 * (select - 4))
    if extend:
        shifted = (value << np.uint32(32 - bits - low)).view(np.int32) >> np.int32(32 - bits)
        return shifted.view(np.uint32)
    return (value >> np.uint32(low)) & np.uint32((1 << bits) - 1)


def sdwa_result(instruction: Instruction, result: Lanes, old: Lanes) -> Lanes:
    """The result in a byte or a half of the register; the rest zero, sign, or as it was."""
    select, unused = instruction.field("dst_sel"), instruction.field("dst_unused")
    if select == 6:
        return result
    bits, low = (8, 8 * select) if select < 4 else (16, 16 * (select - 4))
    mask = np.uint32(((1 << bits) - 1) << low)
    placed = (result.astype(np.uint32) << np.uint32(low)) & mask
    if unused == 0:
        return placed
    if unused == 2:
        return (old & ~mask) | placed
    sign = (result >> np.uint32(bits - 1)) & np.uint32(1)
    above = np.uint32((0xFFFFFFFF << (low + bits)) & 0xFFFFFFFF)
    return np.where(sign.astype(np.bool_), placed | above, placed)


def dpp_lanes(instruction: Instruction) -> tuple[Lanes, Lanes]:
    """For each lane, the lane it reads and whether there is one."""
    control = instruction.field("dpp")
    lane = np.arange(64)
    row, place = lane // _ROW, lane % _ROW
    if control < 0x100:
        return lane // 4 * 4 + (control >> 2 * (lane % 4) & 3), np.ones(64, np.bool_)
    count = control & 15
    match control & 0x1F0:
        case 0x100:
            return row * _ROW + (place + count) % _ROW, place + count < _ROW
        case 0x110:
            return row * _ROW + (place - count) % _ROW, place >= count
        case 0x120:
            return row * _ROW + (place - count) % _ROW, np.ones(64, np.bool_)
        case 0x150:
            return row * _ROW + count, np.ones(64, np.bool_)
    return _dpp_across_rows(instruction, control, lane)


def _dpp_across_rows(instruction: Instruction, control: int, lane: Lanes) -> tuple[Lanes, Lanes]:
    row, place = lane // _ROW, lane % _ROW
    always = np.ones(64, np.bool_)
    match control:
        case 0x130:
            return (lane + 1) % 64, lane < 63
        case 0x134:
            return (lane + 1) % 64, always
        case 0x138:
            return (lane - 1) % 64, lane > 0
        case 0x13C:
            return (lane - 1) % 64, always
        case 0x140:
            return row * _ROW + _ROW - 1 - place, always
        case 0x141:
            return lane // 8 * 8 + 7 - lane % 8, always
        case 0x142:
            return (row * _ROW - 1) % 64, row > 0
        case 0x143:
            return np.full(64, 31), lane >= 32
    raise IsaError("ISA003", f"{instruction.name}: the lane pattern 0x{control:x}")


def dpp_enabled(instruction: Instruction) -> Lanes:
    """Lanes whose row and bank (four lanes of a row) are enabled."""
    lane = np.arange(64)
    rows = instruction.field("row_mask") >> (lane // _ROW) & 1
    banks = instruction.field("bank_mask") >> (lane % _ROW // 4) & 1
    return (rows & banks).astype(np.bool_)
