"""Kernels that the IR cannot say, with the statements left out that it cannot: what their indices still tell.

Only for launches to propose. A launch is confirmed on the kernel itself, with memory checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from porter.core.edit import Edit, apply_edits
from porter.core.span import SourceText, Span
from porter.cuda.lower_kernel import Lowered, LoweredKernel, NotLowered, lower_kernels
from porter.cuda.structure import Function
from porter.cuda.tokens import TokenizedSource, tokenize

_MOST_STATEMENTS = 12
_ENDS = (";", "{", "}")


def lowered_without_statements(
    source: SourceText,
    written: Function,
    problem: Span,
    *,
    include_dirs: Sequence[Path] = (),
    defines: Sequence[str] = (),
) -> LoweredKernel | None:
    """The kernel `written` without the statement at `problem`, and then without each that is next in the
    way, in device functions too. None where that is no statement of this file. Every byte keeps its place."""
    found: LoweredKernel | None = None
    for _ in range(_MOST_STATEMENTS):
        edit = _statement(tokenize(source), problem) if problem.path == source.path else None
        if edit is None:
            return found
        source = SourceText(source.path, apply_edits(source.data, [edit]))
        lowered = lower_kernels(source, include_dirs=include_dirs, defines=defines)
        found = _of(written, lowered)
        if not isinstance(found, NotLowered):
            return found
        problem = found.diagnostic.span
    return found


def _of(written: Function, lowered: Sequence[LoweredKernel]) -> LoweredKernel | None:
    for kernel in lowered:
        if isinstance(kernel, Lowered) and _is_within(kernel.kernel.span, written):
            return kernel
    return next((k for k in lowered if isinstance(k, NotLowered) and k.kernel_name == written.name), None)


def _is_within(place: Span, written: Function) -> bool:
    return place.path == written.span.path and written.span.start <= place.start < written.span.end


def _statement(tokenized: TokenizedSource, problem: Span) -> Edit | None:
    """Blanks for the statement around `problem`; None where there is none, or nothing in it any more."""
    tokens = tokenized.code
    at = min(tokenized.code_index(problem.start), len(tokens) - 1)
    first = at
    while first > 0 and tokens[first - 1].text not in _ENDS:
        first -= 1
    last, depth = first, 0
    while last < len(tokens) and (depth or tokens[last].text not in _ENDS):
        depth += (tokens[last].text in ("(", "[")) - (tokens[last].text in (")", "]"))
        last += 1
    if first in (0, last) or last == len(tokens) or tokens[last].text != ";":
        return None
    start, end = tokens[first].start, tokens[last].start
    blank = bytes(c if c == 0x0A else 0x20 for c in tokenized.source.data[start:end])
    return Edit(start, end, blank)
