"""Step 5 of the ladder: the harness compares the port's numbers with the original's."""

from __future__ import annotations

from pathlib import Path

from porter.core.outcome import Target
from porter.cuda.translation_unit import TranslationUnit
from porter.harness.hip_verify import verify_program
from porter.harness.judge import Unfit
from porter.harness.triton_verify import verify_module
from porter.harness.verdict import ProgramNotRun, Verification
from porter.pipeline.original import NotRun, Original, verify_options
from porter.pipeline.request import PortRequest


def verify(
    request: PortRequest, unit: TranslationUnit, target: Target, port: Path, original: Original
) -> Verification | NotRun:
    """Never raises for what the port does."""
    judgement = original.judgement
    if isinstance(judgement, NotRun):
        return judgement
    if isinstance(judgement, Unfit):
        return Verification((), ProgramNotRun(judgement.reason), judgement.reason)
    options = verify_options(request)
    if target is Target.HIP:
        return verify_program(judgement, port, options)
    kernels = verify_module(judgement, port, options, parameter_names(unit))
    return Verification(kernels, ProgramNotRun("a module of kernels has no program"))


def parameter_names(unit: TranslationUnit) -> dict[str, tuple[str, ...]]:
    return {kernel.name: tuple(p.name for p in kernel.parameters) for kernel in unit.kernels}
