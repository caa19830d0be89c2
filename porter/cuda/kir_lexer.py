"""The tokens of the kernel IR's text, and a reader that goes through them and knows where it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from porter.core.span import SourceText, Span

_TOKEN = re.compile(
    r"""(?P<comment>(?<![^\n])[ \t]*\#[^\n]*)
    | (?P<blank>[ \t]+)
    | (?P<newline>\n)
    | (?P<bits>bits_as_(?=[*(`\w]))
    | (?P<number>(?:\d+\.?\d*(?:e[+-]?\d+)?|(?:inf|nan)(?=(?:[fhb]\d*)?\b))[a-z]*\d*)
    | (?P<name>(?:`[^`\n]+`|[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)(?:\#\d+)?)
    | (?P<string>"[^"\n]*")
    | (?P<operator>->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&|^!~?:=.,;(){}\[\]@])""",
    re.VERBOSE | re.ASCII,
)


class KernelTextError(Exception):
    """The first thing in a text that is no kernel IR, with its line and column."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(f"line {span.line}, column {span.column}: {reason}")
        self.span = span


@dataclass(frozen=True)
class Token:
    """`kind` is comment, newline, bits, number, name, string, operator or end."""

    kind: str
    text: str
    start: int
    end: int


def tokens_of(source: SourceText) -> list[Token]:
    found: list[Token] = []
    text, at = source.text, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise KernelTextError(f"`{text[at]}` means nothing here", source.span(at, at + 1))
        if match.lastgroup != "blank":
            found.append(Token(str(match.lastgroup), match.group().strip(" \t"), at, match.end()))
        at = match.end()
    return [*found, Token("end", "", len(text), len(text))]


class TokenReader:
    """Goes through the tokens; what it cannot read ends in a KernelTextError at the token it stands on."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.tokens = tokens_of(source)
        self.at = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def ahead(self, count: int = 1) -> Token:
        return self.tokens[min(self.at + count, len(self.tokens) - 1)]

    def next(self) -> Token:
        token = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def is_at(self, *texts: str) -> bool:
        return self.token.kind in ("operator", "name", "newline") and self.token.text in texts

    def accept(self, text: str) -> bool:
        found = self.is_at(text)
        if found:
            self.next()
        return found

    def expect(self, text: str) -> Token:
        if not self.is_at(text):
            self.fail(f"`{text}` is expected, {self.shown()} is there")
        return self.next()

    def expect_kind(self, kind: str, what: str) -> Token:
        if self.token.kind != kind:
            self.fail(f"{what} is expected, {self.shown()} is there")
        return self.next()

    def integer(self) -> int:
        token = self.expect_kind("number", "a whole number")
        if not token.text.isdecimal():
            self.fail(f"`{token.text}` is no whole number", token)
        return int(token.text)

    def skip_newlines(self) -> None:
        while self.token.kind == "newline":
            self.next()

    def skip_to(self, offset: int) -> str:
        """The text from here to `offset`, whose tokens are passed over."""
        start = self.token.start
        while self.token.start < offset and self.token.kind != "end":
            self.next()
        return self.written(start, offset)

    def written(self, start: int, end: int) -> str:
        """A piece of the text as it was before its bytes were counted."""
        return self.source.text[start:end].encode("latin-1").decode()

    def shown(self) -> str:
        names = {"newline": "the end of the line", "end": "the end of the text"}
        return names.get(self.token.kind, f"`{self.token.text}`")

    def span(self, first: int) -> Span:
        """From the token number `first` to the last one that was read."""
        start = self.tokens[first].start
        return self.source.span(start, max(start, self.tokens[max(first, self.at - 1)].end))

    def fail(self, reason: str, token: Token | None = None) -> NoReturn:
        where = token or self.token
        raise KernelTextError(reason, self.source.span(where.start, where.end))
