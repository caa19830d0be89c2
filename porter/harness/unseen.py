"""A second judgement on cases that nobody has been told of: other sizes, other data.

Whoever writes a port by its verdicts learns the cases that it is compared on. What was accepted on those is
run once more, on sizes and data drawn from a seed of its own.
"""

from __future__ import annotations

import zlib
from dataclasses import replace

from porter.harness.judge import Judged, JudgedKernel, judge_more, plan_kernel, unchecked
from porter.harness.launches import instances
from porter.harness.verdict import VerifyOptions

_CASES = 10
NOT_AGAIN = "the original cannot be run again"


def judge_unseen(judged: Judged, options: VerifyOptions, seed: bytes) -> Judged:
    """The same original on cases drawn from `seed`; kernels for which there are none keep only their reason.

    The whole program runs on its own input only: what it copies to the host is not compared again.
    """
    number = zlib.crc32(seed)
    own = replace(options, seed=number, max_cases=_CASES, max_launches_per_kernel=2, case="")
    launches = instances(judged.capture)
    kernels: list[JudgedKernel] = []
    for kernel in judged.kernels:
        if kernel.reason or judged.again is None or kernel.name not in launches:
            kernels.append(replace(kernel, cases=(), reason=kernel.reason or NOT_AGAIN))
            continue
        why = unchecked(judged.again.builds)
        plan = plan_kernel(judged.capture, launches[kernel.name], own, why, drawn=True)
        known = {case.planned.case.kind for case in kernel.cases} - {"captured"}
        planned = tuple(p for p in plan.cases if p.case.kind not in known or not p.case.scalars)
        cases = judge_more(judged, planned)
        reason = "" if any(case.changed for case in cases) else "the original writes nothing in further cases"
        kernels.append(replace(kernel, cases=cases if not reason else (), dropped={}, reason=reason))
    return replace(judged, kernels=tuple(kernels))
