"""Shared memory of a block, and the accesses of different threads that nothing orders.

A thread may read what it wrote itself, what was written before the last block barrier, or what a lane of its
warp wrote before the last barrier of the warp. Warps have 32 threads here, whatever the groups of a kernel:
the stricter of both, since a barrier of a wavefront orders more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from porter.analysis.effects.terms import Term
from porter.analysis.effects.values import Guard
from porter.cuda.warp import WARP_SIZE


@dataclass(frozen=True)
class Access:
    thread: int
    epoch: int
    warp_epoch: int

    def before(self, later: Access) -> bool:
        same_warp = self.thread // WARP_SIZE == later.thread // WARP_SIZE
        return (
            self.thread == later.thread
            or self.epoch < later.epoch
            or (same_warp and self.warp_epoch < later.warp_epoch)
        )


@dataclass
class Cell:
    term: Term
    guard: Guard
    size_bytes: int
    write: Access
    reads: list[Access] = field(default_factory=list)


Place = tuple[str, int]
"""The array and the byte in it."""


class Unordered(Exception):
    """Two accesses that nothing orders, or a read of what may not have been written."""


@dataclass
class SharedCells:
    cells: dict[Place, Cell] = field(default_factory=dict)
    used_bytes: dict[str, int] = field(default_factory=dict)
    element_bytes: dict[str, int] = field(default_factory=dict)
    written: set[Place] = field(default_factory=set)
    never_written: dict[Place, list[Access]] = field(default_factory=dict)

    def read(self, place: Place, size_bytes: int, access: Access, guard: Guard) -> Term | None:
        """What stands there; None for nothing. Raises Unordered."""
        self._use(place, size_bytes)
        cell = self.cells.get(place)
        if cell is None:
            self.never_written.setdefault(place, []).append(access)
            return None
        if not cell.write.before(access):
            raise Unordered("a read of what another thread wrote, with no barrier between")
        if not cell.guard <= guard:
            raise Unordered("shared memory that is written under a condition on data")
        cell.reads.append(access)
        return cell.term

    def write(self, place: Place, size_bytes: int, values: Sequence[tuple[Access, Guard, Term]]) -> None:
        """The writes of one statement to one place. Raises Unordered."""
        self._use(place, size_bytes)
        access, guard, term = values[0]
        if any((g, t) != (guard, term) for _, g, t in values):
            raise Unordered("two threads write different values to one element")
        earlier = self.cells.get(place)
        before = [earlier.write, *earlier.reads] if earlier else self.never_written.pop(place, [])
        if not all(past.before(now) for past in before for now, _, _ in values):
            raise Unordered("a write to what another thread uses, with no barrier between")
        if len(values) > 1:
            # Any of them may have been the one: only a barrier orders what follows.
            access = Access(-WARP_SIZE, access.epoch, access.warp_epoch)
        self.cells[place] = Cell(term, guard, size_bytes, access)
        self.written.add(place)

    def forget(self, places: set[Place], undefined: Term) -> None:
        """What stands in `places` is not known any more."""
        for place in places:
            if place in self.cells:
                self.cells[place].term = undefined

    def _use(self, place: Place, size_bytes: int) -> None:
        array, at = place
        if self.element_bytes.setdefault(array, size_bytes) != size_bytes or at % size_bytes:
            raise Unordered("an array that is accessed as several types")
        self.used_bytes[array] = max(self.used_bytes.get(array, 0), at + size_bytes)
