"""Verifies a Triton module against a judged original, kernel by kernel, in the interpreter."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path

from porter.core.diagnostic import Diagnostic
from porter.core.errors import InputError
from porter.core.outcome import Evidence
from porter.core.sandbox import sandbox_available
from porter.core.span import SourceText
from porter.harness.capture import Launch, captured_on
from porter.harness.case_differences import compare_case
from porter.harness.compare import Difference, merge
from porter.harness.judge import Judged, JudgedKernel
from porter.harness.launches import base_name, row_name
from porter.harness.minimal import with_minimal_case
from porter.harness.out_of_time import INTERPRETED_SLOWDOWN, Hangs, NotShown, out_of_time
from porter.harness.struct_fields import StructParameter, StructParameters, is_aggregate
from porter.harness.triton_child import (
    CaseRun,
    LauncherCall,
    Unrepresentable,
    blocks_of,
    in_running_order,
    kinds_of,
    run_module,
)
from porter.harness.triton_minimal import TritonRerun
from porter.harness.triton_module import ModuleShape, read_module
from porter.harness.triton_static import check_module
from porter.harness.truths import JudgedCase
from porter.harness.verdict import (
    CouldNotRun,
    KernelVerdict,
    Mismatched,
    NoVerdict,
    Passed,
    VerifyOptions,
)

_PORTS_FAULT = ("error", "signature", "missing", "crashed")
_TIME_UP = ("timeout", "starved")
_CHEATS = ("outside", "outside_kernel")


def launcher_of(
    kernel: str, shape: ModuleShape, mapping: Mapping[str, str], launch: Launch | None = None
) -> str | None:
    """The module's function for a kernel: as mapped, or of its name, with `_` behind a name Python has.

    Of kernels in different namespaces `first::scale` is `first_scale` or, where there is none, `scale`. The
    instantiation `scale<float, 4>` that is launched is `scale_float_4` or, where there is none, `scale`.
    """
    row, base = row_name(kernel), base_name(kernel)
    told = mapping.get(kernel) or mapping.get(row) or mapping.get(base)
    plain = (told,) if told else (row.replace("::", "_"), base)
    words = [w for a in launch.template_arguments for w in _words(a)] if launch and not told else []
    names = (*("_".join([name, *words]) for name in plain if words), *plain)
    return next((n for name in names for n in (name, f"{name}_") if n in shape.functions), None)


_TRUTH = {"true": "1", "false": "0"}


def _words(template_argument: str) -> list[str]:
    """`float` and `4` of a type or value as a demangler spells it: `(Op)1` and `1u` are 1."""
    value = re.sub(r"^\([\w: ]+\)", "", template_argument)
    value = re.sub(r"(?<=\d)[uUlL]+$", "", _TRUTH.get(value, value))
    return re.findall(r"\w+", value)


def verify_module(
    judged: Judged,
    port: Path,
    options: VerifyOptions,
    parameters: Mapping[str, tuple[str, ...]],
    structs: StructParameters,
) -> tuple[KernelVerdict, ...]:
    """The verdict of every judged kernel.

    `parameters` has the CUDA kernels' parameter names, `structs` the components of those that are structs.
    """
    try:
        source = SourceText.read(port)
    except OSError as error:
        raise InputError(f"{port}: cannot read the port: {error.strerror}") from error
    shape = read_module(source)
    if isinstance(shape, Diagnostic):
        return tuple(CouldNotRun(row_name(k.name), str(shape)) for k in judged.kernels)
    launchers = {k.name: _launchers(k, shape, options.mapping) for k in judged.kernels}
    called = {name for own in launchers.values() for name in own.values() if name}
    findings = check_module(source, shape, tuple(sorted(called)))
    verdicts: dict[str, KernelVerdict] = {}
    calls: dict[str, list[LauncherCall]] = {}
    for kernel in judged.kernels:
        own = launchers[kernel.name]
        early = _before_running(kernel, all(own.values()), findings)
        if early is not None:
            verdicts[kernel.name] = early
        else:
            names = parameters.get(row_name(kernel.name)) or parameters.get(base_name(kernel.name), ())
            calls[kernel.name] = [
                LauncherCall(case, launcher, names, structs=structs_of(case, structs))
                for case in kernel.cases
                if (launcher := own[case.planned.launch.template_arguments]) is not None
                if case.any_grid or _takes_grid(shape, launcher)
            ]
    verdicts.update(_run_kernels(judged, calls, source.data, options))
    deadline = time.monotonic() + options.shrink_seconds
    for kernel in judged.kernels:
        if known := calls.get(kernel.name):
            again = TritonRerun(source.data, known, _takes_grid(shape, known[0].launcher), options)
            verdicts[kernel.name] = with_minimal_case(verdicts[kernel.name], judged, kernel, again, deadline)
    return tuple(verdicts[kernel.name] for kernel in judged.kernels)


def _launchers(
    kernel: JudgedKernel, shape: ModuleShape, mapping: Mapping[str, str]
) -> dict[tuple[str, ...], str | None]:
    """The function for each instantiation that the cases launch; without cases, that of the name."""
    launches = [case.planned.launch for case in kernel.cases]
    found = {x.template_arguments: launcher_of(kernel.name, shape, mapping, x) for x in launches}
    return found or {(): launcher_of(kernel.name, shape, mapping)}


def structs_of(case: JudgedCase, structs: StructParameters) -> dict[int, StructParameter]:
    """The layout of each struct argument: of several instantiations' the first of the right size."""
    launch = case.planned.launch
    found: dict[int, StructParameter] = {}
    for position, argument in enumerate(launch.arguments):
        if is_aggregate(argument):
            known = structs.get((base_name(launch.kernel), position), ())
            fitting = [s for s in known if s.size_bytes == len(argument.data)]
            found.update({position: fitting[0]} if fitting else {})
    return found


