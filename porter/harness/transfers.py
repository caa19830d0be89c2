"""What a program copies to the host, one copy after the other: the program-level comparison."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from porter.harness.capture import Capture, Transfer
from porter.harness.dtypes import F64, U8, Doubles, ElementType
from porter.harness.regions import Buffer, buffers_of
from porter.harness.tolerance import NoTruth, Truth, classify_order, make_truth
from porter.harness.truths import OriginalRuns


@dataclass(frozen=True)
class TransferTruth:
    """The `index`-th copy to the host and what it must carry."""

    index: int
    truth: Truth


def transfer_truths(capture: Capture, runs: OriginalRuns) -> tuple[tuple[TransferTruth, ...], str]:
    """The truths, or none and the reason why the original's copies are no measure."""
    others = [runs.again] if runs.again is not None and runs.again.exit_code == 0 else []
    if any(len(other.transfers) != len(capture.transfers) for other in others):
        return (), "the original's number of copies to the host varies between runs"
    types = TransferTypes(capture)
    wide = runs.wide.capture.transfers if runs.wide else ()
    truths = []
    for position, transfer in enumerate(capture.transfers):
        twins = [other.transfers[position] for other in others]
        twin = wide[position] if len(wide) == len(capture.transfers) else None
        truth = _truth_of(position, transfer, twins, twin, types.of(transfer))
        if isinstance(truth, NoTruth):
            return (), f"copy {position} to the host: {truth.reason}"
        if truth is not None:
            truths.append(TransferTruth(position, truth))
    return tuple(truths), ""


def _truth_of(
    position: int, transfer: Transfer, twins: Iterable[Transfer], wide: Transfer | None, dtype: ElementType
) -> Truth | NoTruth | None:
    """None for a copy that was too large to be recorded."""
    name = f"copy {position} to the host"
    data = [transfer.data(), *(t.data() for t in twins)]
    if data[0] is None or any(d is None or d.values.nbytes != transfer.bytes for d in data):
        return None if data[0] is None else NoTruth(name, "its size varies between runs")
    arrays = [d.as_type(dtype).values for d in data if d is not None]
    order = classify_order(arrays, dtype)
    reference = _reference(wide, dtype, len(arrays[0]))
    return make_truth(name, dtype, arrays, reference, order, reduction_length=1 << 12)


def _reference(wide: Transfer | None, dtype: ElementType, n: int) -> Doubles | None:
    tensor = wide.data() if wide is not None else None
    if tensor is None or not dtype.is_float or dtype is F64 or tensor.values.nbytes != 8 * n:
        return None
    return tensor.as_type(F64).values


class TransferTypes:
    """The element type of every device address, from the pointers that kernels were given."""

    def __init__(self, capture: Capture) -> None:
        self._buffers: dict[int, list[Buffer]] = {}
        for launch in capture.launches:
            for buffer in buffers_of(launch, capture.allocations):
                known = self._buffers.setdefault(buffer.allocation, [])
                if buffer.typed and buffer not in known:
                    known.append(buffer)

    def of(self, transfer: Transfer) -> ElementType:
        """U8 where no kernel says what the memory holds, or where several disagree."""
        types = {
            b.dtype
            for b in self._buffers.get(transfer.allocation if transfer.allocation is not None else -1, ())
            if b.start < transfer.offset_bytes + transfer.bytes and transfer.offset_bytes < b.end
        }
        if len(types) == 1:
            (dtype,) = types
            if transfer.bytes % dtype.size_bytes == 0:
                return dtype
        return U8
