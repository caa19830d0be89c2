"""Edits where a kernel becomes an address: `(void *)k` makes it known, so that it can be launched by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from porter.core.edit import Edit
from porter.simulator.tokens import OPENING, Kind, Token, matching_close

Casts = Callable[[list[Token], int], tuple[int, int] | None]


def kernel_address_edits(text: str, tokens: list[Token], casts: Casts) -> Iterator[Edit]:
    """`casts` finds the span of a cast to `void *` that starts at a token.

    Only kernels that this file declares are recognised.
    """
    kernels = _kernel_names(tokens)
    for index, token in enumerate(tokens if kernels else ()):
        span = casts(tokens, index)
        if span is None:
            continue
        enclosed = token.text != "("
        named = _kernel_name(tokens, span[1] + 1, kernels, enclosed=enclosed)
        if named is None:
            continue
        first, last = named
        name = " ".join(text[tokens[first].start : tokens[last].end].split())
        handle = f"(void *)::porter_sim::kernel_handle({name}, PORTER_NAME({name}))"
        yield Edit(token.start, tokens[last + enclosed].end, handle.encode("latin-1"), "kernel address")


def _kernel_names(tokens: list[Token]) -> frozenset[str]:
    """Names declared `__global__ void … name(` in this file."""
    names = set()
    for index, token in enumerate(tokens):
        if token.text != "__global__" or token.kind is not Kind.NAME:
            continue
        at = index + 1
        while at + 1 < len(tokens) and tokens[at].text not in (";", "{", "("):
            if tokens[at + 1].text == "(" and tokens[at].text == "__launch_bounds__":
                at = (matching_close(tokens, at + 1) or at) + 1
                continue
            if tokens[at + 1].text == "(" and tokens[at].kind is Kind.NAME:
                names.add(tokens[at].text)
            at += 1
    return frozenset(names)


def _kernel_name(
    tokens: list[Token], first: int, kernels: frozenset[str], *, enclosed: bool
) -> tuple[int, int] | None:
    """The span of `k`, `&k` or `k<T, 4>` from `first` on, without the `&`; None for anything else.

    `enclosed`: it stands in parentheses.
    """
    if enclosed:
        if tokens[first].text != "(":
            return None
        first += 1
    if first < len(tokens) and tokens[first].text == "&":
        first += 1
    if first + 1 >= len(tokens) or tokens[first].text not in kernels:
        return None
    last = first
    if tokens[first + 1].text == "<":
        close = _template_close(tokens, first + 1)
        if close is None:
            return None
        last = close
    after = tokens[last + 1].text
    if after in ("(", "[", ".", "->", "::") or (enclosed and after != ")"):
        return None
    return first, last


def _template_close(tokens: list[Token], opening: int) -> int | None:
    depth = 0
    index = opening
    while index < len(tokens):
        token = tokens[index]
        if token.text == "<":
            depth += 1
        elif token.text == ">":
            depth -= 1
        elif token.text in OPENING:
            close = matching_close(tokens, index)
            if close is None:
                return None
            index = close
        elif token.text in (">>", ";", "}") or token.kind in (Kind.DIRECTIVE, Kind.END):
            return None
        if depth == 0:
            return index
        index += 1
    return None
