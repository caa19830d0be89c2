"""What became of a kernel, and what was checked. A closed union; evidence is a set, never a scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from porter.core.diagnostic import Diagnostic


class Target(str, Enum):
    HIP = "hip"
    TRITON = "triton"

    def __str__(self) -> str:
        return self.value


class Producer(str, Enum):
    """Which of the three ways of producing code wrote the candidate."""

    RULES = "rules"
    COMPILER = "compiler"
    AGENT = "agent"
    HAND = "hand"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Evidence:
    """One thing that was done and passed: `built:gfx950`, `simulated:wave64`, `interpreted` …

    `tools` names each tool's version, `details` the figures it gave (registers, LDS bytes, cases).
    """

    kind: str
    subject: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, int | float | str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.kind}:{self.subject}" if self.subject else self.kind


@dataclass(frozen=True)
class Mismatch:
    """One element that differs; `index` counts elements of the flattened buffer."""

    buffer: str
    index: int
    expected: float | int
    actual: float | int
    case: str

    def __str__(self) -> str:
        return f"{self.buffer}[{self.index}]: expected {self.expected!r}, got {self.actual!r} ({self.case})"


@dataclass(frozen=True)
class LastStore:
    """Who wrote an element last, of `stores` in all: a thread of a block, or a Triton program (`thread` is
    None, `block` its ids). `file` and `line` are empty and 0 where they are not known.
    """

    stores: int
    block: tuple[int, int, int]
    thread: tuple[int, int, int] | None = None
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        block = ", ".join(map(str, self.block))
        if self.thread is None:
            return f"program ({block})"
        place = f" at {self.file}:{self.line}" if self.file else ""
        return f"block ({block}) thread ({', '.join(map(str, self.thread))}){place}"


@dataclass(frozen=True)
class NeverStored:
    """Nothing wrote the element."""

    def __str__(self) -> str:
        return "never"


History: TypeAlias = LastStore | NeverStored


@dataclass(frozen=True)
class FailingCase:
    """The smallest case that was found to fail: `launch` counts the program's launches, `arguments` are the
    integers it was called with, `first` its first wrong element. `by_original` and `by_port` say who wrote
    that element last; None where it was not found out.
    """

    case: str
    launch: int
    grid: tuple[int, int, int]
    arguments: tuple[int, ...]
    first: Mismatch
    block: tuple[int, int, int] | None = None
    by_original: History | None = None
    by_port: History | None = None


@dataclass(frozen=True)
class CaseError:
    """The largest errors of the cases of one kind, in all thread orders, against the original."""

    case: str
    n_elements: int
    n_mismatch: int
    max_ulp: float
    max_rel: float


@dataclass(frozen=True)
class Comparison:
    """Measured difference of a port from the original over all cases that ran.

    Errors are against the original run at 32 lanes; `worst_vs_reference` is the port's largest error
    against the double-precision reference divided by the original's own, where a reference was had.
    `skipped` says why cases did not run, `not_raised` which sizes were not tried above the program's own.
    """

    cases: int
    n_elements: int
    n_mismatch: int
    max_ulp: float
    max_abs: float
    max_rel: float
    first_mismatches: tuple[Mismatch, ...] = ()
    worst_vs_reference: float | None = None
    seed: int = 0
    smallest_failing: FailingCase | None = None
    skipped: Mapping[str, int] = field(default_factory=dict)
    not_raised: tuple[str, ...] = ()
    by_case: tuple[CaseError, ...] = ()

    @property
    def equal(self) -> bool:
        return self.n_mismatch == 0


@dataclass(frozen=True)
class Ported:
    """Verified: every check asked for was run and passed."""

    kernel: str
    producer: Producer
    output: str
    evidence: tuple[Evidence, ...]
    comparison: Comparison | None
    findings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Partial:
    """A candidate exists, but something asked for was not checked or does not hold everywhere."""

    kernel: str
    producer: Producer
    output: str
    evidence: tuple[Evidence, ...]
    comparison: Comparison | None
    reason: str
    findings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Declined:
    """No candidate: the findings say why, with code and place."""

    kernel: str
    reason: str
    findings: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Failed:
    """A candidate exists and is wrong, or could not be built or run."""

    kernel: str
    producer: Producer
    output: str
    reason: str
    evidence: tuple[Evidence, ...] = ()
    comparison: Comparison | None = None
    findings: tuple[Diagnostic, ...] = ()


Outcome = Ported | Partial | Declined | Failed
