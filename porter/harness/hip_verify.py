"""Verifies a HIP program against a judged original: as a whole, and launch by launch, at 64 lanes.

A port that is wrong in the plain order of threads is not run in other orders.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from porter.core.outcome import Evidence
from porter.core.sandbox import sandbox_available
from porter.harness.blame import first_wrong_launch
from porter.harness.capture import Capture, captured_on
from porter.harness.compare import Difference, compare_buffer, merge
from porter.harness.hip_minimal import HipRerun
from porter.harness.hip_replay import (
    CHECKED_SLOWDOWN,
    Matched,
    Replay,
    compare_replays,
    match_launches,
    memory_fault,
    run_replays,
)
from porter.harness.judge import Judged, JudgedKernel
from porter.harness.launches import row_name
from porter.harness.minimal import with_minimal_case
from porter.harness.out_of_time import SIMULATED_SLOWDOWN, NotShown, out_of_time
from porter.harness.programs import Build, ProgramFailure, Ran, build, run
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
from porter.simulator.options import Face

WAVEFRONT_SIZE = 64


@dataclass(frozen=True)
class _Port:
    """A built port, what its own run left, and how its launches match the original's."""

    judged: Judged
    built: Build
    checked: Build | None
    capture: Capture
    matched: Mapping[str, Matched]
    options: VerifyOptions
    root: Path


def verify_program(
    judged: Judged, port: Path, options: VerifyOptions
) -> tuple[tuple[KernelVerdict, ...], ProgramVerdict]:
    """The verdict of every judged kernel, and of the program as a whole."""
    built, checked = _build(port, options)
    if isinstance(built, ProgramFailure):
        return _all(judged, f"the port does not build: {built.reason}")
    with tempfile.TemporaryDirectory(prefix="porter-hip-") as scratch:
        root = Path(scratch)
        ran = run(built, options, root / "capture", hostile=True, stop_at=judged.stop_at)
        if isinstance(ran, ProgramFailure):
            return _all(judged, f"the port does not run: {ran.reason}")
        how = _ended_badly(judged, ran)
        if isinstance(how, NotShown):
            return _nothing_shown(judged, how.reason)
        if not ran.capture.launches and how:
            return _all(judged, f"{how}; no launch of it was recorded")
        matched = {k.name: match_launches(k, ran.capture, options) for k in judged.kernels if not k.reason}
        program = _program_verdict(judged, ran, built, options)
        return _kernel_verdicts(
            judged, _Port(judged, built, checked, ran.capture, matched, options, root)
        ), program


def _ended_badly(judged: Judged, ran: Ran) -> NotShown | str:
    """How the program ended; empty where it ended well."""
    if ran.timed_out:
        over = out_of_time(ran.cpu_seconds, judged.cpu_seconds, SIMULATED_SLOWDOWN, starved=ran.starved)
        reason = f"the ported program {over.reason}"
        return NotShown(reason) if isinstance(over, NotShown) else reason
    return f"the ported program ends with exit code {ran.exit_code}" if ran.exit_code else ""


def _build(port: Path, options: VerifyOptions) -> tuple[Build | ProgramFailure, Build | None]:
    """The port as it is, and with memory checks where those can be had."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        checking = (
            pool.submit(build, port, options, face=Face.HIP, check_memory=True)
            if options.check_memory
            else None
        )
        built = build(port, options, face=Face.HIP)
        checked = checking.result() if checking else None
    return built, checked if isinstance(checked, Build) else None


def _all(judged: Judged, reason: str) -> tuple[tuple[KernelVerdict, ...], ProgramVerdict]:
    verdicts = tuple(
        NoVerdict(row_name(k.name), k.reason) if k.reason else CouldNotRun(row_name(k.name), reason)
        for k in judged.kernels
    )
    return verdicts, ProgramFailed(reason)


def _nothing_shown(judged: Judged, reason: str) -> tuple[tuple[KernelVerdict, ...], ProgramVerdict]:
    verdicts = tuple(NoVerdict(row_name(k.name), k.reason or reason) for k in judged.kernels)
    return verdicts, ProgramNotRun(reason)


def _kernel_verdicts(judged: Judged, port: _Port) -> tuple[KernelVerdict, ...]:
    plain = _plain_results(port)
    good = [name for name, result in plain.items() if isinstance(result, list) and not _wrong(result)]
    later = _later_results(port, good)
    verdicts: list[KernelVerdict] = []
    deadline = time.monotonic() + port.options.shrink_seconds
    for kernel in judged.kernels:
        if kernel.reason:
            verdicts.append(NoVerdict(row_name(kernel.name), kernel.reason))
        else:
            results = [plain[kernel.name], *later.get(kernel.name, [])]
            verdict = _kernel_verdict(kernel, port, results)
            again = HipRerun(kernel, port.built, port.capture, port.options, port.root)
            verdicts.append(with_minimal_case(verdict, judged, kernel, again, deadline))
    return tuple(verdicts)


_Result = list[Difference] | NotShown | str


def _wrong(differences: list[Difference]) -> bool:
    return any(d.n_mismatch for d in differences)


def _plain_results(port: _Port) -> dict[str, _Result]:
    """Every kernel's cases in the plain order: differences, or why there are none."""
    every = [replay for matched in port.matched.values() for replay in matched.replays]
    replayed = run_replays(port.built, every, port.options, port.root / "plain", [0])
    results: dict[str, _Result] = {}
    for name, matched in port.matched.items():
        if matched.reason:
            results[name] = matched.reason
        elif isinstance(replayed, ProgramFailure):
            results[name] = f"the port does not run a second time: {replayed.reason}"
        else:
            results[name] = compare_replays(matched.replays, replayed, [0])
    return results


