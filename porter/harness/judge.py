"""Judges the original before any port: what it computes, how reliably, and on which inputs.

The original is built four ways at most: as it is (32 lanes), with `float` as `double`, with memory checks,
and run in other thread orders. A case on which it crashes, errs, depends on the order, or misses its own
reference is dropped and counted. The result needs no look at the port, so one judgement serves many ports.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from porter.core.outcome import History
from porter.harness.capture import Capture, Launch
from porter.harness.case_text import base_kind, changed
from porter.harness.cases import CaseOptions, make_cases
from porter.harness.launches import (
    base_name,
    cases_per_launch,
    instances,
    is_wanted,
    row_name,
    select_launches,
)
from porter.harness.out_of_time import BUSY
from porter.harness.outputs import WideRun, captured_arrays, history_of
from porter.harness.plan import WatchedBytes, build_inputs, plan_line, resized, write_inputs
from porter.harness.programs import MOST_LAUNCHES, Build, ProgramFailure, Ran, build, run
from porter.harness.raised import Raised, not_raised, raised_cases
from porter.harness.regions import Buffer, buffers_of
from porter.harness.size_relations import relate
from porter.harness.struct_fields import with_layouts
from porter.harness.synthesise import CONFIG_NAME, has_main
from porter.harness.transfers import TransferTruth, transfer_truths
from porter.harness.truths import (
    NOT_CHECKED,
    CaseVerdicts,
    JudgedCase,
    OriginalRuns,
    Planned,
    has_whole_grid_twin,
    judge_cases,
    schedule_name,
    whole_grid,
    whole_grid_name,
)
from porter.harness.verdict import VerifyOptions

FUZZ_BLOCKS = 16
TOTAL_CASES = 240
FEWEST_CASES = 8
ONE_CASE_ALONE = "no other size was raised: only the case that was asked for was run"


@dataclass(frozen=True)
class JudgedKernel:
    """A kernel's cases. With a `reason` there are none, and no port can get a verdict.

    `not_raised` says which sizes were not tried above what was captured, and why.
    """

    name: str
    cases: tuple[JudgedCase, ...]
    dropped: Mapping[str, int]
    reason: str = ""
    not_raised: tuple[str, ...] = ()


@dataclass(frozen=True)
class OriginalAgain:
    """What runs the original on further cases; `wide` is its first run in double precision."""

    builds: _Builds
    options: VerifyOptions
    wide: Capture | None


@dataclass(frozen=True)
class Judged:
    """An original fit to judge by. `workspace` holds its capture and goes away with this record.

    `cpu_seconds` of processor time its program took; None where it was not run here. `stopped` says why its
    program was not run to its end (empty: it was); `stop_at` is the first of its launches that is not needed.
    """

    capture: Capture
    kernels: tuple[JudgedKernel, ...]
    transfers: tuple[TransferTruth, ...]
    transfers_reason: str
    tools: Mapping[str, str]
    workspace: tempfile.TemporaryDirectory[str]
    again: OriginalAgain | None = None
    cpu_seconds: float | None = None
    stopped: str = ""
    stop_at: int | None = None

    def kernel(self, name: str) -> JudgedKernel | None:
        return next((k for k in self.kernels if name in (k.name, row_name(k.name), base_name(k.name))), None)


@dataclass(frozen=True)
class Unfit:
    """The original gives no verdict for any port, and why. `says_nothing`: its kernels were not shown to be
    wrong either, so that other launches of them may serve. `is_built` is false where it does not build."""

    reason: str
    says_nothing: bool = False
    is_built: bool = True


@dataclass(frozen=True)
class _Builds:
    plain: Build
    wide: Build | ProgramFailure
    memory_checked: Build | ProgramFailure | None


def judge_original(original: Path, options: VerifyOptions) -> Judged | Unfit:
    """Builds, runs, fuzzes and judges `original`. Never raises for what the program does."""
    if options.config is None and not has_main(original):
        return Unfit(f"{original} has no main(), and no {CONFIG_NAME} says how to launch its kernels")
    workspace = tempfile.TemporaryDirectory(prefix="porter-judge-")
    root = Path(workspace.name)
    builds = _build_all(original, options)
    if isinstance(builds, Unfit):
        return builds
    first = run(builds.plain, options, root / "capture", stops_repeating=True, stop_at=MOST_LAUNCHES)
    if reason := _unfit_reason(first):
        return Unfit(reason, says_nothing=_says_nothing(first))
    assert isinstance(first, Ran)
    if not first.capture.launches:
        return Unfit("the original launches no kernel", says_nothing=True)
    capture = with_layouts(first.capture, original, options)
    plans = _plan_kernels(capture, options, unchecked(builds), root)
    stopped = _stopped(first)
    stop_at = _after_the_planned(plans) if stopped else None
    runs = _replay_everywhere(builds, plans, options, root, stop_at)
    if isinstance(runs, Unfit):
        return runs
    kernels = tuple(_judge_kernel(name, plan, runs, options) for name, plan in plans.items())
    truths, reason = ((), stopped) if stopped else transfer_truths(capture, runs)
    again = OriginalAgain(builds, options, runs.wide.capture if runs.wide else None)
    tools, seconds = builds.plain.tools, first.cpu_seconds
    return Judged(capture, kernels, truths, reason, tools, workspace, again, seconds, stopped, stop_at)


def judge_more(judged: Judged, planned: Sequence[Planned]) -> tuple[JudgedCase, ...]:
    """Those of further cases the original is fit to judge; none where it cannot be run again."""
    again = judged.again
    if again is None:
        return ()
    root = _room(judged, planned)
    ran = _replay_cases(again.builds, planned, again.options, root)
    if isinstance(ran.plain, ProgramFailure):
        return ()
    wide = WideRun(again.wide, ran.wide) if again.wide is not None and ran.wide is not None else None
    runs = OriginalRuns(ran.plain.capture, again.options.schedules, ran.memory_checked, wide)
    return judge_cases(planned, runs).cases


def last_store(judged: Judged, planned: Planned, watch: WatchedBytes) -> History | None:
    """Which thread of the original wrote these bytes last in a case; None where it is not known."""
    if judged.again is None:
        return None
    root = _room(judged, [planned])
    plan = root / "watch.plan"
    plan.write_text(plan_line(planned.case, planned.launch, _inputs(root, planned), watch=watch) + "\n")
    ran = run(judged.again.builds.plain, judged.again.options, root / "watch", plan=plan)
    return history_of(ran.capture, planned.case.name) if isinstance(ran, Ran) else None


def _room(judged: Judged, planned: Sequence[Planned]) -> Path:
    """A fresh folder of the judgement with the cases' inputs."""
    root = Path(tempfile.mkdtemp(dir=judged.workspace.name))
    (root / "inputs").mkdir()
    for item in planned:
        write_inputs(_inputs(root, item), item.inputs)
    return root


