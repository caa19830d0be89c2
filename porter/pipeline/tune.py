"""Tuning a verified port: applied, built and verified like any port, and dropped where that fails.

A change whose kernel is not verified in the tuned port, or verified on fewer cases than in the plain one, is
left out and the rest is tried once more. What is kept is the tuned port only if everything it changes was
verified, else the port as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Outcome, Ported
from porter.cuda.lower_kernel import LoweredKernel
from porter.cuda.translation_unit import TranslationUnit
from porter.hardware.gpu import load_gpu
from porter.harness.hip_replay import UNKNOWN_LARGER_GRID
from porter.hip.tune.propose import proposals, tuned
from porter.hip.tune.records import IDLE_LANES, Change, NotApplicable, Proposal, Tuning
from porter.pipeline.build import Builds
from porter.pipeline.decide import Checked, decide_rows
from porter.pipeline.draft import Draft
from porter.pipeline.launch_shapes import launch_shapes
from porter.pipeline.original import Original
from porter.pipeline.request import PortRequest

BLOCK_SIZE_RULE = "LCH002"
ROUNDS = 2
"""How many tuned ports are built and verified at most; each takes as long as the plain one did."""

CheckDraft = Callable[[Draft], Checked]
TranslateUnit = Callable[[TranslationUnit, frozenset[str]], Draft]


@dataclass(frozen=True)
class Tuned:
    """What is kept, with a finding for each waste: what was done about it, or why nothing was."""

    checked: Checked
    findings: tuple[Diagnostic, ...]


def find_proposals(
    request: PortRequest, unit: TranslationUnit, lowered: Iterable[LoweredKernel], original: Original | None
) -> tuple[Proposal, ...]:
    """The wastes of the kernels asked for, on the GPU asked for."""
    known = tuple(lowered)
    found = proposals(unit, known, load_gpu(request.arch), launch_shapes(unit, known, original))
    return tuple(p for p in found if request.wants(p.kernel))


def tune(
    found: tuple[Proposal, ...],
    unit: TranslationUnit,
    plain: Checked,
    translate: TranslateUnit,
    check: CheckDraft,
) -> Tuned:
    """Applies the changes of `found` and keeps those that verify; `plain` is the port without any."""
    without: frozenset[str] = frozenset()
    reasons: dict[str, str] = {}
    for _ in range(ROUNDS):
        tuning = tuned(unit, found, without)
        if tuning is None:
            break
        draft = _draft(translate(tuning.unit, tuning.shims), plain.draft)
        checked = check(draft)
        failed = not_verified(tuning.kernels, checked, plain)
        if not failed:
            return Tuned(checked, _findings(found, tuning, reasons, plain.builds, checked.builds))
        reasons |= failed
        without |= failed.keys()
    return Tuned(plain, _findings(found, None, reasons, plain.builds, plain.builds))


def suggestions(found: Iterable[Proposal]) -> tuple[Diagnostic, ...]:
    """The findings of a port that was not to be tuned."""
    return tuple(
        _finding(
            p,
            p.message,
            f"--tune: {p.fix.summary}" if isinstance(p.fix, Change) else f"not by --tune: {p.fix.reason}",
        )
        for p in found
    )


def with_findings(checked: Checked, findings: tuple[Diagnostic, ...]) -> Checked:
    """`checked` with more findings, and without the rule on the text where they say the same of a launch."""
    draft = checked.draft
    said = {f.span for f in findings if f.code == IDLE_LANES}
    kept = [f for f in draft.findings if f.code != BLOCK_SIZE_RULE or f.span not in said]
    return replace(checked, draft=replace(draft, findings=(*kept, *findings)))


def _draft(draft: Draft, plain: Draft) -> Draft:
    """Findings point into the user's source, which the tuned text is not."""
    return replace(draft, findings=plain.findings, declined=plain.declined)


def not_verified(kernels: Iterable[str], checked: Checked, plain: Checked) -> dict[str, str]:
    """Which changed kernels are not ported, or on less evidence than unchanged, each with the reason."""
    failed: dict[str, str] = {}
    for kernel in kernels:
        outcomes = decide_rows(kernel, checked, ())
        for outcome in outcomes:
            if not isinstance(outcome, Ported):
                failed[kernel] = outcome.reason
        before, after = _cases(decide_rows(kernel, plain, ())), _cases(outcomes)
        if kernel not in failed and sum(after.values()) + _too_large(outcomes) < sum(before.values()):
            failed[kernel] = _fewer(before, after, outcomes)
    return failed


def _cases(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How many cases each kernel of a name was compared on."""
    ported = (o for o in outcomes if isinstance(o, Ported))
    return {o.kernel: 0 if o.comparison is None else o.comparison.cases for o in ported}


def _too_large(outcomes: Iterable[Outcome]) -> int:
    """Cases above the captured sizes that a kernel with blocks or a grid of its own cannot be given."""
    compared = [o.comparison for o in outcomes if isinstance(o, Ported) and o.comparison is not None]
    return sum(comparison.skipped.get(UNKNOWN_LARGER_GRID, 0) for comparison in compared)


def _fewer(before: dict[str, int], after: dict[str, int], outcomes: Iterable[Outcome]) -> str:
    compared = [o.comparison for o in outcomes if isinstance(o, Ported) and o.comparison is not None]
    skipped = {why for comparison in compared for why in comparison.skipped}
    why = f" ({'; '.join(sorted(skipped))})" if skipped else ""
    return f"only {sum(after.values())} of the plain port's {sum(before.values())} cases could be run{why}"


def _findings(
    found: tuple[Proposal, ...],
    tuning: Tuning | None,
    reasons: dict[str, str],
    before: Builds,
    after: Builds,
) -> tuple[Diagnostic, ...]:
    applied = set(map(id, tuning.applied)) if tuning is not None else set()
    findings: list[Diagnostic] = []
    for proposal in found:
        fix = proposal.fix
        if isinstance(fix, NotApplicable):
            findings.append(_finding(proposal, proposal.message, f"left as it is: {fix.reason}"))
        elif id(proposal) in applied:
            code = _machine_code(proposal.kernel, before, after) if fix.instruction else []
            proof = "; ".join([*map(str, fix.measures), *code])
            findings.append(_finding(proposal, proposal.message, f"tuned: {fix.summary}; {proof}"))
        else:
            why = _why_not_kept(proposal.kernel, reasons)
            findings.append(_finding(proposal, proposal.message, f"not kept: {fix.summary}; {why}"))
    return tuple(findings)


def _why_not_kept(kernel: str, reasons: dict[str, str]) -> str:
    if kernel in reasons:
        return f"the tuned port is not verified: {reasons[kernel]}"
    others = ", ".join(reasons)
    return f"no port with it was verified as a whole in {ROUNDS} attempts, because of {others}"


def _machine_code(kernel: str, before: Builds, after: Builds) -> list[str]:
    """Memory instructions of the compiled kernel, where an AMD compiler was at hand."""
    old, new = before.resources(kernel), after.resources(kernel)
    if old is None or new is None:
        return []
    a, b = old.instructions, new.instructions
    return [
        f"machine code: {a.wide} of {a.vector_memory} memory instructions -> {b.wide} of {b.vector_memory} "
        f"move 16 bytes a lane, LDS instructions {a.lds} -> {b.lds}, registers {old.vgprs} -> {new.vgprs}"
    ]


def _finding(proposal: Proposal, message: str, hint: str) -> Diagnostic:
    return Diagnostic(proposal.code, Severity.NOTE, message, proposal.span, hint)
