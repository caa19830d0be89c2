"""Which of two verified ports is faster: the time the GPU is busy with the program's largest launches.

    busy_us  = max(memory_us, compute_us, issue_us), summed over the kernels
    floor_us = max(memory_us, compute_us): what no port of the kernels can go below

The first two are the roofline's and the same for every port (`porter.perf.estimate`). `issue_us` is the
port's own: the instructions of its machine code that its wavefronts executed on small cases (`--on isa`), as
many a thread at the largest launch, each taking a compute unit's cycle. Without such a run nothing tells
two ports apart. The time of the launch itself is left out: every port has it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from porter.core.outcome import Outcome, Ported
from porter.cuda.kir import Kernel
from porter.cuda.lower_kernel import Lowered, LoweredKernel
from porter.hardware.gpu import load_gpu
from porter.perf.estimate import Estimate
from porter.pipeline.build import Builds
from porter.pipeline.original import Original
from porter.pipeline.predict import largest_launch, roofline


@dataclass(frozen=True)
class BusyTime:
    """Microseconds of the largest launches of some kernels."""

    busy_us: float
    floor_us: float

    def __str__(self) -> str:
        return (
            f"predicted for the program's largest launches: the GPU is busy for {self.busy_us:.3g} us; "
            f"the least for any port is {self.floor_us:.3g} us"
        )


def busy_time(
    outcomes: tuple[Outcome, ...],
    lowered: tuple[LoweredKernel, ...],
    original: Original,
    builds: Builds,
    arch: str,
) -> BusyTime | None:
    """Of verified kernels. None where a kernel was not executed, cannot be counted, or was never launched."""
    known = {k.kernel.name: k.kernel for k in reversed(lowered) if isinstance(k, Lowered)}
    busy, floor = 0.0, 0.0
    for outcome in outcomes:
        kernel = known.get(outcome.kernel.rpartition("::")[2])
        limit = None if kernel is None else roofline(kernel, original, builds, arch)
        issue_us = None if kernel is None else _issue_us(outcome, kernel, original, arch)
        if not isinstance(limit, Estimate) or issue_us is None:
            return None
        floor += max(limit.memory_us, limit.compute_us)
        busy += max(limit.memory_us, limit.compute_us, issue_us)
    return BusyTime(busy, floor) if outcomes else None


def _issue_us(outcome: Outcome, kernel: Kernel, original: Original, arch: str) -> float | None:
    launch = largest_launch(kernel.name, original)
    if not isinstance(outcome, Ported) or launch is None:
        return None
    for instructions, threads in _executed(outcome):
        gpu = load_gpu(arch)
        at_launch = instructions / threads * math.prod(launch.grid) * math.prod(launch.block)
        return at_launch / (gpu.compute_units * gpu.clock_mhz)
    return None


def _executed(outcome: Ported) -> Iterator[tuple[float, float]]:
    """Wavefront instructions and the original's threads of the cases whose machine code was executed."""
    for evidence in outcome.evidence:
        instructions = _number(evidence.details.get("wavefront_instructions"))
        threads = _number(evidence.details.get("threads"))
        if instructions > 0 and threads > 0:
            yield instructions, threads


def _number(detail: int | float | str | None) -> float:
    return 0.0 if detail is None or isinstance(detail, str) else float(detail)
