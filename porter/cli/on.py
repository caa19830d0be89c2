"""`--on`: what a port is run on beside the simulator or the interpreter."""

from __future__ import annotations

from enum import Enum


class On(str, Enum):
    """`isa`: the machine code built for the GPU, executed on the CPU."""

    ISA = "isa"

    def __str__(self) -> str:
        return self.value


HELP = "also run the port on: isa, its compiled AMD machine code on the CPU, for small cases (repeatable)"
