"""The mechanical changes that make CUDA and HIP text plain C++: launches, `__shared__`, device symbols.

Edits are planned on exact token spans, keep every line break, and leave every other byte alone. Macro
bodies are rewritten like other code. What cannot be taken apart is left as it is; the headers give it a
meaning where they can.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from porter.core.edit import Edit, apply_edits
from porter.simulator.declarations import launch_bound_edits, shared_edits, symbol_edits
from porter.simulator.ignored import ignored_call_edits
from porter.simulator.kernel_addresses import kernel_address_edits
from porter.simulator.ptx.statement import asm_edits
from porter.simulator.tokens import CLOSING, OPENING, Kind, Token, matching_close, tokenize

_FUNCTION_TAKERS = ("LaunchKernel", "LaunchCooperativeKernel", "FuncSetAttribute", "FuncSetCacheConfig")


@dataclass(frozen=True)
class Rewritten:
    """The C++ text, and the edits that led to it stage by stage, for mapping places back.

    `prelude` is lines of macros that come before the text's first line.
    """

    data: bytes
    stages: tuple[tuple[Edit, ...], ...]
    prelude: bytes = b""


def rewrite(path: str, data: bytes) -> Rewritten:  # noqa: ARG001
    """CUDA or HIP source as C++ for the simulator's headers; nothing is refused, so `path` is unused."""
    planned, prelude = plan(data.decode("latin-1"))
    edits = tuple(sorted(planned))
    return Rewritten(apply_edits(data, edits), (edits,), prelude)


def rewrite_checked(path: str, data: bytes) -> Rewritten:
    """The same, with a mark before each runtime call whose status is thrown away."""
    text = data.decode("latin-1")
    marks = [] if path.endswith(".c") else ignored_call_edits(tokenize(text))
    planned, prelude = plan(text)
    edits = tuple(sorted([*planned, *marks]))
    return Rewritten(apply_edits(data, edits), (edits,), prelude)


def plan(text: str) -> tuple[list[Edit], bytes]:
    """The edits, and the lines that must come before the text."""
    tokens = tokenize(text)
    assembly, prelude = asm_edits(text, tokens)
    others = _planned(text, tokens)
    kept = [o for o in others if not any(a.start <= o.start < a.end for a in assembly)]
    return assembly + kept, prelude


def _planned(text: str, tokens: list[Token]) -> list[Edit]:
    return [
        *launch_edits(text, tokens, b"PORTER_LAUNCHER(::porter_sim::configuration("),
        *shared_edits(tokens),
        *symbol_edits(tokens),
        *launch_bound_edits(text, tokens),
        *_keyword_edits(tokens),
        *_pragma_edits(tokens),
        *_texture_edits(tokens),
        *cast_edits(tokens),
        *kernel_address_edits(text, tokens, _free_cast),
    ]


def launch_edits(text: str, tokens: list[Token], opening: bytes) -> Iterator[Edit]:
    """`k<<<…>>>(` as `opening…), k)(`: the callee moves behind the configuration, where a macro argument
    may hold commas.
    """
    for index, token in enumerate(tokens):
        if token.text != "<<<" or token.kind is not Kind.PUNCTUATION:
            continue
        first = _callee_start(tokens, index)
        close = _closing_chevrons(tokens, index)
        if first is None or close is None or tokens[close + 1].text != "(":
            continue
        callee = one_line(text[tokens[first].start : tokens[index - 1].end])
        breaks = _line_breaks(text, tokens[first].start, token.end)
        yield Edit(tokens[first].start, token.end, opening + breaks, "launch")
        yield Edit(tokens[close].start, tokens[close].end, f"), {callee})".encode("latin-1"), "launch")


def _line_breaks(text: str, start: int, end: int) -> bytes:
    """The line breaks between two offsets, so that what follows stays on its line."""
    return "".join(re.findall(r"\\\r?\n|\n", text[start:end])).encode("latin-1")


def one_line(text: str) -> str:
    """`text` with every run of blanks and line breaks as one blank."""
    return " ".join(text.replace("\\\n", " ").split())


def _closing_chevrons(tokens: list[Token], opening: int) -> int | None:
    """Index of the `>>>` that ends the configuration begun at `opening`."""
    index = opening + 1
    while index + 1 < len(tokens):
        token = tokens[index]
        if token.kind is Kind.PUNCTUATION and token.text == ">>>":
            return index
        if token.kind is Kind.PUNCTUATION and token.text in OPENING:
            close = matching_close(tokens, index)
            if close is None:
                return None
            index = close
        elif token.kind is Kind.END or token.text in (";", "}"):
            return None
        index += 1
    return None


