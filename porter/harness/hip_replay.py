"""Runs judged cases on a HIP program: which of its launches stands for which, and what came out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.harness.capture import Capture, Launch
from porter.harness.case_differences import compare_case
from porter.harness.cases import Grid
from porter.harness.compare import Difference
from porter.harness.judge import JudgedKernel
from porter.harness.launches import base_name
from porter.harness.out_of_time import SIMULATED_SLOWDOWN, Hangs, NotShown, out_of_time
from porter.harness.outputs import same_signature
from porter.harness.plan import CaseInputs, WatchedBytes, plan_line, write_inputs
from porter.harness.programs import HOSTILE_CASE_SECONDS, Build, ProgramFailure, run
from porter.harness.regions import buffers_of
from porter.harness.truths import JudgedCase, schedule_name
from porter.harness.verdict import VerifyOptions

UNKNOWN_LARGER_GRID = "a larger size would need another grid of the port's own"
"""Why a case above the captured sizes is not run on a port."""


@dataclass(frozen=True)
class Replay:
    """A case, the launch of the port that runs it, and all memory that the launch starts from.

    `grid` is the port's grid for the case; None for the one that the port launches itself.
    """

    judged: JudgedCase
    launch: Launch
    inputs: CaseInputs
    grid: Grid | None = None


@dataclass(frozen=True)
class Matched:
    """What of a kernel can be replayed; a `reason` says why nothing can, by no fault of the port's even."""

    replays: tuple[Replay, ...]
    skipped: Mapping[str, int]
    reason: NotShown | str = ""

    @property
    def why(self) -> str:
        return self.reason.reason if isinstance(self.reason, NotShown) else self.reason


def match_launches(kernel: JudgedKernel, port: Capture, options: VerifyOptions) -> Matched:
    """Pairs the n-th launch of a kernel in the original with the n-th in the port."""
    base = base_name(kernel.name)
    name = options.mapping.get(kernel.name) or options.mapping.get(base) or base
    own = [x for x in port.launches if base_name(x.kernel) == name]
    exact = [x for x in own if x.kernel == kernel.cases[0].planned.launch.kernel] or own
    if not exact:
        return Matched((), {}, _too_few(port, f"the port never launches {name}"))
    replays: list[Replay] = []
    skipped: Counter[str] = Counter()
    for case in kernel.cases:
        launch = case.planned.launch
        if launch.occurrence >= len(exact):
            fewer = f"the port launches {name} {len(exact)} times, the original more often"
            return Matched((), {}, _too_few(port, fewer))
        twin = exact[launch.occurrence]
        if not same_signature(launch, twin):
            return Matched((), {}, f"the port's {name} takes other arguments than the original's")
        wanted = case.planned.case
        scale = options.grid_scale.get(base, 0)
        grid = _scaled_grid(case, twin, scale) if scale else _grid_of(case, twin)
        if wanted.grid is not None and grid is None:
            skipped["the port launches another grid"] += 1
        elif wanted.block is not None and twin.block != launch.block:
            skipped["the port launches other blocks"] += 1
        elif wanted.raised and not scale and not _grows_alike(case, twin):
            # How a grid of the port's own grows is not known; as captured it may well be too small.
            skipped[UNKNOWN_LARGER_GRID] += 1
        elif not _sized_alike(case, twin, port):
            skipped["the port's buffers have other sizes"] += 1
        else:
            replays.append(Replay(case, twin, _inputs(case, twin, port), grid))
    return Matched(tuple(replays), skipped)


def _too_few(port: Capture, reason: str) -> NotShown | str:
    """A port that was stopped, as its original was, may launch what is missing later."""
    return NotShown(f"{reason}, until it was stopped as the original is") if port.stopped else reason


def _scaled_grid(case: JudgedCase, twin: Launch, scale: int) -> Grid | None:
    """The grid of a port that has `scale` blocks for one; None where its captured launch says otherwise."""
    own, launch = case.planned.case, case.planned.launch
    x, y, z = launch.grid
    if own.grid is None or (twin.grid, twin.block) != ((scale * x, y, z), launch.block):
        return None
    return scale * own.grid[0], own.grid[1], own.grid[2]


