"""`porter capture PROG.cu`: every launch of a program as files that can be replayed elsewhere."""

from __future__ import annotations

import shutil
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from porter.cli.console import err, out
from porter.cli.options import Define, FurtherSource, Include, ProgramArguments, Timeout
from porter.core.errors import ExitCode, InputError, PorterError
from porter.harness.capture_command import MANIFEST, Captured, CaptureRequest, Where, capture_program


class On(str, Enum):
    SIMULATOR = "simulator"
    CUDA = "cuda"


def capture(
    program: Annotated[
        Path, typer.Argument(metavar="PROGRAM", help="the CUDA program, with main()", show_default=False)
    ],
    arguments: ProgramArguments = None,
    on: Annotated[
        On, typer.Option(help="where it runs: the simulator, or an NVIDIA GPU (compiled by nvcc)")
    ] = On.SIMULATOR,
    output: Annotated[
        Path | None,
        typer.Option("-o", help="the capture's folder; default: PROG.capture", show_default=False),
    ] = None,
    source: FurtherSource = None,
    include: Include = None,
    define: Define = None,
    force: Annotated[bool, typer.Option("--force", help="replace the capture that is in the folder")] = False,
    limit_bytes: Annotated[
        int, typer.Option(help="bytes of all recorded memory; later launches are recorded without theirs")
    ] = 1 << 30,
    arch: Annotated[str, typer.Option(help="nvcc's -arch, with --on cuda")] = "native",
    timeout: Timeout = 600.0,
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
    captured = _into(_fresh(folder, force=force), request)
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


def _fresh(folder: Path, *, force: bool) -> Path:
    """Raises InputError for a folder that has something in it: no capture is mixed with another.

    `force` empties it if what is in it is a capture, and nothing else.
    """
    try:
        if force and (folder / MANIFEST).is_file():
            shutil.rmtree(folder)
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            hint = "name another folder with -o" + ("" if force else ", or replace a capture with --force")
            raise InputError(f"{folder} exists" + (" and is no capture" if force else ""), hint=hint)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from error
    return folder