def _callee_start(tokens: list[Token], chevrons: int) -> int | None:
    """Index of the first token of the kernel's name before `<<<`: `ns::k<T, (a > b)>`, `(*fn)`, `self->k`."""
    index = chevrons - 1
    while index >= 0:
        token = tokens[index]
        if token.text in (">", ">>", ">>>"):
            opened = _template_open(tokens, index)
            if opened is None:
                return None
            index = opened - 1
            continue
        if token.text in CLOSING:
            opened = _bracket_open(tokens, index)
            if opened is None:
                return None
            index = opened
            if index == 0 or tokens[index - 1].kind is not Kind.NAME:
                return index if token.text == ")" else None
            index -= 1
            continue
        if token.kind is not Kind.NAME or token.text == "operator":
            return None
        joiner = tokens[index - 1].text if index else ""
        if joiner in ("::", ".", "->", "##"):
            if joiner == "::" and (index < 2 or not _continues_name(tokens[index - 2])):
                return index - 1
            index -= 2
        elif joiner == "template":
            index -= 2
        else:
            return index
    return None


def _continues_name(token: Token) -> bool:
    return (
        token.kind is Kind.NAME and token.text not in ("return", "else", "do", "case")
    ) or token.text == ">"


def _bracket_open(tokens: list[Token], close: int) -> int | None:
    depth = 0
    for index in range(close, -1, -1):
        token = tokens[index]
        if token.kind is not Kind.PUNCTUATION:
            continue
        if token.text in CLOSING:
            depth += 1
        elif token.text in OPENING:
            depth -= 1
            if depth == 0:
                return index
    return None


def _template_open(tokens: list[Token], close: int) -> int | None:
    """Index of the `<` that the `>`, `>>` or `>>>` at `close` ends; brackets inside are skipped whole."""
    depth = 0
    index = close
    while index >= 0:
        token = tokens[index]
        if token.text in (">", ">>", ">>>"):
            depth += len(token.text)
        elif token.text in ("<", "<<"):
            depth -= len(token.text)
            if depth <= 0:
                return index
        elif token.text in CLOSING:
            opened = _bracket_open(tokens, index)
            if opened is None:
                return None
            index = opened
        elif token.text in (";", "{") or token.kind in (Kind.DIRECTIVE, Kind.END):
            return None
        index -= 1
    return None


def _keyword_edits(tokens: list[Token]) -> Iterator[Edit]:
    """`__noinline__` cannot be a macro: the standard library writes it inside `__attribute__((…))`."""
    for index, token in enumerate(tokens):
        if token.text == "__noinline__" and (index == 0 or tokens[index - 1].text not in ("(", ",")):
            yield Edit(token.start, token.end, b"PORTER_NOINLINE", "keyword")


def _texture_edits(tokens: list[Token]) -> Iterator[Edit]:
    """`texture<float, 2> t;` is a texture reference unless the file defines a template of that name."""
    if any(a.text in ("struct", "class") and b.text == "texture" for a, b in pairwise(tokens)):
        return
    for index, (token, after) in enumerate(pairwise(tokens)):
        free = index == 0 or tokens[index - 1].text not in (".", "->", "::")
        if token.text == "texture" and token.kind is Kind.NAME and after.text == "<" and free:
            yield Edit(token.start, token.end, b"::porter_sim::texture", "texture reference")


def _pragma_edits(tokens: list[Token]) -> Iterator[Edit]:
    """`#define UNROLL #pragma unroll 4`, which nvcc takes: what is computed does not depend on it."""
    in_directive = False
    for index, token in enumerate(tokens):
        in_directive = token.kind is Kind.DIRECTIVE or (in_directive and token.kind is not Kind.END)
        texts = [t.text for t in tokens[index : index + 3]]
        if in_directive and token.kind is Kind.PUNCTUATION and texts == ["#", "pragma", "unroll"]:
            last = index + 2
            if tokens[last + 1].kind is Kind.NUMBER:
                last += 1
            yield Edit(token.start, tokens[last].end, b"", "pragma")


def cast_edits(tokens: list[Token]) -> Iterator[Edit]:
    """`cudaLaunchKernel((void*)k, …)` needs the kernel's type: the cast goes."""
    for index, token in enumerate(tokens[:-2]):
        if token.kind is not Kind.NAME or tokens[index + 1].text != "(":
            continue
        if not any(token.text in (f"cuda{name}", f"hip{name}") for name in _FUNCTION_TAKERS):
            continue
        span = _cast_span(tokens, index + 2)
        if span is not None:
            yield Edit(tokens[span[0]].start, tokens[span[1]].end, b"", "cast")


def _free_cast(tokens: list[Token], index: int) -> tuple[int, int] | None:
    """A cast to `void *` that `cast_edits` leaves."""
    if index > 1 and tokens[index - 1].text == "(":
        taker = tokens[index - 2].text
        if any(taker in (f"cuda{name}", f"hip{name}") for name in _FUNCTION_TAKERS):
            return None
    return _cast_span(tokens, index)


def _cast_span(tokens: list[Token], first: int) -> tuple[int, int] | None:
    texts = [t.text for t in tokens[first : first + 8]]
    for prefix in (["("], ["reinterpret_cast", "<"], ["static_cast", "<"]):
        if texts[: len(prefix)] != prefix:
            continue
        rest = [t for t in texts[len(prefix) :] if t != "const"]
        closing = ")" if prefix == ["("] else ">"
        if rest[:3] == ["void", "*", closing]:
            constants = texts.count("const") if "const" in texts[: len(prefix) + 4] else 0
            return first, first + len(prefix) + 2 + constants
    return None
