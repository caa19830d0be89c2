"""Replays a capture on a program or on a port, and says launch by launch, buffer by buffer, what agrees."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from porter.core.errors import InputError
from porter.core.outcome import Mismatch
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.harness.captured_judge import JudgedCapture, judge_capture
from porter.harness.compare import compare_buffer
from porter.harness.dtypes import Array
from porter.harness.hip_replay import failure_of, match_launches, run_replays
from porter.harness.judge import Judged, Unfit
from porter.harness.launches import base_name
from porter.harness.outputs import buffer_arrays
from porter.harness.programs import ProgramFailure, build, run
from porter.harness.struct_fields import is_aggregate, struct_parameters
from porter.harness.tolerance import Order, Truth
from porter.harness.triton_child import CaseRun, LauncherCall, Unrepresentable, run_module
from porter.harness.triton_module import ModuleShape, read_module
from porter.harness.triton_verify import launcher_of, structs_of
from porter.harness.truths import JudgedCase
from porter.harness.verdict import VerifyOptions
from porter.simulator.options import Face


class Agreement(str, Enum):
    """`EQUAL` is every bit; `WITHIN` every element within the tolerance."""

    EQUAL = "equal"
    REORDERED = "equal in another order"
    WITHIN = "within the tolerance"
    DIFFERS = "differs"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class BufferResult:
    """One buffer of one launch; the errors are against what was captured."""

    buffer: str
    agreement: Agreement
    n_elements: int
    n_mismatch: int
    max_ulp: float
    first: Mismatch | None = None


@dataclass(frozen=True)
class LaunchResult:
    """One captured launch; a `reason` says why nothing was compared."""

    index: int
    kernel: str
    buffers: tuple[BufferResult, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Replayed:
    """`referenced`: the tolerance rests on a double-precision run of the program."""

    launches: tuple[LaunchResult, ...]
    referenced: bool

    @property
    def agrees(self) -> bool:
        """Nothing differs, and something was compared."""
        compared = [b for launch in self.launches for b in launch.buffers]
        return bool(compared) and all(b.agreement is not Agreement.DIFFERS for b in compared)


def replay_capture(
    directory: Path, program: Path, options: VerifyOptions, *, original: Path | None = None
) -> Replayed:
    """Runs every recorded launch again on `program`: the CUDA original, a HIP port or a Triton module.

    `original` gives a port its tolerance. Raises InputError for what cannot be read, built or run at all.
    """
    if not program.is_file():
        raise InputError(f"{program}: no such file")
    is_original = program.suffix in (".cu", ".cuh") and original is None
    source = program if is_original else original
    found = judge_capture(directory, source, options, every_launch=True)
    if isinstance(found, Unfit):
        raise InputError(f"{directory}: {found.reason}")
    if is_original:
        outputs = _of_original(found)
    elif program.suffix == ".py":
        outputs = _of_module(found.judged, program, source, options)
    else:
        outputs = _of_program(found.judged, program, options)
    return Replayed(_results(found.judged, outputs), found.simulated.wide is not None)


_Output = Mapping[str, Array] | str
"""The buffers after a case, or why there are none."""


def _of_original(found: JudgedCapture) -> dict[str, _Output]:
    plain = found.simulated.plain
    if plain is None:
        raise InputError(found.simulated.reason)
    ran = {r.case for r in plain.replays}
    outputs: dict[str, _Output] = {}
    for case in _cases(found.judged):
        name = case.planned.case.name
        if name not in ran:
            outputs[name] = "the program has no such launch"
        elif failure := failure_of(plain, name):
            outputs[name] = f"the program {failure}"
        else:
            outputs[name] = buffer_arrays(plain.replay_file(name), case.planned.buffers)
    return outputs


def _of_program(judged: Judged, port: Path, options: VerifyOptions) -> dict[str, _Output]:
    built = build(port, options, face=Face.HIP)
    if isinstance(built, ProgramFailure):
        raise InputError(f"the port does not build: {built.reason}")
    with tempfile.TemporaryDirectory(prefix="porter-replay-") as scratch:
        root = Path(scratch)
        ran = run(built, options, root / "capture", hostile=True)
        if isinstance(ran, ProgramFailure):
            raise InputError(f"the port does not run: {ran.reason}")
        matched = [match_launches(k, ran.capture, options) for k in judged.kernels if not k.reason]
        outputs: dict[str, _Output] = {
            c.planned.case.name: m.why or "the port launches another grid"
            for m, k in zip(matched, [k for k in judged.kernels if not k.reason], strict=True)
            for c in k.cases
        }
        replays = [replay for m in matched for replay in m.replays]
        done = run_replays(built, replays, options, root / "replay", [0])
        if isinstance(done, ProgramFailure):
            raise InputError(f"the port does not run a second time: {done.reason}")
        for replay in replays:
            name = replay.judged.planned.case.name
            failure = failure_of(done, name)
            outputs[name] = (
                f"the port {failure}"
                if failure
                else _copied(buffer_arrays(done.replay_file(name), replay.judged.planned.buffers))
            )
        return outputs


def _copied(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Arrays that outlive the file they were mapped from."""
    return {name: array.copy() for name, array in arrays.items()}


