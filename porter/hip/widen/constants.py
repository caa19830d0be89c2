"""Where 32, 31, 16 and 5 stand for the width of a warp, and what they become for 64 lanes.

What is found here is a proposal: the edited text is kept only where the kernel's effects are proved the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.analysis.warp_assumptions import operand_end, operand_start
from porter.core.edit import Edit
from porter.cuda.constants import fold
from porter.cuda.tokens import Kind, Token, matching, matching_angle, split_arguments
from porter.hip.widen.regions import Region

WIDENED = {32: 64, 31: 63, 16: 32, 5: 6}
_REASON = "the wavefront's 64 lanes"
_SHUFFLES = ("__shfl", "shfl")
_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_TILES = frozenset(("tiled_partition", "thread_block_tile"))


@dataclass(frozen=True)
class Marked:
    """Literals to be changed, and names that stand for a width, each with the token that uses it."""

    edits: tuple[Edit, ...]
    uses: tuple[tuple[Token, int], ...]


def marked(region: Region, *, bold: bool) -> Marked:
    """`bold`: also where the width is only likely, as in `warp * 32 + lane`."""
    edits: dict[int, Edit] = {}
    uses: dict[int, tuple[Token, int]] = {}
    for start, end, expected in _places(region, bold=bold):
        _mark(region, start, end, expected, edits, uses)
    for token in region.tokens:
        if token.text == "warpSize" and token.kind is Kind.IDENTIFIER:
            edits[token.start] = Edit(token.start, token.end, b"64", _REASON)
    return Marked(tuple(edits.values()), tuple(uses.values()))


_Place = tuple[int, int, tuple[int, ...]]


def _mark(
    region: Region,
    start: int,
    end: int,
    expected: tuple[int, ...],
    edits: dict[int, Edit],
    uses: dict[int, tuple[Token, int]],
) -> None:
    """The tokens `[start, end)` where they are one of the `expected` values."""
    value = region.value(start, end)
    if value not in expected:
        return
    own = [t for t in region.tokens[start:end] if t.text not in ("(", ")")]
    for token in own:
        alone = len(own) == 1
        number = _number(region, token)
        if number is None or (number != 32 and not alone):
            continue
        if token.kind is Kind.NUMBER:
            edits[token.start] = Edit(token.start, token.end, rescaled(token.text, number).encode(), _REASON)
        elif token.text not in region.template_names:
            uses[token.start] = (token, number)


def _number(region: Region, token: Token) -> int | None:
    if token.kind is Kind.NUMBER:
        value = fold(token.text, lambda _: None)
    elif token.kind is Kind.IDENTIFIER and token.text in region.scope:
        value = fold(token.text, region.scope.get)
    else:
        return None
    return value if value in WIDENED else None


def rescaled(text: str, value: int) -> str:
    """The literal `text` of `value` for 64 lanes, with its suffix and base."""
    suffix = text[len(text.rstrip("uUlL")) :]
    new = WIDENED[value]
    return (f"{new:#x}" if text.lower().startswith("0x") else str(new)) + suffix


def _places(region: Region, *, bold: bool) -> Iterator[_Place]:
    tokens = region.tokens
    for i, token in enumerate(tokens):
        text = token.text
        if token.kind is Kind.IDENTIFIER:
            if text == "for" and i + 1 < len(tokens) and tokens[i + 1].text == "(":
                yield from _loop(region, i)
            elif text.startswith(_SHUFFLES):
                yield from _shuffle(region, i)
            elif i + 1 < len(tokens) and tokens[i + 1].text == "<":
                yield from _template(region, i)
        elif token.kind is Kind.PUNCTUATOR and i and i + 1 < len(tokens):
            yield from _operator(region, i, bold=bold)


_DIVISIONS = {"%": 32, "/": 32, "&": 31, ">>": 5}


def _operator(region: Region, i: int, *, bold: bool) -> Iterator[_Place]:
    tokens, text = region.tokens, region.tokens[i].text
    start, end = operand_start(tokens, i - 1), operand_end(tokens, i + 1)
    if start is None or end is None:
        return
    left = tokens[start:i]
    if text in _DIVISIONS:
        if region.is_rank(left) or _is_size(region, left, bold=bold):
            yield i + 1, end + 1, (_DIVISIONS[text],)
    elif text in ("%=", "/=", "&=", ">>="):
        if region.is_rank(left):
            yield i + 1, end + 1, (_DIVISIONS[text[:-1]],)
    elif text == "+=":
        if region.is_rank(left):
            yield i + 1, end + 1, (32,)
    elif text in _COMPARISONS:
        if region.is_rank(left):
            yield i + 1, end + 1, (31, 32)
        elif region.is_rank(tokens[i + 1 : end + 1]):
            yield start, i, (31, 32)
    elif text in ("*", "<<") and bold and _in_statement_with_rank(region, i):
        yield i + 1, end + 1, (32,) if text == "*" else (5,)
        if text == "*":
            yield start, i, (32,)


def _is_size(region: Region, left: tuple[Token, ...], *, bold: bool) -> bool:
    """A block's size, or a constant of the template."""
    if any(t.text in ("blockDim", "num_threads") for t in left):
        return True
    names = [t.text for t in left if t.kind is Kind.IDENTIFIER]
    if any(n in region.template_names for n in names):
        return True
    value = fold("".join(t.text for t in left), region.scope.get) if left else None
    return value is not None and value % 64 == 0 and (bold or len(left) == 1)


