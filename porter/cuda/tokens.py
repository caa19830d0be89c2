"""A lexer for CUDA C++ that keeps every byte's place: tokens, comments, and preprocessor directives.

It never fails: what is no token of C++ becomes a one-character punctuator. Offsets are those of
`SourceText.text`, so they are byte offsets too. Trigraphs and line splices
inside identifiers are not handled.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple

from porter.core.span import SourceText


class Kind(Enum):
    IDENTIFIER = "identifier"
    NUMBER = "number"
    STRING = "string"
    CHARACTER = "character"
    PUNCTUATOR = "punctuator"
    COMMENT = "comment"


class Token(NamedTuple):
    """`directive` is the index of the preprocessor directive the token stands in, or -1."""

    kind: Kind
    start: int
    end: int
    text: str
    directive: int


@dataclass(frozen=True)
class Directive:
    """One preprocessor line, continuation lines included; `name` is `define`, `include`, `if` …"""

    name: str
    start: int
    end: int
    tokens: tuple[Token, ...]


@dataclass(frozen=True, eq=False)
class TokenizedSource:
    """`tokens` has everything; `code` leaves out comments and directives. Equal only to itself."""

    source: SourceText
    tokens: tuple[Token, ...]
    directives: tuple[Directive, ...]

    @cached_property
    def code(self) -> tuple[Token, ...]:
        return tuple(t for t in self.tokens if t.directive < 0 and t.kind is not Kind.COMMENT)

    @cached_property
    def comments(self) -> tuple[Token, ...]:
        return tuple(t for t in self.tokens if t.kind is Kind.COMMENT)

    @cached_property
    def names(self) -> frozenset[str]:
        """The identifiers of `code`."""
        return frozenset(t.text for t in self.code if t.kind is Kind.IDENTIFIER)

    @cached_property
    def macro_words(self) -> dict[str, frozenset[str]]:
        """The words that each macro's definitions hold, whichever of them counts."""
        words: dict[str, frozenset[str]] = {}
        for directive in self.directives:
            if directive.name == "define" and len(directive.tokens) > 2:
                name = directive.tokens[2].text
                body = frozenset(t.text for t in directive.tokens[3:])
                words[name] = words.get(name, frozenset()) | body
        return words

    @cached_property
    def _code_starts(self) -> tuple[int, ...]:
        return tuple(t.start for t in self.code)

    def code_index(self, offset: int) -> int:
        """The index in `code` of the first token that starts at or after `offset`."""
        return bisect.bisect_left(self._code_starts, offset)


_PREFIX = r"(?:u8|u|U|L)?"
_SCAN = re.compile(
    # White space in front belongs to no group; the end of the text takes what is left of it.
    r"(?:\A\xef\xbb\xbf)?(?:[ \t\r\f\v]+|\\\r?\n)*(?:"
    r"(?P<newline>\n)"
    r"|(?P<comment>//(?:[^\n\\]|\\\r?\n|\\.?)*|/\*.*?(?:\*/|\Z))"
    rf'|(?P<raw>{_PREFIX}R"(?P<fence>[^ ()\\\t\r\n]*)\(.*?\)(?P=fence)")'
    rf'|(?P<string>{_PREFIX}"(?:[^"\\\n]|\\\r?\n|\\.)*")'
    rf"|(?P<character>{_PREFIX}'(?:[^'\\\n]|\\.)+')"
    r"|(?P<number>\.?[0-9](?:'?[0-9A-Za-z_.]|(?<=[eEpP])[+-])*)"
    r"|(?P<identifier>[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*)"
    r"|(?P<punctuator><<<|>>>|<<=|>>=|\.\.\.|->\*|->|::|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\|"
    r"|\+=|-=|\*=|/=|%=|&=|\|=|\^=|##|.)"
    r"|\Z)",
    re.DOTALL,
)
_KINDS = {
    "comment": Kind.COMMENT,
    "raw": Kind.STRING,
    "fence": Kind.STRING,
    "string": Kind.STRING,
    "character": Kind.CHARACTER,
    "number": Kind.NUMBER,
    "identifier": Kind.IDENTIFIER,
    "punctuator": Kind.PUNCTUATOR,
}


_KIND_OF_GROUP = tuple(_KINDS.get(name) for name in ("", *_SCAN.groupindex))
_NEWLINE = _SCAN.groupindex["newline"]


