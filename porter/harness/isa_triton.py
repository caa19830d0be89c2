"""A Triton port's kernels as machine code on judged cases.

The module's launchers are called in the child of `triton_child.py`; each launch is compiled and its code
object executed on the launch's tensors (`triton_isa_runner.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from porter.core.diagnostic import Diagnostic
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.hardware.gpu import load_gpu
from porter.harness.isa.codes import CODES
from porter.harness.isa.errors import IsaError
from porter.harness.isa_cases import CaseOutputs, IsaCase, IsaRequest, NotExecuted, chosen
from porter.harness.judge import JudgedKernel
from porter.harness.launches import base_name
from porter.harness.struct_fields import is_aggregate, struct_parameters
from porter.harness.triton_child import CaseRun, LauncherCall, Runner, Unrepresentable, run_module
from porter.harness.triton_module import ModuleShape, read_module
from porter.harness.triton_verify import launcher_of, structs_of
from porter.harness.truths import JudgedCase
from porter.harness.verdict import VerifyOptions

_FILES = {
    "isa_runner.py": Path(__file__).with_name("triton_isa_runner.py"),
    "runner.py": Path(__file__).with_name("triton_runner.py"),
}
_PACKAGE = Path(__file__).parents[1]


def triton_cases(
    kernel: JudgedKernel, request: IsaRequest, options: VerifyOptions
) -> list[IsaCase] | NotExecuted:
    """The cases of one kernel, executed all in one child."""
    source = SourceText.read(request.port)
    shape = read_module(source)
    if isinstance(shape, Diagnostic) or launcher_of(kernel.name, shape, options.mapping) is None:
        return NotExecuted(f"the port has no function for {base_name(kernel.name)}")
    calls = _calls(kernel, shape, request.original, options)
    try:
        runs = run_module(
            source.data,
            calls,
            budget_seconds=options.budget_seconds,
            memory_bytes=options.memory_bytes,
            runner=_runner(request.arch),
        )
    except Unrepresentable as error:
        return NotExecuted(str(error))
    return [IsaCase(call.judged, partial(_outcome, runs[call.name])) for call in calls]


def _calls(
    kernel: JudgedKernel, shape: ModuleShape, original: Path, options: VerifyOptions
) -> list[LauncherCall]:
    cases = chosen(case for case in kernel.cases if case.any_grid)
    structs = struct_parameters(original, options) if any(map(_has_struct, cases)) else {}
    names = _parameter_names(original).get(base_name(kernel.name), ())
    return [
        LauncherCall(case, launcher, names, structs=structs_of(case, structs))
        for case in cases
        if (launcher := launcher_of(kernel.name, shape, options.mapping, case.planned.launch)) is not None
    ]


def _has_struct(case: JudgedCase) -> bool:
    return any(is_aggregate(argument) for argument in case.planned.launch.arguments)


def _parameter_names(original: Path) -> Mapping[str, tuple[str, ...]]:
    unit = read_translation_unit(SourceText.read(original))
    return {k.name: tuple(p.name for p in k.parameters) for k in unit.kernels}


def _runner(arch: str) -> Runner:
    gpu = load_gpu(arch)
    properties = {
        "max_shared_mem": gpu.memory.lds_bytes_per_workgroup,
        "multiprocessor_count": gpu.compute_units,
        "warpSize": gpu.compute.wavefront_size,
    }
    return Runner(
        files=_FILES,
        environment={"TRITON_INTERPRET": "0", "TRITON_CACHE_DIR": "triton-cache", "OMP_NUM_THREADS": "1"},
        readable=(_PACKAGE,),
        settings={"arch": arch, "porter": str(_PACKAGE.parent), "device_properties": json.dumps(properties)},
    )


def _outcome(run: CaseRun) -> CaseOutputs | IsaError:
    """What the child says of a case; its executor's errors come as the text of an exception."""
    if run.status == "ok":
        return CaseOutputs(run.outputs, 0, run.wavefront_instructions)
    match = re.search(r"\[(ISA\d+)\] (.*)", run.message, re.DOTALL)
    if match and match.group(1) in CODES:
        return IsaError(match.group(1), match.group(2))
    if run.status in ("timeout", "starved", "skipped"):
        return IsaError("ISA015", run.message)
    return IsaError("ISA004", run.message)
