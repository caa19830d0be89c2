"""What a migration came to, as numbers: what every report of it prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.core.asked import ModelCost
from porter.core.errors import ExitCode


@dataclass(frozen=True)
class Reason:
    """Why files or kernels need a person: a finding's code, or "" for what has none, what it says, how often,
    and the first places as `name:line`."""

    code: str
    message: str
    count: int
    places: tuple[str, ...]


@dataclass(frozen=True)
class ModelsPart:
    """What models were asked in all: conversations, the candidates accepted of them, kernels whose port is a
    model's, and what it cost, earlier parts of an interrupted run included."""

    conversations: int = 0
    accepted: int = 0
    kernels_taken: int = 0
    cost: ModelCost = field(default_factory=ModelCost)


RESTS_ON = {
    "VER007": "at launches that were inferred",
    "VER021": "in a copy of the port without the kernels that were declined",
    "VER022": "in a copy of the file without its host code",
    "VER023": "at the first launches of a program that was stopped",
}
"""What a proof may rest on in place of the program as it is, by code."""


@dataclass(frozen=True)
class MigrationReport:
    """`files` counts files by what is done with them and how they ended; `kernels` by their outcomes;
    `evidence` kernels by what was done and passed; `rests_on` ported kernels by the code of what their proof
    rests on, where that is not the program as it is. `models` is None where none
    was to be asked. `seconds` of wall time were spent, in this run alone."""

    root: str
    target: str
    arch: str
    files: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    kernels: Mapping[str, int] = field(default_factory=dict)
    evidence: Mapping[str, int] = field(default_factory=dict)
    rests_on: Mapping[str, int] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
    run_directory: str = ""
    seconds: float = 0.0
    models: ModelsPart | None = None

    def ended(self, *states: str) -> int:
        return sum(by_state.get(state, 0) for by_state in self.files.values() for state in states)

    @property
    def exit_code(self) -> ExitCode:
        """0 only when nothing needs a person, and something was ported."""
        if self.ended("open", "crashed", "waiting") or not self.ended("ported", "translated"):
            return ExitCode.FINDINGS
        return ExitCode.OK
