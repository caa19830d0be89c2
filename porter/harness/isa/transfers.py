"""What load and store instructions move: the size, the sign, the half of the register; and data registers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.harness.isa.errors import IsaError
from porter.harness.isa.state import FIRST_ACCUMULATION, Group

Words = npt.NDArray[Any]


@dataclass(frozen=True)
class Transfer:
    """`size` bytes in memory. `half`: the half of the register that a transfer keeps to (None: all of it)."""

    size: int
    signed: bool = False
    half: str | None = None

    @property
    def registers(self) -> int:
        return max(1, self.size // 4)


_WORDS = {"DWORD": 4, "DWORDX2": 8, "DWORDX3": 12, "DWORDX4": 16, "B32": 4, "B64": 8, "B96": 12, "B128": 16}
_NARROW = {
    "UBYTE": 1, "SBYTE": 1, "BYTE": 1, "USHORT": 2, "SSHORT": 2, "SHORT": 2,
    "U8": 1, "I8": 1, "B8": 1, "U16": 2, "I16": 2, "B16": 2,
}  # fmt: skip


LDS_LANE_MOVES = ("DS_BPERMUTE_B32", "DS_PERMUTE_B32", "DS_SWIZZLE_B32", "DS_READ_B64_TR_B16", "DS_NOP")


def transfer_of(name: str) -> Transfer:
    """From an instruction's name: `GLOBAL_LOAD_SBYTE_D16_HI`, `DS_WRITE_B64` …"""
    kind = re.sub(r"^[A-Z]+_(?:LOAD_LDS|LOAD|STORE|READ|WRITE)_", "", name)
    if kind in _WORDS:
        return Transfer(_WORDS[kind])
    base, _, rest = kind.partition("_")
    if base in _NARROW and rest in ("", "D16", "D16_HI"):
        half = {"": None, "D16": "low", "D16_HI": "high"}[rest]
        return Transfer(_NARROW[base], base[0] in "SI" and base != "SHORT", half)
    raise IsaError("ISA001", name)


def write_loaded(group: Group, transfer: Transfer, register: int, words: Words) -> None:
    """Puts loaded words into registers as the instruction's type says."""
    if transfer.size >= 4:
        for k in range(transfer.registers):
            group.set_vector(register + k, words[..., k])
        return
    value = words[..., 0]
    if transfer.signed:
        unused = np.uint32(32 - 8 * transfer.size)
        value = ((value << unused).view(np.int32) >> unused.astype(np.int32)).view(np.uint32)
    if transfer.half is not None:
        old, low = group.vector32(register), value & np.uint32(0xFFFF)
        value = (
            (old & np.uint32(0xFFFF0000)) | low
            if transfer.half == "low"
            else (old & np.uint32(0xFFFF)) | (low << np.uint32(16))
        )
    group.set_vector(register, value)


def read_stored(group: Group, transfer: Transfer, register: int) -> Words:
    """The words that a store writes, [wave, lane, word]."""
    words = np.stack([group.vector32(register + k) for k in range(transfer.registers)], axis=-1)
    return words >> np.uint32(16) if transfer.half == "high" else words


def data_register(number: int, accumulation: int) -> int:
    """The register of a data operand (numbered as a source); AGPRs where the encoding says so."""
    return number - 256 + (FIRST_ACCUMULATION if accumulation else 0)
