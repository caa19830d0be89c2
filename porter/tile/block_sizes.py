"""For which thread blocks a generated kernel is right, and how many different kernels a launcher needs.

The idioms of a kernel are proved for one block. A launcher that takes several may use one kernel for all
blocks whose whole compilation, proofs included, gives the same text up to the values of constexprs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from porter.core.diagnostic import Diagnostic
from porter.cuda import kir
from porter.tile.api import Declined
from porter.tile.buffers import Scratch
from porter.tile.free_tiles import TileAxis
from porter.tile.ir import Parameter, TileKernel
from porter.tile.layout import Layout

Block: TypeAlias = tuple[int, int, int]
USUAL: tuple[Block, ...] = tuple((n, 1, 1) for n in (32, 64, 128, 256, 512, 1024))


@dataclass(frozen=True)
class Compiled:
    """A kernel for one block. Two with equal `text` differ in constexprs only.

    `block` is the original's; the layout's is another one where a thread has an element of a product's tile.
    `merged` are the axes along which a program may do the work of several blocks, its constants being the
    threads of all; `tiles` are the sides of a product's tiles that a launcher chooses. `row_ends` are the
    ends of the rows of a kernel for which BLOCK may be any number. `notes` are for the user.
    """

    tile: TileKernel
    functions: frozenset[str]
    scratch: tuple[Scratch, ...]
    layout: Layout
    raised: tuple[str, ...]
    parameters: tuple[kir.Variable, ...]
    merged: str = ""
    row_ends: tuple[kir.Expr, ...] = ()
    original_block: Block | None = None
    tiles: tuple[TileAxis, ...] = ()
    notes: tuple[Diagnostic, ...] = ()

    @property
    def block(self) -> Block:
        return self.original_block or self.layout.block

    @property
    def text(self) -> tuple[object, ...]:
        parameters = tuple(
            dataclasses.replace(p, value=None) if p.role == "constexpr" else p for p in self.tile.parameters
        )
        return (
            dataclasses.replace(self.tile, parameters=parameters),
            self.functions,
            self.scratch,
            self.merged,
            bool(self.row_ends),
            tuple((axis.name, axis.grid, axis.extent, axis.side) for axis in self.tiles),
        )


@dataclass(frozen=True)
class Variant:
    """One kernel and the blocks it is for; `values` gives each constexpr over `block`."""

    jit_name: str
    compiled: Compiled
    blocks: tuple[Block, ...]
    values: tuple[tuple[str, str], ...]


def only_variant(jit_name: str, compiled: Compiled) -> Variant:
    """The kernel of an original whose block is fixed."""
    return Variant(jit_name, compiled, (compiled.block,), _constants(compiled))


def variants_for(
    jit_name: str, required: tuple[Block, ...], compile_for: Callable[[Block], Compiled]
) -> tuple[Variant, ...]:
    """Kernels for the required blocks, each also for the usual blocks that it serves as it is.

    Raises Declined when the first required block cannot be compiled; another one is then left out.
    """
    compiled = {required[0]: compile_for(required[0])}
    flat = all(block[1:] == (1, 1) for block in required)
    for block in (*required[1:], *(USUAL if flat else ())):
        if block not in compiled:
            try:
                compiled[block] = compile_for(block)
            except Declined:
                continue
    wanted = {compiled[block].text for block in required if block in compiled}
    groups: dict[tuple[object, ...], dict[Block, Compiled]] = {}
    for block, result in compiled.items():
        if result.text in wanted:
            groups.setdefault(result.text, {})[block] = result
    return tuple(v for group in groups.values() for v in _named(jit_name, group, first=required[0]))


def _named(jit_name: str, group: dict[Block, Compiled], first: Block) -> list[Variant]:
    base = group.get(first) or next(iter(group.values()))
    size = "x".join(str(n) for n in base.block if n > 1) or "1"
    name = jit_name if first in group else f"{jit_name}_{size}"
    values = _over_blocks(group)
    if values is not None:
        return [Variant(name, base, tuple(sorted(group)), values)]
    block = base.block
    return [Variant(name, base, (block,), _constants(base))]


def _constants(compiled: Compiled) -> tuple[tuple[str, str], ...]:
    return tuple((p.name, str(p.value)) for p in compiled.tile.parameters if p.role == "constexpr")


def _over_blocks(group: dict[Block, Compiled]) -> tuple[tuple[str, str], ...] | None:
    """Each constexpr as a Python expression over the block, if there is one for all blocks of the group."""
    if len(group) == 1:
        return _constants(next(iter(group.values())))
    found: list[tuple[str, str]] = []
    names = [p.name for p in next(iter(group.values())).tile.parameters if p.role == "constexpr"]
    for name in names:
        text = _over_block({b[0]: _value(compiled.tile.parameters, name) for b, compiled in group.items()})
        if text is None:
            return None
        found.append((name, text))
    return tuple(found)


def _value(parameters: tuple[Parameter, ...], name: str) -> int:
    value = next(p.value for p in parameters if p.name == name)
    assert value is not None
    return value


def _over_block(by_size: dict[int, int]) -> str | None:
    if len(set(by_size.values())) == 1:
        return str(next(iter(by_size.values())))
    ratios = {size // value for size, value in by_size.items() if value and size % value == 0}
    if len(ratios) != 1 or any(not value or size % value for size, value in by_size.items()):
        return None
    ratio = ratios.pop()
    return "block[0]" if ratio == 1 else f"block[0] // {ratio}"