def _later_results(port: _Port, names: list[str]) -> dict[str, list[_Result]]:
    """What was right so far in other thread orders and with memory checks."""
    every = [replay for name in names for replay in port.matched[name].replays]
    schedules = list(range(1, port.options.schedules + 1))
    with ThreadPoolExecutor(max_workers=1) as pool:
        checking = pool.submit(_check_memory, port, every)
        replayed = run_replays(port.built, every, port.options, port.root / "ordered", schedules)
        checked = checking.result()
    results: dict[str, list[_Result]] = {}
    for name in names:
        replays = port.matched[name].replays
        if isinstance(replayed, ProgramFailure):
            results[name] = [f"the port does not run in another order: {replayed.reason}"]
            continue
        results[name] = [compare_replays(replays, replayed, schedules)]
        if checked is not None and (fault := memory_fault(replays, checked)):
            results[name].append(fault)
    return results


def _check_memory(port: _Port, every: list[Replay]) -> Capture | None:
    if port.checked is None:
        return None
    folder = port.root / "checked"
    replayed = run_replays(port.checked, every, port.options, folder, [0], slowdown=CHECKED_SLOWDOWN)
    return None if isinstance(replayed, ProgramFailure) else replayed


def _kernel_verdict(kernel: JudgedKernel, port: _Port, results: list[_Result]) -> KernelVerdict:
    name = row_name(kernel.name)
    matched = port.matched[kernel.name]
    differences = [d for result in results if isinstance(result, list) for d in result]
    comparison = merge(differences, cases=len(matched.replays), seed=port.options.seed)
    if not comparison.equal:
        share = f"{comparison.n_mismatch} of {comparison.n_elements} elements"
        return Mismatched(name, f"{share} differ by more than the tolerance allows", comparison)
    if failures := [result for result in results if isinstance(result, str)]:
        return CouldNotRun(name, failures[0])
    if late := [result.reason for result in results if isinstance(result, NotShown)]:
        return NoVerdict(name, late[0])
    if not any(replay.judged.changed for replay in matched.replays):
        return NoVerdict(name, "no case in which the original writes anything could be replayed")
    skipped = Counter(kernel.dropped) + Counter(matched.skipped)
    evidence = _evidence(port.built, port.judged, len(matched.replays), port.options)
    return Passed(name, comparison, (evidence,), dict(skipped), kernel.not_raised)


def _evidence(built: Build, judged: Judged, cases: int, options: VerifyOptions) -> Evidence:
    isolation = "namespaces" if sandbox_available() else "limits"
    details: dict[str, int | float | str] = {
        "cases": cases,
        "schedules": options.schedules + 1,
        "isolation": isolation,
    }
    return Evidence("simulated", f"wave{WAVEFRONT_SIZE}", built.tools, details | captured_on(judged.capture))


def _program_verdict(judged: Judged, ran: Ran, built: Build, options: VerifyOptions) -> ProgramVerdict:
    """Exit code and every copy to the host, in order. What the program prints is not compared."""
    if ran.capture.faults and not ran.timed_out:
        return ProgramFailed(f"the ported program has an error: {ran.capture.faults[0]}")
    how = _ended_badly(judged, ran)
    if isinstance(how, NotShown):
        return ProgramNotRun(how.reason)
    if how:
        return ProgramFailed(how)
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
        first = first_wrong_launch(judged, ran.capture, options.mapping)
        return ProgramFailed(f"the ported program copies other data to the host; {first}", comparison)
    return ProgramPassed(comparison, (_evidence(built, judged, len(differences), options),))


def _compare_transfer(judged: Judged, port: Capture, position: int) -> Difference:
    expected = judged.transfers[position]
    data = port.transfers[expected.index].data()
    truth = expected.truth
    actual = truth.expected[:0] if data is None else data.as_type(truth.dtype).values
    return compare_buffer(truth, actual, "program")
