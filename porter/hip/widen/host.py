"""Launches of a kernel: their blocks, and how twice as many lanes are given the same warps.

A kernel whose warps each do an item of their own keeps its items only with as many wavefronts as it had
warps: with twice the blocks, or with blocks twice as wide. Both keep the number exactly, whatever the host
computes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from porter.core.edit import Edit
from porter.cuda.constants import dim3_of, fold, lookup_in
from porter.cuda.definitions import definitions_in
from porter.cuda.kir import Kernel
from porter.cuda.launch import LaunchSite
from porter.cuda.launches import closing_of_launch
from porter.cuda.structure import Function
from porter.cuda.tokens import Kind, Token, matching, split_arguments
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.widen.arguments import may_change, possible_values

Block = tuple[int, int, int]


class NoLaunch(Exception):
    """Why the launches are not all known; `launch` is the one that is not."""

    def __init__(self, reason: str, launch: LaunchSite | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.launch = launch


@dataclass(frozen=True)
class HostChange:
    """Edits of the launches, in words what they do, and how many blocks and threads along x stand for one."""

    edits: tuple[Edit, ...]
    summary: str
    grid_scale: int = 1
    block_scale: int = 1


def blocks_of(unit: TranslationUnit, kernel: Kernel) -> tuple[Block, ...]:
    """Every block size that an instantiation is launched with. Raises NoLaunch."""
    launches = [x for x in unit.launches if x.kernel == kernel.name]
    if not launches:
        raise NoLaunch("no launch of it is in this file, so its blocks are not known")
    found: list[Block] = []
    for launch in launches:
        found += _blocks(unit, kernel, launch)
    if not found:
        raise NoLaunch("no launch of this instantiation was found", launches[0])
    return tuple(dict.fromkeys(found))


def _blocks(unit: TranslationUnit, kernel: Kernel, launch: LaunchSite) -> Iterator[Block]:
    given = dict(zip(launch.template_arguments, kernel.template_arguments, strict=False))
    values = {name: value for name, value in given.items() if fold(value, lambda _: None) is not None}
    for name, value in zip(launch.template_arguments, kernel.template_arguments, strict=False):
        own = fold(name, lookup_in(dict(launch.resolved)))
        if own is not None and fold(value, lambda _: None) not in (None, own):
            return  # another instantiation's launch
    changed = may_change(unit, launch.block, launch.span.start)
    if changed is not None:
        reason = f"`{changed}`, on which its threads a block depend, is given to code that may change it"
        raise NoLaunch(reason, launch)
    if launch.block_dim is not None:
        yield launch.block_dim
        return
    width = fold(launch.block, lookup_in(values, dict(launch.resolved)))
    if width is not None:
        yield width, 1, 1
        return
    parts = _extents(launch)
    extents = [possible_values(unit, part, launch.span.start) for part in parts]
    if not parts or any(e is None for e in extents):
        raise NoLaunch(f"`{launch.block.strip()}` threads a block is no constant", launch)
    extents += [frozenset((1,))] * (3 - len(extents))
    yield from product(*(sorted(e or ()) for e in extents))


def _extents(launch: LaunchSite) -> tuple[str, ...]:
    """The expressions of a block's extents."""
    text = launch.block.strip()
    resolved = dict(launch.resolved).get(text, text)
    return dim3_of(resolved) or (text,)


def twice_the_blocks(unit: TranslationUnit, function: Function) -> HostChange | None:
    """Every launch with twice the blocks along x; None where the text of one cannot say so."""
    edits: list[Edit] = []
    for launch in (x for x in unit.launches if x.kernel == function.name):
        grid = _configuration(unit, launch)[0]
        own = _twice(unit, launch, grid)
        if own is None:
            return None
        edits += own
    return HostChange(
        tuple(edits), "twice as many blocks in its launches, since a block holds half as many warps", 2
    )


def wider_blocks(unit: TranslationUnit, function: Function, blocks: tuple[Block, ...]) -> HostChange | None:
    """Blocks of one warp along x that become 64 wide; None where the text of one cannot say so."""
    bounds = [fold(b, lookup_in(unit.constants)) for b in function.launch_bounds[:1]]
    most = (bounds[0] or 0) if bounds else 1024
    if any(x != 32 or 2 * x * y * z > most for x, y, z in blocks):
        return None
    edits: list[Edit] = []
    for launch in (x for x in unit.launches if x.kernel == function.name):
        token = _first_extent(unit, launch, _configuration(unit, launch)[1])
        if token is None:
            return None
        edits.append(Edit(token.start, token.end, b"64", "a block of whole wavefronts"))
    return HostChange(tuple(edits), "blocks that are 64 wide instead of 32", 1, 2)