def _of_module(
    judged: Judged, port: Path, original: Path | None, options: VerifyOptions
) -> dict[str, _Output]:
    shape = read_module(SourceText.read(port))
    if not isinstance(shape, ModuleShape):
        raise InputError(str(shape))
    names = _parameter_names(original)
    structs = struct_parameters(original, options) if original and _has_structs(judged) else {}
    outputs: dict[str, _Output] = {}
    calls: list[LauncherCall] = []
    for kernel in judged.kernels:
        for case in kernel.cases:
            launcher = launcher_of(kernel.name, shape, options.mapping, case.planned.launch)
            if launcher is None:
                outputs[case.planned.case.name] = f"the port has no function {base_name(kernel.name)!r}"
            else:
                parameters = names.get(base_name(kernel.name), ())
                calls.append(LauncherCall(case, launcher, parameters, structs=structs_of(case, structs)))
    for call, result in _run_calls(port, calls, options):
        if result.status == "ok":
            outputs[call.name] = buffer_arrays(result.outputs, call.judged.planned.buffers)
        else:
            outputs[call.name] = result.message
    return outputs


def _run_calls(
    port: Path, calls: Sequence[LauncherCall], options: VerifyOptions
) -> list[tuple[LauncherCall, CaseRun]]:
    try:
        runs = run_module(
            port.read_bytes(), calls, budget_seconds=options.budget_seconds, memory_bytes=options.memory_bytes
        )
    except Unrepresentable as error:
        if len(calls) == 1:
            return [(calls[0], CaseRun("signature", str(error), {}))]
        return [pair for call in calls for pair in _run_calls(port, [call], options)]
    return [(call, runs[call.name]) for call in calls]


def _parameter_names(original: Path | None) -> dict[str, tuple[str, ...]]:
    if original is None:
        return {}
    unit = read_translation_unit(SourceText.read(original))
    return {k.name: tuple(p.name for p in k.parameters) for k in unit.kernels}


def _has_structs(judged: Judged) -> bool:
    return any(is_aggregate(a) for case in _cases(judged) for a in case.planned.launch.arguments)


def _cases(judged: Judged) -> list[JudgedCase]:
    return [case for kernel in judged.kernels for case in kernel.cases]


def _results(judged: Judged, outputs: Mapping[str, _Output]) -> tuple[LaunchResult, ...]:
    by_launch = {case.planned.launch.index: case for case in _cases(judged)}
    reasons = {k.name: next(iter(k.dropped), k.reason) for k in judged.kernels}
    results: list[LaunchResult] = []
    for launch in judged.capture.launches:
        case = by_launch.get(launch.index)
        if case is not None:
            results.append(_result(case, outputs[case.planned.case.name]))
        elif launch.tensors is None:
            results.append(LaunchResult(launch.index, launch.kernel, reason="its memory was not recorded"))
        elif launch.kernel in reasons:
            results.append(LaunchResult(launch.index, launch.kernel, reason=reasons[launch.kernel]))
    return tuple(results)


def _result(case: JudgedCase, output: _Output) -> LaunchResult:
    launch = case.planned.launch
    if isinstance(output, str):
        return LaunchResult(launch.index, launch.kernel, reason=output)
    buffers = tuple(
        _buffer(truth, output.get(truth.buffer, truth.expected[:0]), f"launch {launch.index}")
        for truth in case.truths
    )
    return LaunchResult(launch.index, launch.kernel, buffers)


def _buffer(truth: Truth, actual: Array, label: str) -> BufferResult:
    difference = compare_buffer(truth, actual, label)
    if actual.tobytes() == truth.expected.tobytes():
        agreement = Agreement.EQUAL
    elif difference.n_mismatch:
        agreement = Agreement.DIFFERS
    elif truth.order is Order.PERMUTED and difference.max_ulp == 0:
        agreement = Agreement.REORDERED
    else:
        agreement = Agreement.WITHIN
    first = difference.mismatches[0] if difference.mismatches else None
    return BufferResult(
        truth.buffer, agreement, difference.n_elements, difference.n_mismatch, difference.max_ulp, first
    )


def named(result: LaunchResult, names: Mapping[str, tuple[str, ...]]) -> LaunchResult:
    """The same with the parameters' names for `a0`, `a1` …"""
    own = names.get(base_name(result.kernel), ())
    renamed = tuple(replace(b, buffer=_parameter(b.buffer, own)) for b in result.buffers)
    return replace(result, buffers=renamed)


def _parameter(buffer: str, names: Sequence[str]) -> str:
    head, dot, tail = buffer.partition(".")
    position = head[1:]
    known = head.startswith("a") and position.isdecimal() and int(position) < len(names)
    return names[int(position)] + dot + tail if known else buffer


def parameter_names(source: Path) -> dict[str, tuple[str, ...]]:
    """Kernel → its parameters' names, for `named`."""
    return _parameter_names(source)
