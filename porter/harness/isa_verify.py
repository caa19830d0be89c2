"""Runs the compiled port's machine code on a judged original's cases: the verdict beyond the simulator's.

Only kernels that have passed are run, on a few small cases, in the executor of `isa/`. Agreement adds the
evidence `executed-isa`; another number, or an access outside of the buffers, fails the kernel. Code that
cannot be executed (an instruction that is not supported, a launch that is too long) is counted as skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata

import numpy as np

from porter.core.outcome import Evidence, Target
from porter.harness.case_differences import compare_case
from porter.harness.compare import Difference, merge
from porter.harness.isa.errors import IsaError
from porter.harness.isa_cases import IsaCase, IsaRequest, NotExecuted, threads_of
from porter.harness.isa_hip import hip_cases
from porter.harness.isa_triton import triton_cases
from porter.harness.judge import Judged, JudgedKernel
from porter.harness.launches import row_name
from porter.harness.verdict import (
    CouldNotRun,
    KernelVerdict,
    Mismatched,
    Passed,
    Verification,
    VerifyOptions,
)

# What the port did wrong; the other codes are limits of the executor.
_FAULTS = ("ISA010", "ISA011", "ISA012", "ISA014")


def execute_isa(
    verification: Verification, judged: Judged, request: IsaRequest, options: VerifyOptions
) -> Verification:
    """The same verification, every passed kernel's verdict refined by what its machine code computes."""
    pending = list(judged.kernels)
    verdicts: list[KernelVerdict] = []
    for verdict in verification.kernels:
        # Instantiations of one template have verdicts of the same name, in the order of the judged kernels.
        kernel = next((k for k in pending if row_name(k.name) == verdict.kernel), None)
        if kernel is not None:
            pending.remove(kernel)
        if kernel is not None and isinstance(verdict, Passed):
            verdict = _refined(verdict, kernel, request, options)
        verdicts.append(verdict)
    return replace(verification, kernels=tuple(verdicts))


def _refined(
    passed: Passed, kernel: JudgedKernel, request: IsaRequest, options: VerifyOptions
) -> KernelVerdict:
    cases_of = hip_cases if request.target is Target.HIP else triton_cases
    found = cases_of(kernel, request, options)
    if isinstance(found, NotExecuted):
        return _skipped(passed, request, found.reason)
    return _verdict(passed, found, request, options)


def _skipped(passed: Passed, request: IsaRequest, reason: str) -> Passed:
    return replace(passed, skipped={**passed.skipped, f"{request.arch} code not executed: {reason}": 1})


def _verdict(
    passed: Passed, cases: Sequence[IsaCase], request: IsaRequest, options: VerifyOptions
) -> KernelVerdict:
    differences: list[Difference] = []
    instructions, ran, changed = 0, 0, False
    of_waves, threads = 0, 0
    limits: dict[str, int] = {}
    for case in cases:
        done = case.run()
        if isinstance(done, IsaError):
            if done.code in _FAULTS:
                return CouldNotRun(passed.kernel, f"the {request.arch} code, case {case.label!r}: {done}")
            limits[str(done)] = limits.get(str(done), 0) + 1
            continue
        ran, instructions, changed = ran + 1, instructions + done.instructions, changed or case.judged.changed
        of_waves, threads = of_waves + done.wavefront_instructions, threads + threads_of(case.judged)
        differences += compare_case(case.judged, done.outputs, f"{case.label}, {request.arch} code")
    comparison = merge(differences, cases=ran, seed=options.seed)
    if not comparison.equal:
        share = f"{comparison.n_mismatch} of {comparison.n_elements} elements"
        reason = f"the {request.arch} code: {share} differ by more than the tolerance allows"
        return Mismatched(passed.kernel, reason, comparison)
    if not changed:
        why = next(iter(limits), "no case that is small enough")
        return _skipped(passed, request, why)
    evidence = Evidence(
        "executed-isa",
        request.arch,
        {"tinygrad": metadata.version("tinygrad"), "numpy": np.__version__},
        {
            "cases": ran,
            **({"instructions": instructions} if instructions else {}),
            "wavefront_instructions": of_waves,
            "threads": threads,
        },
    )
    return replace(passed, evidence=(*passed.evidence, evidence))
