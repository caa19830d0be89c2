"""What nvcc reads and HIP's compiler does not.

`register`, a structure's tag, a macro right behind a literal, and `k<< <g, b>> >(x)` with spaces in the
brackets.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from porter.core.edit import Edit
from porter.cuda.call_sites import streams
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step


def modernise_syntax(unit: TranslationUnit) -> Step:
    """Drops `register`, which C++17 removed and which means nothing, and closes up launch brackets."""
    edits: list[Edit] = []
    words = unit.words
    for stream in streams(unit):
        if "register" in words:
            edits.extend(_registers(unit, stream.tokens))
        if not words.isdisjoint(("<<", ">>")):
            edits.extend(_brackets(stream.tokens))
        if "struct" in words:
            edits.extend(_tags(stream.tokens))
        edits.extend(_literals(stream.tokens))
    return Step(tuple(edits))


def _registers(unit: TranslationUnit, tokens: tuple[Token, ...]) -> Iterator[Edit]:
    for token, after in pairwise(tokens):
        # `register` binds a variable to a register where `asm` names one; that is no storage class to drop.
        if token.text == "register" and after.kind is Kind.IDENTIFIER:
            gap = unit.source.text[token.end : after.start]
            end = after.start if gap.isspace() and "\n" not in gap else token.end
            yield Edit(token.start, end, b"", "C++17 has no register")


def _literals(tokens: tuple[Token, ...]) -> Iterator[Edit]:
    """`"%"PRIu64` with the space that C++11 wants before a macro."""
    for token, after in pairwise(tokens):
        if token.kind is Kind.STRING and token.end == after.start and _is_macro(after):
            yield Edit(token.end, token.end, b" ", "C++11 reads a name behind a literal as its suffix")


# The suffixes of the standard library; a program's own begin with an underscore.
_SUFFIXES = frozenset(("s", "sv", "h", "min", "ms", "us", "ns", "i", "il", "if", "y", "d"))


def _is_macro(token: Token) -> bool:
    return token.kind is Kind.IDENTIFIER and token.text[0] != "_" and token.text not in _SUFFIXES


# Types that are structures in CUDA and have another tag in HIP.
_OTHER_TAG = frozenset(("cudaGraphicsResource",))


def _tags(tokens: tuple[Token, ...]) -> Iterator[Edit]:
    for token, after in pairwise(tokens):
        if token.text == "struct" and after.text in _OTHER_TAG:
            yield Edit(token.start, after.start, b"", "HIP's name for it is no tag")


def _brackets(tokens: tuple[Token, ...]) -> Iterator[Edit]:
    """`<< <` closed up, and the `>> >` or `> >>` that ends it before the arguments."""
    open_at = -1
    for i, (token, after) in enumerate(pairwise(tokens)):
        if token.text in ("<<<", ">>>"):
            open_at = i if token.text == "<<<" else -1
        if not _is_split(token, after):
            continue
        if token.text == "<<" and after.text == "<":
            open_at = i
            yield from _closed_up(token, after)
        elif open_at >= 0 and i + 2 < len(tokens) and tokens[i + 2].text == "(":
            open_at = -1
            yield from _closed_up(token, after)


def _is_split(token: Token, after: Token) -> bool:
    return (token.text, after.text) in (("<<", "<"), (">>", ">"), (">", ">>"))


def _closed_up(token: Token, after: Token) -> Iterator[Edit]:
    if token.end < after.start:
        yield Edit(token.end, after.start, b"", "clang reads launch brackets as one token")
