"""The result of a run: what every report prints and every caller of porter gets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.core.asked import Asked
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.errors import ExitCode
from porter.core.outcome import Declined, Failed, Outcome, Partial, Ported, Target


@dataclass(frozen=True)
class Prediction:
    """What the analytical model expects of the port on `gpu`: a lower bound, and what bounds it.

    `bytes_moved` and `flops` are those of the launch it speaks of, the peaks those of the GPU for the dtype
    with the most operations.
    """

    gpu: str
    time_us: float
    bound: str
    bytes_moved: float = 0.0
    flops: float = 0.0
    peak_gbps: float = 0.0
    peak_tflops: float = 0.0
    launch_us: float = 0.0


@dataclass(frozen=True)
class UnitResult:
    """One kernel of one source file."""

    source: str
    outcome: Outcome
    prediction: Prediction | None = None

    @property
    def status(self) -> str:
        match self.outcome:
            case Ported():
                return "ported"
            case Partial():
                return "partial"
            case Declined():
                return "declined"
            case Failed():
                return "failed"


@dataclass(frozen=True)
class Report:
    """A whole run; `findings` are those that belong to no kernel, `asked` what models were asked, if any."""

    target: Target | None
    arch: str
    units: tuple[UnitResult, ...]
    findings: tuple[Diagnostic, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    run_directory: str = ""
    asked: Asked | None = None

    def totals(self) -> dict[str, int]:
        counts = Counter(unit.status for unit in self.units)
        return {status: counts[status] for status in ("ported", "partial", "declined", "failed")}

    @property
    def exit_code(self) -> ExitCode:
        """0 only when every unit was ported and no finding is an error."""
        errors = any(f.severity is Severity.ERROR for f in self.findings)
        if errors or not self.units or any(unit.status != "ported" for unit in self.units):
            return ExitCode.FINDINGS
        return ExitCode.OK
