"""`--verify`: the whole ladder on a file, and what of it was not proved."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.errors import PorterError
from porter.core.outcome import Declined, Failed, Partial
from porter.cuda.translation_unit import TranslationUnit
from porter.migrate.check.request import FileJob
from porter.pipeline.port import port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory

NOT_PROVED = "CHK008"


def unproved(job: FileJob, unit: TranslationUnit) -> Iterator[Diagnostic]:
    """Translates, builds and runs the kernels of a file; nothing is written beside the source."""
    source = Path(unit.source.path)
    request = PortRequest(
        source,
        job.target,
        arch=job.arch,
        include_dirs=job.settings.include_dirs,
        defines=job.settings.defines,
    )
    try:
        run = RunDirectory.create(
            job.root / ".porter", "check", os.fsencode(job.name), subject=job.name, target=str(job.target)
        )
        report = port(request, run).report
    except (PorterError, OSError) as error:
        span = unit.source.span(0, 0)
        hint = error.hint if isinstance(error, PorterError) else "let .porter be written at the root"
        yield Diagnostic(NOT_PROVED, Severity.ERROR, f"not verified: {error}", span, hint)
        return
    spans = {kernel.name: kernel.name_span for kernel in reversed(unit.kernels)}
    for result in report.units:
        outcome = result.outcome
        if isinstance(outcome, Partial | Declined | Failed):
            severity = Severity.WARNING if isinstance(outcome, Partial) else Severity.ERROR
            span = spans.get(outcome.kernel.partition("<")[0], unit.source.span(0, 0))
            message = f"{outcome.kernel} is {result.status}: {outcome.reason}"
            yield Diagnostic(NOT_PROVED, severity, message, span)
    yield from report.findings