def _build_all(original: Path, options: VerifyOptions) -> _Builds | Unfit:
    with ThreadPoolExecutor(max_workers=3) as pool:
        plain = pool.submit(build, original, options)
        wide = pool.submit(build, original, options, wide=True)
        checked = pool.submit(build, original, options, check_memory=True) if options.check_memory else None
        built = plain.result()
        if isinstance(built, ProgramFailure):
            return Unfit(f"the original does not build: {built.reason}", is_built=False)
        return _Builds(built, wide.result(), checked.result() if checked else None)


def _unfit_reason(ran: Ran | ProgramFailure) -> str:
    """Why a run of the original is none to judge by; its exit code is its own verdict on itself."""
    if isinstance(ran, ProgramFailure):
        return f"the original does not run: {ran.reason}"
    if ran.timed_out and not _recorded(ran):
        late = "the original does not end within the time limit"
        return f"{late}: {BUSY}" if ran.starved else late
    if ran.capture.faults:
        return f"the original has an error: {ran.capture.faults[0]}"
    if ran.timed_out:
        return ""
    if ran.exit_code != 0 and not ran.capture.launches:
        return f"the original ends before its first launch, with exit code {ran.exit_code}{_last_line(ran)}"
    if ran.exit_code != 0:
        return f"the original's own check fails: it ends with exit code {ran.exit_code}{_last_line(ran)}"
    return ""


def _recorded(ran: Ran) -> int:
    """How many of its launches can be replayed."""
    return sum(launch.tensors is not None for launch in ran.capture.launches)


def _stopped(ran: Ran) -> str:
    """Why a program was not run to its end; empty where it was."""
    launches = len(ran.capture.launches)
    if ran.capture.stopped:
        why = "it was stopped" if launches >= MOST_LAUNCHES else "its launches repeat, so it was stopped"
    elif ran.timed_out:
        why = f"it does not end within the time limit{f': {BUSY}' if ran.starved else ''}"
    else:
        return ""
    return f"the original was not run to its end: {why} after {launches} launches"


