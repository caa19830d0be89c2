"""What one rewriting pass gives back, and what every pass can ask about the source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.core.span import Span
from porter.cuda.directives import Macro
from porter.cuda.tokens import Kind, Token, matching, split_arguments, text_of
from porter.cuda.translation_unit import TranslationUnit


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


@dataclass(frozen=True)
class Stream:
    """Tokens that belong together: the code, one macro body, or one preprocessor condition."""

    tokens: tuple[Token, ...]
    macro: Macro | None = None


def streams(unit: TranslationUnit) -> Iterator[Stream]:
    """The code, then every macro body; brackets match only within a stream."""
    yield Stream(unit.tokenized.code)
    for macro in unit.macros:
        yield Stream(macro.tokens, macro)


@dataclass(frozen=True)
class CallSite:
    """A call `name(arguments)` in a stream; `arguments` are token ranges, `close` the bracket's index."""

    stream: Stream
    at: int
    close: int
    arguments: tuple[tuple[int, int], ...] = field(default=())

    @property
    def name(self) -> Token:
        return self.stream.tokens[self.at]

    @property
    def open(self) -> Token:
        return self.stream.tokens[self.at + 1]

    def argument(self, unit: TranslationUnit, index: int) -> str:
        return text_of(unit.source, self.stream.tokens, *self.arguments[index])

    def span(self, unit: TranslationUnit) -> Span:
        return unit.source.span(self.name.start, self.stream.tokens[self.close].end)


def calls(unit: TranslationUnit, names: frozenset[str]) -> Iterator[CallSite]:
    """Every unqualified call of one of `names`, macro bodies included."""
    for stream in streams(unit):
        tokens = stream.tokens
        for i in range(len(tokens) - 1):
            if tokens[i].text in names and tokens[i + 1].text == "(" and is_free_name(tokens, i):
                close = matching(tokens, i + 1)
                if close is not None:
                    yield CallSite(stream, i, close, split_arguments(tokens, i + 2, close))


def is_free_name(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether the identifier at `at` is no member and not qualified by a namespace or class."""
    if tokens[at].kind is not Kind.IDENTIFIER:
        return False
    before = tokens[at - 1].text if at > 0 else ""
    if before in (".", "->"):
        return False
    if before != "::":
        return True
    return at < 2 or tokens[at - 2].kind is not Kind.IDENTIFIER or tokens[at - 2].text in _KEYWORDS


_KEYWORDS = frozenset(("return", "else", "case", "throw", "new", "delete", "do"))


def replace(token: Token, text: str, reason: str) -> Edit:
    return Edit(token.start, token.end, text.encode("latin-1"), reason)


def insert(offset: int, text: str, reason: str) -> Edit:
    return Edit(offset, offset, text.encode("latin-1"), reason)


def error(code: str, message: str, span: Span, hint: str = "") -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, span, hint)


def warning(code: str, message: str, span: Span, hint: str = "") -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, span, hint)