def _grid_of(case: JudgedCase, twin: Launch) -> Grid | None:
    """The port's grid for a case that has its own; None where there is none.

    A port with blocks of another length has as many threads where it had as many, rounded up, as captured.
    Rounded up they may be only in cases of larger sizes, whose grid covers all elements: a grid that is
    smaller than captured leaves elements out, and those must be the same ones.
    """
    own, launch = case.planned.case, case.planned.launch
    if own.grid is None or twin.grid == launch.grid:
        return own.grid
    if own.grid == launch.grid:
        return twin.grid
    is_line = _are_lines(twin.grid, launch.grid, own.grid, twin.block, launch.block)
    threads = own.grid[0] * launch.block[0]
    fits = own.raised or threads % twin.block[0] == 0
    if not fits or own.block is not None or not is_line:
        return None
    if twin.grid[0] != _covering(launch.grid[0] * launch.block[0], twin.block[0]):
        return None
    return _covering(threads, twin.block[0]), 1, 1


def _grows_alike(case: JudgedCase, twin: Launch) -> bool:
    """Whether the port's grid for a larger size is known: it has the original's launch, or covers as many
    threads as captured (`_grid_of`), or its equal grid of two blocks or more, each at least twice as long or
    half as long, can only mean that a block does the same elements."""
    own, launch = case.planned.case, case.planned.launch
    if (twin.grid, twin.block) == (launch.grid, launch.block):
        return True
    if own.grid is None or own.grid == launch.grid:  # the size still fits the original's threads
        is_line = _are_lines(twin.grid, launch.grid, twin.block, launch.block)
        return is_line and twin.grid[0] * twin.block[0] >= launch.grid[0] * launch.block[0]
    if twin.grid != launch.grid:
        return True
    short, long = sorted((twin.block[0], launch.block[0]))
    is_line = _are_lines(twin.grid, twin.block, launch.block)
    return is_line and twin.grid[0] > 1 and 2 * short <= long


def _are_lines(*shapes: Grid) -> bool:
    return all(shape[1:] == (1, 1) for shape in shapes)


