"""What a port left in the buffers of one case, against what is right there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from porter.harness.compare import Difference, compare_buffer
from porter.harness.outputs import buffer_arrays
from porter.harness.tensors import Tensor
from porter.harness.truths import JudgedCase, origin_of


def compare_case(judged: JudgedCase, outputs: Mapping[str, Tensor], label: str) -> list[Difference]:
    """Every buffer of a case; one the port did not bring back is wrong in every element."""
    arrays = buffer_arrays(outputs, judged.planned.buffers)
    origin = origin_of(judged.planned)
    return [
        replace(compare_buffer(truth, arrays.get(truth.buffer, truth.expected[:0]), label), origin=origin)
        for truth in judged.truths
    ]
