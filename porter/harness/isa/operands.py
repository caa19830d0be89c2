"""Reading source operands: registers, constants, literals."""

from __future__ import annotations

import struct

import numpy as np

from porter.harness.isa.bits import Lanes
from porter.harness.isa.decode import Instruction
from porter.harness.isa.errors import IsaError
from porter.harness.isa.state import EXEC, VCC, Group

VECTOR = 256
_LITERAL = 255
_SCC, _VCCZ, _EXECZ = 253, 251, 252
_FLOATS = {240: 0.5, 241: -0.5, 242: 1.0, 243: -1.0, 244: 2.0, 245: -2.0, 246: 4.0, 247: -4.0}
_INVERSE_TWO_PI = 248
_INVERSE_TWO_PI_BITS = {16: 0x3118, 32: 0x3E22F983, 64: 0x3FC45F306DC9C882}
# The high halves of the addresses that stand for LDS and for scratch memory.
SHARED_APERTURE, PRIVATE_APERTURE = 0x1000_0000, 0x2000_0000
_APERTURES = {235: SHARED_APERTURE, 236: SHARED_APERTURE, 237: PRIVATE_APERTURE, 238: PRIVATE_APERTURE}


def read_scalar(group: Group, instruction: Instruction, operand: str) -> Lanes:
    """[wave] of 32 or 64 bits."""
    code, bits = instruction.field(operand), instruction.bits(operand)
    if code < 128:
        return group.scalar64(code) if bits == 64 else group.scalar32(code)
    if code == _SCC:
        return group.scc.astype(np.uint32)
    if code in (_VCCZ, _EXECZ):
        return (group.scalar64(VCC if code == _VCCZ else EXEC) == 0).astype(np.uint32)
    return np.full(len(group.members), constant(instruction, operand), f"u{8 if bits == 64 else 4}")


def read_vector(group: Group, instruction: Instruction, operand: str, *, accumulation: bool = False) -> Lanes:
    """[wave, lane] of 32 or 64 bits; of one lane where the operand is uniform, so that it broadcasts."""
    code, wide = instruction.field(operand), instruction.bits(operand) == 64
    if code >= VECTOR:
        register = code - VECTOR + (256 if accumulation else 0)
        return group.vector64(register) if wide else group.vector32(register)
    return read_scalar(group, instruction, operand)[:, None]


def constant(instruction: Instruction, operand: str) -> int:
    """The bits of an inline constant or a literal, of the operand's size."""
    code, bits = instruction.field(operand), max(instruction.bits(operand), 16)
    described = instruction.operands.get(operand)
    format_ = described.format if described else ""
    if 128 <= code <= 192:
        return code - 128
    if 193 <= code <= 208:
        return (1 << (64 if bits == 64 else 32)) - (code - 192)
    if code in _FLOATS:
        return _float_bits(_FLOATS[code], bits, format_)
    if code == _INVERSE_TWO_PI:
        return _INVERSE_TWO_PI_BITS[_float_size(bits, format_)]
    if code in _APERTURES and bits == 64:
        return _APERTURES[code] << 32
    if code == _LITERAL and instruction.literal is not None:
        return _literal(instruction, instruction.literal, bits, format_)
    raise IsaError("ISA003", f"{instruction.name}: the source operand {code}")


def _float_size(bits: int, format_: str) -> int:
    """Packed pairs of 32-bit values take 32-bit constants, packed halves 16-bit ones."""
    if format_.startswith("PK2_"):
        return 32 if format_.endswith("32") else 16
    return bits


def _float_bits(value: float, bits: int, format_: str) -> int:
    code = {16: "<e", 32: "<f", 64: "<d"}[_float_size(bits, format_)]
    return int.from_bytes(struct.pack(code, value), "little")


def _literal(instruction: Instruction, value: int, bits: int, format_: str) -> int:
    if bits < 64 or format_.startswith("PK2_"):
        return value
    if format_ == "F64":
        return value << 32
    if value >> 31:
        raise IsaError("ISA003", f"{instruction.name}: a 64-bit literal with its highest bit set")
    return value