def _covering(threads: int, block: int) -> int:
    return -(-threads // block)


def _sized_alike(case: JudgedCase, twin: Launch, port: Capture) -> bool:
    """Whether the buffers that grow are, as captured, of the original's sizes in the port as well."""
    before = case.planned.launch.before()
    own = {
        b.tensor: (b.start, port.allocations[b.allocation].bytes) for b in buffers_of(twin, port.allocations)
    }
    grown = (b for b in case.planned.buffers if b.name in case.planned.case.lengths)
    return all(own.get(b.tensor) == (0, before[b.allocation].values.nbytes) for b in grown)


def _inputs(case: JudgedCase, twin: Launch, port: Capture) -> CaseInputs:
    """Everything the original's launch reached, not only what the case fills: a kernel of the port that ran
    before and was wrong must not make this one look wrong. An allocation that has another size in the port
    (scratch memory for wider warps) stays as the port has it, unless the case fills it.
    """
    planned = case.planned
    sizes = {b.tensor: port.allocations[b.allocation].bytes for b in buffers_of(twin, port.allocations)}
    before = planned.launch.before()
    tensors = dict(planned.inputs.tensors)
    for buffer in planned.buffers:
        contents = before.get(buffer.allocation)
        if contents is not None and sizes.get(buffer.tensor) == contents.values.nbytes:
            tensors.setdefault(buffer.tensor, contents)
    return CaseInputs(tensors)


def run_replays(
    built: Build,
    replays: Iterable[Replay],
    options: VerifyOptions,
    directory: Path,
    schedules: Sequence[int],
    watch: WatchedBytes | None = None,
    slowdown: float = 1.0,
) -> Capture | ProgramFailure:
    """Runs every case in every schedule, all in one run of the program; schedule 0 is the plain one.

    `slowdown`: how many times as long as in a plain build a case may take.
    """
    replays = list(replays)
    directory.mkdir()
    lines = [
        line for replay in replays for line in _plan_lines(replay, directory, schedules, options.seed, watch)
    ]
    plan = directory / "plan"
    plan.write_text("".join(line + "\n" for line in lines))
    seconds = _case_seconds(replays, slowdown)
    ran = run(built, options, directory, plan=plan, hostile=True, case_seconds=seconds)
    if isinstance(ran, ProgramFailure):
        return ran
    return replace(ran.capture, out_of_time=ran.timed_out)


_MOST_CASE_SECONDS = 60.0


def _case_seconds(replays: Iterable[Replay], slowdown: float) -> int:
    """Processor time enough to show of each case that the port takes many times as long as the original."""
    original = max((replay.judged.cpu_seconds or 0.0 for replay in replays), default=0.0)
    wanted = max(HOSTILE_CASE_SECONDS, SIMULATED_SLOWDOWN * original) * slowdown
    return math.ceil(min(wanted, _MOST_CASE_SECONDS))


def _plan_lines(
    replay: Replay, directory: Path, schedules: Sequence[int], seed: int, watch: WatchedBytes | None
) -> Iterator[str]:
    case = replace(replay.judged.planned.case, grid=replay.grid)
    inputs = write_inputs(directory / f"{case.name}.in.safetensors", replay.inputs)
    for schedule in schedules:
        yield plan_line(
            case,
            replay.launch,
            inputs,
            name=schedule_name(case.name, schedule),
            schedule=seed + schedule if schedule else None,
            watch=watch,
        )


def compare_replays(
    replays: Iterable[Replay], port: Capture, schedules: Sequence[int]
) -> list[Difference] | NotShown | str:
    """The differences of all cases in all schedules, or why the port has no output for one.

    A case whose time was up hides no difference of another and no error.
    """
    late: NotShown | None = None
    differences: list[Difference] = []
    for replay in replays:
        for schedule in schedules:
            planned = replay.judged.planned
            name = schedule_name(planned.case.name, schedule)
            label = planned.case.kind + (f", schedule {schedule}" if schedule else "")
            match _time_up(replay.judged, port, name):
                case NotShown(reason=reason):
                    late = late or NotShown(f"case {label!r}: the port {reason}")
                    continue
                case Hangs(reason=reason):
                    return f"case {label!r}: the port {reason}"
            if failure := failure_of(port, name):
                return f"case {label!r}: the port {failure}"
            differences += compare_case(replay.judged, port.replay_file(name), label)
    if late is not None and not any(d.n_mismatch for d in differences):
        return late
    return differences


def _time_up(judged: JudgedCase, port: Capture, name: str, slowdown: float = 1.0) -> Hangs | NotShown | None:
    """What it shows that a replay did not end, or was not begun, for want of time; None where it ended."""
    record = next((r for r in port.replays if r.case == name), None)
    if record is None:
        busy = "was not run: the time of the whole run was up before; run it again on an idle machine"
        return NotShown(busy) if port.out_of_time else None
    if record.status not in ("timeout", "starved"):
        return None
    starved = record.status == "starved"
    allowed = SIMULATED_SLOWDOWN * slowdown
    return out_of_time(record.cpu_seconds, judged.cpu_seconds, allowed, starved=starved)


def failure_of(port: Capture, name: str) -> str:
    """What went wrong in a replay, as the end of a sentence; empty for nothing."""
    record = next((r for r in port.replays if r.case == name), None)
    if record is None:
        return "ended before it came to this launch"
    words = {
        "crashed": "crashes",
        "error": "has an error",
        "timeout": "does not end in time",
        "starved": "does not end in time on this busy machine",
    }
    if record.status == "ok":
        return ""
    return f"{words.get(record.status, record.status)}: {record.message}".rstrip(": ")


CHECKED_SLOWDOWN = 4.0
"""How many times as long a case may take with memory checks."""


def memory_fault(replays: Iterable[Replay], port: Capture) -> NotShown | str:
    """The first case on which the port reads or writes memory that is not its own; empty for none.

    Where there is none, a case whose time was up was not checked.
    """
    late: NotShown | None = None
    for replay in replays:
        case = replay.judged.planned.case
        if over := _time_up(replay.judged, port, case.name, CHECKED_SLOWDOWN):
            late = late or NotShown(f"case {case.kind!r}: under memory checks the port {over.reason}")
            continue
        if failure := failure_of(port, replay.judged.planned.case.name):
            return f"case {replay.judged.planned.case.kind!r}: under memory checks the port {failure}"
    return late or ""
