"""From a mismatch to its minimal case, and to who wrote the wrong element last in original and port."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from porter.core.outcome import Comparison, FailingCase, History
from porter.harness.compare import failing_case
from porter.harness.judge import Judged, JudgedKernel, judge_more, last_store
from porter.harness.plan import WatchedBytes
from porter.harness.shrink import Failure, shrink
from porter.harness.tolerance import Order
from porter.harness.truths import JudgedCase, Planned, origin_of
from porter.harness.verdict import KernelVerdict, Mismatched


class Rerun(Protocol):
    """A port that can be run on further cases."""

    def failures(self, cases: Sequence[JudgedCase]) -> Sequence[Failure]:
        """Those on which it is wrong, one for each wrong buffer of each order of threads or programs."""

    def last_store(self, case: JudgedCase, variant: int, watch: WatchedBytes) -> History | None:
        """Who wrote these bytes last; None where it is not known."""


def with_minimal_case(
    verdict: KernelVerdict, judged: Judged, kernel: JudgedKernel, port: Rerun, deadline: float
) -> KernelVerdict:
    """A mismatch with the smallest failing case that is found until `deadline` (of time.monotonic)."""
    if not isinstance(verdict, Mismatched) or judged.again is None or time.monotonic() >= deadline:
        return verdict
    return replace(verdict, comparison=_minimal(verdict.comparison, judged, kernel, port, deadline))


def _minimal(
    comparison: Comparison, judged: Judged, kernel: JudgedKernel, port: Rerun, deadline: float
) -> Comparison:
    known = comparison.smallest_failing
    start = _reproduced(known, kernel, port) if known is not None else None
    if start is None:
        return comparison

    seen: dict[str, JudgedCase] = {}

    def attempt(planned: Sequence[Planned]) -> Sequence[Failure]:
        # The case it comes from is judged with them: which buffers may be in any order shows there.
        cases = judge_more(judged, [start.planned, *planned])
        seen.update({case.planned.case.kind: case for case in cases})
        smaller = [c for c in cases if c.planned.case.name != start.planned.case.name]
        return port.failures(smaller) if smaller else []

    smallest = shrink(start, attempt, deadline)
    case = seen.get(smallest.planned.case.kind) or _judged(kernel, smallest.planned)
    return replace(comparison, smallest_failing=_with_histories(smallest, case, judged, port))


def _judged(kernel: JudgedKernel, planned: Planned) -> JudgedCase:
    return next(c for c in kernel.cases if c.planned.case == planned.case)


def _reproduced(known: FailingCase, kernel: JudgedKernel, port: Rerun) -> Failure | None:
    """The failure again; None where it does not show a second time or the buffer has no fixed order."""
    cases = [
        case
        for case in kernel.cases
        if case.planned.case.kind == known.case and case.planned.launch.index == known.launch
    ]
    free = {t.buffer for c in cases for t in c.truths if t.order is Order.PERMUTED}
    if known.first.buffer in free:
        return None
    return next((f for f in port.failures(cases) if f.first.buffer == known.first.buffer), None)


def _with_histories(failure: Failure, case: JudgedCase, judged: Judged, port: Rerun) -> FailingCase:
    found = failing_case(origin_of(failure.planned), failure.first)
    watch = _watched(failure)
    if watch is None:
        return found
    return replace(
        found,
        by_original=last_store(judged, failure.planned, watch),
        by_port=port.last_store(case, failure.variant, watch),
    )


def _watched(failure: Failure) -> WatchedBytes | None:
    """The wrong element's bytes; None for a buffer that came back with another length."""
    buffer = next(b for b in failure.planned.buffers if b.name == failure.first.buffer)
    if failure.first.index >= buffer.n_elements:
        return None
    size = buffer.dtype.size_bytes
    return WatchedBytes(buffer.tensor, buffer.start + failure.first.index * size, size)
