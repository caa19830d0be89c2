"""The text of an `asm` statement as PTX statements: instructions, register declarations, labels."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_LABEL = re.compile(r"([A-Za-z_$%][\w$]*)\s*:(?!:)")
_GUARD = re.compile(r"@(!?)\s*([%\w$]+)\s*")
_OPCODE = re.compile(r"([a-z_][\w]*)((?:\s*\.\s*[\w:]+)*)")
_REGISTERS = re.compile(r"([%\w$]+)(?:<(\d+)>)?")


@dataclass(frozen=True)
class Instruction:
    """`opcode.modifiers operands`, under `guard` (a predicate's name; `negated` for `@!p`)."""

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[str, ...]
    guard: str | None = None
    negated: bool = False

    @property
    def name(self) -> str:
        return ".".join((self.opcode, *self.modifiers))


@dataclass(frozen=True)
class Declaration:
    """`.reg .type a, b<4>;`"""

    type: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Label:
    name: str


@dataclass(frozen=True)
class Unreadable:
    text: str


Statement = Instruction | Declaration | Label | Unreadable


def parse(text: str) -> tuple[Statement, ...]:
    """The statements in order. Braces of blocks are dropped; what has no form of PTX is `Unreadable`."""
    found: list[Statement] = []
    for part in _split(_COMMENT.sub(" ", text)):
        rest = part.strip()
        while label := _LABEL.match(rest):
            found.append(Label(label[1]))
            rest = rest[label.end() :].strip()
        if rest:
            found.append(_statement(rest))
    return tuple(found)


def _split(text: str) -> list[str]:
    """At semicolons; `{` and `}` between statements count as ends, those of vector operands do not."""
    parts, current, depth = [], "", 0
    for character in text:
        if character == "{" and not current.strip():
            continue
        if character == "}" and depth == 0:
            parts.append(current)
            current = ""
            continue
        depth += (character == "{") - (character == "}")
        if character == ";" and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += character
    return [*parts, current]


def _statement(text: str) -> Statement:
    if text.startswith(".reg"):
        words = text.split(None, 2)
        if len(words) < 3:
            return Unreadable(text)
        return Declaration(words[1].lstrip("."), tuple(_names(words[2])))
    guard, negated = None, False
    if match := _GUARD.match(text):
        guard, negated = match[2], match[1] == "!"
        text = text[match.end() :]
    opcode = _OPCODE.match(text)
    if opcode is None:
        return Unreadable(text)
    modifiers = tuple(m.strip() for m in re.split(r"\.", opcode[2])[1:])
    operands = tuple(split_operands(text[opcode.end() :]))
    return Instruction(opcode[1], modifiers, operands, guard, negated)


def _names(text: str) -> list[str]:
    names = []
    for name, count in _REGISTERS.findall(text):
        names += [f"{name}{i}" for i in range(int(count))] if count else [name]
    return names


def split_operands(text: str) -> list[str]:
    """At commas outside of brackets."""
    parts, current, depth = [], "", 0
    for character in text:
        depth += (character in "{[(") - (character in "}])")
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return [p for p in (*parts, current.strip()) if p]
