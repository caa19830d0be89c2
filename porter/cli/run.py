"""`porter run PROG.cu`: the simulator as a command."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from porter.cli.console import err
from porter.cli.options import Define, FurtherSource, Include, ProgramArguments, Timeout
from porter.core.errors import InputError
from porter.core.process import Limits
from porter.core.span import shown_path
from porter.cuda.input import check_input
from porter.cuda.platform import Platform
from porter.cuda.translation_unit import read_translation_unit
from porter.simulator.build import build_program
from porter.simulator.checks import Check, parse_checks
from porter.simulator.compile_commands import CompileSettings, read_compile_commands
from porter.simulator.options import Face
from porter.simulator.run import RunResult, SimulatorError, run_program

_FAULT_EXIT_CODE = 1
_TIMEOUT_EXIT_CODE = 124
_SIGNAL_BASE = 128


def run(
    program: Annotated[
        Path, typer.Argument(metavar="PROGRAM", help="the source file with main()", show_default=False)
    ],
    arguments: ProgramArguments = None,
    source: FurtherSource = None,
    lanes: Annotated[
        int | None, typer.Option(help="lanes of a warp, 32 or 64; default: 32 for CUDA, 64 for HIP")
    ] = None,
    gpu: Annotated[
        str | None, typer.Option(help="the GPU whose limits hold (gfx942, gfx950, sm_90 ...)")
    ] = None,
    devices: Annotated[int, typer.Option(min=1, help="how many such GPUs the program sees")] = 1,
    include: Include = None,
    define: Define = None,
    compile_commands: Annotated[
        Path | None, typer.Option(help="compilation database that names folders of headers and macros")
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(help="checks, with commas: memory, race, init, alignment, shift, api, leaks, or all"),
    ] = None,
    leaks: Annotated[bool, typer.Option("--leaks", help="report device memory that is never freed")] = False,
    confine: Annotated[
        bool,
        typer.Option(
            "--confine",
            help="show it no files but the system's, its sources, this folder, those its arguments name",
        ),
    ] = False,
    schedule: Annotated[
        int | None, typer.Option(help="seed of another order of lanes, warps and blocks")
    ] = None,
    timeout: Timeout = 600.0,
) -> int:
    """Run a whole CUDA or HIP program on the CPU; the exit code is the program's.

    A fault in a kernel (a bad access, a deadlock, a trap) is reported at its source line.
    """
    sources = [program, *(source or ())]
    if lanes not in (None, 32, 64):
        raise InputError(f"a warp has 32 or 64 lanes, not {lanes}")
    for path in sources:
        check_input(path)
    settings = CompileSettings()
    if compile_commands is not None:
        settings = read_compile_commands(compile_commands, sources)
    built = build_program(
        sources,
        face=_face(sources[0]),
        lanes=lanes,
        include_dirs=[*(s.parent for s in sources), *(include or ()), *settings.include_dirs],
        defines=[*settings.defines, *(define or ())],
        checks=_checks(check or "", leaks=leaks),
        gpu=gpu,
    )
    done = run_program(
        built,
        arguments or (),
        cwd=Path.cwd(),
        environment={"PORTER_SIM_DEVICES": str(devices)},
        limits=Limits(wall_seconds=timeout),
        schedule_seed=schedule,
        passthrough=True,
        hostile=confine,
        readable=_named_files(sources, include, arguments),
    )
    _tell_repeated(done)
    if done.timed_out:
        err().print(f"porter: the program did not end within {timeout:g} s", markup=False)
        return _TIMEOUT_EXIT_CODE
    return _exit_code(done)


def _named_files(
    sources: Sequence[Path], include: Sequence[Path] | None, arguments: Sequence[str] | None
) -> list[Path]:
    """What a confined program may read: the folders of its sources, and files that its arguments name."""
    given = [Path(argument) for argument in arguments or ()]
    return [*(source.parent for source in sources), *(include or ()), *(p for p in given if p.exists())]


def _tell_repeated(done: RunResult) -> None:
    """Every finding was told when it occurred; how often is known only now."""
    for error in dict.fromkeys(_counted(error) for error in done.errors if error.count > 1):
        err().print(error, markup=False)


def _counted(error: SimulatorError) -> str:
    kernel = f" (kernel {error.kernel})" if error.kernel else ""
    return f"{shown_path(error.file)}:{error.line}: [{error.code}] {error.count} times{kernel}"


def _exit_code(done: RunResult) -> int:
    """The program's own; 128 and more for a signal, as shells have it; never 0 after a fault.

    A launch that was refused is none once the program has its status.
    """
    if done.returncode < 0 and not done.errors:
        err().print(f"porter: the program was ended by {signal.Signals(-done.returncode).name}", markup=False)
    code = done.returncode if done.returncode >= 0 else _SIGNAL_BASE - done.returncode
    return code or (_FAULT_EXIT_CODE if any(not error.settled for error in done.errors) else 0)


def _checks(names: str, *, leaks: bool) -> frozenset[Check]:
    chosen = set(parse_checks(names))
    if leaks:
        chosen.add(Check.LEAKS)
    return frozenset(chosen)


def _face(source: Path) -> Face:
    """HIP by its suffix or by what stands in it."""
    unit = read_translation_unit(check_input(source))
    return Face.HIP if source.suffix == ".hip" or unit.platform is Platform.HIP else Face.CUDA
