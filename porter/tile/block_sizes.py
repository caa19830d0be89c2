"""For which thread blocks one generated kernel is right.

The idioms of a kernel are proved for one block size. A launcher that takes others may only take those for
which the whole compilation, proofs included, gives the same text up to the values of constexprs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from porter.tile.api import Declined
from porter.tile.buffers import Scratch
from porter.tile.ir import Parameter, TileKernel
from porter.tile.layout import Layout

_CANDIDATES = (32, 64, 128, 256, 512, 1024)


@dataclass(frozen=True)
class Compiled:
    """A kernel for one block. Two with equal `text` differ in constexprs only."""

    tile: TileKernel
    functions: frozenset[str]
    scratch: tuple[Scratch, ...]
    layout: Layout
    raised: tuple[str, ...]

    @property
    def text(self) -> tuple[object, ...]:
        parameters = tuple(
            dataclasses.replace(p, value=None) if p.role == "constexpr" else p for p in self.tile.parameters
        )
        return (dataclasses.replace(self.tile, parameters=parameters), self.functions, self.scratch)


@dataclass(frozen=True)
class BlockSizes:
    """`sizes` are the one-dimensional blocks a launcher may be given; `values` says each constexpr for them."""

    sizes: tuple[int, ...]
    values: tuple[tuple[str, str], ...]


def other_sizes(base: Compiled, compile_for: Callable[[int], Compiled]) -> BlockSizes | None:
    """The sizes that `base`'s text serves; None when it is for its own block only."""
    if base.layout.block[1:] != (1, 1) or base.layout.block[0] not in _CANDIDATES:
        return None
    same = {base.layout.block[0]: base}
    for size in _CANDIDATES:
        if size in same:
            continue
        try:
            other = compile_for(size)
        except Declined:
            continue
        if other.text == base.text:
            same[size] = other
    values = _constexprs(same)
    return BlockSizes(tuple(sorted(same)), values) if len(same) > 1 and values is not None else None


def _constexprs(variants: dict[int, Compiled]) -> tuple[tuple[str, str], ...] | None:
    """Each constexpr as a Python expression over the block, if there is one for all sizes."""
    found: list[tuple[str, str]] = []
    names = [p.name for p in next(iter(variants.values())).tile.parameters if p.role == "constexpr"]
    for name in names:
        by_size = {size: _value(compiled.tile.parameters, name) for size, compiled in variants.items()}
        text = _over_block(by_size)
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
    if len(ratios) != 1 or any(size % value for size, value in by_size.items()):
        return None
    ratio = ratios.pop()
    return "block[0]" if ratio == 1 else f"block[0] // {ratio}"
