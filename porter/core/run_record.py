"""What is known of a run from its folder: what `porter runs` and `porter status` print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class RunState(str, Enum):
    RUNNING = "running"
    """a process has it open"""
    FINISHED = "finished"
    """everything in it has a result"""
    INCOMPLETE = "incomplete"
    """its process ended, or was killed, before that; a migration can be gone on with"""
    DAMAGED = "damaged"
    """its record or its journal cannot be read"""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class RunRecord:
    """`started` is local time as `2026-01-31T23:59:59`. `subject` is the file or folder that was worked on,
    and `target` what it was ported to; both are "" where that is not recorded. `result` counts kernels by
    outcome; of a migration, files by how they ended."""

    name: str
    path: str
    started: str
    command: str
    subject: str
    target: str
    state: RunState
    result: Mapping[str, int]
    size_bytes: int


@dataclass(frozen=True)
class Working:
    """The process that works on a migration, or did last: `since` seconds of the epoch, on `host`."""

    pid: int
    host: str
    since: float


@dataclass(frozen=True)
class FileEnded:
    name: str
    state: str
    seconds: float


@dataclass(frozen=True)
class RunStatus:
    """`files` counts those of a migration by what is done with them and their state, `waiting` for those to
    come. `per_minute` is how many ended a minute of late, None where too few did; `last` ended last, newest
    first. All four are empty for a run of another kind."""

    run: RunRecord
    files: Mapping[str, Mapping[str, int]]
    working: Working | None
    per_minute: float | None
    last: tuple[FileEnded, ...]

    @property
    def total(self) -> int:
        return sum(n for by_state in self.files.values() for n in by_state.values())

    @property
    def waiting(self) -> int:
        return sum(by_state.get("waiting", 0) for by_state in self.files.values())

    @property
    def seconds_left(self) -> float | None:
        """None where nothing works on it, or too little is known."""
        if self.run.state is not RunState.RUNNING or not self.per_minute:
            return None
        return self.waiting / self.per_minute * 60
