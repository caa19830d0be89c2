"""CMake's files as commands with spans, to the letter of cmake-language(7); nothing is evaluated.

Offsets count characters of the text, which porter decodes one byte to a character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class Quote(Enum):
    NONE = "none"
    QUOTED = "quoted"
    BRACKET = "bracket"


@dataclass(frozen=True)
class Argument:
    """`text` without its quotes; `start` and `end` are those of `text`."""

    text: str
    start: int
    end: int
    quote: Quote = Quote.NONE

    @property
    def outer(self) -> tuple[int, int]:
        """With a quoted argument's quotes."""
        extra = 1 if self.quote is Quote.QUOTED else 0
        return self.start - extra, self.end + extra


@dataclass(frozen=True)
class Command:
    """One command invocation; parentheses among the arguments (`if((A) AND B)`) are no arguments."""

    name: str
    arguments: tuple[Argument, ...]
    start: int
    end: int

    @property
    def key(self) -> str:
        """Command names are the same in lower and upper case."""
        return self.name.lower()

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(a.text for a in self.arguments)


class CMakeSyntaxError(Exception):
    """The file is none that CMake would read; `offset` is where."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


_SPACE = re.compile(r"\s+")
_BRACKET = re.compile(r"\[(=*)\[")
_COMMENT = re.compile(r"#[^\n]*")
_NAME = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
# A legacy unquoted argument may hold quoted parts and make-style references.
_UNQUOTED = re.compile(r'(?:[^\s()#"\\]|\\.|"(?:[^"\\]|\\.)*"|\$\([^)\s]*\))+', re.DOTALL)


def parse_cmake(text: str) -> tuple[Command, ...]:
    """Raises CMakeSyntaxError."""
    return tuple(_commands(text))


def _commands(text: str) -> Iterator[Command]:
    at = _skip(text, 0)
    while at < len(text):
        name = _NAME.match(text, at)
        if name is None:
            raise CMakeSyntaxError(f"a command is expected, not {text[at]!r}", at)
        opened = _skip(text, name.end())
        if text[opened : opened + 1] != "(":
            raise CMakeSyntaxError(f"`(` is expected after {name[0]}", opened)
        arguments, end = _arguments(text, opened)
        yield Command(name[0], arguments, at, end)
        at = _skip(text, end)


def _skip(text: str, at: int) -> int:
    """Past white space and comments."""
    while at < len(text):
        if space := _SPACE.match(text, at):
            at = space.end()
        elif text[at] == "#":
            bracket = _BRACKET.match(text, at + 1)
            comment = _COMMENT.match(text, at)
            assert comment is not None
            at = _bracket_end(text, bracket)[1] if bracket else comment.end()
        else:
            break
    return at


def _bracket_end(text: str, opened: re.Match[str]) -> tuple[int, int]:
    """Where the content of a bracket argument ends, and where the argument does."""
    close = f"]{opened[1]}]"
    end = text.find(close, opened.end())
    if end < 0:
        raise CMakeSyntaxError(f"{opened[0]} has no {close}", opened.start())
    return end, end + len(close)


def _arguments(text: str, opened: int) -> tuple[tuple[Argument, ...], int]:
    """The arguments behind the parenthesis at `opened`, and where its partner ends."""
    arguments: list[Argument] = []
    depth, at = 1, opened + 1
    while True:
        at = _skip(text, at)
        if at >= len(text):
            raise CMakeSyntaxError("`(` has no partner", opened)
        if text[at] in "()":
            depth += 1 if text[at] == "(" else -1
            at += 1
            if depth == 0:
                return tuple(arguments), at
            continue
        argument, at = _argument(text, at)
        arguments.append(argument)


def _argument(text: str, at: int) -> tuple[Argument, int]:
    if bracket := _BRACKET.match(text, at):
        end, after = _bracket_end(text, bracket)
        return Argument(text[bracket.end() : end], bracket.end(), end, Quote.BRACKET), after
    if quoted := _QUOTED.match(text, at):
        return Argument(quoted[1], quoted.start(1), quoted.end(1), Quote.QUOTED), quoted.end()
    if unquoted := _UNQUOTED.match(text, at):
        return Argument(unquoted[0], at, unquoted.end()), unquoted.end()
    raise CMakeSyntaxError('`"` has no partner', at)
