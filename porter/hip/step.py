"""What one rewriting pass gives back, and how passes write edits and findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.core.span import Span
from porter.cuda.tokens import Token


@dataclass(frozen=True)
class Step:
    """The edits and findings of one pass, and the snippets of `shims/` that the edited text calls."""

    edits: tuple[Edit, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    shims: frozenset[str] = frozenset()


def join(steps: Iterable[Step]) -> Step:
    """All of `steps` as one."""
    collected = tuple(steps)
    return Step(
        tuple(e for s in collected for e in s.edits),
        tuple(f for s in collected for f in s.findings),
        frozenset(name for s in collected for name in s.shims),
    )


def replace(token: Token, text: str, reason: str) -> Edit:
    return Edit(token.start, token.end, text.encode("latin-1"), reason)


def insert(offset: int, text: str, reason: str) -> Edit:
    return Edit(offset, offset, text.encode("latin-1"), reason)


def error(code: str, message: str, span: Span, hint: str = "") -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, span, hint)


def warning(code: str, message: str, span: Span, hint: str = "") -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, span, hint)
