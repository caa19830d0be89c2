"""A Triton port run on further cases, for its minimal failing case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from porter.core.outcome import History
from porter.harness.case_differences import compare_case
from porter.harness.plan import WatchedBytes
from porter.harness.shrink import Failure
from porter.harness.triton_child import CaseRun, LauncherCall, Unrepresentable, run_module
from porter.harness.truths import JudgedCase
from porter.harness.verdict import VerifyOptions


@dataclass(frozen=True)
class TritonRerun:
    """`calls` are those that were run; `takes_grid`: the launcher can be told how many blocks to run."""

    module: bytes
    calls: Sequence[LauncherCall]
    takes_grid: bool
    options: VerifyOptions

    def failures(self, cases: Sequence[JudgedCase]) -> Sequence[Failure]:
        """The programs run in reverse only where nothing is wrong otherwise."""
        return self._failures(cases, reverse=False) or self._failures(cases, reverse=True)

    def _failures(self, cases: Sequence[JudgedCase], *, reverse: bool) -> list[Failure]:
        calls = [self._call(case, reverse=reverse) for case in cases if case.any_grid or self.takes_grid]
        runs = self._run(calls) if calls else {}
        return [
            Failure(call.judged.planned, difference.mismatches[0], int(call.reverse))
            for call in calls
            if call.name in runs and runs[call.name].status == "ok"
            for difference in compare_case(call.judged, runs[call.name].outputs, _label(call))
            if difference.mismatches
        ]

    def last_store(self, case: JudgedCase, variant: int, watch: WatchedBytes) -> History | None:
        call = replace(self._call(case, reverse=bool(variant)), watch=watch)
        runs = self._run([call])
        return runs[call.name].history if call.name in runs else None

    def _call(self, case: JudgedCase, *, reverse: bool) -> LauncherCall:
        """Of the launcher that stands for what the case launches."""
        wanted = case.planned.launch.template_arguments
        same = (c for c in self.calls if c.judged.planned.launch.template_arguments == wanted)
        return replace(next(same, self.calls[0]), judged=case, reverse=reverse)

    def _run(self, calls: Sequence[LauncherCall]) -> dict[str, CaseRun]:
        try:
            return run_module(
                self.module,
                calls,
                budget_seconds=self.options.shrink_seconds,
                memory_bytes=self.options.memory_bytes,
            )
        except Unrepresentable:
            return {}


def _label(call: LauncherCall) -> str:
    return call.judged.planned.case.kind + (", programs reversed" if call.reverse else "")
