"""A Ray cluster: an actor is a worker, on whichever machine Ray has room for it.

The machine in charge keeps the journal and the results; actors get units and send back what came of them. A
node that shares no file system with it gets the tree once, by way of Ray's object store. An actor that is
gone, with its node or alone, costs its unit another try; a unit that takes three actors along has crashed.
"""

from __future__ import annotations

import importlib
import logging
import os
import socket
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from porter.core.errors import InputError
from porter.migrate.executors.protocol import Finished
from porter.migrate.executors.tree_snapshot import Snapshot, packed, unpacked
from porter.migrate.repository.units import Unit, UnitDone, crashed
from porter.migrate.repository.work import Worker

_CONNECT_SECONDS = 10.0
_LOOK_SECONDS = 0.5
_MOST_TRIES = 3


@dataclass(frozen=True)
class Cluster:
    """Connected. `host` is this machine's address in it. `ray` is the package, which is imported late."""

    ray: Any
    host: str

    @property
    def cpus(self) -> int:
        """Of all nodes that are there now."""
        return max(int(self.ray.cluster_resources().get("CPU", 1)), 1)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """`auto` is a cluster that runs on this machine, `local` one that is started for this run; others are
    `host:port` and `ray://host:port`. Raises InputError where there is no Ray, or nobody at the address."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError as error:
        raise InputError("--ray needs the package ray", hint="pip install 'porter[ray]'") from error
    _check_somebody_is_there(address)
    where = {"include_dashboard": False} if address == "local" else {"address": address}
    try:
        ray.init(**where, log_to_driver=False, logging_level=logging.CRITICAL)
    except Exception as error:  # Ray raises what its parts raise: RPC errors, ConnectionError, RuntimeError …
        first = str(error).strip().split("\n")[0]
        hint = "`ray start --head` starts one, --ray local one for this run"
        raise InputError(f"--ray {address}: no cluster can be reached: {first}", hint=hint) from error
    try:
        yield Cluster(ray, ray.util.get_node_ip_address())
    finally:
        ray.shutdown()


def _check_somebody_is_there(address: str) -> None:
    """Ray itself waits for minutes."""
    if address in ("auto", "local"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise InputError(f"--ray {address}: no address", hint="auto, local, HOST:PORT or ray://HOST:PORT")
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except OSError as error:
        raise InputError(f"--ray {address}: nobody answers there: {error.strerror or error}") from error


class _Slot:
    """The life of an actor: units in, results out, in a process of Ray's on any node."""

    def __init__(self, worker: Worker, token: tuple[str, str]) -> None:
        self._worker = worker
        path, text = token
        try:
            self._is_shared = Path(path).read_text() == text
        except OSError:
            self._is_shared = False

    def needs_tree(self) -> bool:
        return not self._is_shared

    def unpack(self, snapshot: Snapshot) -> None:
        """From here on in a tree of its own, which has the same names and contents."""
        scratch = Path(tempfile.gettempdir()) / f"porter-ray-{os.getuid()}"
        root = unpacked(snapshot, scratch)
        self._worker = moved(self._worker, root, scratch)
        self._is_shared = True

    def perform(self, unit: Unit) -> UnitDone:
        return self._worker.perform(unit)


def moved(worker: Worker, root: Path, scratch: Path) -> Worker:
    """The same work in a copy of the tree: folders of headers below the old root are those below the new.

    What is made on the way lies below `scratch`."""
    old = worker.request.root

    def place(path: Path) -> Path:
        return root / path.relative_to(old) if path.is_relative_to(old) else path

    request = replace(
        worker.request, root=root, include_dirs=tuple(place(path) for path in worker.request.include_dirs)
    )
    by_name = {
        name: replace(settings, include_dirs=tuple(place(path) for path in settings.include_dirs))
        for name, settings in worker.settings.by_name.items()
    }
    settings = replace(worker.settings, by_name=by_name)
    candidates, said = scratch / "candidates", scratch / worker.conversations.parent.name / "agent"
    return replace(worker, request=request, settings=settings, candidates=candidates, conversations=said)


@dataclass
class _Seat:
    """An actor and its unit. `answer` is what is waited for: first whether it needs the tree, then what came
    of the unit, on which it works `since` then. Without an actor the seat is to be given up, without a unit
    it is free."""

    actor: Any
    unit: Unit | None
    answer: Any
    since: float | None = None


