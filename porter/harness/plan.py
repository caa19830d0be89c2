"""Writes the replay plan of a program and the tensors its cases start from (docs/capture-format.md)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from porter.harness.capture import Launch, ScalarArgument
from porter.harness.cases import Case, Scalar
from porter.harness.dtypes import U8, Array
from porter.harness.fills import continued
from porter.harness.regions import Buffer, uniform_type
from porter.harness.tensors import Tensor, write_tensors

_GIVEN_BYTES = 1 << 22


@dataclass(frozen=True)
class WatchedBytes:
    """A stretch of an allocation, of which a replay says who wrote it last."""

    tensor: str
    offset: int
    size: int

    def __str__(self) -> str:
        return f"{self.tensor}:{self.offset}:{self.size}"


@dataclass(frozen=True)
class CaseInputs:
    """Whole allocations by their name in the plan, the captured contents with the fills over them."""

    tensors: Mapping[str, Tensor]


def build_inputs(case: Case, launch: Launch, buffers: Sequence[Buffer]) -> CaseInputs:
    """Allocations that a fill touches or that grow, and those that the captured contents fully stand for.

    A program that seeds its numbers with the time holds others in its next run: what is given comes first.
    Memory of several types, and much of it, stays as the program has it. `buffers` are those of the case
    (`resized`).
    """
    before = launch.before()
    filled = {b.allocation for b in buffers if b.name in case.fills or b.name in case.lengths}
    own = tuple(buffers)
    given = {i for i in before if uniform_type(own, i) and before[i].values.nbytes <= _GIVEN_BYTES}
    tensors: dict[str, Tensor] = {}
    for identifier in sorted(filled | given):
        mine = tuple(b for b in buffers if b.allocation == identifier)
        contents = _grown(before[identifier].values, mine)
        for buffer in mine:
            if fill := case.fills.get(buffer.name):
                _put(contents, buffer, fill.values(buffer.dtype, slice_of(contents, buffer)))
        dtype = uniform_type(mine, identifier) or U8
        tensors[mine[0].tensor] = Tensor(dtype, dtype.decode(contents.tobytes()))
    return CaseInputs(tensors)


def _grown(captured: Array, buffers: Sequence[Buffer]) -> Array:
    """The captured bytes, continued to the end of the last buffer."""
    data = np.array(captured.view(np.uint8), copy=True)
    last = max(buffers, key=lambda b: b.end)
    if last.end <= len(data):
        return data
    own = data[: len(data) // last.dtype.size_bytes * last.dtype.size_bytes].view(last.dtype.storage)
    return continued(own, last.n_elements).view(np.uint8)


def resized(buffers: Sequence[Buffer], case: Case) -> tuple[Buffer, ...]:
    """The buffers with the lengths that the case gives them."""
    return tuple(
        replace(b, end=b.start + case.lengths[b.name] * b.dtype.size_bytes) if b.name in case.lengths else b
        for b in buffers
    )


def slice_of(contents: Array, buffer: Buffer) -> Array:
    """The elements of a buffer within its allocation (an array of any type); a view, no copy."""
    size = (buffer.end - buffer.start) // buffer.dtype.size_bytes * buffer.dtype.size_bytes
    return contents.view(np.uint8)[buffer.start : buffer.start + size].view(buffer.dtype.storage)


def _put(contents: Array, buffer: Buffer, values: Array) -> None:
    data = np.frombuffer(values.tobytes(), dtype=np.uint8)
    contents[buffer.start : buffer.start + len(data)] = data


def encode_scalar(value: Scalar, like: ScalarArgument) -> bytes:
    """`value` in the representation of the captured argument (a double-precision build widens a float)."""
    dtype = like.dtype
    if dtype is not None and dtype.is_float:
        return dtype.from_double(np.array([float(value)])).tobytes()
    if isinstance(value, float):
        return struct.pack("<d", value)[: len(like.data)]
    return int(value).to_bytes(len(like.data), "little", signed=value < 0)


def plan_line(
    case: Case,
    launch: Launch,
    inputs: Path,
    *,
    name: str = "",
    schedule: int | None = None,
    watch: WatchedBytes | None = None,
) -> str:
    """One line of the plan; `launch` is the launch of the program that will run it."""
    fields = ["case", name or case.name, str(launch.index), str(inputs)]
    if case.grid is not None:
        fields.append("grid=" + ",".join(map(str, case.grid)))
    if case.block is not None:
        fields.append("block=" + ",".join(map(str, case.block)))
    for position, value in sorted(case.scalars.items()):
        argument = launch.arguments[position]
        assert isinstance(argument, ScalarArgument)
        fields.append(f"scalar={position}:{encode_scalar(value, argument).hex()}")
    if case.lengths:
        fields.append("resized=" + ",".join(sorted(case.lengths)))
    if schedule is not None:
        fields.append(f"schedule={schedule}")
    if watch is not None:
        fields.append(f"watch={watch}")
    return " ".join(fields)


def write_inputs(path: Path, inputs: CaseInputs) -> Path:
    write_tensors(path, inputs.tensors)
    return path
