"""After a candidate was accepted: the same comparison on sizes and data that nobody was told of.

The model reads which cases failed, and so learns which there are. The sizes here are drawn anew for each
candidate, from its own text: the same candidate is always compared on the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from porter.harness.judge import Judged
from porter.harness.unseen import judge_unseen
from porter.harness.verdict import CouldNotRun, KernelVerdict, Mismatched, Passed, Verification
from porter.pipeline.decide import Checked
from porter.pipeline.original import Original, verify_options
from porter.pipeline.request import PortRequest
from porter.pipeline.verify import verify

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


def _told(verdict: KernelVerdict, unseen: Unseen) -> KernelVerdict:
    if not isinstance(verdict, Passed):
        return verdict
    if verdict.kernel in unseen.wrong:
        return CouldNotRun(verdict.kernel, REASON)
    details = {"unseen_cases": unseen.cases.get(verdict.kernel, 0)}
    evidence = tuple(replace(e, details={**e.details, **details}) for e in verdict.evidence)
    return replace(verdict, evidence=evidence)