@dataclass
class RayExecutor:
    """`jobs` units at a time; 0: as many as the cluster has processors, also when nodes join later.

    `token_folder` is a folder of this machine: who can read a file in it sees the tree as well.
    """

    worker: Worker
    cluster: Cluster
    jobs: int
    token_folder: Path
    names: tuple[str, ...]
    _snapshot: Any = None
    _tries: dict[int, int] = field(default_factory=dict)

    def run(self, units: Iterable[Unit]) -> Iterator[Finished]:
        waiting, again = iter(units), deque[Unit]()
        start = self._starter()
        seats: list[_Seat] = []
        try:
            while True:
                while len(seats) < (self.jobs or self.cluster.cpus) and (unit := _next(again, waiting)):
                    seats.append(start(unit))
                if not seats:
                    return
                for seat in self._ready(seats):
                    finished = self._look(seat, again)
                    if seat.actor is not None and seat.unit is None:
                        self._give(seat, _next(again, waiting))
                    if seat.actor is None:
                        seats.remove(seat)
                    if finished is not None:
                        yield finished
        finally:
            for seat in seats:
                self.cluster.ray.kill(seat.actor)

    def _starter(self) -> Callable[[Unit], _Seat]:
        ray, token = self.cluster.ray, self._token()
        actor_class = ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")(_Slot)
        worker = ray.put(self.worker)

        def start(unit: Unit) -> _Seat:
            actor = actor_class.remote(worker, token)
            return _Seat(actor, unit, actor.needs_tree.remote())

        return start

    def _token(self) -> tuple[str, str]:
        path = self.token_folder / "ray-token"
        text = os.urandom(16).hex()
        path.write_text(text)
        return str(path), text

    def _ready(self, seats: list[_Seat]) -> list[_Seat]:
        answers = [seat.answer for seat in seats]
        self.cluster.ray.wait(answers, num_returns=1, timeout=_LOOK_SECONDS)
        ready, _ = self.cluster.ray.wait(answers, num_returns=len(answers), timeout=0)
        return [seat for seat in seats if seat.answer in ready or self._is_late(seat)]

    def _is_late(self, seat: _Seat) -> bool:
        limit = self.worker.request.unit_seconds
        return seat.since is not None and time.monotonic() - seat.since > limit

    def _look(self, seat: _Seat, again: deque[Unit]) -> Finished | None:
        """The result of a seat's unit, if it has come to its end."""
        ray, unit = self.cluster.ray, seat.unit
        assert unit is not None
        if not ray.wait([seat.answer], timeout=0)[0]:
            self._give(seat, None)
            limit = self.worker.request.unit_seconds
            return Finished(crashed(unit, f"stopped after {limit:.0f} s"), limit)
        try:
            answer = ray.get(seat.answer)
        except ray.exceptions.RayError as error:
            seat.actor = None
            return self._once_more(unit, again, type(error).__name__)
        if seat.since is not None:
            seat.unit = None
            return Finished(answer, time.monotonic() - seat.since)
        if answer:
            seat.actor.unpack.remote(self._packed())  # the calls of an actor are made in their order
        self._give(seat, unit)
        return None

    def _once_more(self, unit: Unit, again: deque[Unit], how: str) -> Finished | None:
        tries = self._tries[unit.number] = self._tries.get(unit.number, 0) + 1
        if tries < _MOST_TRIES:
            again.append(unit)
            return None
        return Finished(crashed(unit, f"its process ended {tries} times ({how})", passing=True), 0.0)

    def _give(self, seat: _Seat, unit: Unit | None) -> None:
        """None: there is nothing more to do for its actor."""
        if unit is None:
            self.cluster.ray.kill(seat.actor)
            seat.actor = None
            return
        seat.unit, seat.since, seat.answer = unit, time.monotonic(), seat.actor.perform.remote(unit)

    def _packed(self) -> Any:
        """Once for all nodes."""
        if self._snapshot is None:
            self._snapshot = self.cluster.ray.put(packed(self.worker.request.root, self.names))
        return self._snapshot


def _next(again: deque[Unit], waiting: Iterator[Unit]) -> Unit | None:
    return again.popleft() if again else next(waiting, None)
