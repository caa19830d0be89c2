"""Inline PTX of several instructions: its own registers and predicates, and the carry between them.

Inputs are copied first, because PTX holds them in registers that writing an output does not change. Carry
chains are computed in 64 bits, as the PTX ISA describes `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from porter.hip.ptx_table import TYPES, Translated, translate_instruction

_REGISTER = re.compile(r"\.reg \.(\w+) (.+)")
_GUARD = re.compile(r"@(!?)(\S+) (.+)")
_WORD = re.compile(r"%?[A-Za-z_][\w]*")
_COMPARE = {
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "lo": "<",
    "ls": "<=",
    "hi": ">",
    "hs": ">=",
}
_CARRY = re.compile(
    r"(add|sub)(c?)(\.cc)?\.([us]32|b32)|mad(c?)\.(lo|hi)(\.cc)?\.(u32|s32)|mul\.(lo|hi)\.cc\.u32"
)
_WIDE = "static_cast<unsigned long long>(static_cast<unsigned>({}))"


@dataclass(frozen=True)
class Block:
    """The instructions, the C++ for `%0`, `%1` …, for the registers, and the declarations in front."""

    instructions: tuple[str, ...]
    operands: tuple[str, ...]
    registers: Mapping[str, str]
    declarations: tuple[str, ...]


def begin_block(instructions: tuple[str, ...], operands: tuple[str, ...], outputs: int) -> Block:
    """Splits off the declarations of registers, and names what the other instructions mention."""
    registers: dict[str, str] = {}
    declarations: list[str] = []
    for index, expression in enumerate(operands[outputs:], outputs):
        if f"%{index}" in " ".join(instructions):
            declarations.append(f"const auto porter_{index} = {expression};")
    for instruction in instructions:
        found = _REGISTER.fullmatch(instruction)
        for name in _declared(found.group(2)) if found else ():
            type_name = (
                "bool" if found and found.group(1) == "pred" else TYPES.get(found.group(1) if found else "")
            )
            if type_name is not None:
                registers[name] = f"porter_{name.lstrip('%')}"
                declarations.append(f"{type_name} {registers[name]} = {{}};")
    if any(re.search(r"\.cc\b|addc|subc|madc", i) for i in instructions):
        declarations.append("unsigned porter_carry = 0;")
    rest = tuple(i for i in instructions if not _REGISTER.fullmatch(i))
    named = (*operands[:outputs], *(f"porter_{i}" for i in range(outputs, len(operands))))
    return Block(rest, named, registers, tuple(declarations))


def _declared(names: str) -> list[str]:
    """`a, b` and `r<3>` (r0, r1, r2)."""
    found: list[str] = []
    for name in re.split(r",\s*", names):
        many = re.fullmatch(r"(\S+)<(\d+)>", name)
        found += [f"{many.group(1)}{i}" for i in range(int(many.group(2)))] if many else [name.strip()]
    return found


def loose_carry(instructions: tuple[str, ...]) -> str | None:
    """The instruction whose carry comes from, or may go to, another asm statement; there it would be lost."""
    given = ""
    for instruction in instructions:
        name = re.sub(r"^@\S+ ", "", instruction).split()[0]
        if re.match(r"(add|sub|mad)c\.", name):
            if not given:
                return instruction
            given = "" if ".cc" not in name else instruction
        elif ".cc." in name:
            given = instruction
    return given or None


def translate_line(instruction: str, block: Block) -> Translated | None:
    """C++ for one instruction of a block, with its guard; None when it is not known."""
    guard = _GUARD.fullmatch(instruction)
    if guard is not None:
        inner = translate_line(guard.group(3), block)
        predicate = block.registers.get(guard.group(2))
        if inner is None or predicate is None:
            return None
        return Translated(f"if ({guard.group(1)}{predicate}) {{ {inner.text} }}", inner.shims)
    name, _, rest = instruction.partition(" ")
    # Registers become operands behind the statement's own, so that one table serves both.
    extra = [word for word in _WORD.findall(rest) if word in block.registers]
    operands = (*block.operands, *(block.registers[word] for word in extra))
    for index, word in enumerate(extra, len(block.operands)):
        rest = re.sub(rf"(?<![\w%]){re.escape(word)}(?!\w)", f"%{index}", rest, count=1)
    return _with_flags(name, rest, operands) or translate_instruction(f"{name} {rest}".strip(), operands)


def _with_flags(name: str, rest: str, operands: tuple[str, ...]) -> Translated | None:
    """Comparisons, selections and carry chains."""
    parts = [_value(part.strip(), operands) for part in rest.split(",")]
    if any(part is None for part in parts):
        return None
    values = [str(part) for part in parts]
    compare = re.fullmatch(r"setp\.(\w+)\.(\w+)", name)
    if compare and compare.group(1) in _COMPARE and len(values) == 3:
        kind = TYPES.get(compare.group(2))
        sides = [f"static_cast<{kind}>({v})" for v in values[1:]] if kind else []
        return (
            Translated(f"{values[0]} = {f' {_COMPARE[compare.group(1)]} '.join(sides)};") if sides else None
        )
    if re.fullmatch(r"selp\.\w+", name) and len(values) == 4:
        return Translated(f"{values[0]} = {values[3]} ? {values[1]} : {values[2]};")
    carry = _CARRY.fullmatch(name)
    return _carry(name, values) if carry and ("c." in name or name.startswith(("addc", "subc"))) else None


def _value(text: str, operands: tuple[str, ...]) -> str | None:
    placeholder = re.fullmatch(r"%(\d+)", text)
    if placeholder and int(placeholder.group(1)) < len(operands):
        return operands[int(placeholder.group(1))]
    return text if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)U?", text) else None


def _carry(name: str, values: list[str]) -> Translated | None:
    operation = name[:3]
    if len(values) != (4 if operation == "mad" else 3) or ("s32" in name and operation == "mad"):
        return None
    takes, gives = name[3:4] == "c", ".cc" in name
    a, b, *c = [_WIDE.format(v) for v in values[1:]]
    if operation == "mad":
        product = f"({a} * {b})"
        half = f"({product} >> 32)" if ".hi" in name else f"({product} & 0xffffffffu)"
        total = f"{half} + {c[0]}"
    elif operation == "mul":
        return None  # mul has no carry in the PTX ISA
    else:
        total = f"{a} {'-' if operation == 'sub' else '+'} {b}"
    if takes:
        total += " - porter_carry" if operation == "sub" else " + porter_carry"
    update = " porter_carry = static_cast<unsigned>(porter_wide >> 32) & 1u;" if gives else ""
    return Translated(
        f"{{ const unsigned long long porter_wide = {total};"
        f" {values[0]} = static_cast<unsigned>(porter_wide);{update} }}"
    )
