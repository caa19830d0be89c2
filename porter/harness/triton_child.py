"""Runs cases on a Triton module in a child process and brings back what it wrote.

The child sees its scratch directory, Python and nothing else (where the system has namespaces); it gets
inputs only. One child runs all cases, the cheapest first, within a time budget.
"""

from __future__ import annotations

import json
import platform
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from porter.core.errors import InputError
from porter.core.left_files import remove_what_is_no_file
from porter.core.outcome import History, LastStore, NeverStored
from porter.core.process import Completed, Limits, run_limited
from porter.core.sandbox import Sandbox
from porter.core.seccomp import single_process_bytes
from porter.harness.capture import Argument, PointerArgument, ScalarArgument, StructArgument
from porter.harness.cases import Case
from porter.harness.dtypes import BOOL, U8, ElementType
from porter.harness.plan import WatchedBytes
from porter.harness.regions import Buffer
from porter.harness.struct_fields import Component, StructParameter, is_aggregate
from porter.harness.tensors import Tensor, TensorFile, write_tensors
from porter.harness.truths import JudgedCase, Planned

_TORCH_NAMES = {
    "F16": "float16",
    "BF16": "bfloat16",
    "F32": "float32",
    "F64": "float64",
    "I8": "int8",
    "I16": "int16",
    "I32": "int32",
    "I64": "int64",
    "U8": "uint8",
    "U16": "uint16",
    "U32": "uint32",
    "U64": "uint64",
    "BOOL": "bool",
}
_START_SECONDS = 30.0
# The budget is processor time; where others use the processors too, it may last so many times as long.
_BUSY_MACHINE = 4.0
_REVERSED_CASES = 3
_RESULTS_BYTES = 64 << 20


@dataclass(frozen=True)
class CaseRun:
    """What the port did with a case: `status` is "ok" with `outputs`, or says why there are none.

    "error", "signature", "missing", "outside", "outside_kernel" come from the runner; "crashed" and
    "timeout" mean the child ended in this case; "starved" that its time was up in it and it never had the
    processor time of the budget; "skipped" that the time budget was used up before it. `cpu_seconds` of
    processor time went into a case in which the time was up.
    `configurations` are those in which autotuned kernels ran: the kernel, which one, of how many.
    `wavefront_instructions` are counted where machine code was executed.
    """

    status: str
    message: str
    outputs: Mapping[str, Tensor]
    history: History | None = None
    configurations: tuple[tuple[str, int, int], ...] = ()
    wavefront_instructions: int = 0
    cpu_seconds: float | None = None


@dataclass(frozen=True)
class LauncherCall:
    """One case and the function that stands for its kernel; `parameters` are the CUDA kernel's names.

    `structs` has the components of the arguments that are structs by value. Of the bytes of `watch` the run
    says who wrote them last.
    """

    judged: JudgedCase
    launcher: str
    parameters: tuple[str, ...]
    reverse: bool = False
    structs: Mapping[int, StructParameter] = field(default_factory=dict)
    watch: WatchedBytes | None = None

    @property
    def name(self) -> str:
        return self.judged.planned.case.name + ("-reversed" if self.reverse else "")


class Unrepresentable(Exception):
    """An argument has no counterpart in a Triton launcher."""


def in_running_order(calls: Sequence[LauncherCall]) -> list[LauncherCall]:
    """First the cheapest of each kind that a verdict needs, then the cheapest; the first few also with the
    programs of the launch in reverse.
    """
    cheapest = sorted(calls, key=lambda call: blocks_of(call.judged.planned))
    front: dict[tuple[str, str], LauncherCall] = {}
    for call in cheapest:
        for kind in kinds_of(call.judged.planned.case, call.parameters) or ("the captured contents",):
            front.setdefault((call.launcher, kind), call)
    needed = {call.name for call in front.values()}
    ordered = sorted(cheapest, key=lambda call: call.name not in needed)
    seen: dict[str, int] = {}
    result = []
    for call in ordered:
        result.append(call)
        seen[call.launcher] = seen.get(call.launcher, 0) + 1
        if blocks_of(call.judged.planned) > 1 and seen[call.launcher] <= _REVERSED_CASES:
            result.append(replace(call, reverse=True))
    return result


def kinds_of(case: Case, parameters: Sequence[str]) -> tuple[str, ...]:
    """What a case is there to show: that other contents count, and each integer argument for itself.

    `parameters` are the kernel's names, as far as they are known.
    """
    changed = [k for k, value in case.scalars.items() if isinstance(value, int)]
    named = [f"`{parameters[k]}`" if k < len(parameters) else f"argument {k + 1}" for k in changed]
    sizes = tuple(f"another {name}" for name in named)
    return sizes or (("other contents",) if case.fills else ())


def blocks_of(planned: Planned) -> int:
    """How many programs the interpreter runs for a case of a port with one program a block."""
    return int(np.prod(planned.case.grid or planned.launch.grid, dtype=np.int64))


