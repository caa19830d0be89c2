"""One file: what the rules find in it, what its translation reports and refuses. Nothing is built or run.

Works in any process, and never raises: what is wrong with a file is a finding of that file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from porter.core.check_report import Acceptance, AcceptedBy, CheckFinding
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Target
from porter.core.span import SourceText, Span
from porter.cuda.header_constants import constants_in_headers
from porter.cuda.platform import Platform
from porter.cuda.translation_unit import TranslationUnit, has_cuda, has_kernels, read_translation_unit
from porter.hip.options import HipOptions
from porter.hip.translate import translate_hip
from porter.migrate.check.affected import lines_of, using
from porter.migrate.check.changes import FileChange
from porter.migrate.check.locate import Locator
from porter.migrate.check.request import FileFindings, FileJob, Selection
from porter.migrate.check.suppressions import Suppression, complaints, suppressions
from porter.migrate.discovery import holds_cuda, is_hip_alone
from porter.migrate.pages import pages
from porter.migrate.source_files import Unusable, read_source_file
from porter.rules import diagnose_source

ANALYSIS_FAILED = "CHK004"
WHOLE_FILE = "CHK"


def analyse(job: FileJob) -> FileFindings:
    """The findings of one file that are selected and, in a check of changes, concerned by them."""
    path = job.root / job.name
    data = read_source_file(path)
    if isinstance(data, Unusable):
        return _unusable(job, data)
    if not job.is_cuda_by_name and not holds_cuda(job.name, data):
        return FileFindings(job.name, (), analysed=False)
    try:
        return _analysed(job, SourceText(str(path), data))
    except (Exception, RecursionError) as error:
        return failed(job, error)


def failed(job: FileJob, error: BaseException) -> FileFindings:
    """The crash of an analysis, as a finding that names the place in porter."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = (
        f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace is not None else ""
    )
    text = " ".join(str(error).split())[:200]
    message = f"the analysis of this file failed: {type(error).__name__}: {text}{place}"
    hint = "this is a defect of porter; please report it with the file"
    return _whole_file(job, Diagnostic(ANALYSIS_FAILED, Severity.ERROR, message, _start(job), hint))


def _start(job: FileJob) -> Span:
    return Span(str(job.root / job.name), 0, 0, 1, 1)


def _unusable(job: FileJob, what: Unusable) -> FileFindings:
    if not job.is_cuda_by_name:
        return FileFindings(job.name, (), analysed=False)  # most likely no CUDA at all
    return _whole_file(job, Diagnostic(what.code, what.severity, what.message, _start(job), what.hint))


def _whole_file(job: FileJob, diagnostic: Diagnostic) -> FileFindings:
    unit = read_translation_unit(SourceText(diagnostic.span.path, b""))
    finding = Locator(job.root, unit).locate(diagnostic)
    kept = (finding,) if is_selected(finding, job.selection) else ()
    return FileFindings(job.name, kept, analysed=False)


def _analysed(job: FileJob, source: SourceText) -> FileFindings:
    unit = read_translation_unit(source, constants_in_headers(source, job.settings.include_dirs))
    if not job.is_cuda_by_name and (not has_cuda(unit) or is_hip_alone(job.name, unit)):
        return FileFindings(job.name, (), analysed=False)
    locator = Locator(job.root, unit)
    comments = suppressions(unit)
    found = [locator.locate(d) for d in dict.fromkeys(_diagnosed(job, unit))]
    accepted, used = _with_comments(found, unit, comments)
    about_comments = (locator.locate(d) for d in complaints(source, comments, used, pages().keys()))
    every = sorted((*accepted, *about_comments), key=lambda f: (f.diagnostic.span, f.diagnostic.code))
    selected = (f for f in every if is_selected(f, job.selection))
    concerned = selected if job.change is None else _concerned(unit, job.change, selected)
    return FileFindings(job.name, tuple(concerned))


def _diagnosed(job: FileJob, unit: TranslationUnit) -> Iterable[Diagnostic]:
    # Imported where needed: the compiler to Triton and the judge take longer to load than 20 files to check.
    if job.target is Target.HIP:
        yield from _hip_findings(job, unit)
    else:
        from porter.migrate.check.triton import triton_findings

        yield from triton_findings(job, unit)
    if job.verify and has_kernels(unit):
        from porter.migrate.check.verify import unproved

        yield from unproved(job, unit)


def _hip_findings(job: FileJob, unit: TranslationUnit) -> Iterable[Diagnostic]:
    """What a port reports, and notes on what it answers; none on a line where it refuses something."""
    ported = translate_hip(unit, HipOptions(arch=job.arch)).findings
    refused = {f.span.line for f in ported if f.severity is Severity.ERROR}
    notes = diagnose_source(unit) if unit.platform is Platform.CUDA else ()
    return (*ported, *(note for note in notes if note.span.line not in refused))


def _with_comments(
    found: Iterable[CheckFinding], unit: TranslationUnit, comments: tuple[Suppression, ...]
) -> tuple[list[CheckFinding], set[Suppression]]:
    """The findings, those accepted that a comment speaks of; and the comments that were needed."""
    used: set[Suppression] = set()
    judged: list[CheckFinding] = []
    own = os.path.basename(unit.source.path)
    for finding in found:
        here = finding.path.rpartition("/")[2] == own
        comment = next((c for c in comments if here and c.accepts(finding.diagnostic)), None)
        if comment is not None:
            used.add(comment)
            finding = replace(finding, acceptance=Acceptance(AcceptedBy.INLINE, comment.reason))
        judged.append(finding)
    return judged, used


def is_selected(finding: CheckFinding, selection: Selection) -> bool:
    code = finding.diagnostic.code
    ignored = [*selection.ignore]
    for pattern, codes in selection.per_file:
        if fnmatch(finding.path, pattern) or fnmatch(finding.path, f"*/{pattern}"):
            ignored += codes
    if code.startswith(tuple(ignored)):
        return False
    return not selection.select or code.startswith((*selection.select, WHOLE_FILE))


def _concerned(
    unit: TranslationUnit, change: FileChange, findings: Iterable[CheckFinding]
) -> Iterable[CheckFinding]:
    """The findings on changed lines, then those that the changes reach, with why."""
    places = using(unit, change.definitions)
    for finding in findings:
        span = finding.diagnostic.span
        if change.touches(span.line, finding.region.end_line):
            yield finding
            continue
        because = _because(unit, change, places, span)
        if because and not finding.diagnostic.code.startswith(WHOLE_FILE):
            yield replace(finding, because=because)


def _because(unit: TranslationUnit, change: FileChange, places: dict[str, str], span: Span) -> str:
    """Why a finding on an unchanged line is concerned, "" where it is not."""
    function = unit.function_at(span.start)
    if function is None or function.body is None or not function.kind.on_device:
        return ""
    if change.alters(*lines_of(unit.source, function)):
        return f"{function.name} changed"
    first, last = (unit.tokenized.code_index(at) for at in (function.span.start, function.span.end))
    used = next((t.text for t in unit.tokenized.code[first:last] if t.text in places), None)
    return f"{function.name} uses {used}, which changed ({places[used]})" if used is not None else ""
