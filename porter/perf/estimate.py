"""The roofline: the least time a launch can take on a GPU, and what bounds it.

    memory_us  = bytes moved / HBM bandwidth
    compute_us = rounds × sum over dtypes of (operations of a workgroup / rate of one compute unit)
    rounds     = ceil(workgroups / compute units)
    time_us    = max(memory_us, compute_us, launch_us)

Peaks are the hardware's (`porter.hardware`, each with its source); the form is Williams, Waterman and
Patterson, "Roofline", CACM 2009, with whole rounds of workgroups: the last one takes as long as the others.

It is a lower bound for cold caches: every figure of `Work` that is itself a lower bound keeps it one.
Latency, uncoalesced access, bank conflicts and instructions other than arithmetic are not in it. Occupancy is
stated beside the time, since few waves hide little latency, and not turned into a factor nobody measured.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from porter.hardware.gpu import Gpu
from porter.hardware.occupancy import Occupancy, occupancy
from porter.perf.work import Work


@dataclass(frozen=True)
class Resources:
    """What a compiled kernel needs; `vgprs` of one thread (AGPRs included), LDS static and dynamic."""

    vgprs: int
    lds_bytes: int


@dataclass(frozen=True)
class Estimate:
    """`bound` is "memory", "compute" or "launch". `tail` is the idle share of the last round of workgroups.

    `occupancy` is None where the kernel's resources are not known.
    """

    time_us: float
    bound: str
    memory_us: float
    compute_us: float
    launch_us: float
    rounds: int
    tail: float
    occupancy: Occupancy | None
    assumptions: tuple[str, ...]

    @property
    def arithmetic_is_hidden(self) -> bool:
        return self.compute_us <= self.memory_us


@dataclass(frozen=True)
class CannotLaunch:
    """The launch asks for more than the GPU has; no time is predicted for it."""

    reason: str


Prediction: TypeAlias = Estimate | CannotLaunch

# What a vector unit without a rate of its own computes in, at the price of conversions.
_COMPUTED_IN = {"bf16": "f32", "f16": "f32", "fp8": "f32", "i8": "f32"}


def estimate(work: Work, gpu: Gpu, resources: Resources | None = None) -> Prediction:
    """The least time of a launch that does `work` on `gpu`.

    Raises KeyError for a dtype in `work.matrix_flops_by_dtype` that the GPU's matrix unit lacks.
    """
    if reason := _over_limits(work, gpu, resources):
        return CannotLaunch(reason)
    rounds, tail = _rounds(work.workgroups, gpu.compute_units)
    times = {
        "memory": (work.bytes_read + work.bytes_written) / gpu.hbm_gbps * 1e-3,
        "compute": rounds * _workgroup_us(work, gpu),
        "launch": gpu.launch_us,
    }
    bound = max(times, key=lambda name: times[name])
    return Estimate(
        time_us=times[bound],
        bound=bound,
        memory_us=times["memory"],
        compute_us=times["compute"],
        launch_us=times["launch"],
        rounds=rounds,
        tail=tail,
        occupancy=_occupancy(work, gpu, resources) if resources else None,
        assumptions=("caches are cold", *work.assumptions),
    )


def _over_limits(work: Work, gpu: Gpu, resources: Resources | None) -> str:
    threads, limit = work.threads_per_block, gpu.compute.max_threads_per_block
    if threads > limit:
        return f"a block of {threads} threads; {gpu.name} allows {limit}"
    if resources is None:
        return ""
    lds, most = resources.lds_bytes, gpu.memory.lds_bytes_per_workgroup
    if lds > most:
        return f"{lds} bytes of LDS; {gpu.name} has {most} a workgroup"
    if _occupancy(work, gpu, resources).workgroups_per_compute_unit == 0:
        return (
            f"{resources.vgprs} registers a thread: {gpu.name} has no room for a block of {threads} threads"
        )
    return ""


def _occupancy(work: Work, gpu: Gpu, resources: Resources) -> Occupancy:
    return occupancy(
        gpu,
        vgprs=resources.vgprs,
        lds_bytes=resources.lds_bytes,
        threads_per_block=work.threads_per_block,
    )


def _rounds(workgroups: int, compute_units: int) -> tuple[int, float]:
    rounds = max(math.ceil(workgroups / compute_units), 1)
    return rounds, 1.0 - workgroups / (rounds * compute_units)


def _workgroup_us(work: Work, gpu: Gpu) -> float:
    """One workgroup alone on a compute unit at its peak rates; vector and matrix units overlap."""
    vector = sum(n / vector_tflops(gpu, dtype) for dtype, n in work.flops_by_dtype.items())
    matrix = sum(n / gpu.matrix_tflops[dtype] for dtype, n in work.matrix_flops_by_dtype.items())
    whole_gpu_us = max(vector, matrix) * 1e-6
    return whole_gpu_us * gpu.compute_units / max(work.workgroups, 1)


def vector_tflops(gpu: Gpu, dtype: str) -> float:
    """The peak of the vector units; what has no rate of its own is computed in a wider type."""
    return gpu.vector_tflops.get(dtype) or gpu.vector_tflops[_COMPUTED_IN[dtype]]
