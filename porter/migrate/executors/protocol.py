"""What a migration asks of an executor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from porter.migrate.repository.units import Unit, UnitDone


@dataclass(frozen=True)
class Finished:
    """One unit; `seconds` of wall time were spent on it."""

    done: UnitDone
    seconds: float


class Executor(Protocol):
    def run(self, units: Iterable[Unit]) -> Iterator[Finished]:
        """Each unit once, in any order. A few more units are taken than have come out.

        A worker that dies, or takes too long, is the result of its unit.
        """
        ...
