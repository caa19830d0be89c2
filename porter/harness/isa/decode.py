"""Machine code to instructions, by the encodings that AMD publishes in machine-readable form.

The tables are those of the package `tinygrad` (an optional dependency), generated from AMD's ISA documents.
The rest of the executor sees only the records here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from porter.core.errors import ToolMissing
from porter.harness.isa.errors import IsaError

HOW_TO_INSTALL = "pip install 'porter[isa]'"
_LONGEST_BYTES = 16
_SUFFIXES = ("_E32", "_E64")


@dataclass(frozen=True)
class Operand:
    """How an operand is read or written: its type (`F32`, `PK2_F16`, `B64` …) and its size."""

    format: str
    bits: int


@dataclass(frozen=True)
class Instruction:
    """One instruction. `fields` are the encoding's; registers are numbered as in a 9-bit source field (VGPR 0
    is 256).

    `literal` is the 32-bit constant that follows the encoding, if any.
    """

    name: str
    encoding: str
    fields: Mapping[str, int]
    operands: Mapping[str, Operand]
    size: int
    literal: int | None

    def field(self, name: str) -> int:
        """A field's value; 0 where the encoding has none of this name."""
        return self.fields.get(name, 0)

    def bits(self, name: str) -> int:
        """The size of an operand; 32 where it is not stated."""
        operand = self.operands.get(name)
        return operand.bits if operand else 32


def decode(code: bytes, offset: int) -> Instruction:
    """The instruction at `offset`. Raises IsaError for bytes that are none."""
    data = code[offset : offset + _LONGEST_BYTES].ljust(_LONGEST_BYTES, b"\0")
    try:
        found = _decoder()(data, "cdna")
    except (ValueError, AssertionError) as error:
        raise IsaError("ISA002", f"0x{int.from_bytes(data[:8], 'little'):016x}") from error
    fields = {name: _number(getattr(found, name)) for name, _ in found._fields if name != "encoding"}
    operands = {
        name: Operand(kind.name.removeprefix("FMT_").removeprefix("NUM_"), bits)
        for name, (kind, _, _) in found.operands.items()
        for bits in [found.op_bits.get(name, 32)]
    }
    return Instruction(
        name=_base_name(found.op.name),
        encoding=type(found).__name__,
        fields=fields,
        operands=operands,
        size=type(found)._base_size,
        literal=fields.get("literal"),
    )


def require_decoder() -> None:
    """Raises ToolMissing where the package with the tables is not installed."""
    _decoder()


def has_decoder() -> bool:
    """Whether machine code can be executed here."""
    try:
        require_decoder()
    except ToolMissing:
        return False
    return True


def _number(value: Any) -> int:
    return int(value.offset if hasattr(value, "offset") else getattr(value, "value", value))


def _base_name(name: str) -> str:
    return next((name.removesuffix(s) for s in _SUFFIXES if name.endswith(s)), name)


@cache
def _decoder() -> Any:
    try:
        from tinygrad.renderer.amd import decode_inst
    except ImportError as error:
        raise ToolMissing("the package tinygrad is not installed", hint=HOW_TO_INSTALL) from error
    return decode_inst


def instruction_names(kind: str) -> tuple[str, ...]:
    """The instructions of one kind of operation, as `DSOp` or `VOP2Op`."""
    from tinygrad.runtime.autogen.amd.cdna import enum

    return tuple(_base_name(operation.name) for operation in getattr(enum, kind))


@cache
def pseudocode() -> Mapping[str, str]:
    """The documents' pseudo-code by instruction name."""
    try:
        from tinygrad.runtime.autogen.amd.cdna.str_pcode import PCODE
    except ImportError as error:
        raise ToolMissing("the package tinygrad is not installed", hint=HOW_TO_INSTALL) from error
    return {_base_name(operation.name): text for operation, text in PCODE.items()}
