"""`porter inspect FILE`: what each kernel does to memory, lanes and registers, before anything is changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from porter.cli.console import err
from porter.cli.options import Define, Include, Kernels
from porter.core.errors import ExitCode, InputError
from porter.core.outcome import Target
from porter.pipeline.inspect import InspectRequest
from porter.pipeline.inspect import inspect as inspect_file
from porter.pipeline.kernel_ir import Stage, kernel_texts
from porter.pipeline.request import PortRequest
from porter.report.inspect_json import format_inspection
from porter.report.inspect_text import inspection_lines


def inspect(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="the CUDA source file", show_default=False)],
    gpu: Annotated[
        str, typer.Option(help="architecture or product (gfx942, MI300X, gfx950, MI355X, sm_90 ...)")
    ] = "gfx950",
    kernel: Kernels = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="NAME=VALUE of an integer argument of a kernel (repeatable)"),
    ] = None,
    include: Include = None,
    define: Define = None,
    no_compile: Annotated[
        bool, typer.Option("--no-compile", help="read the source only: no registers and LDS")
    ] = False,
    ir: Annotated[
        Stage | None,
        typer.Option(
            help="print the kernel IR instead: as it is read, or after the Triton compiler's passes"
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="print one JSON document (porter-inspect-1)")] = False,
) -> int:
    """Say how each kernel accesses memory, what it assumes of warps and where it stands on the roofline.

    Exit code 0: every kernel was read. 1: one could not be, or a finding is an error. 2: the input or the
    options cannot be used.
    """
    if ir is not None:
        if json:
            raise InputError("--ir prints text: leave --json out")
        port = PortRequest(
            file,
            Target.TRITON,
            kernels=tuple(kernel or ()),
            include_dirs=tuple(include or ()),
            defines=tuple(define or ()),
        )
        return _print_ir(port, ir)
    request = InspectRequest(
        source=file,
        gpu=gpu,
        kernels=tuple(kernel or ()),
        include_dirs=tuple(include or ()),
        defines=tuple(define or ()),
        values=_values(set_ or ()),
        compile=not no_compile,
    )
    with err().status(f"inspecting {file}"):
        result = inspect_file(request)
    if json:
        print(format_inspection(result))
    else:
        print("\n".join(inspection_lines(result)))
    return result.exit_code


def _print_ir(request: PortRequest, stage: Stage) -> int:
    found = kernel_texts(request, stage)
    print("\n".join(found.texts), end="")
    for diagnostic in found.missing:
        err().print(str(diagnostic), markup=False)
    return ExitCode.FINDINGS if found.missing else ExitCode.OK


def _values(pairs: Sequence[str]) -> dict[str, int]:
    """Raises InputError for what is no NAME=INTEGER."""
    values: dict[str, int] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        try:
            values[name] = int(value, 0)
        except ValueError:
            equals = ""
        if not name or not equals:
            raise InputError(f"--set {pair}: NAME=INTEGER is expected")
    return values
