"""What is asked of a check, of one file of it, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from porter.core.check_report import CheckFinding, FailOn
from porter.core.outcome import Target
from porter.migrate.check.changes import FileChange
from porter.simulator.compile_commands import CompileSettings


@dataclass(frozen=True)
class Selection:
    """Which codes count: those that start with one of `select`, less those that start with one of `ignore`.

    `per_file` takes more away from files that match a pattern. What is wrong with a file or a comment as a
    whole (CHK…) is told whatever is selected, unless it is ignored.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class CheckRequest:
    """`base`: only what changed since the working tree left it. `jobs` processes; 0 chooses by the work.

    `compile_commands` is the database of the sources' headers and macros; without it one is looked for.
    `force_exclude`: files that are named are excluded and ignored as those that are found.
    """

    paths: tuple[Path, ...]
    target: Target = Target.HIP
    arch: str = "gfx950"
    base: str = ""
    fail_on: FailOn | None = None
    selection: Selection = field(default_factory=Selection)
    baseline: Path | None = None
    jobs: int = 0
    verify: bool = False
    force_exclude: bool = False
    compile_commands: Path | None = None


@dataclass(frozen=True)
class FileJob:
    """One file, to be analysed in any process. `change` is None where everything in it counts."""

    root: Path
    name: str
    is_cuda_by_name: bool
    target: Target
    arch: str
    selection: Selection
    change: FileChange | None = None
    verify: bool = False
    settings: CompileSettings = field(default_factory=CompileSettings)


@dataclass(frozen=True)
class FileFindings:
    """What was found in a file, accepted findings among them; `analysed` is False for what is not CUDA."""

    name: str
    findings: tuple[CheckFinding, ...]
    analysed: bool = True
