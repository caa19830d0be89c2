"""Where device code assumes that a warp has 32 lanes, found by use rather than by name.

Works on the source text: an expression counts when its operand comes from `threadIdx` (or a thread rank) and
its other side folds to 32, 31 or 5 through literals, macros, `constexpr` variables or template defaults.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from porter.core.span import Span
from porter.cuda.constants import fold, lookup_in
from porter.cuda.definitions import definitions_in
from porter.cuda.structure import Function
from porter.cuda.tokens import Kind, Token, matching, split_arguments, text_of
from porter.cuda.translation_unit import TranslationUnit
from porter.cuda.warp import FULL_MASK, WARP_SIZE

_LOG2_WARP_SIZE = 5


class AssumptionKind(Enum):
    """What is derived from the width of a warp."""

    LANE_INDEX = "lane index"
    WARP_INDEX = "warp index"
    SHARED_SLOTS = "one shared slot per warp"
    OFFSET_LOOP = "loop over shuffle offsets"
    FULL_MASK = "mask of 32 lanes"


@dataclass(frozen=True)
class WarpAssumption:
    kind: AssumptionKind
    function: str
    text: str
    span: Span


def warp_assumptions(unit: TranslationUnit) -> tuple[WarpAssumption, ...]:
    """Every assumption of 32 lanes in the kernels and device functions of `unit`, in source order."""
    found = (a for function in unit.functions for a in _in_function(unit, function))
    return tuple(sorted(found, key=lambda a: a.span))


def _in_function(unit: TranslationUnit, function: Function) -> Iterator[WarpAssumption]:
    if not function.kind.on_device or function.body is None:
        return
    first, last = (unit.tokenized.code_index(at) for at in (function.body.start, function.body.end))
    tokens = unit.tokenized.code[first:last]
    local = definitions_in(unit.tokenized, function.body.start, function.body.end)
    scope = {**unit.constants, **{d.name: d.value for d in local}}
    scope.update({p.name: p.default for p in function.template_parameters if p.default})
    ranks = _thread_ranks(tokens, scope)
    for i in range(len(tokens) - 1):
        match = _match(unit, tokens, i, scope, ranks)
        if match is not None:
            kind, start, end = match
            span = unit.source.span(tokens[start].start, tokens[end].end)
            yield WarpAssumption(kind, function.name, unit.source.slice(span), span)


_Match = tuple[AssumptionKind, int, int]


def _match(
    unit: TranslationUnit, tokens: tuple[Token, ...], i: int, scope: Mapping[str, str], ranks: frozenset[str]
) -> _Match | None:
    text = tokens[i].text
    if text in ("%", "&", "/", ">>") and tokens[i].kind is Kind.PUNCTUATOR:
        return _index(unit, tokens, i, scope, ranks)
    if text == "__shared__":
        return _shared_slots(unit, tokens, i, scope)
    if text == "for":
        return _offset_loop(unit, tokens, i, scope)
    if text.startswith("__") and text.endswith("_sync") and tokens[i + 1].text == "(":
        return _mask(unit, tokens, i, scope)
    return None


def _thread_ranks(tokens: tuple[Token, ...], scope: Mapping[str, str]) -> frozenset[str]:
    """Names whose initialiser holds a thread's own index."""
    names = {t.text for t in tokens if t.kind is Kind.IDENTIFIER and t.text in scope}
    return frozenset(n for n in names if "threadIdx" in scope[n] or "thread_rank" in scope[n])


_INDEX = {
    "%": (AssumptionKind.LANE_INDEX, WARP_SIZE),
    "&": (AssumptionKind.LANE_INDEX, WARP_SIZE - 1),
    "/": (AssumptionKind.WARP_INDEX, WARP_SIZE),
    ">>": (AssumptionKind.WARP_INDEX, _LOG2_WARP_SIZE),
}


def _index(
    unit: TranslationUnit, tokens: tuple[Token, ...], i: int, scope: Mapping[str, str], ranks: frozenset[str]
) -> _Match | None:
    kind, expected = _INDEX[tokens[i].text]
    end = operand_end(tokens, i + 1)
    start = operand_start(tokens, i - 1)
    if end is None or start is None or not _is_rank(tokens[start:i], ranks):
        return None
    other = text_of(unit.source, tokens, i + 1, end + 1)
    is_warp = other == "warpSize" or fold(other, lookup_in(scope)) == expected
    return (kind, start, end) if is_warp else None