def _in_statement_with_rank(region: Region, i: int) -> bool:
    tokens = region.tokens
    first, last = i, i
    while first > 0 and tokens[first - 1].text not in (";", "{", "}"):
        first -= 1
    while last < len(tokens) and tokens[last].text not in (";", "{", "}"):
        last += 1
    return region.is_rank(tokens[first:last]) or any(t.text in region.ranks for t in tokens[first:last])


def _loop(region: Region, at: int) -> Iterator[_Place]:
    """The header of a loop around shuffles: where it starts, and where it ends."""
    tokens = region.tokens
    close = matching(tokens, at + 1)
    if close is None or not _has_shuffle(tokens, close + 1):
        return
    ends = [i for i in range(at + 2, close) if tokens[i].text == ";"]
    if len(ends) != 2:
        return
    equals = next((i for i in range(at + 2, ends[0]) if tokens[i].text == "="), None)
    if equals is not None:
        yield equals + 1, ends[0], (16,)
    for i in range(ends[0] + 1, ends[1]):
        if tokens[i].text in _COMPARISONS:
            yield i + 1, ends[1], (32, 16)


def _has_shuffle(tokens: tuple[Token, ...], start: int) -> bool:
    """Whether a shuffle stands in the statement that begins at `start`."""
    if start >= len(tokens):
        return False
    end = matching(tokens, start) if tokens[start].text == "{" else None
    if end is None:
        end = next((i for i in range(start, len(tokens)) if tokens[i].text == ";"), len(tokens))
    return any(t.text.startswith(_SHUFFLES) for t in tokens[start:end])


def _shuffle(region: Region, at: int) -> Iterator[_Place]:
    """A width of 32, and the last lane as the source."""
    tokens = region.tokens
    if at + 1 >= len(tokens) or tokens[at + 1].text != "(":
        return
    close = matching(tokens, at + 1)
    arguments = split_arguments(tokens, at + 2, close) if close is not None else ()
    masked = tokens[at].text.endswith("_sync")
    if len(arguments) == (4 if masked else 3) and tokens[at].text.startswith("__"):
        yield *arguments[-1], (32,)
    if tokens[at].text in ("__shfl_sync", "__shfl", "shfl"):
        place = 2 if masked else 1
        if len(arguments) > place:
            yield *arguments[place], (31,)


def _template(region: Region, at: int) -> Iterator[_Place]:
    """`tiled_partition<32>`, and 32 as an argument of another function's template."""
    close = matching_angle(region.tokens, at + 1)
    if close is None or region.tokens[at].text in ("static_cast", "reinterpret_cast"):
        return
    follows = region.tokens[close + 1].text if close + 1 < len(region.tokens) else ""
    if region.tokens[at].text in _TILES or follows == "(":
        for start, end in split_arguments(region.tokens, at + 2, close, angles=True):
            yield start, end, (32,)
