"""Processes of this machine, each with one unit at a time."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from typing import Any

from porter.migrate.executors.protocol import Finished
from porter.migrate.repository.units import Unit, UnitDone, crashed
from porter.migrate.repository.work import Worker

_LOOK_SECONDS = 0.5
"""How often it is looked at whether a unit takes too long."""


@dataclass
class _Process:
    """A worker's process, the way to it, and what it works on since when."""

    process: ForkServerProcess
    connection: Connection[Any, Any]
    unit: Unit
    since: float = 0.0

    def give(self, unit: Unit) -> None:
        self.unit, self.since = unit, time.monotonic()
        self.connection.send(unit)

    def finished(self, done: UnitDone) -> Finished:
        return Finished(done, time.monotonic() - self.since)

    def end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()


@dataclass(frozen=True)
class LocalExecutor:
    worker: Worker
    jobs: int

    def run(self, units: Iterable[Unit]) -> Iterator[Finished]:
        waiting = iter(units)
        busy: list[_Process] = []
        try:
            for _, unit in zip(range(self.jobs), waiting, strict=False):
                busy.append(self._started(unit))
            while busy:
                for slot, finished in list(self._look(busy)):
                    busy.remove(slot)
                    following = next(waiting, None)
                    if following is None:
                        slot.end()
                    elif slot.process.is_alive() and not slot.connection.closed:
                        slot.give(following)
                        busy.append(slot)
                    else:
                        busy.append(self._started(following))
                    yield finished
        finally:
            for slot in busy:
                slot.end()

    def _started(self, unit: Unit) -> _Process:
        context = get_context("forkserver")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(self.worker, theirs), daemon=True)
        process.start()
        theirs.close()
        slot = _Process(process, ours, unit)
        slot.give(unit)
        return slot

    def _look(self, busy: list[_Process]) -> Iterator[tuple[_Process, Finished]]:
        """The processes that have come to an end of their units."""
        ready = wait([slot.connection for slot in busy], timeout=_LOOK_SECONDS)
        limit = self.worker.request.unit_seconds
        for slot in busy:
            if slot.connection in ready:
                yield slot, slot.finished(_received(slot))
            elif time.monotonic() - slot.since > limit:
                slot.end()
                yield slot, slot.finished(crashed(slot.unit, f"stopped after {limit:.0f} s"))


def _received(slot: _Process) -> UnitDone:
    try:
        done = slot.connection.recv()
    except (EOFError, OSError):
        slot.end()
        code = slot.process.exitcode
        return crashed(slot.unit, _how_it_ended(code), passing=code == -signal.SIGKILL)  # memory ran out
    assert isinstance(done, UnitDone)
    return done


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with {code}"


def _work(worker: Worker, connection: Connection[Any, Any]) -> None:
    """The life of a process: units in, results out, until nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is in charge ends it
    while True:
        try:
            unit = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(worker.perform(unit))
