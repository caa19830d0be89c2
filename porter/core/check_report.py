"""The result of a check: what every format of `porter check` prints, and what decides its exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.errors import ExitCode
from porter.core.outcome import Target


class FailOn(str, Enum):
    """The least severity that makes a check fail."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    NEVER = "never"

    def __str__(self) -> str:
        return self.value

    def counts(self, severity: Severity) -> bool:
        order = [FailOn.NEVER.value, *(s.value for s in Severity)]
        return order.index(severity.value) <= order.index(self.value)


class AcceptedBy(str, Enum):
    """Where it is written that a finding is known and stays."""

    INLINE = "inline"
    BASELINE = "baseline"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Acceptance:
    by: AcceptedBy
    reason: str = ""


@dataclass(frozen=True)
class Region:
    """A range of a file as editors count: lines and columns from 1, in characters; the end is exclusive.

    `text` is the first line, decoded for people.
    """

    start_line: int
    start_column: int
    end_line: int
    end_column: int
    text: str = ""


@dataclass(frozen=True)
class CheckFinding:
    """A finding of a check. `diagnostic.span.path` is relative to the root, with forward slashes.

    `fingerprint` names the finding by its code, the enclosing function and the text of its line, so that it
    stays when lines move; equal ones of a file are told apart by `occurrence`, counted from 1. `because` says
    why a finding on a line that did not change is part of a check of changes.
    """

    diagnostic: Diagnostic
    region: Region
    function: str = ""
    fingerprint: str = ""
    occurrence: int = 1
    because: str = ""
    acceptance: Acceptance | None = None

    @property
    def path(self) -> str:
        return self.diagnostic.span.path


@dataclass(frozen=True)
class CodePage:
    """What a code means: `summary` is a line, `text` the whole page ("" where there is no more to say)."""

    code: str
    name: str
    summary: str
    text: str = ""
    fixable: bool = False


@dataclass(frozen=True)
class CheckReport:
    """A whole check: `findings` count, `accepted` are known. `base` is what the changes are relative to.

    `files` were analysed; `stale_baseline` entries of the baseline stand for nothing any more.
    """

    target: Target
    arch: str
    findings: tuple[CheckFinding, ...]
    accepted: tuple[CheckFinding, ...] = ()
    files: int = 0
    fail_on: FailOn = FailOn.WARNING
    base: str = ""
    stale_baseline: int = 0
    pages: Mapping[str, CodePage] = field(default_factory=dict)

    def totals(self) -> dict[str, int]:
        counts = Counter(f.diagnostic.severity for f in self.findings)
        return {severity.value: counts[severity] for severity in Severity}

    @property
    def exit_code(self) -> ExitCode:
        fails = any(self.fail_on.counts(f.diagnostic.severity) for f in self.findings)
        return ExitCode.FINDINGS if fails else ExitCode.OK
