"""An original that is a NumPy function, with the captures and replays that a program would leave."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from porter.harness.capture import Capture, Launch, ReplayRecord, ScalarArgument
from porter.harness.cases import CaseOptions, make_cases
from porter.harness.dtypes import F32, F64, U8, Array
from porter.harness.outputs import WideRun
from porter.harness.plan import build_inputs, slice_of
from porter.harness.regions import Buffer, buffers_of
from porter.harness.tensors import Tensor, write_tensors
from porter.harness.truths import JudgedCase, OriginalRuns, Planned, judge_cases
from tests.harness.captures import allocation, launch_of

Function = Callable[..., None]


def scripted_launch(
    directory: Path, function: Function, kernel: str, *arguments: object, **shape: tuple[int, int, int]
) -> tuple[Launch, Capture]:
    """A launch of `function(*arrays and scalars, blocks)`; arguments are as in `captures`, or arrays."""
    directory.mkdir(parents=True, exist_ok=True)
    memory: dict[int, Array] = {}
    recorded = []
    for k, argument in enumerate(arguments):
        if isinstance(argument, tuple):
            pointer, contents = argument
            memory[k + 1] = contents
            recorded.append(replace(pointer, allocation=k + 1))
        else:
            recorded.append(argument)
    path = directory / "launch-0000.safetensors"
    launch = launch_of(*recorded, kernel=kernel, tensors=path, **shape)
    allocations = {k: allocation(k, v.nbytes)[k] for k, v in memory.items()}
    before = {k: Tensor(U8, np.frombuffer(v.tobytes(), np.uint8)) for k, v in memory.items()}
    capture = Capture(directory, "cuda", 32, False, allocations, (launch,), (), (), (), 0)
    buffers = buffers_of(launch, allocations)
    after = _apply(function, launch, {}, launch.grid, before, buffers)
    write_tensors(
        path,
        {f"{k}/before": v for k, v in before.items()} | {f"{k}/after": v for k, v in after.items()},
    )
    return launch, capture


def _apply(
    function: Function,
    launch: Launch,
    scalars: dict[int, float],
    grid: tuple[int, int, int],
    contents: dict[int, Tensor],
    buffers: tuple[Buffer, ...],
    *,
    wide: bool = False,
) -> dict[int, Tensor]:
    """Runs the function on copies; in a wide run every float32 array is float64."""
    named = {b.name: b for b in buffers}
    arrays: dict[str, Array] = {}
    values: list[object] = []
    for k, argument in enumerate(launch.arguments):
        if isinstance(argument, ScalarArgument):
            values.append(scalars.get(k, argument.value()))
            continue
        buffer = named[f"a{k}"]
        array = slice_of(contents[buffer.allocation].values, buffer).copy()
        arrays[f"a{k}"] = array.astype(np.float64) if wide and buffer.dtype is F32 else array
        values.append(arrays[f"a{k}"])
    with np.errstate(all="ignore"):
        function(*values, threads=int(np.prod(grid) * np.prod(launch.block)))
    result = {}
    for name, array in arrays.items():
        widened = wide and array.dtype == np.float64
        result[named[name].allocation] = Tensor(F64 if widened else U8, array if widened else _bytes(array))
    return result


def _bytes(array: Array) -> Array:
    return np.frombuffer(array.tobytes(), np.uint8)


def judge_scripted(
    directory: Path, function: Function, launch: Launch, capture: Capture, max_cases: int = 16
) -> tuple[JudgedCase, ...]:
    """The judged cases of a scripted launch."""
    buffers = buffers_of(launch, capture.allocations)
    cases = make_cases(launch, buffers, frozenset(), CaseOptions(max_cases=max_cases))
    planned = tuple(Planned(c, launch, buffers, build_inputs(c, launch, buffers)) for c in cases)
    plain, wide = (
        _replay(directory / name, function, planned, wide=name == "wide") for name in ("plain", "wide")
    )
    runs = OriginalRuns(replace(plain, launches=(launch,)), 0, None, WideRun(capture, wide))
    return judge_cases(planned, runs).cases


def _replay(directory: Path, function: Function, planned: tuple[Planned, ...], *, wide: bool) -> Capture:
    directory.mkdir()
    records = []
    for plan in planned:
        before = plan.launch.before()
        contents = {
            b.allocation: (plan.inputs.tensors.get(b.tensor) or before[b.allocation]).as_type(U8)
            for b in plan.buffers
        }
        grid = plan.case.grid or plan.launch.grid
        after = _apply(
            function, plan.launch, dict(plan.case.scalars), grid, contents, plan.buffers, wide=wide
        )
        names = {b.allocation: b.tensor for b in plan.buffers}
        write_tensors(
            directory / f"replay-{plan.case.name}.safetensors", {names[k]: v for k, v in after.items()}
        )
        records.append(ReplayRecord(plan.case.name, plan.launch.index, "ok", ""))
    return Capture(directory, "cuda", 32, wide, {}, (), (), (), tuple(records), 0)
