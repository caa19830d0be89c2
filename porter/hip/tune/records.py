"""What tuning knows of a kernel, and what it proposes to do about each waste it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from porter.analysis.access_values import LaunchShape
from porter.analysis.elementwise import Elementwise, NotElementwise
from porter.analysis.memory_access import KernelAccesses
from porter.core.edit import Edit
from porter.core.span import Span
from porter.cuda.kir import Kernel
from porter.cuda.launch import LaunchSite
from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit
from porter.hardware.gpu import Gpu

NARROW = "MEM010"
UNCOALESCED = "MEM011"
BANK_CONFLICT = "MEM012"
ACROSS_DIES = "MEM013"
NOT_ANALYSED = "MEM014"
IDLE_LANES = "LCH011"


@dataclass(frozen=True)
class KernelView:
    """One kernel of a file: its text, its meaning, its launches, and how it accesses memory on `gpu`.

    `shape` is the launch that `accesses` are for; `instances` is how many instantiations the text has.
    `whole_program` says that no other file can launch the kernel.
    """

    unit: TranslationUnit
    function: Function
    kernel: Kernel
    launches: tuple[LaunchSite, ...]
    shape: LaunchShape
    accesses: KernelAccesses
    form: Elementwise | NotElementwise
    gpu: Gpu
    instances: int = 1
    whole_program: bool = True

    def text(self, span: Span) -> str:
        return self.unit.source.slice(span)


@dataclass(frozen=True)
class Measure:
    """One figure of the model, as the kernel is and with the change; `unit` may be empty."""

    what: str
    before: float
    after: float
    unit: str = ""

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.what} {_number(self.before)} -> {_number(self.after)}{unit}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:.3g}"


@dataclass(frozen=True)
class Change:
    """Edits of the CUDA source, the definitions of `shims/` they call, and what the model says of it.

    `summary` says in words what was done; `instruction` is the mnemonic that shows it in the machine code,
    "" where none does.
    """

    edits: tuple[Edit, ...]
    summary: str
    measures: tuple[Measure, ...]
    shims: frozenset[str] = frozenset()
    instruction: str = ""


@dataclass(frozen=True)
class NotApplicable:
    """Why porter leaves a waste as it is."""

    reason: str


Fix: TypeAlias = Change | NotApplicable


@dataclass(frozen=True)
class Proposal:
    """A waste with its code and place, and what can be done about it."""

    code: str
    kernel: str
    message: str
    span: Span
    fix: Fix


@dataclass(frozen=True)
class Tuning:
    """A tuned source: `unit` is the CUDA file after the changes of `applied`."""

    unit: TranslationUnit
    shims: frozenset[str]
    applied: tuple[Proposal, ...]

    @property
    def kernels(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(p.kernel for p in self.applied))
