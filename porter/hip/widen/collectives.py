"""Shuffles get their width, and ballots 64 bits: masks, counts and shifts by the lane follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from porter.core.edit import Edit
from porter.cuda.tokens import Kind, Token, matching, split_arguments
from porter.hip.widen.regions import Region

_VOTES = {"ballot": "porter_ballot_wavefront", "any": "porter_any_wavefront", "all": "porter_all_wavefront"}
_COUNTS = {"__popc": "__popcll", "__ffs": "__ffsll", "__clz": "__clzll", "__brev": "__brevll"}
_WIDE = "unsigned long long"
_NARROW = frozenset(("unsigned", "int", "uint32_t", "long", "const", "auto", "uint", "constexpr"))


def shuffle_widths(region: Region) -> Iterator[Edit]:
    """`__shfl_down_sync(mask, v, o)` → `__shfl_down_sync(mask, v, o, 64)`."""
    for at, arguments, close in _calls(region, "__shfl"):
        name = region.tokens[at].text
        if len(arguments) == (3 if name.endswith("_sync") else 2):
            yield Edit(region.tokens[close].start, region.tokens[close].start, b", 64", "64 lanes")


def votes(region: Region) -> Iterator[tuple[Edit, str]]:
    """`__ballot_sync(mask, p)` → `porter_ballot_wavefront(p)`, each with the definition it calls."""
    for at, arguments, _ in _calls(region, "__"):
        name = region.tokens[at].text
        kind = name.removeprefix("__").removesuffix("_sync")
        if kind not in _VOTES or len(arguments) != (2 if name.endswith("_sync") else 1):
            continue
        shim = _VOTES[kind]
        first = region.tokens[arguments[-1][0]]
        yield (
            Edit(region.tokens[at].start, first.start, f"{shim}(".encode(), "64 lanes"),
            shim.removeprefix("porter_"),
        )


def _calls(region: Region, prefix: str) -> Iterator[tuple[int, tuple[tuple[int, int], ...], int]]:
    tokens = region.tokens
    for i in range(len(tokens) - 1):
        if tokens[i].text.startswith(prefix) and tokens[i + 1].text == "(":
            close = matching(tokens, i + 1)
            if close is not None:
                yield i, split_arguments(tokens, i + 2, close), close


def mask_edits(regions: tuple[Region, ...]) -> tuple[Edit, ...]:
    """Variables and parameters that hold ballots, and what is done with them."""
    masks = _mask_names(regions)
    edits: dict[int, Edit] = {}
    for region in regions:
        own = masks[region.name]
        for edit in (*_types(region, own), *_counts(region, own), *_bits(region, own)):
            edits.setdefault(edit.start, edit)
    return tuple(edits.values())


def _mask_names(regions: tuple[Region, ...]) -> dict[str, set[str]]:
    """The names of masks in each region, through assignments and calls."""
    masks: dict[str, set[str]] = {region.name: set() for region in regions}
    changed = True
    while changed:
        changed = False
        for region in regions:
            for name in _assigned_masks(region, masks[region.name]):
                changed = changed or name not in masks[region.name]
                masks[region.name].add(name)
            for callee, name in _passed_masks(region, regions, masks[region.name]):
                changed = changed or name not in masks[callee]
                masks[callee].add(name)
    return masks


def _assigned_masks(region: Region, known: set[str]) -> Iterator[str]:
    tokens = region.tokens
    for i in range(1, len(tokens) - 1):
        if tokens[i].kind is Kind.IDENTIFIER and tokens[i + 1].text == "=":
            end = i + 2
            while end < len(tokens) and tokens[end].text not in (";", ","):
                end = (matching(tokens, end) or end) + 1 if tokens[end].text == "(" else end + 1
            if _is_mask(region, i + 2, end, known):
                yield tokens[i].text


def _is_mask(region: Region, start: int, end: int, known: set[str]) -> bool:
    """Whether an expression is made of ballots, outside of the calls that count their bits."""
    tokens, i = region.tokens, start
    while i < end:
        text = tokens[i].text
        if text in ("__ballot_sync", "__ballot", "__activemask") or text in known:
            return True
        is_call = tokens[i].kind is Kind.IDENTIFIER and i + 1 < end and tokens[i + 1].text == "("
        i = (matching(tokens, i + 1) or i) + 1 if is_call else i + 1
    return False


def _passed_masks(region: Region, regions: tuple[Region, ...], known: set[str]) -> Iterator[tuple[str, str]]:
    for other in regions:
        if other.function is None:
            continue
        for at, arguments, _ in _calls(region, other.name):
            if region.tokens[at].text != other.name or len(arguments) != len(other.function.parameters):
                continue
            for (start, end), parameter in zip(arguments, other.function.parameters, strict=True):
                if _is_mask(region, start, end, known):
                    yield other.name, parameter.name


def _types(region: Region, masks: set[str]) -> Iterator[Edit]:
    """`unsigned m` → `unsigned long long m`, where it is declared."""
    tokens = region.tokens
    for i in range(1, len(tokens) - 1):
        if tokens[i].text not in masks or tokens[i].kind is not Kind.IDENTIFIER:
            continue
        first = i
        while first > 0 and tokens[first - 1].text in _NARROW:
            first -= 1
        words = [t for t in tokens[first:i] if t.text not in ("const", "constexpr")]
        if words and words[0].text != "auto" and tokens[i + 1].text in ("=", ",", ")", ";", "{", "("):
            yield Edit(words[0].start, words[-1].end, _WIDE.encode(), "a mask of 64 lanes")


def _counts(region: Region, masks: set[str]) -> Iterator[Edit]:
    for at, arguments, close in _calls(region, "__"):
        name = region.tokens[at].text
        if name in _COUNTS and len(arguments) == 1:
            inside = region.tokens[at + 2 : close]
            if any(t.text in masks or t.text.startswith("__ballot") for t in inside):
                yield Edit(region.tokens[at].start, region.tokens[at].end, _COUNTS[name].encode(), "64 bits")


def _bits(region: Region, masks: set[str]) -> Iterator[Edit]:
    """`1u << lane`, and full masks that meet a ballot."""
    tokens = region.tokens
    for i in range(len(tokens) - 2):
        text = tokens[i].text.lower()
        if text in ("1", "1u") and tokens[i + 1].text == "<<" and region.is_rank(_operand(tokens, i + 2)):
            yield Edit(tokens[i].start, tokens[i].end, b"1ull", "a bit for each of 64 lanes")
        elif text in ("0xffffffff", "0xffffffffu") and _meets(tokens, i, masks):
            yield Edit(tokens[i].start, tokens[i].end, b"0xffffffffffffffffull", "all of 64 lanes")


def _operand(tokens: tuple[Token, ...], at: int) -> tuple[Token, ...]:
    end = matching(tokens, at) if tokens[at].text == "(" else at
    following = 3 if tokens[at].text == "threadIdx" else 1
    return tokens[at : (end or at) + following]


def _meets(tokens: tuple[Token, ...], i: int, masks: Iterable[str]) -> bool:
    """Whether an operator joins it with a ballot."""
    neighbours = [tokens[j].text for j in (i - 2, i + 2) if 0 <= j < len(tokens)]
    operators = [tokens[j].text for j in (i - 1, i + 1) if 0 <= j < len(tokens)]
    return any(n in masks for n in neighbours) and any(o in ("&", "|", "^", "==", "!=") for o in operators)