def _configuration(unit: TranslationUnit, launch: LaunchSite) -> list[tuple[Token, ...]]:
    """The tokens of grid and block."""
    tokens = unit.tokenized.code
    first, last = (unit.tokenized.code_index(at) for at in (launch.span.start, launch.span.end))
    start = next(i for i in range(first, last) if tokens[i].text == "<<<")
    stop = closing_of_launch(tokens, start)
    assert stop is not None
    return [tokens[a:b] for a, b in split_arguments(tokens, start + 1, stop)]


def _twice(unit: TranslationUnit, launch: LaunchSite, grid: tuple[Token, ...]) -> list[Edit] | None:
    reason = "a block holds half as many warps"
    if grid[0].text == "dim3":
        if len(grid) < 3 or matching(grid, 1) != len(grid) - 1:
            return None
        first, last = split_arguments(grid, 2, len(grid) - 1)[0]
        return _doubled(grid[first:last], reason)
    if len(grid) == 1 and grid[0].kind is Kind.IDENTIFIER:
        type_ = _type_of(unit, launch, grid[0].text)
        if type_ == "dim3":
            name = grid[0].text
            text = f"dim3(2 * {name}.x, {name}.y, {name}.z)"
            return [Edit(grid[0].start, grid[0].end, text.encode(), reason)]
        return _doubled(grid, reason) if type_ in _INTEGERS else None
    arithmetic = any(t.text in ("+", "-", "*", "/", "%") for t in grid)
    is_number = len(grid) == 1 and grid[0].kind is Kind.NUMBER
    return _doubled(grid, reason) if arithmetic or is_number else None


_INTEGERS = frozenset(
    ("int", "unsigned", "unsigned int", "size_t", "const int", "const unsigned", "uint32_t", "int32_t",
     "const unsigned int", "constexpr int", "static const int", "long", "const size_t", "std::size_t")
)  # fmt: skip


def _doubled(tokens: tuple[Token, ...], reason: str) -> list[Edit]:
    start, end = tokens[0].start, tokens[-1].end
    if len(tokens) == 1:
        return [Edit(start, start, b"2 * ", reason)]
    return [Edit(start, start, b"2 * (", reason), Edit(end, end, b")", reason)]


def _type_of(unit: TranslationUnit, launch: LaunchSite, name: str) -> str:
    function = unit.function_at(launch.span.start)
    if function is None or function.body is None:
        return ""
    local = [
        d for d in definitions_in(unit.tokenized, function.body.start, function.body.end) if d.name == name
    ]
    if local:
        return local[-1].type_text
    declared = [p.type_text for p in function.parameters if p.name == name]
    return declared[0] if declared else ""


def _first_extent(unit: TranslationUnit, launch: LaunchSite, block: tuple[Token, ...]) -> Token | None:
    """The token that says how wide the block is: in the launch, or in the definition that only it uses."""
    if len(block) == 1 and block[0].kind is Kind.IDENTIFIER:
        name = block[0].text
        mentions = [t for t in unit.references if t.text == name]
        launches = sum(x.block.strip() == name for x in unit.launches if x.kernel == launch.kernel)
        tokens = unit.tokenized.code
        at = next((i for i, t in enumerate(tokens) if t.start == mentions[0].start), None)
        if at is None or len(mentions) != 1 + launches or at + 2 >= len(tokens):
            return None
        if tokens[at - 1].text == "dim3" and tokens[at + 1].text in ("(", "{"):
            block = (tokens[at - 1], *tokens[at + 1 : (matching(tokens, at + 1) or at) + 1])
        elif tokens[at + 1].text == "=" and tokens[at + 3].text == ";":
            block = tokens[at + 2 : at + 3]
        else:
            return None
    if len(block) > 2 and block[0].text == "dim3":
        first, last = split_arguments(block, 2, len(block) - 1)[0]
        block = block[first:last]
    is_width = len(block) == 1 and fold(block[0].text, lookup_in(unit.constants)) == 32
    return block[0] if is_width else None
