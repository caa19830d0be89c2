"""From the original's replays to the truth of each case, or the reason why a case is dropped."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from porter.harness.capture import Capture, Launch, PointerArgument, ScalarArgument
from porter.harness.cases import Case, Grid
from porter.harness.compare import CaseOrigin
from porter.harness.dtypes import Array, Doubles
from porter.harness.outputs import WideRun, buffer_arrays
from porter.harness.plan import CaseInputs, slice_of
from porter.harness.regions import Buffer
from porter.harness.tolerance import (
    MIN_SAMPLES,
    NOT_POOLED,
    NoTruth,
    Order,
    Pooled,
    Truth,
    classify_order,
    make_truth,
    scale_of,
    stable_own_error,
)

# A kernel that depends on the schedule, or misses its reference, with these inputs gives no verdict at all.
DECISIVE = ("captured", "normal", "normal, full grid")

EXTREME = ("large", "tiny", "mixed")
NOT_CHECKED = "the original did not run with memory checks"


@dataclass(frozen=True)
class Planned:
    """A case with everything needed to run it on another program."""

    case: Case
    launch: Launch
    buffers: tuple[Buffer, ...]
    inputs: CaseInputs


def origin_of(planned: Planned) -> CaseOrigin:
    """The case as a report speaks of it."""
    case, launch = planned.case, planned.launch
    integers = tuple(
        int(case.scalars.get(position, value))
        for position, argument in enumerate(launch.arguments)
        if isinstance(argument, ScalarArgument)
        and argument.dtype is not None
        and not argument.dtype.is_float
        and (value := argument.value()) is not None
    )
    return CaseOrigin(case.kind, launch.index, case.grid or launch.grid, integers, case.block or launch.block)


@dataclass(frozen=True)
class JudgedCase:
    """A case the original is fit to judge. `changed` says whether it wrote anything there.

    `any_grid`: the original gives the same on the whole captured grid (on a larger one than its own, where
    sizes were raised), so a port that chooses its own grid from the sizes can run the case as well.
    `cpu_seconds` of processor time the original took at most in a plain build; None where that is not known.
    """

    planned: Planned
    truths: tuple[Truth, ...]
    changed: bool
    any_grid: bool = False
    cpu_seconds: float | None = None


@dataclass(frozen=True)
class OriginalRuns:
    """The original's replays: plain and in other schedules, with memory checks, and in double precision.

    `again` is the whole program in another schedule.
    """

    plain: Capture
    schedules: int
    memory_checked: Capture | None
    wide: WideRun | None
    again: Capture | None = None


@dataclass(frozen=True)
class CaseVerdicts:
    cases: tuple[JudgedCase, ...]
    dropped: Mapping[str, int]
    unfit: str = ""


@dataclass
class _Observed:
    """What the original did in one case: per buffer its runs, the order they show, and the reference."""

    planned: Planned
    runs: dict[str, list[Array]]
    references: dict[str, Doubles]
    orders: dict[str, Order] = field(default_factory=dict)
    any_grid: bool = False


def schedule_name(case: str, schedule: int) -> str:
    """The plan's name for a case in another thread order; 0 is the plain one."""
    return case if schedule == 0 else f"{case}-s{schedule}"


def whole_grid_name(case: str) -> str:
    """The plan's name for a case on the whole captured grid."""
    return f"{case}-whole"


def has_whole_grid_twin(case: Case) -> bool:
    """Cases with smaller sizes run on part of the grid, and once on all of it; those with larger sizes once
    on a larger grid than theirs.
    """
    return case.raised or (case.grid is not None and bool(case.scalars))


def whole_grid(case: Case, launch: Launch) -> Grid | None:
    """The grid of the twin; None for the captured one."""
    if not case.raised:
        return None
    x, y, z = case.grid or launch.grid
    return x + 1, y + (y > 1), z + (z > 1)


