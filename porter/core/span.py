"""Where something stands in a source file. Offsets are bytes, lines and columns count from 1."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_NEWLINE = re.compile(b"\n")


def shown_path(path: str) -> str:
    """As people read it: relative to the current folder where it is below that."""
    return path.removeprefix(f"{Path.cwd()}/")


@dataclass(frozen=True, order=True)
class Span:
    """Half-open byte range `[start, end)` of `path`."""

    path: str
    start: int
    end: int
    line: int
    column: int

    def __str__(self) -> str:
        return f"{shown_path(self.path)}:{self.line}:{self.column}"


@dataclass(frozen=True)
class SourceText:
    """The exact bytes of a file; byte offsets into them are porter's only coordinates.

    Decoding is Latin-1 on purpose: it maps every byte to one character, so that
    offsets into `text` and into `data` are the same and nothing is lost on the way back.
    """

    path: str
    data: bytes

    @classmethod
    def read(cls, path: Path) -> SourceText:
        return cls(str(path), path.read_bytes())

    @cached_property
    def text(self) -> str:
        return self.data.decode("latin-1")

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        return (0, *(newline.end() for newline in _NEWLINE.finditer(self.data)))

    def span(self, start: int, end: int) -> Span:
        line, column = self.position(start)
        return Span(self.path, start, end, line, column)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (both from 1, columns in bytes) of a byte offset."""
        line = bisect.bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        return self._line_starts[line - 1] + column - 1

    def slice(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def line_text(self, line: int) -> str:
        starts = self._line_starts
        end = starts[line] if line < len(starts) else len(self.data)
        return self.text[starts[line - 1] : end].rstrip("\r\n")
