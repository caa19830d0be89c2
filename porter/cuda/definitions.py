"""What names stand for: constants and dim3 variables of a function, of the file, and object-like macros.

A variable counts as a constant when it is initialised where it is declared and never written again in its
scope, whether or not it is declared `const`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from porter.cuda.directives import Macro
from porter.cuda.structure import Function
from porter.cuda.tokens import Kind, Token, TokenizedSource, matching, text_of
from porter.cuda.writes import valueless_names, written_names

_INITIALISERS = frozenset(("=", "(", "{"))
_QUALIFIERS = frozenset(
    (
        "const",
        "constexpr",
        "static",
        "unsigned",
        "signed",
        "inline",
        "__constant__",
        "volatile",
        "long",
        "short",
    )
)
_NOT_A_TYPE = frozenset(
    (
        "return",
        "delete",
        "new",
        "else",
        "goto",
        "case",
        "throw",
        "typename",
        "using",
        "namespace",
        "sizeof",
    )
)


@dataclass(frozen=True)
class Definition:
    """`name` declared at byte `at` with `type_text`; `value` is `dim3(16, 16)` for `dim3 name(16, 16);`."""

    name: str
    type_text: str
    value: str
    at: int


@lru_cache(maxsize=64)
def definitions_in(tokenized: TokenizedSource, start: int, end: int) -> tuple[Definition, ...]:
    """Variables declared with an initialiser and not written again in bytes `[start, end)`, in order."""
    first, last = tokenized.code_index(start), tokenized.code_index(end)
    found = tuple(_definitions(tokenized, first, last))
    written = written_names(tokenized, first, last, {d.at for d in found})
    written |= valueless_names(tokenized, first, last)  # which of the two a place means is not known
    return tuple(d for d in found if d.name not in written)


def values_at(tokenized: TokenizedSource, local: tuple[Definition, ...], offset: int) -> dict[str, str]:
    """What the definitions that can be seen at byte `offset` stand for, inner ones before outer ones."""
    return {d.name: d.value for d in local if d.at < offset and _scope_end(tokenized, d.at) > offset}


@lru_cache(maxsize=4096)
def _scope_end(tokenized: TokenizedSource, at: int) -> int:
    """Where the block ends in which a name is declared; in the head of a loop, where its statement does."""
    tokens = tokenized.code
    i = tokenized.code_index(at)
    while i < len(tokens):
        text = tokens[i].text
        if text in ("(", "[", "{"):
            i = matching(tokens, i) or i
        elif text == "}":
            return tokens[i].start
        elif text == ")":
            return _statement_end(tokens, i + 1)
        i += 1
    return len(tokenized.source.text)


def _statement_end(tokens: tuple[Token, ...], start: int) -> int:
    i = start
    while i < len(tokens) and tokens[i].text not in (";", "}"):
        if tokens[i].text in ("(", "[", "{"):
            close = matching(tokens, i) or i
            if tokens[i].text == "{":
                return tokens[close].end
            i = close
        i += 1
    return tokens[min(i, len(tokens) - 1)].end


def file_definitions(tokenized: TokenizedSource, functions: tuple[Function, ...]) -> tuple[Definition, ...]:
    """Constants outside functions: those declared const, and those that nothing in the file writes."""
    bodies = [(f.body.start, f.body.end) for f in functions if f.body is not None]
    everything, written = _of_the_file(tokenized)
    outside = [d for d in everything if not any(start <= d.at < end for start, end in bodies)]
    return tuple(d for d in outside if d.name not in written or "const" in d.type_text)


@lru_cache(maxsize=8)
def _of_the_file(tokenized: TokenizedSource) -> tuple[tuple[Definition, ...], set[str]]:
    """Every definition, and the names that are written elsewhere."""
    everything = tuple(_definitions(tokenized, 0, len(tokenized.code)))
    written = written_names(tokenized, 0, len(tokenized.code), {d.at for d in everything})
    return everything, written


def macro_definitions(macros: tuple[Macro, ...]) -> Mapping[str, str]:
    """Object-like macros by name; a name with two different bodies is left out."""
    bodies: dict[str, set[str]] = {}
    for macro in macros:
        if macro.parameters is None and macro.tokens:
            bodies.setdefault(macro.name, set()).add(macro.body)
    return {name: next(iter(body)) for name, body in bodies.items() if len(body) == 1}


def _definitions(tokenized: TokenizedSource, first: int, last: int) -> Iterator[Definition]:
    tokens = tokenized.code
    for i in range(max(first, 1), last - 1):
        if tokens[i + 1].text not in _INITIALISERS or tokens[i].kind is not Kind.IDENTIFIER:
            continue
        type_start = _type_start(tokens, i)
        if type_start is None:
            yield from _later_declarator(tokenized, i)
            continue
        type_text = text_of(tokenized.source, tokens, type_start, i)
        value = _initialiser(tokenized, i + 1, type_text)
        if value is not None:
            yield Definition(tokens[i].text, type_text, value, tokens[i].start)


def _type_start(tokens: tuple[Token, ...], name: int) -> int | None:
    """Where the type before a declared name begins, when what stands before it is a type."""
    previous = tokens[name - 1]
    if previous.kind is not Kind.IDENTIFIER or previous.text in _NOT_A_TYPE:
        return None
    start = name - 1
    while start > 0 and (tokens[start - 1].text in _QUALIFIERS or tokens[start - 1].text == "::"):
        start -= 2 if tokens[start - 1].text == "::" and tokens[start - 2].kind is Kind.IDENTIFIER else 1
    return start


def _later_declarator(tokenized: TokenizedSource, name: int) -> Iterator[Definition]:
    """`b = 2` in `int a = 1, b = 2;`, and `grid(4)` in `dim3 block(16), grid(4);`."""
    tokens = tokenized.code
    if tokens[name - 1].text != ",":
        return
    i = name - 1
    while i > 0 and tokens[i].text not in (";", "{", "}", "("):
        if tokens[i].text == ")":
            i = _opening(tokens, i)
        i -= 1
    start = i + 1
    while tokens[start].text in _QUALIFIERS:
        start += 1
    if tokens[i].text != "(" and _type_start(tokens, start + 1) is not None and start + 1 < name:
        value = _initialiser(tokenized, name + 1, tokens[start].text)
        if value is not None:
            yield Definition(tokens[name].text, tokens[start].text, value, tokens[name].start)


def _opening(tokens: tuple[Token, ...], close: int) -> int:
    depth, i = 0, close
    while i > 0:
        depth += (tokens[i].text == ")") - (tokens[i].text == "(")
        if depth == 0:
            return i
        i -= 1
    return 0


def _initialiser(tokenized: TokenizedSource, at: int, type_text: str) -> str | None:
    tokens, source = tokenized.code, tokenized.source
    if tokens[at].text == "=":
        end = at + 1
        while end < len(tokens) and tokens[end].text not in (";", ",", ")"):
            end = (matching(tokens, end) or end) + 1 if tokens[end].text in ("(", "[", "{") else end + 1
        value = text_of(source, tokens, at + 1, end)
        return f"{type_text}{value}" if value.startswith("{") else value
    close = matching(tokens, at)
    if close is None or close + 1 >= len(tokens) or tokens[close + 1].text not in (";", ","):
        return None
    inner = text_of(source, tokens, at + 1, close)
    if not inner:
        return None
    return f"dim3({inner})" if type_text.split()[-1] == "dim3" else inner