def judge_cases(planned: Sequence[Planned], runs: OriginalRuns) -> CaseVerdicts:
    """The truths of one kernel's cases. Orders seen in one case hold for the buffer in all of them."""
    observed: list[_Observed] = []
    dropped: Counter[str] = Counter()
    unfit = ""
    for plan in planned:
        reason = _failure_of(plan.case, runs)
        if reason:
            dropped[reason] += 1
            unfit = unfit or (reason + _detail(plan.case, runs) if plan.case.kind == "captured" else "")
        else:
            observed.append(_observe(plan, runs))
    free_order = {name for o in observed for name, order in o.orders.items() if order is Order.PERMUTED}
    pooled = _pooled_errors(observed)
    judged = []
    for item in observed:
        result = _truths_of(item, free_order, pooled)
        if isinstance(result, NoTruth):
            dropped[result.reason] += 1
            if item.planned.case.kind in DECISIVE:
                unfit = unfit or f"{result.buffer}: {result.reason}"
        else:
            judged.append(replace(result, cpu_seconds=_cpu_seconds(item.planned.case, runs)))
    return CaseVerdicts(tuple(judged), dropped, unfit)


def _failure_of(case: Case, runs: OriginalRuns) -> str:
    """Why the original is no judge here; empty where every run of it ended well."""
    for schedule in range(runs.schedules + 1):
        if reason := _status(runs.plain, schedule_name(case.name, schedule)):
            return f"the original {reason}"
    if runs.memory_checked is not None and (reason := _status(runs.memory_checked, case.name)):
        return f"the original {reason} under memory checks"
    if case.raised and runs.memory_checked is None:
        return f"{NOT_CHECKED}, which larger sizes need"
    return ""


def _cpu_seconds(case: Case, runs: OriginalRuns) -> float | None:
    """Of the slowest of its schedules."""
    names = {schedule_name(case.name, schedule) for schedule in range(runs.schedules + 1)}
    used = [r.cpu_seconds for r in runs.plain.replays if r.case in names and r.cpu_seconds is not None]
    return max(used, default=None)


def _detail(case: Case, runs: OriginalRuns) -> str:
    """The message of the run that failed; reasons without it are what is counted."""
    for capture in (runs.plain, runs.memory_checked):
        for record in capture.replays if capture is not None else ():
            if record.case.startswith(case.name) and record.status != "ok" and record.message:
                return f": {record.message}"
    return ""


def _status(capture: Capture, name: str) -> str:
    record = next((r for r in capture.replays if r.case == name), None)
    if record is None:
        return "did not reach the case"
    return _WORDS.get(record.status, record.status)


_WORDS = {
    "ok": "",
    "crashed": "crashes",
    "error": "has an error",
    "timeout": "does not end in time",
    "starved": "does not end in time on this busy machine",
}


def _observe(plan: Planned, runs: OriginalRuns) -> _Observed:
    every: dict[str, list[Array]] = defaultdict(list)
    for schedule in range(runs.schedules + 1):
        file = runs.plain.replay_file(schedule_name(plan.case.name, schedule))
        for name, values in buffer_arrays(file, plan.buffers).items():
            every[name].append(values)
    references = runs.wide.references(plan.case.name, plan.launch, plan.buffers) if runs.wide else {}
    observed = _Observed(plan, every, references)
    types = {b.name: b.dtype for b in plan.buffers}
    observed.orders = {name: classify_order(arrays, types[name]) for name, arrays in every.items()}
    observed.any_grid = _any_grid(plan, every, runs.plain)
    return observed


def _any_grid(plan: Planned, every: Mapping[str, list[Array]], plain: Capture) -> bool:
    """Whether the case is right for a port that finds its grid itself.

    Where the original fails on one block more, each block has work of its own, and the grid is what the
    launches say, if they tell it.
    """
    if not has_whole_grid_twin(plan.case):
        return plan.case.grid is None
    if plan.case.raised and _status(plain, whole_grid_name(plan.case.name)):
        return plan.case.grid_told
    return _same_on_the_whole_grid(plan, every, plain)


