"""`porter verify ORIGINAL PORT`: the numerical proof for a port made by hand or by any other tool."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from porter.cli.console import err, out
from porter.cli.mapping import parse_mapping
from porter.cli.on import HELP as ON_HELP
from porter.cli.on import On, wants_isa
from porter.cli.options import (
    Arch,
    Define,
    Include,
    Kernels,
    Mapping,
    ProgramArguments,
    ReportJson,
    Seed,
)
from porter.harness.capture_command import read_manifest
from porter.pipeline.port_kind import port_target
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.pipeline.verify_port import verify_port
from porter.report.json_report import format_json
from porter.report.text import print_report


def verify(
    original: Annotated[
        Path,
        typer.Argument(metavar="ORIGINAL", help="the CUDA source; it needs no main()", show_default=False),
    ],
    port: Annotated[
        Path,
        typer.Argument(
            metavar="PORT", help="its port: HIP (.hip, .cpp) or a Triton module (.py)", show_default=False
        ),
    ],
    arguments: ProgramArguments = None,
    arch: Arch = "gfx950",
    kernel: Kernels = None,
    map_: Mapping = None,
    include: Include = None,
    define: Define = None,
    json: ReportJson = False,
    case: Annotated[
        str, typer.Option(help="only the cases of this name, as a report prints it", show_default=False)
    ] = "",
    capture: Annotated[
        Path | None,
        typer.Option(
            help="compare with this capture of the program (see porter capture), made on a GPU for one",
            show_default=False,
        ),
    ] = None,
    on: Annotated[list[On] | None, typer.Option("--on", help=ON_HELP)] = None,
    seed: Seed = 0,
) -> int:
    """Run a CUDA program and a port of it on the same inputs and compare the numbers."""
    target = port_target(original, port)
    request = PortRequest(
        source=original,
        target=target,
        arch=arch,
        kernels=tuple(kernel or ()),
        arguments=tuple(arguments or (read_manifest(capture).arguments if capture else ())),
        include_dirs=tuple(include or ()),
        defines=tuple(define or ()),
        seed=seed,
        mapping=parse_mapping(map_ or ()),
        capture=capture,
        on_isa=wants_isa(on),
        case=case,
    )
    run = RunDirectory.create(
        Path(".porter"),
        "verify",
        os.fsencode(f"{original} {port}"),
        subject=str(original),
        target=str(target),
    )
    with err().status(f"verifying {port} against {original}"), run.of_use():
        result = verify_port(request, port, run)
    if json:
        print(format_json(result.report))
    else:
        print_report(result.report, out(), result.sources)
    return result.report.exit_code
