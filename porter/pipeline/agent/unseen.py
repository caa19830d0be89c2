"""After a candidate was accepted: the same comparison on sizes and data that nobody was told of.

The model reads which cases failed, and so learns which there are. The sizes here are drawn anew for each
candidate, from its own text: the same candidate is always compared on the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from porter.harness.judge import Judged
from porter.harness.unseen import judge_unseen
from porter.harness.verdict import CouldNotRun, KernelVerdict, Mismatched, Passed, Verification
from porter.pipeline.decide import Checked
from porter.pipeline.original import Original, verify_options
from porter.pipeline.request import PortRequest
from porter.pipeline.verify import verify

_CASES = "unseen_cases"
REASON = (
    "it agrees on the cases it was compared on before, and is wrong on others, of other sizes and with other "
    "data: it must be right for every size that the original is right for"
)


@dataclass(frozen=True)
class Unseen:
    """`wrong` are the kernels that the candidate has got wrong; `cases` counts those it was compared on."""

    wrong: frozenset[str]
    cases: dict[str, int]


def compare_unseen(request: PortRequest, checked: Checked, original: Original) -> Unseen:
    """Nothing is wrong, and nothing compared, where the original cannot be run again."""
    judged = original.judgement
    if not isinstance(judged, Judged) or judged.again is None:
        return Unseen(frozenset(), {})
    fresh = judge_unseen(judged, verify_options(request), checked.draft.text)
    if not any(kernel.cases for kernel in fresh.kernels):
        return Unseen(frozenset(), {})
    found = verify(replace(request, on_isa=False), checked.draft, Path(checked.output), Original(fresh))
    if not isinstance(found, Verification):
        return Unseen(frozenset(), {})
    wrong = frozenset(v.kernel for v in found.kernels if isinstance(v, Mismatched | CouldNotRun))
    return Unseen(wrong, {v.kernel: v.comparison.cases for v in found.kernels if isinstance(v, Passed)})


def with_unseen(checked: Checked, unseen: Unseen) -> Checked:
    """The verdict with what was found: a kernel that was wrong has no elements to show."""
    if checked.verification is None:
        return checked
    kernels = tuple(_told(verdict, unseen) for verdict in checked.verification.kernels)
    return replace(checked, verification=replace(checked.verification, kernels=kernels))


def cases_of(checked: Checked) -> dict[str, int]:
    """Kernel → the cases of `with_unseen` that its evidence has."""
    kernels = checked.verification.kernels if checked.verification is not None else ()
    counted = {
        v.kernel: [e.details[_CASES] for e in v.evidence if _CASES in e.details]
        for v in kernels
        if isinstance(v, Passed)
    }
    return {kernel: int(counts[0]) for kernel, counts in counted.items() if counts}


def with_cases(checked: Checked, cases: Mapping[str, int]) -> Checked:
    """The same kernels in another module: what they were compared on alone counts there too."""
    if checked.verification is None:
        return checked
    kernels = tuple(
        _counted(v, cases[v.kernel]) if isinstance(v, Passed) and v.kernel in cases else v
        for v in checked.verification.kernels
    )
    return replace(checked, verification=replace(checked.verification, kernels=kernels))


def _counted(verdict: Passed, cases: int) -> Passed:
    evidence = tuple(replace(e, details={**e.details, _CASES: cases}) for e in verdict.evidence)
    return replace(verdict, evidence=evidence)


def _told(verdict: KernelVerdict, unseen: Unseen) -> KernelVerdict:
    if not isinstance(verdict, Passed):
        return verdict
    if verdict.kernel in unseen.wrong:
        return CouldNotRun(verdict.kernel, REASON)
    return _counted(verdict, unseen.cases.get(verdict.kernel, 0))
