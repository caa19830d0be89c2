"""The launches that a generated Triton module checks itself with."""

from __future__ import annotations

from porter.cuda.kir import Kernel
from porter.harness.judge import Judged
from porter.harness.sample import SampledBuffer, sample_launch
from porter.harness.triton_child import torch_dtype
from porter.pipeline.original import Original, verify_options
from porter.pipeline.request import PortRequest
from porter.tile.api import Sample, SampleBuffer


def samples_for(request: PortRequest, original: Original, kernels: tuple[Kernel, ...]) -> tuple[Sample, ...]:
    """At most one a kernel; none for kernels that no launch by formula says anything about."""
    found = (_sample(request, original, kernel) for kernel in kernels)
    return tuple(sample for sample in found if sample is not None)


def _sample(request: PortRequest, original: Original, kernel: Kernel) -> Sample | None:
    if not isinstance(original.judgement, Judged) or kernel.template_arguments:
        return None
    sampled = sample_launch(original.judgement, request.source, verify_options(request), kernel.name)
    if sampled is None or any(v.name not in sampled.globals for v in kernel.globals):
        return None
    values = (*sampled.arguments, *(sampled.globals[v.name] for v in kernel.globals))
    arguments = tuple(_buffer(v) if isinstance(v, SampledBuffer) else v for v in values)
    launch = sampled.launch
    return Sample(kernel.name, launch.grid, launch.block, arguments, launch.shared_bytes)


def _buffer(buffer: SampledBuffer) -> SampleBuffer:
    return SampleBuffer(torch_dtype(buffer.dtype), buffer.n_elements, buffer.constant, buffer.checked)
