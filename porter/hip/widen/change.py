"""The edits of device code that a group of kernels needs for 64 lanes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from porter.core.edit import Edit
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.widen.collectives import mask_edits, shuffle_widths, votes
from porter.hip.widen.constants import marked
from porter.hip.widen.groups import Group
from porter.hip.widen.named import named_edits


@dataclass(frozen=True)
class Change:
    """Edits of device code, and the definitions of `shims/` that they call."""

    edits: tuple[Edit, ...]
    shims: frozenset[str]


def change_of(unit: TranslationUnit, group: Group, *, bold: bool) -> Change:
    """`bold`: also where a constant is only likely to be a width."""
    regions = tuple({r.tokens[0].start: r for c in group for r in c.regions if r.tokens}.values())
    found = [marked(region, bold=bold) for region in regions]
    uses: dict[str, int] = {token.text: value for m in found for token, value in m.uses}
    voted = [vote for region in regions for vote in votes(region)]
    edits = [
        *(edit for m in found for edit in m.edits),
        *named_edits(unit, regions, uses),
        *(edit for region in regions for edit in shuffle_widths(region)),
        *(edit for edit, _ in voted),
        *mask_edits(regions),
    ]
    return Change(_settled(edits), frozenset(shim for _, shim in voted))


def _settled(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Without those that lie in a larger one, as a mask that a vote drops."""
    kept: list[Edit] = []
    for edit in sorted(set(edits), key=lambda e: (e.start, -(e.end - e.start))):
        if kept and edit.start < kept[-1].end:
            continue
        kept.append(edit)
    return tuple(kept)
