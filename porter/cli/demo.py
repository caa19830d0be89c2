"""`porter demo`: the main job on the project's own CUDA programs, to both targets."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from porter.cli.console import err, out
from porter.core.errors import ExitCode, InputError
from porter.core.outcome import Target
from porter.core.result import Report
from porter.pipeline.original import judge
from porter.pipeline.port import port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.report.text import print_reports


def demo(
    name: Annotated[list[str] | None, typer.Argument(help="fixtures to run; default: all")] = None,
    fixtures: Annotated[
        Path | None, typer.Option(help="folder of fixtures: one folder each with a kernel.cu")
    ] = None,
    jobs: Annotated[int, typer.Option(help="programs at once")] = os.cpu_count() or 1,
) -> int:
    """Port every fixture to HIP and to Triton and print the table of verdicts.

    Exit code 0: every kernel was ported with its evidence, or declined with a code and a reason.
    """
    programs = _programs(fixtures or _own_fixtures(), name or [])
    run = RunDirectory.create(Path(".porter"), "demo", b"")
    reports: list[Report] = []
    with Progress(console=err(), transient=True) as progress, ProcessPoolExecutor(jobs) as pool:
        task = progress.add_task("porting", total=len(programs))
        for pair in pool.map(_port_both, programs, [run] * len(programs)):
            reports += pair
            progress.advance(task)
    print_reports(tuple(reports), out())
    settled = {unit.status for report in reports for unit in report.units} <= {"ported", "declined"}
    return ExitCode.OK if settled else ExitCode.FINDINGS


def _port_both(program: Path, run: RunDirectory) -> list[Report]:
    """One fixture to both targets; the original is run and judged once."""
    original = judge(PortRequest(program, Target.HIP))
    return [port(PortRequest(program, target), run, original=original).report for target in Target]


def _programs(folder: Path, names: list[str]) -> list[Path]:
    found = {p.parent.name: p for p in sorted(folder.glob("*/kernel.cu"))}
    unknown = [n for n in names if n not in found]
    if unknown or not found:
        what = f"no fixture named {unknown[0]}" if unknown else f"no fixtures in {folder}"
        raise InputError(what, hint="run it in a checkout of porter, or name a folder with --fixtures")
    return [p for n, p in found.items() if not names or n in names]


def _own_fixtures() -> Path:
    folder = Path(__file__).resolve().parents[2] / "fixtures" / "cuda_kernels"
    try:
        return folder.relative_to(Path.cwd())
    except ValueError:
        return folder
