"""Steps 4 and 5 of the ladder: a draft is built, and run against the original."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Protocol

from porter.core.outcome import Target
from porter.cuda.translation_unit import TranslationUnit
from porter.harness.judge import Unfit
from porter.pipeline.build import NOTHING_BUILT, Builds, build
from porter.pipeline.decide import Checked
from porter.pipeline.draft import Draft
from porter.pipeline.left_out import NAME, without_declined
from porter.pipeline.missing_includes import missing_includes
from porter.pipeline.original import NotRun, Original
from porter.pipeline.read import kernel_names
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import UnitDirectory
from porter.pipeline.verify import verify

BUILD_LOG = "55-build.log"
CANDIDATE = "50-candidate"


class CheckDraft(Protocol):
    """`check`, or what stands for it."""

    def __call__(
        self,
        request: PortRequest,
        unit: TranslationUnit,
        draft: Draft,
        original: Original,
        folder: UnitDirectory,
        *,
        log: str = ...,
    ) -> Checked: ...


def check(
    request: PortRequest,
    unit: TranslationUnit,
    draft: Draft,
    original: Original,
    folder: UnitDirectory,
    *,
    log: str = BUILD_LOG,
) -> Checked:
    """Steps 4 and 5: builds the draft and runs it against the original. What a compiler says of a draft that
    does not build goes to `log`: drafts that are tried and dropped have names of their own.

    Where a HIP port does not build, the kernels that were not declined are checked without the others."""
    checked = check_file(request, unit, draft, write_draft(draft, folder), original, folder, log=log)
    if checked.builds.failure is not None and draft.target is Target.HIP:
        absent = missing_includes(request, unit)
        if absent:
            findings = tuple(dict.fromkeys((*draft.findings, *absent)))
            return replace(checked, draft=replace(draft, findings=findings))
    rest = without_declined(unit, draft) if checked.builds.failure is not None else None
    if rest is None:
        return checked
    path = folder.write_candidate(NAME, {**rest.headers, NAME: rest.text})
    apart = check_file(request, unit, rest, path, original, folder, log=log)
    if apart.builds.failure is not None:
        return checked
    return replace(apart, draft=draft, output=checked.output, left_out=tuple(draft.declined))


def check_file(
    request: PortRequest,
    unit: TranslationUnit,
    draft: Draft,
    path: Path,
    original: Original,
    folder: UnitDirectory,
    *,
    log: str = BUILD_LOG,
) -> Checked:
    """`check` for a draft that stands in `path`."""
    if not draft.text or not _wanted(request, unit, draft):
        return Checked(draft, str(path), NOTHING_BUILT, None, "nothing was translated")
    if isinstance(original.judgement, NotRun):
        return Checked(draft, str(path), NOTHING_BUILT, None, original.judgement.reason)
    builds = build_file(request, unit, draft, path, original)
    if builds.failure is not None:
        folder.write(log, builds.failure.log or str(builds.failure))
        fails_too = isinstance(original.judgement, Unfit) and not original.judgement.is_built
        return Checked(draft, str(path), builds, None, original.reason, original_fails_too=fails_too)
    verification = verify(request, draft, path, original)
    if isinstance(verification, NotRun):
        return Checked(draft, str(path), builds, None, verification.reason)
    return Checked(draft, str(path), builds, verification)


def build_file(
    request: PortRequest, unit: TranslationUnit, draft: Draft, path: Path, original: Original
) -> Builds:
    """Step 4 alone, for a draft that stands in `path`."""
    wanted = _wanted(request, unit, draft)
    return build(request, draft, path, original, wanted, _never_instantiated(unit, original))


def _wanted(request: PortRequest, unit: TranslationUnit, draft: Draft) -> tuple[str, ...]:
    named = dict.fromkeys((*kernel_names(request, unit), *draft.translated))
    return tuple(k for k in named if k not in draft.declined)


def _never_instantiated(unit: TranslationUnit, original: Original) -> frozenset[str]:
    """Templates, and kernels of headers, that neither the file's text nor the program's run launches."""
    text = unit.source.text
    own = (k for k in unit.kernels if k.template_parameters and text.count(k.name) == 1)
    unused = (k.name for k in (*own, *unit.header_kernels) if k.name not in unit.launched_names)
    return frozenset(name for name in unused if not original.launches(name))


def write_draft(draft: Draft, folder: UnitDirectory) -> Path:
    """The candidate and its headers as stage files; the path of the candidate."""
    name = CANDIDATE + (".hip" if draft.target is Target.HIP else ".py")
    return folder.write_candidate(name, {**draft.headers, name: draft.text})
