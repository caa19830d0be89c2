"""Shared memory during the symbolic execution of a block, and the accesses that no barrier orders.

Between two block barriers, an address that one warp writes may be touched by no other warp. Within one warp
the lanes go in lockstep, statement by statement: that is what unsynchronised warp-level code assumes (the
"volatile" tail of a tree reduction), and where it does not hold the original has no defined result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from porter.analysis.terms import Term, Undefined

STALE = Undefined("reads shared memory that was written earlier than the fragment looked at")
_MANY = -1


class Race(Exception):
    """Two accesses of one address by different warps, at least one a write, with no barrier between."""


@dataclass
class _Cell:
    term: Term = STALE
    write_epoch: int = -1
    writer: int = _MANY
    read_epoch: int = -1
    reader: int = _MANY


@dataclass
class SharedArray:
    """The cells of one shared array, by flat element index; cells appear when first touched."""

    cells: dict[int, _Cell] = field(default_factory=dict)

    def read(self, index: int, warp: int, epoch: int) -> Term:
        cell = self.cells.setdefault(index, _Cell())
        if cell.write_epoch == epoch and cell.writer != warp:
            raise Race("a read of what another warp wrote, with no barrier between")
        same = cell.read_epoch != epoch or cell.reader == warp
        cell.read_epoch, cell.reader = epoch, (warp if same else _MANY)
        return cell.term

    def write(self, index: int, term: Term, warp: int, epoch: int) -> None:
        cell = self.cells.setdefault(index, _Cell())
        if cell.write_epoch == epoch and cell.writer != warp:
            raise Race("two warps write one element, with no barrier between")
        if cell.read_epoch == epoch and cell.reader != warp:
            raise Race("a write to what another warp read, with no barrier between")
        cell.term, cell.write_epoch, cell.writer = term, epoch, warp

    def written(self) -> dict[int, Term]:
        """What the fragment left in the elements it wrote."""
        return {i: cell.term for i, cell in self.cells.items() if cell.write_epoch >= 0}

    def merged(self, other: SharedArray, choose: Callable[[Term, Term], Term]) -> SharedArray:
        """Either this or `other`, two outcomes of one start: `choose` gives the term where they differ."""
        cells: dict[int, _Cell] = {}
        for index in {*self.cells, *other.cells}:
            left, right = self.cells.get(index, _Cell()), other.cells.get(index, _Cell())
            latest = left if left.write_epoch >= right.write_epoch else right
            cells[index] = replace(latest, term=choose(left.term, right.term))
        return SharedArray(cells)

    def unsynchronised_writer(self, index: int, epoch: int) -> int | None:
        """The warp that wrote the element after the last barrier, if one did."""
        cell = self.cells.get(index)
        return cell.writer if cell is not None and cell.write_epoch == epoch else None
