"""The unit of a migration: one file, what is done with it, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Kind(str, Enum):
    """What is done with a file."""

    KERNELS = "kernels"
    """ported, built and compared like a file of `porter translate`"""
    CUDA = "cuda"
    """host code and headers: translated"""
    BUILD = "build"
    """a build file"""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Unit:
    """`name` is relative to the tree; `key` names its contents; `number` is its place in the plan."""

    number: int
    name: str
    kind: Kind
    key: str


class State(str, Enum):
    """How a unit ended. `UNCHANGED`: nothing in it is CUDA's, and it stays as it is."""

    PORTED = "ported"
    """every kernel of it with the evidence that was asked for"""
    TRANSLATED = "translated"
    """there is a port, and nothing to prove in it, or nothing was asked to be proved"""
    OPEN = "open"
    """something in it needs a person"""
    UNCHANGED = "unchanged"
    CRASHED = "crashed"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class UnitDone:
    """`files` are the contents to write, by their names relative to the tree; `document` is the unit's report
    as plain JSON values: the same for the same unit, whenever and wherever it ran."""

    unit: Unit
    state: State
    files: Mapping[str, bytes] = field(default_factory=dict)
    document: Mapping[str, Any] = field(default_factory=dict)


def crashed(unit: Unit, what: str, *, passing: bool = False) -> UnitDone:
    """The result of a unit whose work ended without one; `passing`: another time it may not."""
    document: dict[str, Any] = {"findings": [], "units": [], "reason": what}
    if passing:
        document |= {"passing": True, "reason": f"{what}; --resume tries it again"}
    return UnitDone(unit, State.CRASHED, {}, document)
