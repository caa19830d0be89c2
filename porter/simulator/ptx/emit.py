"""One PTX instruction as a C++ statement. What an instruction calls is in the tables (`tables.py`)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from porter.simulator.ptx.text import split_operands


class Unsupported(Exception):
    """The statement has PTX that has no C++ here; the text says which."""


@dataclass(frozen=True)
class Register:
    """A variable of `bits` bits; 1 for a predicate, 0 for a constant expression."""

    name: str
    bits: int


# The caller's place, which calls that may fail or wait take.
HERE = "__FILE__, __LINE__"
C_TYPES = {
    **{f"s{n}": f"int{n}_t" for n in (8, 16, 32, 64)},
    **{f"u{n}": f"uint{n}_t" for n in (8, 16, 32, 64)},
    **{f"b{n}": f"uint{n}_t" for n in (8, 16, 32, 64)},
    "f32": "float",
    "f64": "double",
    "f16": "::porter_sim::ptx::Half",
    "bf16": "::porter_sim::ptx::Bfloat",
    "f16x2": "::porter_sim::ptx::Half2",
    "bf16x2": "::porter_sim::ptx::Bfloat2",
    "tf32": "float",
    "pred": "bool",
}
_NUMBER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|[0-9]+)[uU]?\Z")
_REAL = re.compile(r"[-+]?[0-9]*\.[0-9]+(?:[eE][-+]?[0-9]+)?\Z")
_HEX_REAL = re.compile(r"0([fFdD])([0-9a-fA-F]+)\Z")
_ADDRESS = re.compile(r"\[\s*([%\w$]+)\s*(?:\+\s*(-?\w+))?\s*\]\Z")
_SPECIAL = {
    **{
        f"%{name}.{axis}": f"::{variable}.{axis}"
        for name, variable in (("tid", "threadIdx"), ("ntid", "blockDim"), ("ctaid", "blockIdx"))
        for axis in "xyz"
    },
    **{f"%nctaid.{axis}": f"::gridDim.{axis}" for axis in "xyz"},
    "%laneid": "::porter_sim::lane_id()",
    "%warpid": "(::porter_sim::linear_thread() / ::porter_sim::lanes)",
    "%nwarpid": "32u",
    "%smid": "0u",
    "%nsmid": "1u",
    "%gridid": "0ull",
    "%clock": "uint32_t(::clock64())",
    "%clock_hi": "uint32_t(uint64_t(::clock64()) >> 32)",
    "%clock64": "uint64_t(::clock64())",
    "%globaltimer": "uint64_t(::porter_sim::nanoseconds())",
    "%globaltimer_lo": "uint32_t(::porter_sim::nanoseconds())",
    "%globaltimer_hi": "uint32_t(uint64_t(::porter_sim::nanoseconds()) >> 32)",
    "%lanemask_eq": "::porter_sim::ptx::lanes_equal()",
    "%lanemask_lt": "::porter_sim::ptx::lanes_below()",
    "%lanemask_le": "(::porter_sim::ptx::lanes_below() | ::porter_sim::ptx::lanes_equal())",
    "%lanemask_gt": "(~::porter_sim::ptx::lanes_below() & ~::porter_sim::ptx::lanes_equal())",
    "%lanemask_ge": "(~::porter_sim::ptx::lanes_below())",
    "%dynamic_smem_size": "::porter_sim::dynamic_shared_bytes",
    "%cluster_ctarank": "0u",
    "%cluster_nctarank": "1u",
    "WARP_SZ": "32u",
}


def plain(name: str) -> str:
    """A PTX name as part of a C++ one."""
    return re.sub(r"\W", "_", name)


@dataclass(frozen=True)
class Emitter:
    registers: dict[str, Register] = field(default_factory=dict)

    def predicate(self, name: str) -> str:
        if name.startswith("!"):
            return "!" + self.predicate(name[1:].strip())
        return f"bool({self.register(name).name})"

    def register(self, name: str) -> Register:
        found = self.registers.get(name)
        if found is None:
            raise Unsupported(f"operand '{name}' is not declared in the statement")
        return found

    def read(self, operand: str, kind: str) -> str:
        """The operand as a C++ value of the PTX type `kind`."""
        c_type = self.type(kind)
        if kind == "pred":
            return self.predicate(operand)
        if operand in self.registers:
            register = self.registers[operand]
            if register.bits == 0:
                return f"({c_type})({register.name})"
            return f"::porter_sim::ptx::as<{c_type}>({register.name})"
        if operand in _SPECIAL:
            return f"::porter_sim::ptx::as<{c_type}>({_SPECIAL[operand]})"
        if match := _HEX_REAL.match(operand):
            word = "uint32_t" if match[1] in "fF" else "uint64_t"
            return f"::porter_sim::ptx::as<{c_type}>({word}(0x{match[2]}ull))"
        if _NUMBER.match(operand):
            return (
                f"({c_type})({operand.rstrip('uU')}ll)"
                if "0x" not in operand
                else f"({c_type})({operand}ull)"
            )
        if _REAL.match(operand):
            return f"({c_type})({operand})"
        raise Unsupported(f"operand '{operand}' is not simulated")

    def write(self, operand: str, kind: str, value: str) -> str:
        """A statement that gives `value`, of the PTX type `kind`, to the operand."""
        if operand == "_":
            return f"(void)({value});"
        register = self.register(operand)
        if register.bits == 0:
            raise Unsupported(f"operand '{operand}' cannot be written")
        if register.bits == 1:
            return f"{register.name} = bool({value});"
        return f"::porter_sim::ptx::put<{self.type(kind)}>({register.name}, {value});"

    def vector(self, operand: str) -> list[str]:
        """The registers of `{a, b}`; of a single operand, itself."""
        return split_operands(operand[1:-1]) if operand.startswith("{") else [operand]

    def array(self, operand: str, kind: str) -> str:
        """A C++ array of the values in `{…}`."""
        return f"{{{', '.join(self.read(each, kind) for each in self.vector(operand))}}}"

    def address(self, operand: str, space: str) -> str:
        """`[register + offset]` as a `char *`."""
        match = _ADDRESS.match(operand)
        if match is None:
            raise Unsupported(f"address '{operand}' is not simulated")
        register = self.register(match[1])
        offset = match[2] or "0"
        if offset in self.registers:
            offset = self.registers[offset].name
        call = "shared_pointer" if space.startswith("shared") else "pointer"
        return f"::porter_sim::ptx::{call}({register.name}, {offset})"

    def type(self, kind: str) -> str:
        found = C_TYPES.get(kind)
        if found is None:
            raise Unsupported(f"type '.{kind}' is not simulated")
        return found
