"""`porter capture PROG.cu`: every launch of a program as files that can be replayed elsewhere."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from porter.cli.console import err, out
from porter.core.errors import ExitCode, InputError, PorterError
from porter.harness.capture_command import Captured, CaptureRequest, Where, capture_program


class On(str, Enum):
    SIMULATOR = "simulator"
    CUDA = "cuda"


def capture(
    program: Annotated[Path, typer.Argument(help="the CUDA program, with main()", show_default=False)],
    arguments: Annotated[
        list[str] | None, typer.Argument(help="arguments of the program (after --)", show_default=False)
    ] = None,
    on: Annotated[
        On, typer.Option(help="where it runs: the simulator, or an NVIDIA GPU (compiled by nvcc)")
    ] = On.SIMULATOR,
    output: Annotated[
        Path | None,
        typer.Option("-o", help="the capture's folder; default: PROG.capture", show_default=False),
    ] = None,
    source: Annotated[list[Path] | None, typer.Option(help="further source file (repeatable)")] = None,
    include: Annotated[list[Path] | None, typer.Option("-I", help="folder of headers (repeatable)")] = None,
    define: Annotated[
        list[str] | None, typer.Option("-D", help="macro NAME or NAME=VALUE (repeatable)")
    ] = None,
    limit_bytes: Annotated[
        int, typer.Option(help="bytes of all recorded memory; later launches are recorded without theirs")
    ] = 1 << 30,
    arch: Annotated[str, typer.Option(help="nvcc's -arch, with --on cuda")] = "native",
    timeout: Annotated[float, typer.Option(help="seconds the program may run")] = 600.0,
) -> int:
    """Record every kernel launch of a program: its arguments, and its memory before and after.

    The exit code is the program's.
    """
    request = CaptureRequest(
        sources=(program, *(source or ())),
        arguments=tuple(arguments or ()),
        include_dirs=tuple(include or ()),
        defines=tuple(define or ()),
        on=Where(on.value),
        limit_bytes=limit_bytes,
        wall_seconds=timeout,
        arch=arch,
    )
    folder = output or Path(program.stem + ".capture")
    captured = _into(_fresh(folder), request)
    out().print(f"{folder}: {captured}", markup=False)
    if captured.timed_out:
        err().print(f"porter: the program did not end within {timeout:g} s", markup=False)
        return ExitCode.FINDINGS
    return captured.exit_code


def _into(folder: Path, request: CaptureRequest) -> Captured:
    """A program that was never run leaves no folder."""
    try:
        return capture_program(request, folder)
    except PorterError:
        if not any(folder.iterdir()):
            folder.rmdir()
        raise


def _fresh(folder: Path) -> Path:
    """Raises InputError for a folder that has something in it: no capture is mixed with another."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} exists", hint="name another folder with -o")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from error
    return folder
