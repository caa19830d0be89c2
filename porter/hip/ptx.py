"""Inline PTX: a table of single instructions that have a C++ spelling; everything else is an error.

PTX passes a syntax check and fails in code generation only, so it is never left in. An `asm` with an empty
template is a compiler barrier and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from porter.core.edit import Edit
from porter.core.span import Span
from porter.cuda.call_sites import Stream, streams
from porter.cuda.tokens import Kind, Token, matching, text_of
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.ptx_block import Block, begin_block, loose_carry, translate_line
from porter.hip.ptx_table import translate_instruction
from porter.hip.step import Step, error, join

UNTRANSLATED_PTX = "PTX001"


@dataclass(frozen=True)
class Assembly:
    """One `asm` statement: template with `%%` undone, C++ expressions of outputs and inputs, whole range."""

    template: str
    outputs: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str], ...]
    start: int
    end: int
    span: Span

    @property
    def instructions(self) -> tuple[str, ...]:
        # Braces around the whole are a scope; others hold a vector of operands.
        whole = re.fullmatch(r"\s*\{(.*)\}\s*", self.template, re.DOTALL)
        scoped = whole is not None and ";" in whole.group(1)
        parts = re.split(r"[;\n]", whole.group(1) if whole is not None and scoped else self.template)
        return tuple(" ".join(p.split()) for p in parts if p.strip())


def port_ptx(unit: TranslationUnit) -> Step:
    """Each `asm` statement as C++ where the table knows it, else a located error."""
    return join(_port(assembly) for assembly in find_assembly(unit))


def _port(assembly: Assembly) -> Step:
    instructions = assembly.instructions
    if not instructions:
        return Step()
    operands = tuple(expression for _, expression in assembly.outputs + assembly.inputs)
    if len(instructions) == 1:
        single = translate_instruction(instructions[0], operands)
        if single is not None:
            return _replaced(assembly, single.text, single.shims)
    return _port_block(assembly, begin_block(instructions, operands, len(assembly.outputs)))


def _port_block(assembly: Assembly, block: Block) -> Step:
    """Several instructions, or one that needs a carry, a register or a predicate of its own."""
    loose = loose_carry(block.instructions)
    if loose is not None:
        return _refused(assembly, loose)
    statements: list[str] = list(block.declarations)
    shims: set[str] = set()
    for instruction in block.instructions:
        translated = translate_line(instruction, block)
        if translated is None:
            return _refused(assembly, instruction)
        statements.append(translated.text)
        shims |= translated.shims
    return _replaced(assembly, "{ " + " ".join(filter(None, statements)) + " }", frozenset(shims))


def _replaced(assembly: Assembly, text: str, shims: frozenset[str]) -> Step:
    reason = f"PTX {assembly.instructions[0].split()[0]}"
    edit = Edit(assembly.start, assembly.end, text.encode("latin-1"), reason)
    return Step((edit,), shims=shims)


def _refused(assembly: Assembly, instruction: str) -> Step:
    name = instruction.split()[0]
    message = f"inline PTX '{name}' has no translation"
    return Step(findings=(error(UNTRANSLATED_PTX, message, assembly.span, way_out(name)),))


def way_out(name: str) -> str:
    if name.startswith(("mma", "wmma", "ldmatrix", "stmatrix", "wgmma")):
        return "use rocWMMA or MFMA builtins; the lanes hold other elements"
    if name.startswith(("cp.async", "mbarrier")):
        return "copy through registers, then __syncthreads()"
    return "write it in C++ or with a HIP builtin"


_ASSEMBLY = frozenset(("asm", "__asm__", "__asm"))


def find_assembly(unit: TranslationUnit) -> Iterator[Assembly]:
    """Every `asm` statement, macro bodies included."""
    if unit.words.isdisjoint(_ASSEMBLY):
        return
    for stream in streams(unit):
        for i, token in enumerate(stream.tokens):
            if token.text in _ASSEMBLY and token.kind is Kind.IDENTIFIER:
                found = _assembly(unit, stream, i)
                if found is not None:
                    yield found


def _assembly(unit: TranslationUnit, stream: Stream, at: int) -> Assembly | None:
    tokens = stream.tokens
    open_ = at + 1
    while open_ < len(tokens) and tokens[open_].text in ("volatile", "__volatile__", "goto", "inline"):
        open_ += 1
    close = matching(tokens, open_) if open_ < len(tokens) and tokens[open_].text == "(" else None
    if close is None:
        return None
    sections = _sections(tokens, open_ + 1, close)
    template = "".join(_unquoted(t) for t in tokens[sections[0][0] : sections[0][1]])
    names = [_operands(unit, tokens, *section) for section in sections[1:3]] + [(), ()]
    ends_with_semicolon = close + 1 < len(tokens) and tokens[close + 1].text == ";"
    end = tokens[close + 1].end if ends_with_semicolon else tokens[close].end
    span = unit.source.span(tokens[at].start, tokens[close].end)
    return Assembly(template, names[0], names[1], tokens[at].start, end, span)


def _sections(tokens: tuple[Token, ...], start: int, end: int) -> list[tuple[int, int]]:
    """Token ranges between the `:` of an asm statement; `::` is two of them."""
    sections: list[tuple[int, int]] = []
    first = i = start
    while i < end:
        text = tokens[i].text
        if text in ("(", "["):
            i = matching(tokens, i) or end
        elif text in (":", "::"):
            sections.append((first, i))
            if text == "::":
                sections.append((i, i))
            first = i + 1
        i += 1
    return [*sections, (first, end)]


def _unquoted(token: Token) -> str:
    if token.kind is not Kind.STRING:
        return f" {token.text} "
    body = token.text[token.text.index('"') + 1 : -1]
    return body.replace("\\n", "\n").replace("\\t", " ").replace("\\r", "").replace("%%", "%")


def _operands(
    unit: TranslationUnit, tokens: tuple[Token, ...], start: int, end: int
) -> tuple[tuple[str, str], ...]:
    """(constraint, expression) of each operand; nvcc does without the commas between them."""
    found = []
    at = start
    while at + 1 < end:
        close = matching(tokens, at + 1) if tokens[at].kind is Kind.STRING else None
        if close is not None and close < end and tokens[at + 1].text == "(":
            found.append((tokens[at].text.strip('"'), text_of(unit.source, tokens, at + 2, close)))
            at = close
        at += 1
    return tuple(found)
