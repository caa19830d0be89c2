"""Pieces of a kernel's text, copied with some spans replaced."""

from __future__ import annotations

from collections.abc import Mapping

from porter.analysis.walk import walk
from porter.core.edit import Edit, apply_edits
from porter.core.span import Span
from porter.cuda import kir
from porter.cuda.translation_unit import TranslationUnit


class CannotRewrite(Exception):
    """The text does not show what the meaning says: a macro, a second declarator, a pragma."""


Replaced = Mapping[Span, str]


def copied(unit: TranslationUnit, start: int, end: int, replaced: Replaced, words: Mapping[str, str]) -> str:
    """The bytes `[start, end)` with spans replaced, and `words` (whole tokens) outside of them."""
    spans = [span for span in replaced if start <= span.start and span.end <= end]
    edits = [Edit(s.start - start, s.end - start, replaced[s].encode("latin-1")) for s in spans]
    first, last = unit.tokenized.code_index(start), unit.tokenized.code_index(end)
    for token in unit.tokenized.code[first:last]:
        covered = any(s.start <= token.start < s.end for s in spans)
        if token.text in words and not covered:
            edits.append(Edit(token.start - start, token.end - start, words[token.text].encode("latin-1")))
    return apply_edits(unit.source.data[start:end], edits).decode("latin-1")


def statement_end(unit: TranslationUnit, span: Span) -> int:
    """The offset behind the `;` that follows a statement directly. Raises CannotRewrite for anything else."""
    at = unit.tokenized.code_index(span.end)
    tokens = unit.tokenized.code
    if unit.source.data[span.end - 1 : span.end] == b";":
        return span.end
    if at >= len(tokens) or tokens[at].text != ";":
        raise CannotRewrite(f"line {span.line} declares more than one variable")
    return tokens[at].end


def inside(unit: TranslationUnit, span: Span, body: Span) -> bool:
    return span.path == unit.source.path and body.start <= span.start and span.end <= body.end


def check_place(unit: TranslationUnit, span: Span, body: Span, *starts: str) -> None:
    """Raises CannotRewrite unless the span's own text starts with one of `starts` and is balanced."""
    text = unit.source.slice(span) if inside(unit, span, body) else ""
    if not text.startswith(starts) or any(text.count(a) != text.count(b) for a, b in ("()", "[]", "{}")):
        raise CannotRewrite(f"line {span.line}: an access stands in a macro or another function")


def leaves_early(body: tuple[kir.Stmt, ...]) -> bool:
    return any(isinstance(node, kir.Return | kir.Continue) for node in walk(body))


def indent_of(unit: TranslationUnit, offset: int) -> str:
    """The white space that the line of `offset` starts with."""
    line, _ = unit.source.position(offset)
    text = unit.source.line_text(line)
    return text[: len(text) - len(text.lstrip())]


def inserted(unit: TranslationUnit, offset: int, text: str, reason: str) -> Edit:
    """Whole lines put before the statement at `offset`, as far to the right as it is."""
    indent = indent_of(unit, offset)
    lines = text.split("\n")
    indented = "\n".join([lines[0], *(f"{indent}{line}" if line else line for line in lines[1:-1]), indent])
    return Edit(offset, offset, indented.encode("latin-1"), reason)
