"""Verifies a HIP program against a judged original: as a whole, and launch by launch, at 64 lanes."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from porter.core.outcome import Evidence
from porter.core.sandbox import sandbox_available
from porter.harness.capture import Capture, Launch
from porter.harness.compare import Difference, compare_buffer, merge
from porter.harness.judge import Judged, JudgedKernel
from porter.harness.launches import base_name
from porter.harness.outputs import buffer_arrays, same_signature
from porter.harness.plan import plan_line, write_inputs
from porter.harness.programs import Build, ProgramFailure, Ran, build, run
from porter.harness.truths import JudgedCase, schedule_name
from porter.harness.verdict import (
    CouldNotRun,
    KernelVerdict,
    Mismatched,
    NoVerdict,
    Passed,
    ProgramFailed,
    ProgramNotRun,
    ProgramPassed,
    ProgramVerdict,
    VerifyOptions,
)
from porter.simulator.build import Face

WAVEFRONT_SIZE = 64


@dataclass(frozen=True)
class _Replay:
    """A case and the launch of the port that runs it."""

    judged: JudgedCase
    launch: Launch


@dataclass(frozen=True)
class _Matched:
    """What of a kernel can be replayed; a `reason` says why nothing can."""

    replays: tuple[_Replay, ...]
    skipped: Mapping[str, int]
    reason: str = ""


def verify_program(
    judged: Judged, port: Path, options: VerifyOptions
) -> tuple[tuple[KernelVerdict, ...], ProgramVerdict]:
    """The verdict of every judged kernel, and of the program as a whole."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        checking = (
            pool.submit(build, port, options, face=Face.HIP, sanitize=True) if options.sanitize else None
        )
        built = build(port, options, face=Face.HIP)
        checked = checking.result() if checking else None
    if isinstance(built, ProgramFailure):
        return _all(judged, f"the port does not build: {built.reason}")
    with tempfile.TemporaryDirectory(prefix="porter-hip-") as scratch:
        root = Path(scratch)
        ran = run(built, options, root / "capture", hostile=True)
        if isinstance(ran, ProgramFailure):
            return _all(judged, f"the port does not run: {ran.reason}")
        matched = {k.name: _match(k, ran.capture, options) for k in judged.kernels if not k.reason}
        replayed = _replay(built, matched, options, root / "replay", options.schedules)
        sanitized = (
            _replay(checked, matched, options, root / "checked", 0) if isinstance(checked, Build) else None
        )
        verdicts = tuple(
            NoVerdict(base_name(k.name), k.reason)
            if k.reason
            else _kernel_verdict(k, matched[k.name], replayed, sanitized, built, options)
            for k in judged.kernels
        )
        return verdicts, _program_verdict(judged, ran, built, options)


def _all(judged: Judged, reason: str) -> tuple[tuple[KernelVerdict, ...], ProgramVerdict]:
    verdicts = tuple(
        NoVerdict(base_name(k.name), k.reason) if k.reason else CouldNotRun(base_name(k.name), reason)
        for k in judged.kernels
    )
    return verdicts, ProgramFailed(reason)


def _match(kernel: JudgedKernel, port: Capture, options: VerifyOptions) -> _Matched:
    """Pairs the n-th launch of a kernel in the original with the n-th in the port."""
    base = base_name(kernel.name)
    name = options.mapping.get(kernel.name) or options.mapping.get(base) or base
    own = [x for x in port.launches if base_name(x.kernel) == name]
    exact = [x for x in own if x.kernel == kernel.name] or own
    if not exact:
        return _Matched((), {}, f"the port never launches {name}")
    replays: list[_Replay] = []
    skipped: Counter[str] = Counter()
    for case in kernel.cases:
        launch = case.planned.launch
        if launch.occurrence >= len(exact):
            return _Matched((), {}, f"the port launches {name} {len(exact)} times, the original more often")
        twin = exact[launch.occurrence]
        if not same_signature(launch, twin):
            return _Matched((), {}, f"the port's {name} takes other arguments than the original's")
        if case.planned.case.grid is not None and twin.grid != launch.grid:
            skipped["the port launches another grid"] += 1
        else:
            replays.append(_Replay(case, twin))
    return _Matched(tuple(replays), skipped)


def _replay(
    built: Build, matched: Mapping[str, _Matched], options: VerifyOptions, directory: Path, schedules: int
) -> Capture | ProgramFailure:
    """Runs every case, and every case in other schedules; all in one run of the program."""
    directory.mkdir()
    lines = [
        line
        for kernel in matched.values()
        for replay in kernel.replays
        for line in _plan_lines(replay, directory, schedules, options.seed)
    ]
    plan = directory / "plan"
    plan.write_text("\n".join(lines) + "\n")
    ran = run(built, options, directory, plan=plan, hostile=True)
    return ran if isinstance(ran, ProgramFailure) else ran.capture


