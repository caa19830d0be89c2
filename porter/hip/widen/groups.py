"""Kernels that have to change together, since they share text that speaks of warps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.widen.regions import Region, regions_of, works_in_warps


@dataclass(frozen=True)
class Candidate:
    """A kernel that works in warps, with the text that it reaches."""

    function: Function
    regions: tuple[Region, ...]

    @property
    def name(self) -> str:
        return self.function.name

    @cached_property
    def shared(self) -> frozenset[int]:
        """Where its text with operations of warps begins."""
        return frozenset(r.tokens[0].start for r in self.regions if r.tokens and works_in_warps((r,)))


Group: TypeAlias = tuple[Candidate, ...]


def groups_of(unit: TranslationUnit) -> list[Group]:
    """Every kernel of the file that works in warps, once."""
    candidates = [Candidate(f, regions_of(unit, f)) for f in unit.kernels]
    groups: list[list[Candidate]] = []
    for candidate in (c for c in candidates if works_in_warps(c.regions)):
        joined = [g for g in groups if any(candidate.shared & c.shared for c in g)]
        rest = [g for g in groups if g not in joined]
        groups = [*rest, [*(c for g in joined for c in g), candidate]]
    return [tuple(sorted(g, key=lambda c: c.function.span)) for g in groups]
