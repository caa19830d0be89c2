"""`porter translate FILE --target hip|triton`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from porter.analysis.effects.collectives import WAVEFRONT_SIZE
from porter.cli.agent_options import (
    AgentModel,
    AgentName,
    AgentOptions,
    AgentStrategy,
    BaseUrl,
    BudgetSeconds,
    BudgetSteps,
    BudgetTokens,
    BudgetUsd,
    Candidates,
    Mailbox,
    PriceOption,
    Replay,
    chosen_agent,
    given_budget,
)
from porter.cli.console import err, out
from porter.cli.diff import unified_diff
from porter.cli.on import HELP as ON_HELP
from porter.cli.on import On, wants_isa
from porter.cli.options import Arch, Define, Include, Kernels, ProgramArguments, ReportJson, Seed
from porter.cli.output import header_path, make_folder, merged_header, resolve_output, write_output
from porter.core.diagnostic import Severity
from porter.core.errors import ExitCode, InputError
from porter.core.outcome import Target
from porter.core.result import Report
from porter.hardware.gpu import load_gpu
from porter.hip.options import Style, Warps
from porter.hip.rocm_version import RocmVersion, installed_rocm
from porter.pipeline.port import PortResult, port
from porter.pipeline.request import PortRequest, default_output
from porter.pipeline.run_directory import RunDirectory
from porter.report.json_report import format_json
from porter.report.text import print_report


def translate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="the CUDA source file", show_default=False)],
    arguments: ProgramArguments = None,
    target: Annotated[
        Target, typer.Option("--target", "-t", help="what to port to", show_default=False)
    ] = ...,  # type: ignore[assignment]
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="file to write, or folder (name/ makes it), - for stdout; default: the source's name here",
        ),
    ] = None,
    arch: Arch = "gfx950",
    kernel: Kernels = None,
    include: Include = None,
    define: Define = None,
    json: ReportJson = False,
    force: Annotated[bool, typer.Option("--force", help="overwrite the output")] = False,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="translate only: build and run nothing")
    ] = False,
    on: Annotated[list[On] | None, typer.Option("--on", help=ON_HELP)] = None,
    style: Annotated[
        Style, typer.Option(help="HIP: spelled out, or CUDA's spelling with one compatibility header")
    ] = Style.REWRITE,
    in_place: Annotated[bool, typer.Option("--in-place", help="HIP: write over the source")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="HIP: print the changes, write nothing")] = False,
    tune: Annotated[
        bool, typer.Option("--tune", help="HIP: make memory accesses faster where no result can change")
    ] = False,
    rocm: Annotated[
        str | None,
        typer.Option(
            help="HIP: ROCm to build with, as 6.2: names it lacks are errors; default: the installed one"
        ),
    ] = None,
    warps: Annotated[
        Warps,
        typer.Option(
            help="HIP: keep groups of 32 lanes, or use all 64 of a wavefront where no result can change"
        ),
    ] = Warps.PRESERVE,
    autotune: Annotated[
        bool, typer.Option("--autotune", help="Triton: choose configurations by timing, on the GPU")
    ] = False,
    tf32: Annotated[
        bool, typer.Option("--tf32", help="Triton: multiply float32 matrices in TF32 where the GPU can")
    ] = False,
    agent: AgentName = None,
    agent_model: AgentModel = None,
    base_url: BaseUrl = None,
    price: PriceOption = None,
    mailbox: Mailbox = None,
    replay: Replay = None,
    strategy: AgentStrategy = None,
    candidates: Candidates = None,
    budget_usd: BudgetUsd = None,
    budget_tokens: BudgetTokens = None,
    budget_steps: BudgetSteps = None,
    budget_seconds: BudgetSeconds = None,
    seed: Seed = 0,
) -> int:
    """Port one CUDA file and prove it: every kernel gets a verdict with its evidence.

    Exit code 0: everything was ported with its evidence; with --no-check, which asks for none, all was
    translated. 1: something was not, or a finding is an error. 2: the input or the options cannot be used.
    """
    request = PortRequest(
        source=file,
        target=target,
        arch=arch,
        kernels=tuple(kernel or ()),
        arguments=tuple(arguments or ()),
        include_dirs=tuple(include or ()),
        defines=tuple(define or ()),
        check=not no_check,
        seed=seed,
        on_isa=wants_isa(on),
        style=style,
        in_place=in_place or diff,
        tune=tune,
        rocm=RocmVersion.parse(rocm) if rocm else installed_rocm(),
        warps=warps,
        autotune=autotune,
        allow_tf32=tf32,
    )
    if (autotune or tf32) and target is not Target.TRITON:
        raise InputError(f"{'--autotune' if autotune else '--tf32'} is for --target triton, not for {target}")
    if tune and (target is not Target.HIP or style is not Style.REWRITE):
        raise InputError("--tune is for --target hip in --style rewrite")
    _check_warps(request)
    if in_place or diff:
        _check_in_place(target, output, one=in_place != diff and not (diff and json))
    to_stdout = diff or output == "-"
    chosen = chosen_agent(
        AgentOptions(
            name=agent,
            models=tuple(agent_model or ()),
            base_url=base_url,
            price=price,
            mailbox=mailbox,
            replay=replay,
            strategy=strategy,
            candidates=candidates,
            budget=given_budget(budget_usd, budget_tokens, budget_steps, budget_seconds),
        ),
        checked=not no_check,
    )
    path = None if to_stdout else file if in_place else _path(request, output, force=force)
    run = RunDirectory.create(
        Path(".porter"), "translate", os.fsencode(file), subject=str(file), target=str(target)
    )
    with err().status(f"porting {file} to {target}"), run.of_use():
        result = port(request, run, agent=chosen)
    if diff:
        print(unified_diff(file, result.draft), end="")
    else:
        _write(result, path, force=force or in_place)
    if json:
        print(format_json(result.report))
    else:
        print_report(result.report, err() if to_stdout else out(), result.sources, checked=request.check)
    return _exit_code(result.report, checked=not no_check)


def _exit_code(report: Report, *, checked: bool) -> ExitCode:
    """Unchecked, a kernel is never called ported; being translated is then all that was asked for."""
    if checked:
        return report.exit_code
    errors = any(finding.severity is Severity.ERROR for finding in report.findings)
    translated = {unit.status for unit in report.units} == {"partial"}
    return ExitCode.OK if translated and not errors else ExitCode.FINDINGS


def _check_warps(request: PortRequest) -> None:
    """Raises InputError where the options ask for what cannot be."""
    if request.warps is Warps.PRESERVE:
        return
    if request.target is not Target.HIP:
        raise InputError(f"--warps widen is for --target hip, not for {request.target}")
    if request.style is not Style.REWRITE:
        hint = "leave out --style, or --warps"
        raise InputError(f"--warps widen is for --style rewrite, not for {request.style.value}", hint=hint)
    if request.tune:
        raise InputError("--warps widen and --tune do not go together", hint="leave out one of them")
    if load_gpu(request.arch).compute.wavefront_size != WAVEFRONT_SIZE:
        raise InputError(
            f"--warps widen is for GPUs with wavefronts of 64 lanes, which {request.arch} has not"
        )


def _check_in_place(target: Target, output: str | None, *, one: bool) -> None:
    """Raises InputError where the options ask for two outputs at once."""
    if target is not Target.HIP or output is not None or not one:
        message = "--in-place and --diff are for --target hip: one of them, and no other output"
        raise InputError(message, hint="leave out -o and --json, or the other option")


def _path(request: PortRequest, output: str | None, *, force: bool) -> Path:
    default = default_output(request)
    return resolve_output(output or str(default), default.name, force=force, source=request.source)


def _write(result: PortResult, path: Path | None, *, force: bool) -> None:
    """A candidate that is wrong somewhere, or has no kernel, stays in the run directory."""
    statuses = {unit.status for unit in result.report.units}
    if not result.draft.text or statuses <= {"declined"}:
        return
    if "failed" in statuses:
        err().print(
            f"not written: a kernel failed; the candidate is in {result.report.run_directory}", markup=False
        )
        return
    if path is None:
        print(result.draft.text.decode("latin-1"), end="")
        return
    make_folder(path.parent)
    headers = {header_path(path.parent, n, d, force=force): d for n, d in result.draft.headers.items()}
    for header, data in headers.items():
        write_output(header, merged_header(header, data))
    write_output(path, result.draft.text)
    for written in (path, *headers):
        err().print(f"wrote {written}", markup=False)
