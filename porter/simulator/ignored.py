"""Marks the runtime calls whose status a program throws away, for the check of unread errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from porter.core.edit import Edit
from porter.simulator.tokens import CLOSING, OPENING, Kind, Token, matching_close

_HEADERS = Path(__file__).parent / "include" / "porter_sim"
_WRAPPER = re.compile(rb"\bPORTER_ERROR PORTER_API\((\w+)\)\(")
_MARK = b"::porter_sim::Ignored(), "
_STATEMENT_STARTS = (";", "{", "}", "else", "do")
# Asking for the error is what the others are measured by.
_QUESTIONS = ("GetLastError", "PeekAtLastError")


def ignored_call_edits(tokens: list[Token]) -> Iterator[Edit]:
    """A mark before each statement that is nothing but a call of a runtime function."""
    names = _runtime_functions() - _defined_names(tokens)
    open_brackets: list[str] = []
    for index, token in enumerate(tokens[:-2]):
        if token.kind is Kind.PUNCTUATION:
            _follow(open_brackets, token.text)
        in_statement = not open_brackets or open_brackets[-1] == "{"
        if token.kind is not Kind.NAME or token.text not in names or not in_statement:
            continue
        close = matching_close(tokens, index + 1) if tokens[index + 1].text == "(" else None
        if close is None or tokens[close + 1].text != ";" or not _starts_statement(tokens, index):
            continue
        yield Edit(token.start, token.start, _MARK, "ignored status")


def _follow(open_brackets: list[str], text: str) -> None:
    if text in OPENING:
        open_brackets.append(text)
    elif text in CLOSING and open_brackets:
        open_brackets.pop()


def _starts_statement(tokens: list[Token], index: int) -> bool:
    if index == 0 or tokens[index - 1].text in _STATEMENT_STARTS:
        return True
    return tokens[index - 1].text == ")" and _closes_condition(tokens, index - 1)


def _closes_condition(tokens: list[Token], close: int) -> bool:
    """Whether the `)` ends the head of an `if`, `for` or `while`.

    Behind a cast to void the status is thrown away on purpose.
    """
    depth = 0
    for index in range(close, 0, -1):
        if tokens[index].text == ")":
            depth += 1
        elif tokens[index].text == "(":
            depth -= 1
            if depth == 0:
                return tokens[index - 1].text in ("if", "for", "while")
    return False


def _defined_names(tokens: list[Token]) -> set[str]:
    return {tokens[i + 1].text for i, t in enumerate(tokens[:-1]) if t.text == "define"}


@cache
def _runtime_functions() -> frozenset[str]:
    """Both faces' functions that answer a status, read off the simulator's own headers."""
    text = b"".join(path.read_bytes() for path in sorted(_HEADERS.glob("*.h")))
    names = {match.decode() for match in _WRAPPER.findall(text)} - set(_QUESTIONS)
    return frozenset(prefix + name for name in names for prefix in ("cuda", "hip"))
