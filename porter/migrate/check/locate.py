"""A finding of the analysis as one of a check: with a path of the tree, a region, and a name that stays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from porter.core.cache import digest
from porter.core.check_report import CheckFinding, Region
from porter.core.diagnostic import Diagnostic
from porter.core.span import SourceText, Span
from porter.cuda.translation_unit import TranslationUnit

_FINGERPRINT_DIGITS = 16


def region_of(source: SourceText, span: Span) -> Region:
    """Columns in characters: a byte of UTF-8 that goes on with one before is none of its own."""
    end = max(span.end, span.start)
    end_line, end_column = source.position(min(end, len(source.data)))
    text = source.line_text(span.line)
    return Region(
        span.line,
        _characters(text, span.column - 1) + 1,
        end_line,
        _characters(source.line_text(end_line), end_column - 1) + 1,
        decoded(text),
    )


def decoded(text: str) -> str:
    """A line of a `SourceText` for people: UTF-8 where it is, else Latin-1."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return text


def _characters(text: str, bytes_before: int) -> int:
    return len(decoded(text[:bytes_before]))


def fingerprint(code: str, function: str, line_text: str) -> str:
    """The same however a line is indented and wherever it stands."""
    return digest("finding-1", code, function, " ".join(line_text.split()))[:_FINGERPRINT_DIGITS]


@dataclass(frozen=True)
class Locator:
    """Places the findings of one file; some of them may be in headers that it includes."""

    root: Path
    unit: TranslationUnit

    def locate(self, diagnostic: Diagnostic) -> CheckFinding:
        span = diagnostic.span
        own = span.path == self.unit.source.path
        source = self.unit.source if own else _source(span.path)
        function = self.unit.function_at(span.start) if own else None
        name = function.name if function is not None else ""
        region = Region(span.line, span.column, span.line, span.column + 1)
        text = ""
        if source is not None and span.start <= len(source.data):
            region, text = region_of(source, span), source.line_text(span.line)
        placed = replace(diagnostic, span=replace(span, path=relative_name(self.root, span.path)))
        return CheckFinding(placed, region, name, fingerprint(diagnostic.code, name, text))


def relative_name(root: Path, path: str) -> str:
    """Relative to the root where `path` is below it, with forward slashes."""
    whole = Path(path)
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else whole.as_posix()


@lru_cache(maxsize=32)
def _source(path: str) -> SourceText | None:
    try:
        return SourceText.read(Path(path))
    except OSError:
        return None