def _after_the_planned(plans: Mapping[str, Plan]) -> int:
    """The number of launches that a program must make for every case to be reached."""
    return max((p.launch.index + 1 for plan in plans.values() for p in plan.cases), default=1)


def _says_nothing(ran: Ran | ProgramFailure) -> bool:
    """It was stopped, or ended before its first launch, for want of data or arguments for example."""
    return isinstance(ran, Ran) and (ran.timed_out or not ran.capture.launches)


_BUILT_AS = re.compile(r"[^\s:'\"]*/simulator/programs/\w+")


def _last_line(ran: Ran) -> str:
    lines = [line for line in (ran.stdout + "\n" + ran.stderr).splitlines() if line.strip()]
    # What a program calls itself is a name in porter's cache.
    return f" ({_BUILT_AS.sub('PROGRAM', lines[-1].strip())[:200]})" if lines else ""


@dataclass(frozen=True)
class Plan:
    """The cases of a kernel, and for each of its launches what there is above the captured sizes."""

    cases: tuple[Planned, ...]
    raised: tuple[Raised, ...]


def _plan_kernels(capture: Capture, options: VerifyOptions, unchecked: str, root: Path) -> dict[str, Plan]:
    """The cases of every kernel asked for, their inputs written below `root`."""
    (root / "inputs").mkdir()
    wanted = {
        name: launches for name, launches in instances(capture).items() if is_wanted(name, options.kernels)
    }
    share = max(FEWEST_CASES, TOTAL_CASES // max(len(wanted), 1))
    options = replace(options, max_cases=min(options.max_cases, share))
    plans = {name: plan_kernel(capture, launches, options, unchecked) for name, launches in wanted.items()}
    for planned in (p for plan in plans.values() for p in plan.cases):
        write_inputs(_inputs(root, planned), planned.inputs)
    return plans


def plan_kernel(
    capture: Capture, every: Sequence[Launch], options: VerifyOptions, unchecked: str, *, drawn: bool = False
) -> Plan:
    """The cases of one kernel, from all its launches; with sizes that are `drawn`, see `CaseOptions`.

    `unchecked` says why the original does not run with memory checks (empty: it does).
    """
    launches = select_launches(every, capture.allocations, options.max_launches_per_kernel)
    counts = cases_per_launch(launches, capture.allocations, options.max_cases)
    relations = relate(every, capture.allocations)
    planned: list[Planned] = []
    larger: list[Raised] = []
    for launch in launches:
        buffers = buffers_of(launch, capture.allocations)
        case_options = CaseOptions(
            options.seed, counts[launch.index], FUZZ_BLOCKS if options.shrink_grids else None, drawn
        )
        raised = raised_cases(launch, buffers, relations, case_options, unchecked)
        larger.append(raised)
        for case in make_cases(launch, buffers, _written(launch, buffers), case_options, raised.cases):
            if options.case:
                if case.kind not in (options.case, base_kind(options.case)):
                    continue
                case = changed(case, options.case)
            own = resized(buffers, case)
            planned.append(Planned(case, launch, own, build_inputs(case, launch, own)))
    return Plan(tuple(planned), tuple(larger))


def unchecked(builds: _Builds) -> str:
    """Why the original does not run with memory checks; empty where it does."""
    match builds.memory_checked:
        case None:
            return "the original is not run with memory checks"
        case ProgramFailure(reason=reason):
            return f"the original does not build with memory checks: {reason}"
    return ""


def _written(launch: Launch, buffers: tuple[Buffer, ...]) -> frozenset[str]:
    before = captured_arrays(launch, buffers, after=False)
    after = captured_arrays(launch, buffers, after=True)
    return frozenset(name for name in before if before[name].tobytes() != after[name].tobytes())


def _replay_everywhere(
    builds: _Builds, plans: Mapping[str, Plan], options: VerifyOptions, root: Path, stop_at: int | None
) -> OriginalRuns | Unfit:
    """`stop_at`: of a program that is not run to its end, the first launch that is not needed."""
    every = [planned for plan in plans.values() for planned in plan.cases]
    ran = _replay_cases(builds, every, options, root)
    if isinstance(ran.plain, ProgramFailure):
        return Unfit(f"the original does not run a second time: {ran.plain.reason}")
    with ThreadPoolExecutor(max_workers=2) as pool:
        plain = builds.plain if stop_at is None else None
        again = pool.submit(_run_optional, plain, options, root / "again", None, options.seed + 1)
        wide = pool.submit(_run_optional, builds.wide, options, root / "wide", None, None, stop_at)
    wide_run = wide.result()
    return OriginalRuns(
        plain=ran.plain.capture,
        schedules=options.schedules,
        memory_checked=ran.memory_checked,
        wide=WideRun(wide_run, ran.wide) if wide_run is not None and ran.wide is not None else None,
        again=again.result(),
    )


@dataclass(frozen=True)
class _Replayed:
    """The cases on every build of the original there is."""

    plain: Ran | ProgramFailure
    wide: Capture | None
    memory_checked: Capture | None


def _replay_cases(builds: _Builds, every: Sequence[Planned], options: VerifyOptions, root: Path) -> _Replayed:
    plain_plan = _write_plan(
        root, "plain", every, schedules=options.schedules, seed=options.seed, whole_grids=True
    )
    single = _write_plan(root, "single", every)
    with ThreadPoolExecutor(max_workers=2) as pool:
        plain = pool.submit(run, builds.plain, options, root / "replay", plan=plain_plan)
        wide = pool.submit(_run_optional, builds.wide, options, root / "wide-cases", single, None)
        checked = pool.submit(
            _run_optional, builds.memory_checked, options, root / "checked", single, options.seed + 1
        )
    return _Replayed(plain.result(), wide.result(), checked.result())


def _run_optional(
    built: Build | ProgramFailure | None,
    options: VerifyOptions,
    directory: Path,
    plan: Path | None,
    schedule: int | None,
    stop_at: int | None = None,
) -> Capture | None:
    """The capture of a run that adds knowledge but is not needed; None where it cannot be had."""
    if not isinstance(built, Build):
        return None
    ran = run(built, options, directory, plan=plan, schedule=schedule, stop_at=stop_at)
    return ran.capture if isinstance(ran, Ran) else None


def _write_plan(
    root: Path,
    name: str,
    every: Sequence[Planned],
    *,
    schedules: int = 0,
    seed: int = 0,
    whole_grids: bool = False,
) -> Path:
    lines = [line for planned in every for line in _plan_lines(root, planned, schedules, seed)]
    if whole_grids:
        lines += [_whole_grid_line(root, p) for p in every if has_whole_grid_twin(p.case)]
    path = root / f"{name}.plan"
    path.write_text("\n".join(lines) + "\n")
    return path


def _plan_lines(root: Path, planned: Planned, schedules: int, seed: int) -> Iterator[str]:
    for schedule in range(schedules + 1):
        name = schedule_name(planned.case.name, schedule)
        number = seed + schedule if schedule else None
        yield plan_line(planned.case, planned.launch, _inputs(root, planned), name=name, schedule=number)


def _whole_grid_line(root: Path, planned: Planned) -> str:
    whole = replace(planned.case, grid=whole_grid(planned.case, planned.launch))
    return plan_line(whole, planned.launch, _inputs(root, planned), name=whole_grid_name(whole.name))


def _inputs(root: Path, planned: Planned) -> Path:
    return root / "inputs" / f"{planned.case.name}.safetensors"


def _judge_kernel(name: str, plan: Plan, runs: OriginalRuns, options: VerifyOptions) -> JudgedKernel:
    planned = plan.cases
    if not planned and options.case:
        return JudgedKernel(name, (), {}, f"it has no case {options.case!r}")
    if not planned:
        return JudgedKernel(name, (), {}, "its launches are too large to be recorded")
    verdicts = judge_cases(planned, runs)
    reason = verdicts.unfit
    if not reason and not any(case.changed for case in verdicts.cases):
        reason = "the original writes nothing that can be observed"
    cases = () if reason else verdicts.cases
    return JudgedKernel(name, cases, verdicts.dropped, reason, _not_raised(plan, verdicts, runs, options))


def _not_raised(
    plan: Plan, verdicts: CaseVerdicts, runs: OriginalRuns, options: VerifyOptions
) -> tuple[str, ...]:
    if options.case:
        return (ONE_CASE_ALONE,)
    if runs.memory_checked is None:
        return not_raised(plan.raised, plan.cases, verdicts.cases, NOT_CHECKED)
    return not_raised(plan.raised, plan.cases, verdicts.cases)