def _takes_grid(shape: ModuleShape, launcher: str) -> bool:
    """Whether the port can be told how many blocks to run; a bare kernel always can."""
    return launcher in shape.kernels or "grid" in shape.parameters(launcher)


def _before_running(
    kernel: JudgedKernel, has_launcher: bool, findings: Sequence[Diagnostic]
) -> KernelVerdict | None:
    name = row_name(kernel.name)
    if kernel.reason:
        return NoVerdict(name, kernel.reason)
    if not has_launcher:
        return CouldNotRun(name, f"the port has no function {name!r} (tell another name with --map)")
    if findings:
        return CouldNotRun(name, f"the port does not count: {findings[0]}")
    return None


def _run_kernels(
    judged: Judged, calls: Mapping[str, list[LauncherCall]], module: bytes, options: VerifyOptions
) -> dict[str, KernelVerdict]:
    """One child for all kernels; a kernel whose arguments cannot be passed is set aside."""
    if not calls:
        return {}
    ordered = in_running_order([call for group in calls.values() for call in group])
    try:
        runs = run_module(
            module, ordered, budget_seconds=options.budget_seconds, memory_bytes=options.memory_bytes
        )
    except Unrepresentable as error:
        if len(calls) == 1:
            return {name: CouldNotRun(row_name(name), str(error)) for name in calls}
        single = [_run_kernels(judged, {n: group}, module, options) for n, group in calls.items()]
        return {name: verdict for found in single for name, verdict in found.items()}
    verdicts: dict[str, KernelVerdict] = {}
    for name, group in calls.items():
        cases = {call.judged.planned.case.name for call in group}
        mine = [call for call in ordered if call.judged.planned.case.name in cases]
        kernel = next(k for k in judged.kernels if k.name == name)
        if len(kernel.cases) > len(cases):
            left_out = {"the launcher chooses its own grid": len(kernel.cases) - len(cases)}
            kernel = replace(kernel, dropped={**kernel.dropped, **left_out})
        verdicts[name] = kernel_verdict(kernel, mine, runs, options, captured_on(judged.capture))
    return verdicts


