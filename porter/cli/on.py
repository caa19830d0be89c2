"""`--on`: what a port is run on beside the simulator or the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from porter.harness.isa.decode import require_decoder


class On(str, Enum):
    """`isa`: the machine code built for the GPU, executed on the CPU."""

    ISA = "isa"

    def __str__(self) -> str:
        return self.value


def wants_isa(on: Sequence[On] | None) -> bool:
    """Whether machine code is to be executed. Raises ToolMissing, before any work, where it cannot be."""
    if On.ISA not in (on or ()):
        return False
    require_decoder()
    return True


HELP = "also run the port on: isa, its compiled AMD machine code on the CPU, for small cases (repeatable)"
