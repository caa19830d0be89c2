"""Tokens of C++ text by byte offset, macros' bodies included. The rewriting needs no more than this.

Works on any text: what it cannot read is one punctuation character. Preprocessor directives are tokens like
others, framed by a `DIRECTIVE` and an `END` token, so that a macro's body is rewritten like any other code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    PUNCTUATION = "punctuation"
    DIRECTIVE = "directive"  # `#` that starts a directive
    END = "end"  # the end of a directive


@dataclass(frozen=True)
class Token:
    kind: Kind
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


_PATTERN = re.compile(
    r"""
    (?P<blank>[ \t\f\v\r]+ | \\\r?\n)
  | (?P<newline>\n)
  | (?P<comment>//(?:[^\n\\]|\\\r?\n|\\.)* | /\*.*?(?:\*/|\Z))
  | (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)")
  | (?P<string>(?:u8|[uUL])?(?:"(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)+'))
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'[0-9a-zA-Z]|[0-9a-zA-Z_.])*)
  | (?P<name>[A-Za-z_$][A-Za-z0-9_$]*)
  | (?P<punctuation><<<|>>>|<<=|>>=|->\*|\.\.\.|::|->|\#\#|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|.)
    """,
    re.VERBOSE | re.DOTALL,
)

_KINDS = {
    "raw": Kind.STRING,
    "string": Kind.STRING,
    "number": Kind.NUMBER,
    "name": Kind.NAME,
    "punctuation": Kind.PUNCTUATION,
}


def tokenize(text: str) -> list[Token]:
    """All tokens without blanks and comments. `text` is Latin-1 decoded, so offsets are byte offsets."""
    return list(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    in_directive = False
    line_start = True
    for match in _PATTERN.finditer(text):
        group = match.lastgroup if match.lastgroup != "delimiter" else "raw"
        if group == "newline":
            if in_directive:
                yield Token(Kind.END, "", match.start())
            in_directive, line_start = False, True
        elif group == "punctuation" and match.group() == "#" and line_start:
            in_directive, line_start = True, False
            yield Token(Kind.DIRECTIVE, "#", match.start())
        elif group in _KINDS:
            line_start = False
            yield Token(_KINDS[group], match.group(), match.start())
    if in_directive:
        yield Token(Kind.END, "", len(text))


OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: open_ for open_, close in OPENING.items()}


def matching_close(tokens: list[Token], at: int) -> int | None:
    """Index of the bracket that closes the one at `at`, or None before the text or directive ends."""
    depth = 0
    for index in range(at, len(tokens)):
        token = tokens[index]
        if token.kind in (Kind.DIRECTIVE, Kind.END):
            if _leaves_directive(tokens, at, index):
                return None
            continue
        if token.kind is not Kind.PUNCTUATION:
            continue
        if token.text in OPENING:
            depth += 1
        elif token.text in CLOSING:
            depth -= 1
            if depth == 0:
                return index
    return None


def _leaves_directive(tokens: list[Token], start: int, index: int) -> bool:
    """Whether `index` is beyond the directive that `start` is in (a whole `#if` in between is no end)."""
    if tokens[index].kind is Kind.DIRECTIVE:
        return False
    opened = [t for t in tokens[start:index] if t.kind is Kind.DIRECTIVE]
    closed = [t for t in tokens[start:index] if t.kind is Kind.END]
    return len(closed) >= len(opened)
