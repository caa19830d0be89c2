"""The last step of the ladder: a row for each kernel, with its outcome, its findings and its prediction."""

from __future__ import annotations

from porter.core.asked import Asked
from porter.core.diagnostic import Diagnostic
from porter.core.outcome import Declined
from porter.core.result import Report, UnitResult
from porter.cuda.lower_kernel import Lowered, LoweredKernel
from porter.cuda.translation_unit import TranslationUnit
from porter.pipeline.decide import Checked, decide_rows
from porter.pipeline.left_out import note
from porter.pipeline.original import Original
from porter.pipeline.parameter_names import with_parameter_names
from porter.pipeline.predict import predict
from porter.pipeline.read import reported_kernels
from porter.pipeline.request import PortRequest


def report_of(
    request: PortRequest,
    unit: TranslationUnit,
    lowered: tuple[LoweredKernel, ...],
    checked: Checked,
    original: Original,
    asked: Asked | None = None,
) -> Report:
    """Findings inside a kernel are told with it, all others of the file."""
    names = reported_kernels(request, unit, lowered)
    inside = {
        name: (
            *_findings_of(unit, name, checked.draft.findings),
            *checked.draft.notes.get(name, ()),
            *_checked_apart(unit, name, checked),
        )
        for name in names
    }
    kernels = {k.kernel.name: k.kernel for k in reversed(lowered) if isinstance(k, Lowered)}
    units = tuple(
        UnitResult(
            str(request.source),
            with_parameter_names(outcome, unit),
            None
            if isinstance(outcome, Declined) or name not in kernels
            else predict(kernels[name], original, checked.builds, request.arch),
        )
        for name, findings in inside.items()
        for outcome in decide_rows(name, checked, findings)
    )
    claimed = {f for findings in inside.values() for f in findings}
    rest = tuple(f for f in checked.draft.findings if f not in claimed)
    return Report(request.target, request.arch, units, rest, asked=asked)


def _checked_apart(unit: TranslationUnit, kernel: str, checked: Checked) -> tuple[Diagnostic, ...]:
    if not checked.left_out or kernel in checked.left_out:
        return ()
    return note(unit, kernel, checked.left_out)


def _findings_of(
    unit: TranslationUnit, kernel: str, findings: tuple[Diagnostic, ...]
) -> tuple[Diagnostic, ...]:
    spans = [k.span for k in unit.all_kernels if k.name == kernel]
    return tuple(
        f for f in findings if any(s.path == f.span.path and s.start <= f.span.start < s.end for s in spans)
    )
