"""Which launch of a ported program is the first that is wrong: other outputs from equal inputs.

A launch whose inputs already differ says nothing about its own kernel: what came before it is to blame.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from porter.harness.capture import Capture, Launch
from porter.harness.compare import compare_buffer
from porter.harness.dtypes import Array
from porter.harness.judge import Judged
from porter.harness.launches import base_name, row_name
from porter.harness.outputs import captured_arrays, same_signature
from porter.harness.regions import buffers_of
from porter.harness.tolerance import NoTruth, Order, make_truth


def first_wrong_launch(judged: Judged, port: Capture, mapping: Mapping[str, str]) -> str:
    """One sentence for a report. Inputs count as equal when every bit is."""
    orders = _orders(judged)
    inputs_differ = ""
    for original, twin in _pairs(judged.capture, port, mapping):
        buffers = buffers_of(original, judged.capture.allocations)
        before = captured_arrays(original, buffers, after=False)
        after = captured_arrays(original, buffers, after=True)
        own = buffers_of(twin, port.allocations)
        if not _same(before, captured_arrays(twin, own, after=False)):
            inputs_differ = inputs_differ or f"launch {original.index} ({original.kernel})"
            continue
        got = captured_arrays(twin, own, after=True)
        for buffer in buffers:
            order = orders.get((base_name(original.kernel), buffer.name), Order.FIXED)
            length = max(b.n_elements for b in buffers)
            truth = make_truth(
                buffer.name, buffer.dtype, [after[buffer.name]], None, order, reduction_length=length
            )
            actual = got.get(buffer.name, after[buffer.name][:0])
            if not isinstance(truth, NoTruth) and compare_buffer(truth, actual, "").n_mismatch:
                return (
                    f"launch {original.index} ({original.kernel}) is the first that gives other outputs "
                    f"({buffer.name}) from equal inputs"
                )
    if inputs_differ:
        return (
            f"no launch gives other outputs from equal inputs; the inputs of {inputs_differ} already differ"
        )
    return "every launch gives the same: the host code differs"


def _same(left: Mapping[str, Array], right: Mapping[str, Array]) -> bool:
    return all(name in right and right[name].tobytes() == array.tobytes() for name, array in left.items())


def _orders(judged: Judged) -> dict[tuple[str, str], Order]:
    """Buffers whose elements may stand in any order."""
    return {
        (base_name(kernel.name), truth.buffer): truth.order
        for kernel in judged.kernels
        for case in kernel.cases
        for truth in case.truths
        if truth.order is Order.PERMUTED
    }


def _pairs(original: Capture, port: Capture, mapping: Mapping[str, str]) -> Iterator[tuple[Launch, Launch]]:
    """The n-th launch of a kernel in both programs, as far as both were recorded whole."""
    by_name: dict[str, list[Launch]] = {}
    for launch in port.launches:
        by_name.setdefault(base_name(launch.kernel), []).append(launch)
    for launch in original.launches:
        name = mapping.get(row_name(launch.qualified_name)) or mapping.get(launch.kernel) or launch.kernel
        twins = by_name.get(base_name(name), [])
        if launch.occurrence < len(twins):
            twin = twins[launch.occurrence]
            if launch.tensors and twin.tensors and same_signature(launch, twin):
                yield launch, twin
