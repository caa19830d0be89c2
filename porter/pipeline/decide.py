"""What was checked becomes an outcome. Nothing is called ported without a passed numerical comparison."""

from __future__ import annotations

from dataclasses import dataclass, replace

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Declined, Evidence, Failed, Outcome, Partial, Ported
from porter.harness.verdict import (
    CouldNotRun,
    KernelVerdict,
    Mismatched,
    NoVerdict,
    Passed,
    ProgramFailed,
    ProgramPassed,
    Verification,
)
from porter.pipeline.build import Builds
from porter.pipeline.draft import Draft
from porter.pipeline.missing_includes import file_not_found


@dataclass(frozen=True)
class Checked:
    """A draft with everything that was found out about it. `verification` is None when it was not run.

    `left_out` are declined kernels without which it was built and run, because it does not build with them.
    `original_fails_too`: neither does the original program build.
    """

    draft: Draft
    output: str
    builds: Builds
    verification: Verification | None
    unverified: str = ""
    left_out: tuple[str, ...] = ()
    original_fails_too: bool = False


def decide_rows(kernel: str, checked: Checked, findings: tuple[Diagnostic, ...]) -> tuple[Outcome, ...]:
    """One outcome for each kernel of this name: several where namespaces share it and the program ran."""
    verification = checked.verification
    if verification is None or kernel in checked.draft.declined or checked.builds.failure is not None:
        return (decide(kernel, checked, findings),)
    return tuple(_by_verdict(row, checked, verification, findings) for row in verification.rows(kernel))


def decide(kernel: str, checked: Checked, findings: tuple[Diagnostic, ...]) -> Outcome:
    """The outcome of one kernel. A kernel that was declined is never saved by what happens to run."""
    draft = checked.draft
    declined = draft.declined.get(kernel)
    if declined is not None:
        return Declined(
            kernel, f"{declined.message} [{declined.code}]", (declined, *_others(findings, declined))
        )
    failure = checked.builds.failure
    if failure is not None and (absent := _absent_include(failure.diagnostics)):
        return _partial(kernel, checked, f"not built: the included file {absent} does not exist", findings)
    if failure is not None and draft.declined:
        others = ", ".join(draft.declined)
        return _partial(kernel, checked, f"the file does not build because of {others}", findings)
    if failure is not None and checked.original_fails_too:
        errors = (*_errors(failure.diagnostics), *findings)
        reason = f"it does not build, and this is not the port's fault alone: {checked.unverified}"
        return _partial(kernel, checked, reason, errors)
    if failure is not None:
        errors = (*_errors(failure.diagnostics), *findings)
        reason = f"does not build ({checked.unverified})" if checked.unverified else "does not build"
        return Failed(kernel, draft.producer_of(kernel), checked.output, reason, findings=errors)
    if checked.verification is None:
        return _partial(kernel, checked, checked.unverified, findings)
    return _by_verdict(kernel, checked, checked.verification, findings)


def _by_verdict(
    kernel: str, checked: Checked, verification: Verification, findings: tuple[Diagnostic, ...]
) -> Outcome:
    producer, output = checked.draft.producer_of(kernel), checked.output
    if verification.original:
        return _partial(kernel, checked, f"not verified: {verification.original}", findings)
    if checked.left_out:
        return _without_others(kernel, checked, verification.of(kernel), findings)
    match verification.of(kernel):
        case Mismatched(reason=reason, comparison=comparison):
            return Failed(kernel, producer, output, reason, checked.builds.evidence, comparison, findings)
        case CouldNotRun(reason=reason):
            return Failed(kernel, producer, output, reason, checked.builds.evidence, None, findings)
        case NoVerdict(reason=reason):
            return _partial(kernel, checked, f"not verified: {reason}", findings)
        case Passed(comparison=comparison, evidence=evidence, skipped=skipped, not_raised=not_raised):
            program = verification.program
            if isinstance(program, ProgramFailed):
                reason = f"the kernel agrees, the ported program does not: {program.reason}"
                if any(isinstance(v, Mismatched | CouldNotRun) for v in verification.kernels):
                    return _partial(kernel, checked, reason, findings)  # another kernel explains it
                return Failed(
                    kernel, producer, output, reason, checked.builds.evidence, program.comparison, findings
                )
            proof = _merged(checked.builds.evidence, evidence, program)
            told = replace(comparison, skipped=skipped, not_raised=not_raised)
            return Ported(kernel, producer, output, proof, told, findings)


def _without_others(
    kernel: str, checked: Checked, verdict: KernelVerdict, findings: tuple[Diagnostic, ...]
) -> Outcome:
    """Of a copy of the port without the declined kernels. What is wrong there may be for want of them."""
    if isinstance(verdict, Passed):
        proof = _merged(checked.builds.evidence, verdict.evidence, None)
        told = replace(verdict.comparison, skipped=verdict.skipped, not_raised=verdict.not_raised)
        return Ported(kernel, checked.draft.producer_of(kernel), checked.output, proof, told, findings)
    others = ", ".join(checked.left_out)
    reason = f"the file does not build because of {others}; without it: {verdict.reason}"
    return _partial(kernel, checked, reason, findings)


def _merged(built: tuple[Evidence, ...], ran: tuple[Evidence, ...], program: object) -> tuple[Evidence, ...]:
    """Each kind of evidence once, in the order of the ladder."""
    whole = program.evidence if isinstance(program, ProgramPassed) else ()
    return tuple({str(e): e for e in (*reversed(whole), *reversed(ran), *reversed(built))}.values())[::-1]


def _absent_include(diagnostics: tuple[Diagnostic, ...]) -> str:
    """The first file that the compiler looked for in vain; a build without it says nothing of the port."""
    found = (file_not_found(d.message) for d in diagnostics if d.severity is Severity.ERROR)
    return next(filter(None, found), "")


def _errors(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Why a build failed: a warning is no reason, unless there is nothing else."""
    return tuple(d for d in diagnostics if d.severity is Severity.ERROR) or diagnostics


def _partial(kernel: str, checked: Checked, reason: str, findings: tuple[Diagnostic, ...]) -> Partial:
    draft, builds = checked.draft, checked.builds
    evidence = () if kernel in builds.absent else builds.evidence
    producer = draft.producer_of(kernel)
    return Partial(kernel, producer, checked.output, evidence, None, reason, findings)


def _others(findings: tuple[Diagnostic, ...], first: Diagnostic) -> tuple[Diagnostic, ...]:
    return tuple(f for f in findings if f != first and f.severity is Severity.ERROR)
