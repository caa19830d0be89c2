"""Findings: a stable code, a place, a reason and the way out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from porter.core.edit import Edit
from porter.core.span import SourceText, Span


class Severity(str, Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Diagnostic:
    """One finding. `code` is three letters and three digits (`WAV001`) and is never reused.

    `fix` are edits of the file that answer the finding and change nothing that the code does on NVIDIA.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    hint: str = ""
    fix: tuple[Edit, ...] = ()

    def __str__(self) -> str:
        return f"{self.span}: {self.severity}: {self.message} [{self.code}]"


def render(diagnostic: Diagnostic, source: SourceText | None) -> str:
    """The finding with its source line and carets under the span."""
    lines = [str(diagnostic)]
    if source is not None and diagnostic.span.line >= 1:
        text = source.line_text(diagnostic.span.line)
        width = diagnostic.span.end - diagnostic.span.start
        lines += carets(text, diagnostic.span.column, width)
    if diagnostic.hint:
        lines.append(f"    hint: {diagnostic.hint}")
    return "\n".join(lines)


def carets(text: str, column: int, width: int) -> tuple[str, str]:
    """A source line, and below it carets under `width` characters from `column`; never past its end."""
    shown = max(1, min(width, len(text) - column + 1))
    margin = "".join("\t" if c == "\t" else " " for c in text[: column - 1])
    return f"    {text}", f"    {margin}{'^' * shown}"
