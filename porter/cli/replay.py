"""`porter replay DIR PROGRAM`: a capture made elsewhere, run again here."""

from __future__ import annotations

import json as json_module
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from porter.cli.console import err, out
from porter.cli.mapping import parse_mapping
from porter.cli.options import Define, Include, Mapping
from porter.core.errors import ExitCode
from porter.harness.capture_command import read_manifest
from porter.harness.replay import (
    BufferResult,
    LaunchResult,
    Replayed,
    named,
    parameter_names,
    replay_capture,
)
from porter.harness.verdict import VerifyOptions


def replay(
    capture: Annotated[
        Path, typer.Argument(metavar="CAPTURE", help="the capture's folder", show_default=False)
    ],
    program: Annotated[
        Path,
        typer.Argument(
            metavar="PROGRAM",
            help="the CUDA program, or a port: HIP (.hip) or Triton (.py)",
            show_default=False,
        ),
    ],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ARGUMENTS]...",
            help="arguments of the program (after --); default: the capture's own",
            show_default=False,
        ),
    ] = None,
    original: Annotated[
        Path | None,
        typer.Option(help="with a port: the CUDA program, which gives the tolerance", show_default=False),
    ] = None,
    map_: Mapping = None,
    include: Include = None,
    define: Define = None,
    json: Annotated[bool, typer.Option("--json", help="print a JSON document (porter-replay-1)")] = False,
) -> int:
    """Run every recorded launch again and compare its memory with what was captured.

    The exit code is 0 when every buffer of every launch is equal or within the tolerance.
    """
    manifest = read_manifest(capture)
    options = VerifyOptions(
        arguments=tuple(arguments or manifest.arguments),
        include_dirs=(program.parent, *([original.parent] if original else []), *(include or ())),
        defines=tuple(define or manifest.defines),
        mapping=dict(parse_mapping(map_ or ())),
    )
    with err().status(f"replaying {capture} on {program}"):
        result = replay_capture(capture, program, options, original=original)
    source = original or program
    names = parameter_names(source) if source.suffix in (".cu", ".cuh") else {}
    launches = tuple(named(launch, names) for launch in result.launches)
    if json:
        document = {"format": "porter-replay-1", "agrees": result.agrees, "referenced": result.referenced}
        print(json_module.dumps({**document, "launches": [_plain(x) for x in launches]}, indent=2))
    else:
        _print(launches, result)
    return ExitCode.OK if result.agrees else ExitCode.FINDINGS


def _plain(launch: LaunchResult) -> dict[str, object]:
    """Without infinities, which JSON does not have."""
    document = asdict(launch)
    for buffer in document["buffers"]:
        buffer["agreement"] = str(buffer["agreement"])
        buffer["max_ulp"] = min(buffer["max_ulp"], 1.0e308)
        if buffer["first"] is not None:
            buffer["first"] = {k: v if v == v else "NaN" for k, v in buffer["first"].items()}
    return document


def _print(launches: tuple[LaunchResult, ...], result: Replayed) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("launch", "kernel", "buffer", "result", "elements", "max ulp", "first difference"):
        table.add_column(heading)
    for launch in launches:
        if not launch.buffers:
            table.add_row(str(launch.index), launch.kernel, "", launch.reason, "", "", "")
        for buffer in launch.buffers:
            table.add_row(str(launch.index), launch.kernel, *_cells(buffer))
    out().print(table)
    basis = "a double-precision run" if result.referenced else "the captured values alone"
    out().print(f"tolerance by {basis}: {'equal' if result.agrees else 'differs'}", markup=False)


def _cells(buffer: BufferResult) -> tuple[str, ...]:
    first = buffer.first
    shown = f"[{first.index}]: expected {first.expected!r}, got {first.actual!r}" if first else ""
    agreement = str(buffer.agreement) + (f" in {buffer.n_mismatch}" if buffer.n_mismatch else "")
    return buffer.buffer, agreement, str(buffer.n_elements), f"{buffer.max_ulp:.4g}", shown
