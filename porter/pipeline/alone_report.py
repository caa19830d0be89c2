"""What was found out about kernels in a copy of their file, told of the file itself."""

from __future__ import annotations

from dataclasses import replace

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Declined, Failed, Outcome, Ported, Target
from porter.core.result import Report, UnitResult
from porter.core.span import SourceText
from porter.cuda.declarations import declarations
from porter.cuda.tokens import tokenize
from porter.cuda.translation_unit import TranslationUnit
from porter.pipeline.draft import Draft
from porter.pipeline.kernels_alone import ALONE, KernelsAlone
from porter.pipeline.missing_includes import MISSING


def told_of_the_file(
    report: Report, draft: Draft, unit: TranslationUnit, copy: Report, copy_draft: Draft, alone: KernelsAlone
) -> tuple[Report, Draft]:
    """`report` and `draft` of the file, with what `copy` and `copy_draft` say of its kernels.

    A HIP port of the file has to have the very declarations and directives of the copy's; of a Triton
    port, which has kernels alone, the copy's is taken.
    """
    is_hip = draft.target is Target.HIP
    if is_hip and not same_declarations(draft, copy_draft):
        return report, draft
    units: list[UnitResult] = []
    for own in report.units:
        same = [u for u in copy.units if _base(u.outcome) == _base(own.outcome)]
        stays = not same or _base(own.outcome) in alone.lost or (is_hip and isinstance(own.outcome, Declined))
        units += [own] if stays else [_of_the_file(u, own, unit, alone) for u in same]
    ported = bool(units) and all(isinstance(u.outcome, Ported) for u in units)
    own_findings = tuple(_as_warning(f, unit) if ported else f for f in report.findings)
    others = tuple(f for f in map(alone.in_the_users_file, copy.findings) if f not in report.findings)
    findings, asked = (*own_findings, *others), report.asked or copy.asked
    told = replace(report, units=tuple(units), findings=findings, asked=asked)
    return told, draft if is_hip else copy_draft


def _base(outcome: Outcome) -> str:
    return outcome.kernel.rpartition("::")[2]


def _of_the_file(
    found: UnitResult, own: UnitResult, unit: TranslationUnit, alone: KernelsAlone
) -> UnitResult:
    outcome = found.outcome
    findings = tuple(map(alone.in_the_users_file, outcome.findings))
    if isinstance(outcome, Ported | Failed):
        findings = (*findings, *_note(_base(outcome), unit, alone))
    if not isinstance(outcome, Ported):
        outcome = replace(outcome, reason=alone.in_the_users_words(outcome.reason))
    if not isinstance(outcome, Declined) and not isinstance(own.outcome, Declined):
        outcome = replace(outcome, output=own.outcome.output or outcome.output)
    return replace(found, source=own.source, outcome=replace(outcome, findings=findings))


def _note(kernel: str, unit: TranslationUnit, alone: KernelsAlone) -> tuple[Diagnostic, ...]:
    written = unit.kernel_named(kernel)
    if written is None:
        return ()
    why = f"{', '.join(alone.absent[:3])} cannot be found" if alone.absent else "its program cannot be built"
    instance = alone.instances.get(kernel, kernel)
    message = f"{why}: {instance} was checked in a copy of the file without its host code"
    if alone.undefined:
        message += f", where {', '.join(alone.undefined[:3])} are not defined"
    return (Diagnostic(ALONE, Severity.NOTE, message, written.name_span),)


def _as_warning(finding: Diagnostic, unit: TranslationUnit) -> Diagnostic:
    """The kernels were checked without the library that is not there. A header of the user's own is another
    matter: they have it, and can say where."""
    of_library = finding.code == MISSING and unit.source.slice(finding.span).startswith("<")
    return replace(finding, severity=Severity.WARNING) if of_library else finding


def same_declarations(draft: Draft, copys: Draft) -> bool:
    """Whether the file's port has what the copy's has, in its order: a macro of another value, say, makes
    another kernel of the same function."""
    same = [(draft.text, copys.text)]
    same += [(draft.headers.get(name, b""), data) for name, data in copys.headers.items()]
    return all(_is_part(_items(copied), _items(own)) for own, copied in same)


def _is_part(items: list[str], of: list[str]) -> bool:
    rest = iter(of)
    return all(item in rest for item in items)


def _items(data: bytes) -> list[str]:
    """Declarations and directives, an instance of a template apart, as they stand without white space."""
    tokenized = tokenize(SourceText("port.hip", data))
    places = [(d.start, " ".join(t.text for t in d.tokens)) for d in tokenized.directives]
    for one in declarations(tokenized):
        first, last = tokenized.code_index(one.start), tokenized.code_index(one.end)
        words = [t.text for t in tokenized.code[first:last]]
        if words[:1] != ["template"] or words[1:2] == ["<"]:
            places.append((one.start, " ".join(words)))
    return [text for _, text in sorted(places)]
