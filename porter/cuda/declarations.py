"""The declarations of a file at namespace scope: from the first token of each to its `;` or `}`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from porter.cuda.tokens import Token, TokenizedSource, matching, matching_angle

_OF_TYPES = frozenset(("class", "struct", "union", "enum", "typedef", "="))
"""What stands before a `{` whose `}` does not end the declaration."""


@dataclass(frozen=True)
class Declaration:
    """Bytes `[start, end)`, and the words in it."""

    start: int
    end: int
    words: frozenset[str]
    is_type: bool
    names: frozenset[str] = frozenset()
    """What it declares, as far as its words outside brackets tell."""


def declarations(tokenized: TokenizedSource) -> Iterator[Declaration]:
    """Those inside namespaces and `extern "C"` too; a macro that takes a body ends with it."""
    tokens = tokenized.code
    first, at = None, 0
    head: list[str] = []
    while at < len(tokens):
        text = tokens[at].text
        if first is None:
            if text in (";", "}"):
                at += 1
                continue
            first, head = at, []
        if text == "{" and _is_scope(head):
            first = None
        elif text in ("(", "[", "{"):
            closed = matching(tokens, at)
            if closed is None:
                return
            ends = text == "{" and not _OF_TYPES & set(head)
            at = closed
            if ends:
                yield _declaration(tokens, first, at, head)
                first = None
        elif text == "<" and head == ["template"]:
            at = matching_angle(tokens, at) or at
        elif text == ";":
            yield _declaration(tokens, first, at, head)
            first = None
        else:
            head.append(text)
        at += 1


def _declaration(tokens: tuple[Token, ...], first: int, last: int, head: list[str]) -> Declaration:
    words = frozenset(token.text for token in tokens[first : last + 1])
    is_type = bool({"class", "struct", "union", "enum"} & set(head))
    names = _names(head) | (words if "enum" in head else frozenset())
    return Declaration(tokens[first].start, tokens[last].end, words, is_type, names)


def _names(head: list[str]) -> frozenset[str]:
    """Before a `=` or a comma, behind `struct` and the like, and the last one."""
    found = {a for a, b in pairwise([*head, ","]) if b in ("=", ",")}
    found |= {b for a, b in pairwise(head) if a in ("class", "struct", "union", "enum")}
    return frozenset(name for name in found if name.isidentifier())


def _is_scope(head: list[str]) -> bool:
    return "namespace" in head[:2] or (head[:1] == ["extern"] and len(head) == 2)
