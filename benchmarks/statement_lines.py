"""Where a statement of a CUDA source stands in its port: edits before it may have added or removed lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porter.core.edit import Edit
from porter.core.span import Span
from porter.cuda.translation_unit import TranslationUnit


def statement_lines(unit: TranslationUnit, edits: Sequence[Edit], span: Span) -> tuple[int, int]:
    """The first and last line, in the port, of the statement or directive that holds `span`."""
    start, end = _statement(unit, span)
    text = unit.source.data
    return _line(text, edits, start), _line(text, edits, end)


def _statement(unit: TranslationUnit, span: Span) -> tuple[int, int]:
    for directive in unit.tokenized.directives:
        if directive.start <= span.start < directive.end:
            return directive.start, directive.end
    ends = [t for t in unit.tokenized.code if t.text in (";", "{", "}")]
    before = max((t.end for t in ends if t.end <= span.start), default=0)
    first = next((t.start for t in unit.tokenized.code if t.start >= before), span.start)
    return first, min((t.start for t in ends if t.start >= span.end), default=span.end)


def _line(text: bytes, edits: Iterable[Edit], offset: int) -> int:
    """The line in the port of an offset of the original; of what replaces it where it was replaced."""
    inserted = sum(
        e.replacement.count(b"\n") - text[e.start : e.end].count(b"\n") for e in edits if e.end <= offset
    )
    return 1 + text[:offset].count(b"\n") + inserted
