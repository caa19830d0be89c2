"""Which bytes of which allocation a launch can reach, and as what type.

A buffer is a stretch of one allocation that one argument (or symbol) names: from the argument's offset to
the next argument's. Programs that carve one allocation into many arrays are compared array by array.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from porter.harness.capture import Allocation, Launch, PointerArgument, StructArgument
from porter.harness.dtypes import U8, ElementType, Layout


@dataclass(frozen=True)
class Buffer:
    """Bytes `[start, end)` of `allocation`. `tensor` is the allocation's name in a replay's files.

    `layout` is known of some untyped bytes: those of an array of structs.
    """

    name: str
    tensor: str
    allocation: int
    start: int
    end: int
    dtype: ElementType
    typed: bool
    layout: Layout | None = None

    @property
    def n_elements(self) -> int:
        return (self.end - self.start) // self.dtype.size_bytes


@dataclass(frozen=True)
class _Entry:
    tensor: str
    allocation: int
    offset: int
    dtype: ElementType | None
    layout: Layout | None = None


def buffers_of(launch: Launch, allocations: Mapping[int, Allocation]) -> tuple[Buffer, ...]:
    """Every buffer of the launch, by allocation and offset. Untyped bytes (`void*`, structs) are U8."""
    entries = [e for e in _entries(launch) if e.allocation in allocations]
    by_allocation: dict[int, list[_Entry]] = {}
    for entry in entries:
        by_allocation.setdefault(entry.allocation, []).append(entry)
    found: list[Buffer] = []
    for identifier, group in by_allocation.items():
        found.extend(_carve(group, allocations[identifier].bytes))
    return tuple(found)


def _entries(launch: Launch) -> list[_Entry]:
    found: list[_Entry] = []
    for k, argument in enumerate(launch.arguments):
        if isinstance(argument, PointerArgument) and argument.allocation is not None:
            dtype = argument.words or argument.dtype
            found.append(_Entry(f"a{k}", argument.allocation, argument.offset_bytes, dtype, argument.layout))
        elif isinstance(argument, StructArgument):
            found.extend(
                _Entry(f"a{k}.{p.at}", p.allocation, p.offset_bytes, None) for p in argument.pointers
            )
    from_type = {g.name: g for g in launch.globals}
    for name, variable in from_type.items():
        dtype = PointerArgument(variable.type, False, variable.allocation, 0).dtype if variable.type else None
        found.append(_Entry(f"g:{name}", variable.allocation, 0, dtype))
    return found


def _carve(entries: list[_Entry], size: int) -> list[Buffer]:
    """Splits one allocation at the offsets that arguments point to; bytes before the first are U8."""
    tensor = entries[0].tensor
    ordered = sorted(entries, key=lambda e: (e.offset, e.dtype is None))
    starts: dict[int, _Entry] = {}
    for entry in ordered:
        starts.setdefault(entry.offset, entry)
    offsets = sorted(o for o in starts if o < size)
    found = []
    if offsets and offsets[0] > 0:
        found.append(_head(starts[offsets[0]], tensor, offsets[0]))
    for start, end in zip(offsets, [*offsets[1:], size], strict=True):
        entry = starts[start]
        found.append(
            Buffer(
                entry.tensor,
                tensor,
                entry.allocation,
                start,
                end,
                entry.dtype or U8,
                entry.dtype is not None,
                entry.layout if entry.dtype is None else None,
            )
        )
    return found


def _head(first: _Entry, tensor: str, end: int) -> Buffer:
    """What lies below the lowest pointer: of that pointer's type where it divides evenly."""
    dtype = first.dtype
    typed = dtype is not None and end % dtype.size_bytes == 0
    return Buffer(
        f"{first.tensor}-below", tensor, first.allocation, 0, end, dtype if typed and dtype else U8, typed
    )


def uniform_type(buffers: tuple[Buffer, ...], allocation: int) -> ElementType | None:
    """The one element type of an allocation, or None where its buffers differ or are untyped."""
    types = {b.dtype for b in buffers if b.allocation == allocation}
    typed = all(b.typed for b in buffers if b.allocation == allocation)
    return types.pop() if typed and len(types) == 1 else None
