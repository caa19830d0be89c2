"""Judges ports by a capture taken elsewhere, on an NVIDIA GPU for one: what was recorded is what is right.

The program itself, where it is given and can be simulated, adds what a capture cannot show: the reference
in double precision, which gives the tolerance, and which buffers may change places in another order of
threads. Without it every buffer is held to the capture within the bound of `tolerance.fallback_bound`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.harness.capture import Capture, Launch, read_capture
from porter.harness.cases import Case
from porter.harness.dtypes import U8, Array
from porter.harness.judge import Judged, JudgedKernel, Unfit
from porter.harness.launches import instances, is_wanted, select_launches
from porter.harness.outputs import WideRun, buffer_arrays, captured_arrays, same_signature
from porter.harness.plan import CaseInputs, plan_line, write_inputs
from porter.harness.programs import Build, ProgramFailure, Ran, build, run
from porter.harness.regions import Buffer, buffers_of, uniform_type
from porter.harness.struct_fields import with_layouts
from porter.harness.tensors import Tensor
from porter.harness.tolerance import NoTruth, Order, Truth, classify_order, make_truth
from porter.harness.truths import JudgedCase, Planned, schedule_name
from porter.harness.verdict import VerifyOptions

NOT_COMPARED = "a capture is compared launch by launch"
_EVERY = 1 << 30


@dataclass(frozen=True)
class Simulated:
    """The captured launches replayed by the original in the simulator, in several orders of threads.

    `reason` says why there are none; then the other fields are empty.
    """

    plain: Capture | None = None
    wide: WideRun | None = None
    reason: str = ""

    def arrays(self, planned: Planned, schedules: int) -> list[dict[str, Array]]:
        """Per schedule the buffers after the launch; a replay that failed is left out."""
        if self.plain is None:
            return []
        good = {r.case for r in self.plain.replays if r.status == "ok"}
        names = [schedule_name(planned.case.name, k) for k in range(schedules + 1)]
        return [buffer_arrays(self.plain.replay_file(n), planned.buffers) for n in names if n in good]


@dataclass(frozen=True)
class JudgedCapture:
    """A judgement by a capture, and how the original itself did in the simulator."""

    judged: Judged
    simulated: Simulated


def judge_capture(
    directory: Path, original: Path | None, options: VerifyOptions, *, every_launch: bool = False
) -> JudgedCapture | Unfit:
    """The launches of a capture as cases. Raises InputError for a damaged one.

    With `every_launch` all that were recorded whole become cases, else a few different ones of each kernel.
    """
    capture = read_capture(directory)
    if not capture.launches:
        return Unfit("the capture has no launch")
    if original is not None:
        capture = with_layouts(capture, original, options)
    plans = _plans(capture, options, _EVERY if every_launch else options.max_launches_per_kernel)
    workspace = tempfile.TemporaryDirectory(prefix="porter-judge-")
    every = [planned for group in plans.values() for planned in group]
    simulated = (
        _simulate(original, every, options, Path(workspace.name))
        if original is not None
        else Simulated(reason="no program was given")
    )
    kernels = tuple(_judge(name, group, simulated, options) for name, group in plans.items())
    judged = Judged(capture, kernels, (), NOT_COMPARED, {}, workspace)
    return JudgedCapture(judged, simulated)


def _plans(capture: Capture, options: VerifyOptions, limit: int) -> dict[str, tuple[Planned, ...]]:
    return {
        name: tuple(_planned(capture, x) for x in _chosen(launches, capture, limit))
        for name, launches in instances(capture).items()
        if is_wanted(name, options.kernels)
    }


def _chosen(launches: Sequence[Launch], capture: Capture, limit: int) -> list[Launch]:
    if limit < _EVERY:
        return select_launches(launches, capture.allocations, limit)
    return [launch for launch in launches if launch.tensors is not None]


def _planned(capture: Capture, launch: Launch) -> Planned:
    """The launch as a case whose inputs are all that it can reach."""
    buffers = buffers_of(launch, capture.allocations)
    before = launch.before()
    tensors: dict[str, Tensor] = {}
    for buffer in buffers:
        dtype = uniform_type(buffers, buffer.allocation) or U8
        tensors[buffer.tensor] = before[buffer.allocation].as_type(dtype)
    case = Case(f"l{launch.index}", launch.index, "captured", grid=launch.grid)
    return Planned(case, launch, buffers, CaseInputs(tensors))


def _simulate(original: Path, every: Sequence[Planned], options: VerifyOptions, root: Path) -> Simulated:
    built = build(original, options)
    if isinstance(built, ProgramFailure):
        return Simulated(reason=f"the original does not build: {built.reason}")
    first = run(built, options, root / "first")
    if isinstance(first, ProgramFailure):
        return Simulated(reason=f"the original does not run: {first.reason}")
    twins = _twins(every, first.capture)
    if not twins:
        return Simulated(reason="the original launches nothing that the capture has")
    plan = _write_plan(root, "plain", every, twins, options, range(options.schedules + 1))
    replayed = run(built, options, root / "replay", plan=plan)
    if isinstance(replayed, ProgramFailure):
        return Simulated(reason=f"the original does not run a second time: {replayed.reason}")
    return Simulated(replayed.capture, _widened(original, every, twins, options, root))


def _widened(
    original: Path, every: Sequence[Planned], twins: Mapping[str, Launch], options: VerifyOptions, root: Path
) -> WideRun | None:
    """The replays with `float` as `double`, where the program can be built and run that way."""
    wide = build(original, options, wide=True)
    if not isinstance(wide, Build):
        return None
    own = run(wide, options, root / "wide")
    plan = _write_plan(root, "single", every, twins, options, [0])
    replays = run(wide, options, root / "wide-cases", plan=plan)
    return (
        WideRun(own.capture, replays.capture) if isinstance(own, Ran) and isinstance(replays, Ran) else None
    )


def _twins(every: Sequence[Planned], ran: Capture) -> dict[str, Launch]:
    """Case → the launch of the simulated program that stands for it: the n-th of the same kernel."""
    found: dict[str, Launch] = {}
    for planned in every:
        own = [x for x in ran.launches if x.kernel == planned.launch.kernel]
        place = planned.launch.occurrence
        if place < len(own) and same_signature(own[place], planned.launch):
            found[planned.case.name] = own[place]
    return found


def _write_plan(
    root: Path,
    name: str,
    every: Sequence[Planned],
    twins: Mapping[str, Launch],
    options: VerifyOptions,
    schedules: Sequence[int],
) -> Path:
    lines: list[str] = []
    for planned in every:
        twin = twins.get(planned.case.name)
        if twin is None:
            continue
        inputs = root / f"{planned.case.name}.safetensors"
        if not inputs.exists():
            write_inputs(inputs, planned.inputs)
        for schedule in schedules:
            label = schedule_name(planned.case.name, schedule)
            seed = options.seed + schedule if schedule else None
            lines.append(plan_line(planned.case, twin, inputs, name=label, schedule=seed))
    path = root / f"{name}.plan"
    path.write_text("\n".join(lines) + "\n")
    return path


def _judge(name: str, group: Sequence[Planned], simulated: Simulated, options: VerifyOptions) -> JudgedKernel:
    if not group:
        return JudgedKernel(name, (), {}, "its launches were too large to be recorded")
    cases: list[JudgedCase] = []
    dropped: dict[str, int] = {}
    for planned in group:
        result = _judge_case(planned, simulated, options)
        if isinstance(result, NoTruth):
            reason = f"{result.buffer}: {result.reason}"
            dropped[reason] = dropped.get(reason, 0) + 1
        else:
            cases.append(result)
    reason = "" if cases else next(iter(dropped))
    return JudgedKernel(name, tuple(cases), dropped, reason)


def _judge_case(planned: Planned, simulated: Simulated, options: VerifyOptions) -> JudgedCase | NoTruth:
    before = captured_arrays(planned.launch, planned.buffers, after=False)
    after = captured_arrays(planned.launch, planned.buffers, after=True)
    runs = simulated.arrays(planned, options.schedules)
    wide = simulated.wide
    references = wide.references(planned.case.name, planned.launch, planned.buffers) if wide else {}
    truths: list[Truth] = []
    for buffer in planned.buffers:
        if before[buffer.name].tobytes() == after[buffer.name].tobytes():
            own = after[buffer.name]
            truths.append(Truth(buffer.name, buffer.dtype, own, None, 0.0, 0.0, layout=buffer.layout))
            continue
        order, length = _order(buffer, runs), max(b.n_elements for b in planned.buffers)
        captured, reference = [after[buffer.name]], references.get(buffer.name)
        truth = make_truth(buffer.name, buffer.dtype, captured, reference, order, reduction_length=length)
        if isinstance(truth, NoTruth) and reference is not None:
            # The program given computes something else than what was captured: its reference is none.
            truth = make_truth(buffer.name, buffer.dtype, captured, None, order, reduction_length=length)
        if isinstance(truth, NoTruth):
            return truth
        truths.append(replace(truth, layout=buffer.layout))
    changed = any(before[b.name].tobytes() != after[b.name].tobytes() for b in planned.buffers)
    return JudgedCase(replace(planned), tuple(truths), changed)


def _order(buffer: Buffer, runs: Sequence[Mapping[str, Array]]) -> Order:
    arrays = [arrays[buffer.name] for arrays in runs if buffer.name in arrays]
    return classify_order(arrays, buffer.dtype) if len(arrays) > 1 else Order.FIXED