@lru_cache(maxsize=64)
def tokenize(source: SourceText) -> TokenizedSource:
    """Splits `source` into tokens; the same source is split once."""
    tokens: list[Token] = []
    spans: list[tuple[int, int, int, int]] = []
    opened: tuple[int, int] | None = None  # (start offset, index of the first token) of an open directive
    line_is_empty = True
    # `Token(…)` without the function that a named tuple has for it, which takes longer than the tuple.
    new, add, comment = tuple.__new__, tokens.append, Kind.COMMENT
    directive = -1
    for match in _SCAN.finditer(source.text):
        group = match.lastindex
        if group is None:
            break
        start, end = match.span(group)
        if group == _NEWLINE:
            if opened is not None:
                spans.append((*opened, start, len(tokens)))
                opened, directive = None, -1
            line_is_empty = True
            continue
        text, kind = match[group], _KIND_OF_GROUP[group]
        if line_is_empty:
            if text == "#" and opened is None:
                opened, directive = (start, len(tokens)), len(spans)
            line_is_empty = kind is comment
        add(new(Token, (kind, start, end, text, directive)))
    if opened is not None:
        spans.append((*opened, len(source.text), len(tokens)))
    return TokenizedSource(source, tuple(tokens), tuple(_directive(tokens, *span) for span in spans))


def _directive(tokens: list[Token], start: int, first: int, end: int, last: int) -> Directive:
    own = tuple(t for t in tokens[first:last] if t.kind is not Kind.COMMENT)
    name = own[1].text if len(own) > 1 and own[1].kind is Kind.IDENTIFIER else ""
    return Directive(name, start, own[-1].end if own else end, own)


OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: open_ for open_, close in OPENING.items()}


def matching(tokens: tuple[Token, ...], index: int) -> int | None:
    """The index of the bracket that closes the one at `index`, or None when it is never closed."""
    depth = 0
    for i in range(index, len(tokens)):
        if tokens[i].kind is not Kind.PUNCTUATOR:
            continue
        if tokens[i].text in OPENING:
            depth += 1
        elif tokens[i].text in CLOSING:
            depth -= 1
            if depth == 0:
                return i
    return None


def matching_angle(tokens: tuple[Token, ...], index: int, limit: int = 400) -> int | None:
    """The index of the token whose `>` closes the template list that opens at `index`.

    Operators inside brackets are skipped; gives up (None) at `;`, `{` or after `limit` tokens.
    """
    depth, i = 0, index
    while i < min(len(tokens), index + limit):
        text = tokens[i].text if tokens[i].kind is Kind.PUNCTUATOR else ""
        if text == "<":
            depth += 1
        elif text in (">", ">>", ">>>"):
            depth -= len(text)
            if depth <= 0:
                return i
        elif text in OPENING:
            closed = matching(tokens, i)
            if closed is None:
                return None
            i = closed
        elif text in (";", ")", "]", "}"):
            return None
        i += 1
    return None


def split_arguments(
    tokens: tuple[Token, ...], start: int, end: int, *, angles: bool = False
) -> tuple[tuple[int, int], ...]:
    """The ranges `[first, last)` of comma-separated arguments in `tokens[start:end]`; () for none.

    Commas in brackets do not split, nor (with `angles`) in template argument lists of a name.
    """
    if start >= end:
        return ()
    pieces: list[tuple[int, int]] = []
    first = i = start
    while i < end:
        text = tokens[i].text if tokens[i].kind is Kind.PUNCTUATOR else ""
        if text == ",":
            pieces.append((first, i))
            first = i + 1
        elif text in OPENING:
            i = min(matching(tokens, i) or end, end)
        elif text == "<" and (angles or _is_template_list(tokens, i, end)):
            closed = matching_angle(tokens, i)
            i = closed if closed is not None and closed < end else i
        i += 1
    pieces.append((first, end))
    return tuple(pieces)


def _is_template_list(tokens: tuple[Token, ...], index: int, end: int) -> bool:
    """Whether `<` at `index` opens template arguments: it closes and `(`, `::` or `{` follows."""
    if index == 0 or tokens[index - 1].kind is not Kind.IDENTIFIER:
        return False
    closed = matching_angle(tokens, index)
    if closed is None or closed + 1 >= end:
        return False
    return tokens[closed + 1].text in ("(", "::", "{")


def text_of(source: SourceText, tokens: tuple[Token, ...], start: int, end: int) -> str:
    """The source text from token `start` to the one before `end`, exactly as written; "" when empty."""
    return source.text[tokens[start].start : tokens[end - 1].end] if start < end else ""