@dataclass(frozen=True)
class Runner:
    """What runs in the child: files beside the module, the first of them the program.

    `readable` are further paths it may read, `settings` go into its job, `environment` adds to its own.
    `single_process`: it starts no other.
    """

    files: Mapping[str, Path]
    environment: Mapping[str, str]
    readable: tuple[Path, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    single_process: bool = False


_RUNNER_FILE = Path(__file__).with_name("triton_runner.py")
_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
INTERPRETER = Runner({"runner.py": _RUNNER_FILE}, {"TRITON_INTERPRET": "1"}, single_process=True)


def run_module(
    module: bytes,
    calls: Sequence[LauncherCall],
    *,
    budget_seconds: float,
    memory_bytes: int,
    runner: Runner = INTERPRETER,
) -> dict[str, CaseRun]:
    """Case name → what the port did. Raises Unrepresentable for arguments no launcher can take."""
    with tempfile.TemporaryDirectory(prefix="porter-triton-") as scratch:
        directory = Path(scratch)
        _write_job(directory, module, calls, budget_seconds, runner)
        limits = Limits(
            wall_seconds=budget_seconds + _START_SECONDS, patience=_BUSY_MACHINE, memory_bytes=memory_bytes
        )
        done = run_limited(
            [sys.executable, "-I", next(iter(runner.files))],
            cwd=directory,
            limits=limits,
            env={**_ENVIRONMENT, **runner.environment},
            sandbox=Sandbox(readable=(*python_paths(), *runner.readable), writable=(directory,)),
        )
        remove_what_is_no_file(directory)
        return _read_results(directory, calls, done)


def python_paths() -> tuple[Path, ...]:
    """Where this Python and its packages live."""
    paths = {sys.prefix, sys.base_prefix, sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    return tuple(Path(p) for p in sorted(paths))


def _write_job(
    directory: Path, module: bytes, calls: Sequence[LauncherCall], budget_seconds: float, runner: Runner
) -> None:
    (directory / "port.py").write_bytes(module)
    for name, source in runner.files.items():
        shutil.copyfile(source, directory / name)
    cases = [_job_case(directory, call) for call in calls]
    job = {"module": "port.py", "cpu_seconds": budget_seconds, "cases": cases}
    if runner.single_process and sys.platform == "linux":
        job["filter"] = single_process_bytes(platform.machine()).hex()
    job |= runner.settings
    (directory / "job.json").write_text(json.dumps(job))


def _job_case(directory: Path, call: LauncherCall) -> dict[str, Any]:
    planned = call.judged.planned
    inputs = f"{planned.case.name}.in.safetensors"
    if not (directory / inputs).exists():
        write_tensors(directory / inputs, starting_contents(planned))
    names = {b.allocation: str(b.allocation) for b in planned.buffers}
    return {
        "name": call.name,
        "launcher": call.launcher,
        "parameters": _parameter_names(call),
        "grid": planned.case.grid or planned.launch.grid,
        "block": planned.case.block or planned.launch.block,
        "shared_bytes": planned.launch.shared_bytes,
        "inputs": inputs,
        "output": f"{call.name}.out.safetensors",
        "reverse": call.reverse,
        "watch": _job_watch(call),
        "arguments": _job_arguments(call, names),
        "globals": {
            g.name: _tensor(names[g.allocation], 0, _global_type(planned.buffers, g.name))
            for g in planned.launch.globals
            if g.allocation in names
        },
    }


def _job_watch(call: LauncherCall) -> dict[str, Any] | None:
    watch = call.watch
    if watch is None:
        return None
    allocation = next(b.allocation for b in call.judged.planned.buffers if b.tensor == watch.tensor)
    return {"tensor": str(allocation), "offset": watch.offset, "bytes": watch.size}


def starting_contents(planned: Planned) -> dict[str, Tensor]:
    """Allocation id → its bytes when the case starts."""
    before = planned.launch.before()
    contents: dict[str, Tensor] = {}
    for buffer in planned.buffers:
        tensor = planned.inputs.tensors.get(buffer.tensor) or before[buffer.allocation]
        contents[str(buffer.allocation)] = tensor.as_type(U8)
    return contents


def _parameter_names(call: LauncherCall) -> list[str]:
    """The kernel's parameter names, a struct's replaced by those of its components."""
    names: list[str] = []
    for position, name in enumerate(call.parameters):
        struct = call.structs.get(position)
        names += [c.name for c in struct.components] if struct else [name]
    return names


def _job_arguments(call: LauncherCall, names: Mapping[int, str]) -> list[dict[str, Any] | None]:
    planned = call.judged.planned
    arguments: list[dict[str, Any] | None] = []
    for position, argument in enumerate(planned.launch.arguments):
        struct = call.structs.get(position)
        if struct is not None and is_aggregate(argument):
            arguments += [_job_component(argument, component, names) for component in struct.components]
        else:
            arguments.append(_job_argument(position, argument, planned, names))
    return arguments


def _job_component(
    argument: StructArgument | ScalarArgument, component: Component, names: Mapping[int, str]
) -> dict[str, Any] | None:
    if component.is_pointer:
        pointers = argument.pointers if isinstance(argument, StructArgument) else ()
        inner = next((p for p in pointers if p.at == component.offset), None)
        return _tensor(names[inner.allocation], inner.offset_bytes, component.dtype) if inner else None
    end = component.offset + component.dtype.size_bytes
    value = component.dtype.to_double(component.dtype.decode(argument.data[component.offset : end]))[0]
    if component.dtype.is_float:
        return {"value": repr(float(value))}
    exact = component.dtype.decode(argument.data[component.offset : end])[0]
    return {"value": bool(exact) if component.dtype is BOOL else int(exact)}


def _job_argument(
    position: int, argument: Argument, planned: Planned, names: Mapping[int, str]
) -> dict[str, Any] | None:
    match argument:
        case PointerArgument():
            if argument.allocation is None:
                return None
            if argument.type.count("*") > 1:
                raise Unrepresentable(f"argument {position} points to pointers ({argument.type})")
            return _tensor(names[argument.allocation], argument.offset_bytes, argument.dtype or U8)
        case ScalarArgument():
            value = planned.case.scalars.get(position, argument.value())
            if value is None:
                raise Unrepresentable(f"argument {position} is passed by value as {argument.type}")
            return {"value": repr(value) if isinstance(value, float) else value}
        case StructArgument():
            raise Unrepresentable(f"argument {position} is a struct ({argument.type})")


def torch_dtype(dtype: ElementType) -> str:
    """PyTorch's name for an element type."""
    return _TORCH_NAMES[dtype.name]


def _tensor(allocation: str, offset: int, dtype: ElementType) -> dict[str, Any]:
    return {"tensor": allocation, "offset": offset, "dtype": torch_dtype(dtype)}


def _global_type(buffers: Sequence[Buffer], name: str) -> ElementType:
    return next((b.dtype for b in buffers if b.name == f"g:{name}"), U8)


def _read_results(directory: Path, calls: Sequence[LauncherCall], done: Completed) -> dict[str, CaseRun]:
    lines = _result_lines(directory / "results.jsonl")
    finished = {r["case"]: r for r in lines if r.get("status") != "started"}
    started = {r["case"]: r.get("cpu_seconds") for r in lines if r.get("status") == "started"}
    has_ended = any(r.get("status") == "ended" for r in lines)
    runs: dict[str, CaseRun] = {}
    for call in calls:
        if call.name in finished:
            runs[call.name] = _finished(directory, call, finished[call.name])
        elif call.name in started or not (started or has_ended):
            runs[call.name] = _unfinished(done, started.get(call.name))
        else:
            runs[call.name] = CaseRun("skipped", "the time budget is used up", {})
    return runs


def _result_lines(path: Path) -> list[dict[str, Any]]:
    """The runner's records; lines a hostile module garbled are no records."""
    found = []
    if not path.is_file():
        return []
    with path.open("rb") as file:
        text = file.read(_RESULTS_BYTES).decode(errors="replace")
    for line in text.splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("case"), str):
            found.append(record)
    return found


def _finished(directory: Path, call: LauncherCall, record: dict[str, Any]) -> CaseRun:
    status, message = str(record.get("status")), str(record.get("message", ""))
    if status != "ok":
        return CaseRun(status, message, {})
    by_tensor = {b.tensor: str(b.allocation) for b in call.judged.planned.buffers}
    try:
        file = TensorFile(directory / f"{call.name}.out.safetensors")
        outputs = {tensor: file[key] for tensor, key in by_tensor.items() if key in file}
    except (InputError, ValueError) as error:
        return CaseRun("error", f"left no output: {error}", {})
    used = _configurations(record.get("configurations"))
    counted = record.get("wavefront_instructions")
    instructions = counted if isinstance(counted, int) else 0
    return CaseRun("ok", "", outputs, _history(record.get("written")), used, instructions)


def _configurations(used: Any) -> tuple[tuple[str, int, int], ...]:
    found = used if isinstance(used, list) else []
    return tuple(
        (str(kernel), int(number), int(count))
        for kernel, number, count in (item for item in found if isinstance(item, list) and len(item) == 3)
        if isinstance(number, int) and isinstance(count, int)
    )


def _history(written: Any) -> History | None:
    match written:
        case {"stores": 0}:
            return NeverStored()
        case {"stores": int(stores), "program": [int(x), int(y), int(z)]}:
            return LastStore(stores, (x, y, z))
    return None


def _unfinished(done: Completed, started_at: Any) -> CaseRun:
    """Of a case that was begun when the child had used `started_at` seconds of processor time."""
    if done.timed_out:
        status = "starved" if done.starved else "timeout"
        used = done.cpu_seconds
        if used is not None and isinstance(started_at, int | float):
            used -= started_at
        return CaseRun(status, "does not end within the time budget", {}, cpu_seconds=used)
    if done.returncode < 0 or done.returncode > 128:
        number = -done.returncode if done.returncode < 0 else done.returncode - 128
        return CaseRun("crashed", f"the interpreter died with signal {number}", {})
    lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
    return CaseRun("crashed", lines[-1].strip()[:400] if lines else "the child ended early", {})
