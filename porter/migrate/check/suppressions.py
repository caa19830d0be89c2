"""Comments that accept findings: `// porter: ignore[WAV001] the reason`.

At the end of a line a comment speaks of that line, alone on a line of the next one with code on it. Without a
code or a reason it accepts nothing, and is a finding itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.core.span import SourceText, Span
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit

INCOMPLETE = "CHK005"
UNUSED = "CHK006"
UNKNOWN_CODE = "CHK007"

_COMMENT = re.compile(r"(?://|/\*)\s*porter:\s*ignore\b(?:\s*\[([^\]]*)\])?\s*(.*?)\s*(?:\*/)?\Z", re.DOTALL)


@dataclass(frozen=True)
class Suppression:
    """A comment; `line` is the one that it speaks of."""

    span: Span
    line: int
    codes: tuple[str, ...]
    reason: str

    @property
    def is_complete(self) -> bool:
        return bool(self.codes and self.reason)

    def accepts(self, finding: Diagnostic) -> bool:
        return self.is_complete and finding.span.line == self.line and finding.code in self.codes


def suppressions(unit: TranslationUnit) -> tuple[Suppression, ...]:
    """In source order."""
    if "porter:" not in unit.source.text:
        return ()
    return tuple(_suppressions(unit))


def _suppressions(unit: TranslationUnit) -> Iterator[Suppression]:
    tokens = unit.tokenized.tokens
    for i, token in enumerate(tokens):
        match = _COMMENT.match(token.text) if token.kind is Kind.COMMENT else None
        if match is None:
            continue
        codes = tuple(c.strip().upper() for c in (match[1] or "").split(",") if c.strip())
        span = unit.source.span(token.start, token.end)
        reason = " ".join(match[2].split())
        yield Suppression(span, _line(unit.source, tokens, i), codes, reason)


def _line(source: SourceText, tokens: tuple[Token, ...], at: int) -> int:
    line, column = source.position(tokens[at].start)
    if source.line_text(line)[: column - 1].strip():
        return line
    following = next((t for t in tokens[at + 1 :] if t.kind is not Kind.COMMENT), None)
    return source.position(following.start)[0] if following is not None else line


def complaints(
    source: SourceText, found: tuple[Suppression, ...], used: Collection[Suppression], known: Collection[str]
) -> Iterator[Diagnostic]:
    """What is wrong with the comments themselves."""
    for item in found:
        if not item.is_complete:
            what = "names no code" if not item.codes else "gives no reason"
            message = f"the comment {what}, and so ignores nothing"
            hint = "write // porter: ignore[CODE] and why the finding may stay"
            yield Diagnostic(INCOMPLETE, Severity.WARNING, message, item.span, hint)
            continue
        unknown = [code for code in item.codes if code not in known]
        if unknown:
            message = f"porter has no finding {unknown[0]}"
            yield Diagnostic(
                UNKNOWN_CODE, Severity.WARNING, message, item.span, "porter rules lists the codes"
            )
        elif item not in used:
            message = f"nothing on line {item.line} is {' or '.join(item.codes)}"
            fix = (_removal(source, item.span),)
            yield Diagnostic(UNUSED, Severity.NOTE, message, item.span, "remove the comment", fix)


def _removal(source: SourceText, span: Span) -> Edit:
    """The comment, with the blanks before it; its line too, where nothing else is on it."""
    text = source.text
    start = span.start
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    is_alone = start == 0 or text[start - 1] == "\n"
    end = span.end
    if is_alone:
        rest = re.compile(r"[ \t]*\r?\n").match(text, end)
        end = rest.end() if rest is not None else end
    return Edit(start, end, b"", "the comment ignores nothing")