def _plan_lines(replay: _Replay, directory: Path, schedules: int, seed: int) -> Iterator[str]:
    case = replay.judged.planned.case
    inputs = write_inputs(directory / f"{case.name}.in.safetensors", replay.judged.planned.inputs)
    for schedule in range(schedules + 1):
        yield plan_line(
            case,
            replay.launch,
            inputs,
            name=schedule_name(case.name, schedule),
            schedule=seed + schedule if schedule else None,
        )


def _kernel_verdict(
    kernel: JudgedKernel,
    matched: _Matched,
    replayed: Capture | ProgramFailure,
    sanitized: Capture | ProgramFailure | None,
    built: Build,
    options: VerifyOptions,
) -> KernelVerdict:
    name = base_name(kernel.name)
    if matched.reason:
        return CouldNotRun(name, matched.reason)
    if isinstance(replayed, ProgramFailure):
        return CouldNotRun(name, f"the port does not run a second time: {replayed.reason}")
    differences: list[Difference] = []
    for replay in matched.replays:
        for schedule in range(options.schedules + 1):
            found = _compare(replay, replayed, schedule)
            if isinstance(found, str):
                return CouldNotRun(name, found)
            differences += found
    comparison = merge(differences, cases=len(matched.replays), seed=options.seed)
    if not comparison.equal:
        share = f"{comparison.n_mismatch} of {comparison.n_elements} elements"
        return Mismatched(name, f"{share} differ by more than the tolerance allows", comparison)
    if isinstance(sanitized, Capture) and (fault := _memory_fault(matched.replays, sanitized)):
        return CouldNotRun(name, fault)
    if not any(replay.judged.changed for replay in matched.replays):
        return NoVerdict(name, "no case in which the original writes anything could be replayed")
    skipped = Counter(kernel.dropped) + Counter(matched.skipped)
    return Passed(name, comparison, (_evidence(built, len(matched.replays), options),), dict(skipped))


def _compare(replay: _Replay, port: Capture, schedule: int) -> list[Difference] | str:
    """The differences of one case in one schedule, or why the port has no output there."""
    planned = replay.judged.planned
    name = schedule_name(planned.case.name, schedule)
    label = planned.case.kind + (f", schedule {schedule}" if schedule else "")
    if failure := _failure(port, name):
        return f"case {label!r}: the port {failure}"
    arrays = buffer_arrays(port.replay_file(name), planned.buffers)
    return [
        compare_buffer(truth, arrays.get(truth.buffer, truth.expected[:0]), label)
        for truth in replay.judged.truths
    ]


def _failure(port: Capture, name: str) -> str:
    record = next((r for r in port.replays if r.case == name), None)
    if record is None:
        return "ended before it came to this launch"
    words = {"crashed": "crashes", "error": "has an error", "timeout": "does not end in time"}
    if record.status == "ok":
        return ""
    return f"{words.get(record.status, record.status)}: {record.message}".rstrip(": ")


def _memory_fault(replays: Sequence[_Replay], port: Capture) -> str:
    """The first case on which the port reads or writes memory that is not its own."""
    for replay in replays:
        if failure := _failure(port, replay.judged.planned.case.name):
            return f"case {replay.judged.planned.case.kind!r}: under memory checks the port {failure}"
    return ""


def _evidence(built: Build, cases: int, options: VerifyOptions) -> Evidence:
    return Evidence(
        "simulated",
        f"wave{WAVEFRONT_SIZE}",
        built.tools,
        {
            "cases": cases,
            "schedules": options.schedules + 1,
            "isolation": "namespaces" if sandbox_available() else "limits",
        },
    )


def _program_verdict(judged: Judged, ran: Ran, built: Build, options: VerifyOptions) -> ProgramVerdict:
    """Exit code and every copy to the host, in order. What the program prints is not compared."""
    if ran.timed_out:
        return ProgramFailed("the ported program does not end within the time limit")
    if ran.capture.faults:
        return ProgramFailed(f"the ported program has an error: {ran.capture.faults[0]}")
    if ran.exit_code != 0:
        return ProgramFailed(f"the ported program ends with exit code {ran.exit_code}")
    if judged.transfers_reason:
        return ProgramNotRun(judged.transfers_reason)
    wanted, got = len(judged.capture.transfers), len(ran.capture.transfers)
    if wanted != got:
        return ProgramFailed(
            f"the ported program copies {got} times to the host, the original {wanted} times"
        )
    differences = [_compare_transfer(judged, ran.capture, k) for k in range(len(judged.transfers))]
    comparison = merge(differences, cases=len(differences), seed=options.seed)
    if not comparison.equal:
        return ProgramFailed("the ported program copies other data to the host", comparison)
    return ProgramPassed(comparison, (_evidence(built, len(differences), options),))


def _compare_transfer(judged: Judged, port: Capture, position: int) -> Difference:
    expected = judged.transfers[position]
    data = port.transfers[expected.index].data()
    truth = expected.truth
    actual = truth.expected[:0] if data is None else data.as_type(truth.dtype).values
    return compare_buffer(truth, actual, "program")
