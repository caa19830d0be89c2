"""What the judge says, per kernel and of the whole program. A closed union; every "no" has its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from porter.core.outcome import Comparison, Evidence
from porter.harness.launches import base_name


@dataclass(frozen=True)
class VerifyOptions:
    """How a port is verified.

    `kernels` restricts the verdicts to kernels of those names (empty: all). `mapping` names the port's
    function for an original's kernel where the names differ. `schedules` is how many other thread orders
    the original runs in. `budget_seconds` bounds the time a port may take for all cases of all kernels.
    `shrink_seconds` bounds the search for smaller failing cases, over all kernels; 0 leaves it and the
    histories of wrong elements out.
    `case` restricts the cases to those of that name, as a report prints it (empty: all).
    `config` is the porter.toml that says how kernels without a main() are launched; with `ignores_main` also
    those of a program whose own main() is of no use.
    `grid_scale` says how many blocks along x the port has for one of the original, by kernel, where known.
    `hidden` are files that the compiler of a port does not see, the original's own for one.
    `shrink_grids` lets fuzzed cases run on part of the captured grid, for original and port alike.
    """

    arguments: tuple[str, ...] = ()
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()
    mapping: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    schedules: int = 2
    max_launches_per_kernel: int = 3
    max_cases: int = 24
    shrink_grids: bool = True
    check_memory: bool = True
    wall_seconds: float = 120.0
    budget_seconds: float = 60.0
    memory_bytes: int = 8 << 30
    shrink_seconds: float = 10.0
    case: str = ""
    config: Path | None = None
    ignores_main: bool = False
    grid_scale: Mapping[str, int] = field(default_factory=dict)
    hidden: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Passed:
    """Every case that ran agrees within the tolerance. `skipped` says why others did not run, `not_raised`
    which sizes were not tried above the captured ones.
    """

    kernel: str
    comparison: Comparison
    evidence: tuple[Evidence, ...]
    skipped: Mapping[str, int] = field(default_factory=dict)
    not_raised: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mismatched:
    """The port is wrong: `reason` is one sentence, the comparison has the elements and the seed."""

    kernel: str
    reason: str
    comparison: Comparison


@dataclass(frozen=True)
class CouldNotRun:
    """The port did not build, load, or end properly, or has nothing that stands for this kernel."""

    kernel: str
    reason: str


@dataclass(frozen=True)
class NoVerdict:
    """Nothing can be said about any port of this kernel: the original gives nothing to compare with."""

    kernel: str
    reason: str


KernelVerdict: TypeAlias = Passed | Mismatched | CouldNotRun | NoVerdict


@dataclass(frozen=True)
class ProgramPassed:
    """The ported program ended like the original and moved equal data to the host."""

    comparison: Comparison
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class ProgramFailed:
    """The ported program did not build, ended otherwise, or moved other data to the host."""

    reason: str
    comparison: Comparison | None = None


@dataclass(frozen=True)
class ProgramNotRun:
    """No program-level record: the port is a module of kernels, or the original gives no verdict."""

    reason: str


ProgramVerdict: TypeAlias = ProgramPassed | ProgramFailed | ProgramNotRun


@dataclass(frozen=True)
class Verification:
    """The result of verifying one port. `original` is empty where the original is fit to judge by."""

    kernels: tuple[KernelVerdict, ...]
    program: ProgramVerdict
    original: str = ""

    @property
    def passed(self) -> bool:
        """Every kernel has passed, and the program where it was run; nothing at all is no pass."""
        kernels = all(isinstance(k, Passed) for k in self.kernels)
        return bool(self.kernels) and kernels and not isinstance(self.program, ProgramFailed)

    def of(self, kernel: str) -> KernelVerdict:
        """The verdict of one kernel by name; of several instantiations, or namespaces, the worst."""
        exact = [v for v in self.kernels if v.kernel == kernel]
        found = exact or [v for v in self.kernels if base_name(v.kernel) == kernel]
        worst = (Mismatched, CouldNotRun, NoVerdict, Passed)
        found.sort(key=lambda verdict: worst.index(type(verdict)))
        return found[0] if found else NoVerdict(kernel, "the original has no launch of a kernel of this name")

    def rows(self, kernel: str) -> tuple[str, ...]:
        """The kernels of one name, with their namespaces where several have it; at least the name itself."""
        found = dict.fromkeys(v.kernel for v in self.kernels if base_name(v.kernel) == kernel)
        return tuple(found) or (kernel,)
