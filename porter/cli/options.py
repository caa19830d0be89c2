"""Arguments and options that several commands take, once each: the same name means the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from porter.core.errors import InputError
from porter.hardware.gpu import load_gpu

ProgramArguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ARGUMENTS]...",
        help="arguments of the program when it is run (after --)",
        show_default=False,
    ),
]
Include = Annotated[list[Path] | None, typer.Option("-I", help="folder of headers (repeatable)")]
Define = Annotated[list[str] | None, typer.Option("-D", help="macro NAME or NAME=VALUE (repeatable)")]
FurtherSource = Annotated[
    list[Path] | None, typer.Option("--source", help="further source file (repeatable)")
]
Kernels = Annotated[list[str] | None, typer.Option("--kernel", help="only this kernel (repeatable)")]
Mapping = Annotated[
    list[str] | None,
    typer.Option("--map", help="KERNEL=FUNCTION where the port's name differs (repeatable)"),
]


def _of_amd(arch: str) -> str:
    if load_gpu(arch).vendor.upper() != "AMD":
        raise InputError(f"--arch {arch} is no GPU of AMD", hint="--arch gfx950, for example")
    return arch


Arch = Annotated[str, typer.Option("--arch", help="GPU architecture to build for", callback=_of_amd)]
Seed = Annotated[int, typer.Option("--seed", help="seed of the fuzzed inputs")]
ReportJson = Annotated[bool, typer.Option("--json", help="print the report as JSON (porter-report-1)")]
Timeout = Annotated[float, typer.Option("--timeout", min=0.001, help="seconds the program may run")]
