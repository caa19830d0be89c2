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

CORE = (
    "saxpy",
    "gelu",
    "grid_stride_add",
    "tree_reduction",
    "shuffle_reduction",
    "row_softmax",
    "layer_norm",
    "tiled_transpose",
    "tiled_sgemm",
    "stencil_1d",
    "shared_histogram",
    "stream_compaction",
    "block_scan",
    "embedding_bag",
    "csr_spmv",
    "cg_tile_sum",
)
"""One program for each thing that a port must get right; the others are variations and take longer."""


def demo(
    name: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="fixtures to run; default: the core ones")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="run every fixture")] = False,
    fixtures: Annotated[
        Path | None, typer.Option(help="folder of fixtures: one folder each with a kernel.cu")
    ] = None,
    jobs: Annotated[int, typer.Option(help="programs at once")] = os.cpu_count() or 1,
) -> int:
    """Port the project's CUDA programs to HIP and to Triton and print the table of verdicts.

    Exit code 0: every kernel was ported with its evidence, or declined with a code and a reason.
    """
    programs = _programs(fixtures, name or [], every=every)
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


def _programs(folder: Path | None, names: list[str], *, every: bool) -> list[Path]:
    """Those named, else the core ones of porter's own fixtures, or all of the folder."""
    folder, core = folder or _own_fixtures(), CORE if folder is None and not every else ()
    found = {p.parent.name: p for p in sorted(folder.glob("*/kernel.cu"))}
    wanted = names or core or tuple(found)
    unknown = [n for n in wanted if n not in found]
    if unknown or not found:
        what = f"no fixture named {unknown[0]}" if unknown else f"no fixtures in {folder}"
        raise InputError(what, hint="run it in a checkout of porter, or name a folder with --fixtures")
    return [found[n] for n in wanted]


def _own_fixtures() -> Path:
    folder = Path(__file__).resolve().parents[2] / "fixtures" / "cuda_kernels"
    try:
        return folder.relative_to(Path.cwd())
    except ValueError:
        return folder
