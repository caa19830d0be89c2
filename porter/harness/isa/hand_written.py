"""The register of instructions whose arithmetic is written by hand (`arithmetic.py`, `division.py`)."""

from __future__ import annotations

from collections.abc import Callable

from porter.harness.isa.bits import Lanes
from porter.harness.isa.lowering import Semantics

Function = Callable[..., dict[str, Lanes]]
_TABLE: dict[str, Semantics] = {}


def by_hand(name: str) -> Semantics | None:
    """The hand-written semantics of an instruction, if it has one."""
    return _TABLE.get(name)


def names() -> frozenset[str]:
    """Every instruction of the register."""
    return frozenset(name.removesuffix(" CLAMP") for name in _TABLE)


def define(
    *instructions: str, writes: tuple[str, ...] = ("D0",), reads_destination: bool = False
) -> Callable[[Function], Function]:
    """The decorated function is what the instructions compute."""

    def register(function: Function) -> Function:
        for name in instructions:
            _TABLE[name] = Semantics(function, frozenset(writes), reads_destination)
        return function

    return register
