"""Finds `asm` statements in a program's tokens and replaces those that hold PTX by C++ calls.

An operand's constraint gives its width, the instruction its type: registers are words of bits, as in PTX. The
statement becomes a lambda, so that its labels and registers are its own. Other assembly is left as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from zlib import crc32

from porter.core.edit import Edit
from porter.simulator.ptx.emit import Emitter, Register, Unsupported, plain
from porter.simulator.ptx.macros import (
    defined_macros,
    dispatched,
    dispatching_call,
    enclosing_macro,
    pasted_parameters,
    string_macros,
)
from porter.simulator.ptx.tables import statement as cpp_statement
from porter.simulator.ptx.text import Declaration, Instruction, Label, Unreadable, parse
from porter.simulator.ptx.words import OPCODES
from porter.simulator.tokens import OPENING, Kind, Token, matching_close, tokenize

_BITS = {"r": 32, "l": 64, "h": 16, "f": 32, "d": 64, "q": 128}
_DECLARED_BITS = {"pred": 1, "b16x2": 32, "f16x2": 32, "bf16x2": 32}
_GCN = re.compile(r"\s*(?:[svd]s?_|global_|buffer_|flat_)\w+")


@dataclass(frozen=True)
class Operand:
    constraint: str
    expression: str

    @property
    def writes(self) -> bool:
        return self.constraint[0] in "=+"

    @property
    def reads(self) -> bool:
        return self.constraint[0] != "="

    @property
    def letter(self) -> str:
        return self.constraint.strip("=+&")


def asm_edits(text: str, tokens: list[Token]) -> tuple[list[Edit], bytes]:
    """The edits, and the definitions of macros that must come before the text."""
    macros = defined_macros(tokens)
    strings = string_macros(tokens)
    edits: list[Edit] = []
    prelude: list[str] = []
    for index, opening, close in _statements(tokens):
        macro = enclosing_macro(macros, index)
        pasted = pasted_parameters(tokens, opening, close, macro) if macro else ()
        if macro and pasted:
            number = crc32(repr((macro, text[tokens[index].start : tokens[close].end])).encode())
            replace = partial(_replaced_text, strings=strings)
            span = (index, close + 1)
            definitions = list(dispatched(text, tokens, macros, macro, span, number, replace))
            if not definitions and not _names_ptx(tokens, opening, close):
                continue
            prelude += definitions
            statement: str | None = dispatching_call(tokens, macro, span, number)
        else:
            statement = _replacement(text, tokens, opening, close, strings)
        if statement is not None:
            start, end = tokens[index].start, tokens[close].end
            breaks = "".join(re.findall(r"\\\r?\n|\n", text[start:end]))
            edits.append(Edit(start, end, (statement + breaks).encode("latin-1"), "asm"))
    return edits, "".join(prelude).encode("latin-1")


def _statements(tokens: list[Token]) -> Iterator[tuple[int, int, int]]:
    """Of every `asm` statement the indices of the keyword and of its parentheses."""
    for index, token in enumerate(tokens):
        if token.kind is not Kind.NAME or token.text not in ("asm", "__asm__", "__asm"):
            continue
        opening = index + 1
        while opening < len(tokens) and tokens[opening].text in ("volatile", "__volatile__", "__volatile"):
            opening += 1
        close = matching_close(tokens, opening) if opening < len(tokens) else None
        if close is not None and tokens[opening].text == "(":
            yield index, opening, close


def _replaced_text(statement: str, strings: dict[str, list[Token]]) -> str:
    """As `_replacement`, of a statement that stands alone."""
    tokens = tokenize(statement)
    _, opening, close = next(_statements(tokens))
    return _replacement(statement, tokens, opening, close, strings) or statement


def _names_ptx(tokens: list[Token], opening: int, close: int) -> bool:
    """Whether a string of the statement begins with a PTX instruction: one that nothing here calls."""
    first, last = _sections(tokens, opening, close)[0]
    literals = [_literal(t.text) for t in tokens[first:last] if t.kind is Kind.STRING]
    names = re.findall(r"[a-z][a-z0-9]*(?=[.;\s])", " ".join(literals))
    return any(name in OPCODES for name in names)


def _replacement(
    text: str, tokens: list[Token], opening: int, close: int, macros: dict[str, list[Token]]
) -> str | None:
    """The C++ for the statement; None for assembly that is not PTX. `macros` are those that are strings."""
    sections = _sections(tokens, opening, close)
    written = tokens[sections[0][0] : sections[0][1]]
    strings = [string for token in written for string in macros.get(token.text, [token])]
    literals = [_literal(t.text) for t in strings if t.kind is Kind.STRING]
    template = "".join(literals)
    if not template.strip():
        return None
    statements = parse(template.replace("%=", "u").replace("%%", "%"))
    opcodes = [s for s in statements if isinstance(s, Instruction)]
    if _GCN.match(template):
        return _refusal(opening, f"assembly for AMD GPUs ({template.split()[0]}) cannot run on the CPU")
    if not any(_is_ptx(s) for s in opcodes):
        return None
    if any(t.kind is not Kind.STRING for t in strings):
        reason = "PTX whose text is put together by macros of other files is not simulated: write it out"
        return _refusal(opening, reason)
    try:
        operands = [o for first, last in sections[1:3] for o in _operands(text, tokens, first, last)]
        return _lambda(operands, statements)
    except Unsupported as problem:
        return _refusal(opening, f"PTX {problem}; write it in CUDA C++ where __PORTER_SIM__ is defined")


def _is_ptx(instruction: Instruction) -> bool:
    return instruction.opcode in OPCODES and (bool(instruction.modifiers) or not instruction.operands)


def _refusal(number: int, reason: str) -> str:
    """An error only where the code is really used: a call that the compiler must not meet."""
    quoted = reason.replace("\\", "\\\\").replace('"', '\\"')
    name = f"porter_refused_{number}"
    return f'[&] {{ extern void {name}() __attribute__((error("{quoted}"))); {name}(); }}()'


def _literal(token: str) -> str:
    if token.lstrip("uUL8").startswith("R"):
        return token[token.index("(") + 1 : token.rindex(")")]
    value = ast.literal_eval(token.lstrip("uUL8"))
    return value if isinstance(value, str) else ""


def _sections(tokens: list[Token], opening: int, close: int) -> list[tuple[int, int]]:
    """Token ranges between the colons: text, outputs, inputs, clobbers. `::` is two colons."""
    ranges, start, index = [], opening + 1, opening + 1
    while index < close:
        token = tokens[index]
        if token.kind is Kind.PUNCTUATION and token.text in OPENING:
            index = (matching_close(tokens, index) or index) + 1
            continue
        if token.kind is Kind.PUNCTUATION and token.text in (":", "::"):
            ranges += [(start, index)] + [(index, index)] * (len(token.text) - 1)
            start = index + 1
        index += 1
    return [*ranges, (start, close)]


def _operands(text: str, tokens: list[Token], first: int, last: int) -> Iterator[Operand]:
    index = first
    while index < last:
        if tokens[index].kind is Kind.STRING:
            constraint = _literal(tokens[index].text)
            close = matching_close(tokens, index + 1)
            if close is None:
                raise Unsupported("with operands that cannot be read")
            expression = " ".join(
                text[tokens[index + 1].end : tokens[close].start].replace("\\\n", " ").split()
            )
            yield Operand(constraint, expression)
            index = close
        elif tokens[index].text == "[":
            raise Unsupported("with named operands is not simulated")
        index += 1


def _lambda(operands: list[Operand], statements: tuple[object, ...]) -> str:
    registers: dict[str, Register] = {}
    head, tail = [], []
    for number, operand in enumerate(operands):
        name = f"porter_{number}"
        if operand.letter in ("n", "C", "i"):
            registers[f"%{number}"] = Register(f"({operand.expression})", 0)
            continue
        bits = _BITS.get(operand.letter)
        if bits is None or bits == 128:
            raise Unsupported(f"with the constraint '{operand.constraint}' is not simulated")
        registers[f"%{number}"] = Register(name, bits)
        real = "true" if operand.letter in ("f", "d") else "false"
        value = f"::porter_sim::ptx::word<{bits}, {real}>({operand.expression})" if operand.reads else "0"
        head.append(f"::porter_sim::ptx::Bits<{bits}> {name} = {value};")
        if operand.writes:
            tail.append(f"::porter_sim::ptx::give<{real}>({operand.expression}, {name});")
    body = []
    for statement in statements:
        if isinstance(statement, Declaration):
            for register in statement.names:
                width = _DECLARED_BITS.get(statement.type) or int(re.sub(r"\D", "", statement.type) or 0)
                bits = max(width, 16) if width > 1 else 1
                registers[register] = Register("porter_r_" + plain(register), bits)
                head.append(f"::porter_sim::ptx::Bits<{bits}> porter_r_{plain(register)} = 0;")
    emitter = Emitter(registers)
    for statement in statements:
        if isinstance(statement, Label):
            body.append(f"porter_label_{plain(statement.name)}:;")
        elif isinstance(statement, Unreadable):
            raise Unsupported(f"'{statement.text[:40]}' cannot be read")
        elif isinstance(statement, Instruction):
            body.append(cpp_statement(emitter, statement))
    return "[&] { " + " ".join([*head, *body, *tail]) + " }()"
