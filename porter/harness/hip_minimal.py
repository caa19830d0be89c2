"""A HIP port run on further cases, for its minimal failing case."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.core.outcome import History
from porter.harness.capture import Capture
from porter.harness.hip_replay import Matched, compare_replays, match_launches, run_replays
from porter.harness.judge import JudgedKernel
from porter.harness.outputs import history_of
from porter.harness.plan import WatchedBytes
from porter.harness.programs import Build, ProgramFailure
from porter.harness.shrink import Failure
from porter.harness.truths import JudgedCase, schedule_name
from porter.harness.verdict import VerifyOptions


@dataclass(frozen=True)
class HipRerun:
    """`capture` is what the port's own run left; folders for its further runs are made below `root`."""

    kernel: JudgedKernel
    built: Build
    capture: Capture
    options: VerifyOptions
    root: Path

    def failures(self, cases: Sequence[JudgedCase]) -> Sequence[Failure]:
        matched = self._matched(cases)
        schedules = range(self.options.schedules + 1)
        done = run_replays(self.built, matched.replays, self.options, self._folder(), schedules)
        if isinstance(done, ProgramFailure):
            return []
        found: list[Failure] = []
        for replay in matched.replays:
            for schedule in schedules:
                differences = compare_replays([replay], done, [schedule])
                if isinstance(differences, list):
                    found += [
                        Failure(replay.judged.planned, d.mismatches[0], schedule)
                        for d in differences
                        if d.mismatches
                    ]
        return found

    def last_store(self, case: JudgedCase, variant: int, watch: WatchedBytes) -> History | None:
        replays = self._matched([case]).replays
        done = run_replays(self.built, replays, self.options, self._folder(), [variant], watch)
        if isinstance(done, ProgramFailure):
            return None
        return history_of(done, schedule_name(case.planned.case.name, variant))

    def _matched(self, cases: Sequence[JudgedCase]) -> Matched:
        return match_launches(replace(self.kernel, cases=tuple(cases)), self.capture, self.options)

    def _folder(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self.root)) / "cases"
