"""`#include` and `#define` lines as records with exact spans."""

from __future__ import annotations

from dataclasses import dataclass

from porter.core.span import SourceText, Span
from porter.cuda.tokens import Directive, Kind, Token, TokenizedSource


@dataclass(frozen=True)
class Include:
    """`target` without delimiters; `span` covers the target with its delimiters."""

    target: str
    is_system: bool
    span: Span


@dataclass(frozen=True)
class Macro:
    """`parameters` is None for an object-like macro. `tokens` has no comments."""

    name: str
    parameters: tuple[str, ...] | None
    body: str
    tokens: tuple[Token, ...]
    span: Span
    name_span: Span

    @property
    def is_variadic(self) -> bool:
        return self.parameters is not None and "..." in self.parameters


def find_includes(tokenized: TokenizedSource) -> tuple[Include, ...]:
    """Every `#include`, in either branch of a conditional; computed includes are left out."""
    found = (_include(tokenized.source, d) for d in tokenized.directives if d.name == "include")
    return tuple(include for include in found if include is not None)


def _include(source: SourceText, directive: Directive) -> Include | None:
    if len(directive.tokens) < 3:
        return None
    first = directive.tokens[2]
    if first.kind is Kind.STRING:
        return Include(first.text.strip('"'), False, source.span(first.start, first.end))
    if first.text.startswith("<"):
        end = source.text.find(">", first.start, directive.end) + 1
        if end > 0:
            return Include(source.text[first.start + 1 : end - 1], True, source.span(first.start, end))
    return None


def find_macros(tokenized: TokenizedSource) -> tuple[Macro, ...]:
    """Every `#define`, in source order; one name can be defined in several branches."""
    return tuple(
        _macro(tokenized.source, d)
        for d in tokenized.directives
        if d.name == "define" and len(d.tokens) > 2 and d.tokens[2].kind is Kind.IDENTIFIER
    )


def _macro(source: SourceText, directive: Directive) -> Macro:
    name, rest = directive.tokens[2], directive.tokens[3:]
    parameters: tuple[str, ...] | None = None
    if rest and rest[0].text == "(" and rest[0].start == name.end:
        close = next((i for i, t in enumerate(rest) if t.text == ")"), len(rest) - 1)
        parameters = tuple(t.text for t in rest[1:close] if t.text != ",")
        rest = rest[close + 1 :]
    body = source.text[rest[0].start : rest[-1].end] if rest else ""
    return Macro(
        name.text,
        parameters,
        body,
        rest,
        source.span(directive.start, directive.end),
        source.span(name.start, name.end),
    )
