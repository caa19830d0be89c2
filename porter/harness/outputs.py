"""Cuts the tensors of a replay into the buffers of a launch, each with its element type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from porter.core.outcome import History, LastStore, NeverStored
from porter.harness.capture import Capture, Launch, PointerArgument, ScalarArgument
from porter.harness.dtypes import F64, Array, Doubles
from porter.harness.launches import base_name
from porter.harness.plan import slice_of
from porter.harness.regions import Buffer, uniform_type
from porter.harness.tensors import Tensor


def buffer_arrays(tensors: Mapping[str, Tensor], buffers: Iterable[Buffer]) -> dict[str, Array]:
    """Buffer name → elements; a buffer whose allocation is absent or too short is left out."""
    found: dict[str, Array] = {}
    for buffer in buffers:
        tensor = tensors.get(buffer.tensor)
        if tensor is not None and tensor.values.nbytes >= buffer.end:
            found[buffer.name] = slice_of(tensor.values, buffer)
    return found


def history_of(capture: Capture, case: str) -> History | None:
    """Who wrote the bytes that a replay watched last; None where it does not say."""
    found = next((s for s in capture.stores if s.case == case), None)
    if found is None:
        return None
    if not found.stores:
        return NeverStored()
    return LastStore(found.stores, found.block, found.thread, found.file, found.line)


def captured_arrays(launch: Launch, buffers: Iterable[Buffer], *, after: bool) -> dict[str, Array]:
    """The same from the capture itself, before or after the launch."""
    side = launch.after() if after else launch.before()
    return {b.name: slice_of(side[b.allocation].values, b) for b in buffers if b.allocation in side}


@dataclass(frozen=True)
class WideRun:
    """The double-precision build: its own run, and its replays where its launches are the original's."""

    capture: Capture
    replay: Capture

    def references(self, case: str, launch: Launch, buffers: tuple[Buffer, ...]) -> dict[str, Doubles]:
        """Buffer name → reference, for the buffers that really are wider or feed on wider arithmetic.

        Allocations that hold several types have none: their offsets mean other elements in double.
        """
        if not self._same_launch(launch) or not self._succeeded(case):
            return {}
        tensors = self.replay.replay_file(case)
        found: dict[str, Doubles] = {}
        for buffer in buffers:
            if buffer.dtype.is_float and uniform_type(buffers, buffer.allocation) is not None:
                values = _reference(tensors.get(buffer.tensor), buffer)
                if values is not None:
                    found[buffer.name] = values
        return found

    def _succeeded(self, case: str) -> bool:
        return any(r.case == case and r.status == "ok" for r in self.replay.replays)

    def _same_launch(self, launch: Launch) -> bool:
        twins = [x for x in self.capture.launches if x.index == launch.index]
        return bool(twins) and same_shape(launch, twins[0])


def _reference(tensor: Tensor | None, buffer: Buffer) -> Doubles | None:
    """An F64 tensor has as many elements as the original's allocation; the buffer's are cut by element."""
    if tensor is None:
        return None
    size = buffer.dtype.size_bytes
    first, last = buffer.start // size, buffer.end // size
    if tensor.dtype is F64 and buffer.dtype is not F64:
        return tensor.values[first:last] if len(tensor.values) >= last else None
    if tensor.dtype is buffer.dtype and buffer.dtype.size_bytes == 2:
        return buffer.dtype.to_double(tensor.values[first:last])
    return None


def same_shape(left: Launch, right: Launch) -> bool:
    """Same kernel, grid, block and integer arguments: the two programs are at the same point."""
    same = base_name(left.kernel) == base_name(right.kernel) and left.grid == right.grid
    return same and left.block == right.block and _integers(left) == _integers(right)


def _integers(launch: Launch) -> list[bytes]:
    return [
        a.data
        for a in launch.arguments
        if isinstance(a, ScalarArgument) and a.dtype is not None and not a.dtype.is_float
    ]


def same_signature(left: Launch, right: Launch) -> bool:
    """Same number and kinds of arguments, so that a plan for one can be run by the other."""
    return [_kind(a) for a in left.arguments] == [_kind(a) for a in right.arguments]


def _kind(argument: object) -> str:
    match argument:
        case PointerArgument():
            return "pointer"
        case ScalarArgument():
            return f"scalar of {len(argument.data)} bytes"
    return "struct"