def _is_rank(operand: tuple[Token, ...], ranks: frozenset[str]) -> bool:
    return any(t.text in ("threadIdx", "thread_rank") or t.text in ranks for t in operand)


def operand_end(tokens: tuple[Token, ...], at: int) -> int | None:
    """The last token of the operand behind an operator: a bracket, a name or a literal."""
    if at >= len(tokens):
        return None
    return matching(tokens, at) if tokens[at].text == "(" else at


def operand_start(tokens: tuple[Token, ...], at: int) -> int | None:
    """The first token of the operand before an operator, over brackets and members."""
    depth, i = 0, at
    while i >= 0:
        text = tokens[i].text
        depth += (text in (")", "]")) - (text in ("(", "["))
        is_operator = tokens[i].kind is Kind.PUNCTUATOR and text not in _JOINING
        if depth < 0 or (depth == 0 and (is_operator or text in _KEYWORDS)):
            return i + 1 if i < at else None
        i -= 1
    return 0 if at >= 0 else None


_KEYWORDS = frozenset(("return", "case", "else", "throw"))
_JOINING = frozenset((".", "->", "::", "(", ")", "[", "]"))


def _shared_slots(
    unit: TranslationUnit, tokens: tuple[Token, ...], i: int, scope: Mapping[str, str]
) -> _Match | None:
    """`__shared__ T s[32]`, or an extent that divides by the width; the 32 rows of a tile are no slots."""
    open_ = next((j for j in range(i, min(i + 12, len(tokens))) if tokens[j].text in ("[", ";")), None)
    if open_ is None or tokens[open_].text == ";":
        return None
    close = matching(tokens, open_)
    if close is None:
        return None
    divisor = any(
        t.text in ("/", ">>") and _folds_to_width(unit, tokens, j + 1, scope)
        for j, t in enumerate(tokens[open_:close], open_)
    )
    extent = fold(text_of(unit.source, tokens, open_ + 1, close), lookup_in(scope))
    is_tile = close + 1 < len(tokens) and tokens[close + 1].text == "["
    is_slots = divisor or (extent == WARP_SIZE and not is_tile)
    return (AssumptionKind.SHARED_SLOTS, i, close) if is_slots else None


def _folds_to_width(
    unit: TranslationUnit, tokens: tuple[Token, ...], at: int, scope: Mapping[str, str]
) -> bool:
    end = operand_end(tokens, at)
    text = text_of(unit.source, tokens, at, end + 1) if end is not None else ""
    return text == "warpSize" or fold(text, lookup_in(scope)) in (WARP_SIZE, _LOG2_WARP_SIZE)


def _offset_loop(
    unit: TranslationUnit, tokens: tuple[Token, ...], i: int, scope: Mapping[str, str]
) -> _Match | None:
    """`for (int o = 16; o > 0; …)` around a shuffle."""
    close = matching(tokens, i + 1)
    if close is None:
        return None
    header = [t.text for t in tokens[i:close]]
    if "=" not in header or ";" not in header:
        return None
    start = i + header.index("=") + 1
    end = i + header.index(";")
    initial = text_of(unit.source, tokens, start, end).replace("warpSize", str(WARP_SIZE))
    near = tokens[close : close + 60]
    shuffles = any(t.text.startswith("__shfl") or t.text.startswith("shfl") for t in near)
    is_half = fold(initial, lookup_in(scope)) == WARP_SIZE // 2
    return (AssumptionKind.OFFSET_LOOP, i, close) if is_half and shuffles else None


def _mask(
    unit: TranslationUnit, tokens: tuple[Token, ...], i: int, scope: Mapping[str, str]
) -> _Match | None:
    close = matching(tokens, i + 1)
    pieces = split_arguments(tokens, i + 2, close) if close is not None else ()
    if not pieces or pieces[0][0] == pieces[0][1]:
        return None
    value = fold(text_of(unit.source, tokens, *pieces[0]), lookup_in(scope))
    is_full = value is not None and value & FULL_MASK == FULL_MASK
    return (AssumptionKind.FULL_MASK, pieces[0][0], pieces[0][1] - 1) if is_full else None
