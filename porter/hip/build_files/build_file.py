"""What becomes of one build file."""

from __future__ import annotations

from dataclasses import dataclass

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit, apply_edits
from porter.core.span import SourceText


@dataclass(frozen=True)
class BuildFile:
    """`findings` say what has no counterpart, and what a person should look at."""

    source: SourceText
    edits: tuple[Edit, ...] = ()
    findings: tuple[Diagnostic, ...] = ()

    @property
    def text(self) -> bytes:
        """Bytes outside of the edits are the original's."""
        return apply_edits(self.source.data, self.edits)


SERVES_HIP = "BLD002"


def left_alone(source: SourceText) -> BuildFile:
    """A file that builds for HIP already."""
    message = "the build file serves HIP already and was left alone"
    return BuildFile(source, (), (Diagnostic(SERVES_HIP, Severity.NOTE, message, source.span(0, 0)),))


Step = Edit | Diagnostic


def built_of(source: SourceText, steps: tuple[Step, ...]) -> BuildFile:
    """The steps of all rules, sorted into edits and findings."""
    findings = dict.fromkeys(s for s in steps if isinstance(s, Diagnostic))
    ordered = sorted(findings, key=lambda d: (d.span.start, d.code, d.message))
    return BuildFile(source, tuple(sorted({s for s in steps if isinstance(s, Edit)})), tuple(ordered))