def kernel_verdict(
    kernel: JudgedKernel,
    calls: Sequence[LauncherCall],
    runs: Mapping[str, CaseRun],
    options: VerifyOptions,
    details: Mapping[str, str] | None = None,
) -> KernelVerdict:
    """From what the port wrote to the verdict of one kernel; `details` go with its evidence."""
    name = row_name(kernel.name)
    differences: list[Difference] = []
    skipped: Counter[str] = Counter(kernel.dropped)
    ran: set[str] = set()
    unknown = ""  # why a case gave no answer: what is wrong in another one counts more
    for call in calls:
        run = runs[call.name]
        label = call.judged.planned.case.kind + (", programs reversed" if call.reverse else "")
        if run.status in _TIME_UP and _only_large(call, calls, runs):
            skipped["the interpreter is too slow for it"] += 1
            continue
        if run.status in _TIME_UP:
            over = _time_up(call, run)
            late = f"case {label!r}: the port {over.reason}"
            if not isinstance(over, NotShown):
                return CouldNotRun(name, late)
            unknown = unknown or late
            continue
        if run.status in _PORTS_FAULT:
            return CouldNotRun(name, f"case {label!r}: {run.message}")
        if run.status in _CHEATS:
            return CouldNotRun(name, f"the port does not count: {run.message} (case {label!r})")
        if run.status == "skipped":
            skipped[run.message] += 1
            continue
        ran.add(call.judged.planned.case.name)
        differences += compare_case(call.judged, run.outputs, label)
    comparison = merge(differences, cases=len(ran), seed=options.seed)
    if not comparison.equal:
        return Mismatched(name, _describe(comparison.n_mismatch, comparison.n_elements), comparison)
    if unknown:
        return NoVerdict(name, unknown)
    if not any(c.judged.changed and c.judged.planned.case.name in ran for c in calls):
        return NoVerdict(name, "no case in which the original writes anything was run in the time budget")
    if missing := _kinds_not_run(calls, ran):
        unseen = " and with ".join(missing)
        return NoVerdict(name, f"the time budget was used up before a case with {unseen} was run")
    if untried := _configurations_not_run(runs[call.name] for call in calls):
        return NoVerdict(name, f"the time budget was used up before {untried}")
    evidence = (_evidence(kernel, len(ran), details or {}),)
    return Passed(name, comparison, evidence, dict(skipped), kernel.not_raised)


def _time_up(call: LauncherCall, run: CaseRun) -> Hangs | NotShown:
    original, starved = call.judged.cpu_seconds, run.status == "starved"
    return out_of_time(run.cpu_seconds, original, INTERPRETED_SLOWDOWN, starved=starved, limit="time budget")


def _kinds_not_run(calls: Sequence[LauncherCall], ran: Collection[str]) -> list[str]:
    """What none of the cases that were run has shown, although there are cases for it."""
    shown: dict[str, bool] = {}
    for call in (call for call in calls if call.judged.changed):
        case = call.judged.planned.case
        for kind in kinds_of(case, call.parameters):
            shown[kind] = shown.get(kind, False) or case.name in ran
    return sorted(kind for kind, was_run in shown.items() if not was_run)


def _configurations_not_run(runs: Iterable[CaseRun]) -> str:
    """Which configurations of an autotuned kernel no case ran in; any of them may be the fastest."""
    seen: dict[str, set[int]] = {}
    counts: dict[str, int] = {}
    for kernel, number, count in (used for run in runs for used in run.configurations):
        seen.setdefault(kernel, set()).add(number)
        counts[kernel] = max(count, counts.get(kernel, 0))
    missing = [
        f"{count - len(seen[kernel])} of the {count} configurations of {kernel}"
        for kernel, count in counts.items()
        if count > len(seen[kernel])
    ]
    return f"{' and '.join(missing)} were run" if missing else ""


def _only_large(call: LauncherCall, calls: Sequence[LauncherCall], runs: Mapping[str, CaseRun]) -> bool:
    """Whether a case that ran out of time has more blocks than every case that did not."""
    finished = [blocks_of(c.judged.planned) for c in calls if runs[c.name].status == "ok"]
    return len(finished) >= 3 and blocks_of(call.judged.planned) > max(finished)


def _describe(wrong: int, total: int) -> str:
    return f"{wrong} of {total} elements differ by more than the tolerance allows"


def _evidence(kernel: JudgedKernel, cases: int, extra: Mapping[str, str]) -> Evidence:
    tools = {"triton": metadata.version("triton"), "torch": metadata.version("torch")}
    isolation = "namespaces" if sandbox_available() else "limits"
    return Evidence(
        "interpreted",
        tools=tools,
        details={"cases": cases, "dropped": sum(kernel.dropped.values()), "isolation": isolation, **extra},
    )
