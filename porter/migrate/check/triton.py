"""`--target triton`: what the compiler to Triton declines in a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from porter.core.diagnostic import Diagnostic
from porter.core.outcome import Target
from porter.cuda.lower_kernel import lower_kernels
from porter.cuda.translation_unit import TranslationUnit, has_kernels
from porter.migrate.check.request import FileJob
from porter.pipeline.original import judge
from porter.pipeline.request import PortRequest
from porter.pipeline.translate import translate


def triton_findings(job: FileJob, unit: TranslationUnit) -> Iterable[Diagnostic]:
    """What it declines; with launches that the text does not tell it may do more."""
    if not has_kernels(unit):
        return unit.syntax_errors
    request = PortRequest(
        Path(unit.source.path),
        Target.TRITON,
        arch=job.arch,
        include_dirs=job.settings.include_dirs,
        defines=job.settings.defines,
        check=False,
    )
    lowered = lower_kernels(
        unit.source, unit.launches, include_dirs=request.search_path, defines=request.defines
    )
    draft = translate(request, unit, lowered, judge(request))
    return (*unit.syntax_errors, *draft.findings, *draft.declined.values())
