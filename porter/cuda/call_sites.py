"""Calls and token streams of a translation unit: the code, and each macro body on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from porter.core.span import Span
from porter.cuda.directives import Macro
from porter.cuda.tokens import Kind, Token, matching, split_arguments, text_of
from porter.cuda.translation_unit import TranslationUnit


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
    arguments: tuple[tuple[int, int], ...] = ()

    @property
    def name(self) -> Token:
        return self.stream.tokens[self.at]

    @property
    def open(self) -> Token:
        return self.stream.tokens[self.at + 1]

    def argument(self, unit: TranslationUnit, index: int) -> str:
        return text_of(unit.source, self.stream.tokens, *self.arguments[index])

    def name_span(self, unit: TranslationUnit) -> Span:
        return unit.span_of(self.name)

    def span(self, unit: TranslationUnit) -> Span:
        return unit.source.span(self.name.start, self.stream.tokens[self.close].end)


def calls(unit: TranslationUnit, names: frozenset[str]) -> Iterator[CallSite]:
    """Every unqualified call of one of `names`, macro bodies included."""
    return _calls(unit, names, is_free_name)


def member_calls(unit: TranslationUnit, names: frozenset[str]) -> Iterator[CallSite]:
    """Every call `object.name(arguments)` of one of `names`, macro bodies included."""
    return _calls(unit, names, lambda tokens, at: at > 0 and tokens[at - 1].text == ".")


def _calls(
    unit: TranslationUnit, names: frozenset[str], fits: Callable[[tuple[Token, ...], int], bool]
) -> Iterator[CallSite]:
    if names.isdisjoint(unit.words):
        return
    for stream in streams(unit):
        tokens = stream.tokens
        for i in range(len(tokens) - 1):
            if tokens[i].text in names and tokens[i + 1].text == "(" and fits(tokens, i):
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