def _same_on_the_whole_grid(plan: Planned, every: Mapping[str, list[Array]], plain: Capture) -> bool:
    name = whole_grid_name(plan.case.name)
    if _status(plain, name):
        return False
    whole = buffer_arrays(plain.replay_file(name), plan.buffers)
    return all(whole[b].tobytes() == runs[0].tobytes() for b, runs in every.items())


def _pooled_errors(observed: Iterable[_Observed]) -> dict[str, float]:
    """Per buffer, the upper quartile over its cases of the original's error relative to the inputs' scale."""
    found: dict[str, list[float]] = defaultdict(list)
    for item in observed:
        scale = data_scale(item.planned)
        for buffer in item.planned.buffers:
            reference = item.references.get(buffer.name)
            runs = item.runs.get(buffer.name, [])
            small = reference is not None and runs and len(reference) == len(runs[0]) < MIN_SAMPLES
            if (
                small
                and scale
                and (error := stable_own_error(runs, item.references[buffer.name], buffer.dtype))
            ):
                found[buffer.name].append(error / scale)
    return {name: float(np.quantile(ratios, 0.75)) for name, ratios in found.items()}


def data_scale(plan: Planned) -> float:
    """The largest finite magnitude among the floating-point buffers when the case starts."""
    arrays = ((b, input_array(plan, b)) for b in plan.buffers if b.dtype.is_float)
    return max((scale_of(b.dtype.to_double(a)) for b, a in arrays if a is not None), default=0.0)


def _truths_of(item: _Observed, free_order: set[str], pooled: Mapping[str, float]) -> JudgedCase | NoTruth:
    constant = _constant_buffers(item.planned)
    truths: list[Truth] = []
    changed = False
    for buffer in (b for b in item.planned.buffers if item.runs.get(b.name)):
        untouched = _untouched(item, buffer)
        changed |= not untouched
        if untouched and buffer.name in constant:
            own = item.runs[buffer.name][0]
            truths.append(Truth(buffer.name, buffer.dtype, own, None, 0.0, 0.0, layout=buffer.layout))
            continue
        truth = _truth_of(item, buffer, buffer.name in free_order, pooled.get(buffer.name, 0.0))
        if isinstance(truth, NoTruth):
            return truth
        truths.append(replace(truth, layout=buffer.layout))
    return JudgedCase(item.planned, tuple(truths), changed, item.any_grid)


def _untouched(item: _Observed, buffer: Buffer) -> bool:
    before = input_array(item.planned, buffer)
    return before is not None and before.tobytes() == item.runs[buffer.name][0].tobytes()


def _truth_of(item: _Observed, buffer: Buffer, any_order: bool, pooled: float) -> Truth | NoTruth:
    order = item.orders[buffer.name]
    return make_truth(
        buffer.name,
        buffer.dtype,
        item.runs[buffer.name],
        item.references.get(buffer.name),
        Order.PERMUTED if any_order and order is not Order.RACY else order,
        reduction_length=max(b.n_elements for b in item.planned.buffers),
        pooled=Pooled(pooled, data_scale(item.planned)) if pooled else NOT_POOLED,
        extreme=item.planned.case.kind in EXTREME,
    )


def _constant_buffers(plan: Planned) -> set[str]:
    return {
        f"a{k}"
        for k, argument in enumerate(plan.launch.arguments)
        if isinstance(argument, PointerArgument) and argument.const
    }


def input_array(plan: Planned, buffer: Buffer) -> Array | None:
    """What the buffer holds when the case starts."""
    tensor = plan.inputs.tensors.get(buffer.tensor) or plan.launch.before().get(buffer.allocation)
    if tensor is None or tensor.values.nbytes < buffer.end:
        return None
    return slice_of(np.ascontiguousarray(tensor.values), buffer)
