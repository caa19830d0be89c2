"""The ladder: deterministic first, model last, proof always. `_climb` is its order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from porter.core.outcome import Target
from porter.core.result import Report
from porter.core.span import SourceText
from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.options import Warps
from porter.pipeline.agent.agent import Agent
from porter.pipeline.agent.ladder import Ladder
from porter.pipeline.alone_report import told_of_the_file
from porter.pipeline.check import check, write_draft
from porter.pipeline.decide import Checked
from porter.pipeline.draft import Draft
from porter.pipeline.header_kernels import of_this_program
from porter.pipeline.kernels_alone import kernels_alone
from porter.pipeline.launches import judged_program
from porter.pipeline.original import Original
from porter.pipeline.read import lower, read
from porter.pipeline.report_of import report_of
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory, UnitDirectory
from porter.pipeline.translate import translate, translate_to_hip
from porter.pipeline.tune import find_proposals, suggestions, tune, with_findings
from porter.pipeline.widen import widen_port
from porter.report.json_report import format_json


@dataclass(frozen=True)
class PortResult:
    """The report, the candidate it speaks of, and the source texts that its findings point into."""

    report: Report
    draft: Draft
    sources: dict[str, SourceText]


def port(
    request: PortRequest,
    run: RunDirectory,
    *,
    agent: Agent | None = None,
    original: Original | None = None,
) -> PortResult:
    """Ports one file. Raises PorterError only for input that cannot be used at all.

    `original` saves judging the same program again for a second target. Where the program cannot be built
    here its kernels are checked alone.
    """
    unit = read(request)
    folder = run.unit(f"{request.source}-{request.target}")
    whole = _climb(request, unit, folder, agent=agent, original=original)
    report, draft = whole.report, whole.draft
    alone = kernels_alone(request, unit) if whole.cannot_be_built else None
    if alone is not None:
        # What a model would write for the copy has no host code: a Triton module never has.
        asked = agent if request.target is Target.TRITON else None
        copy = _climb(alone.request, alone.unit, folder.below("alone"), agent=asked)
        report, draft = told_of_the_file(report, draft, unit, copy.report, copy.draft, alone)
    report = replace(report, run_directory=str(run.path))
    folder.finish(format_json(report))
    run.event("finished", source=str(request.source), totals=report.totals())
    return PortResult(report, draft, {unit.source.path: unit.source})


@dataclass(frozen=True)
class _Climbed:
    """What the ladder came to for one text: the file's own, or that of its kernels alone."""

    report: Report
    draft: Draft
    cannot_be_built: bool


def _climb(
    request: PortRequest,
    unit: TranslationUnit,
    folder: UnitDirectory,
    *,
    agent: Agent | None = None,
    original: Original | None = None,
) -> _Climbed:
    folder.write("00-source.cu", unit.source.data)
    lowered = lower(request, unit)
    program = judged_program(request, unit, lambda: lowered, folder, original)
    request, unit, original = program.request, program.unit, program.original
    lowered = of_this_program(lowered, unit)
    draft = translate(request, unit, lowered, original)
    draft = replace(draft, findings=(*draft.findings, *program.told))
    checked = check(request, unit, draft, original, folder)
    checked = _widened(request, unit, lowered, checked, original, folder)
    checked = _tuned(request, unit, lowered, checked, original, folder)
    report = report_of(request, unit, lowered, checked, original)
    if agent is not None:
        answered = agent.ask(Ladder(request, unit, lowered, original, checked, folder))
        checked = answered.checked
        report = report_of(request, unit, lowered, checked, original, answered.asked)
    return _Climbed(report, checked.draft, program.cannot_be_built)


def _widened(
    request: PortRequest,
    unit: TranslationUnit,
    lowered: tuple[LoweredKernel, ...],
    checked: Checked,
    original: Original,
    folder: UnitDirectory,
) -> Checked:
    """A HIP port on whole wavefronts where asked for and proved; the files are those of what is kept."""
    if request.warps is not Warps.WIDEN or request.target is not Target.HIP or not checked.draft.text:
        return checked
    result = widen_port(
        request,
        unit,
        lowered,
        checked,
        lambda draft: check(request, unit, draft, original, folder, log="57-build-widened.log"),
    )
    write_draft(result.draft, folder)
    return result


def _tuned(
    request: PortRequest,
    unit: TranslationUnit,
    lowered: tuple[LoweredKernel, ...],
    checked: Checked,
    original: Original,
    folder: UnitDirectory,
) -> Checked:
    """A HIP port with its wastes found and, if asked for, tuned; the files are those of what is kept."""
    if request.target is not Target.HIP or not checked.draft.text:
        return checked
    found = find_proposals(request, unit, lowered, original)
    if not request.tune:
        return with_findings(checked, suggestions(found))
    result = tune(
        found,
        unit,
        checked,
        lambda changed, called: translate_to_hip(request, changed, called),
        lambda draft: check(request, unit, draft, original, folder, log="56-build-tuned.log"),
    )
    write_draft(result.checked.draft, folder)
    return with_findings(result.checked, result.findings)
