"""Builds and runs programs in the simulator for the judge. What goes wrong is a value, not an exception."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from porter.core.cache import cache_directory
from porter.core.errors import InputError, PorterError
from porter.core.process import Limits
from porter.harness.capture import Capture, read_capture
from porter.harness.launch_config import first_complaint
from porter.harness.synthesise import CONFIG_NAME, has_main, synthesised_program
from porter.harness.toolchains.build_store import BUILD_STORES
from porter.harness.verdict import VerifyOptions
from porter.simulator.build import Program, build_program
from porter.simulator.checks import Check
from porter.simulator.options import Face
from porter.simulator.run import run_program

CANDIDATES = "candidates"  # the folder of `.porter` that ports are compiled in
CASE_SECONDS = 10
HOSTILE_CASE_SECONDS = 4
PATIENCE = 4.0
"""Where others use the processors too, a run may last so many times as long as its processor time."""
CAPTURE_BYTES = 512 << 20
REPEATING_SECONDS = 20
"""Of processor time: a program that only repeats its launches by then has shown what it launches."""
MOST_LAUNCHES = 100_000
"""What a program may launch before it is stopped: all of them are held in memory."""


@dataclass(frozen=True)
class ProgramFailure:
    """The program could not be built, or not be run; `reason` has the first place and message."""

    reason: str


@dataclass(frozen=True)
class Build:
    """An executable and the tools that made it."""

    program: Program
    tools: Mapping[str, str]


@dataclass(frozen=True)
class Ran:
    """How a program ended and what it left."""

    capture: Capture
    exit_code: int
    stdout: str
    stderr: str
    timed_out: bool
    cpu_seconds: float | None = None
    starved: bool = False


def build(
    source: Path,
    options: VerifyOptions,
    *,
    face: Face = Face.CUDA,
    wide: bool = False,
    check_memory: bool = False,
) -> Build | ProgramFailure:
    """Compiles `source` for the face's own warp size: 32 lanes for CUDA, 64 for HIP.

    With `check_memory` every access it makes is checked against the allocations. A HIP program is a port: its
    compiler does not see the judge's files. Where it has no main(), or one that is ignored, and
    `options.config` says how its kernels are launched, a program around them is compiled.
    """
    alone, is_port = options.ignores_main or not has_main(source), face is Face.HIP
    try:
        given = synthesised_program(source, options.config, face) if alone and options.config else source
    except InputError as error:
        return ProgramFailure(error.message)
    try:
        program = build_program(
            [given],
            face=face,
            include_dirs=(source.parent, *options.include_dirs) if alone else options.include_dirs,
            defines=options.defines,
            wide=wide,
            checks=frozenset({Check.MEMORY}) if check_memory else frozenset(),
            hostile=is_port,
            hidden=judges_files(options, source) if is_port else (),
        )
    except PorterError as error:
        if alone and options.config is None:
            return ProgramFailure(
                f"{source} has no main(), and no {CONFIG_NAME} says how to launch its kernels"
            )
        return ProgramFailure(
            first_complaint(error, given) if given != source else error.message.split("\n")[0]
        )
    return Build(program, {"simulator compiler": program.compiler})


def judges_files(options: VerifyOptions, port: Path, *others: Path) -> tuple[Path, ...]:
    """What the compiler of a port may not read: what is hidden, what runs have left, what was built."""
    hidden = tuple(path for path in (*options.hidden, *others) if path.resolve() != port.resolve())
    folders = dict.fromkeys((Path.cwd(), *options.include_dirs, *(path.parent for path in hidden)))
    left = (path for folder in folders for path in (folder / ".porter").glob("*"))
    builds = (cache_directory("simulator") / "programs", *map(cache_directory, BUILD_STORES))
    return (*hidden, *(path for path in left if path.name != CANDIDATES), *builds)


def run(
    built: Build,
    options: VerifyOptions,
    directory: Path,
    *,
    plan: Path | None = None,
    schedule: int | None = None,
    hostile: bool = False,
    case_seconds: int | None = None,
    stops_repeating: bool = False,
    stop_at: int | None = None,
) -> Ran | ProgramFailure:
    """Runs the program with its capture in `directory`; with a `plan` its cases are replayed instead.

    A `hostile` program sees its own directory and the system, nothing else. `case_seconds` of processor time
    are for each replayed case. The program is ended before launch number `stop_at`, or, where it is one that
    `stops_repeating`, when it has repeated its launches for long enough.
    """
    of_a_case = case_seconds or (HOSTILE_CASE_SECONDS if hostile else CASE_SECONDS)
    directory.mkdir(parents=True, exist_ok=True)
    try:
        done = run_program(
            built.program,
            options.arguments,
            limits=Limits(
                wall_seconds=options.wall_seconds, patience=PATIENCE, memory_bytes=options.memory_bytes
            ),
            capture_dir=directory,
            replay_plan=plan,
            schedule_seed=schedule,
            environment={
                "PORTER_REPLAY_SECONDS": str(of_a_case),
                "PORTER_CAPTURE_LIMIT": str(CAPTURE_BYTES),
                **({"PORTER_STOP_REPEATING": str(REPEATING_SECONDS)} if stops_repeating else {}),
                **({"PORTER_STOP_AT": str(stop_at)} if stop_at is not None else {}),
            },
            hostile=hostile,
        )
        capture = _capture_of(built.program, directory)
    except PorterError as error:
        return ProgramFailure(error.message)
    return Ran(
        capture,
        done.returncode,
        done.stdout.decode(errors="replace"),
        done.stderr.decode(errors="replace"),
        done.timed_out,
        done.cpu_seconds,
        done.starved,
    )


def _capture_of(program: Program, directory: Path) -> Capture:
    """A program that never calls the runtime leaves no capture: it launched and moved nothing."""
    if (directory / "events.jsonl").exists():
        return read_capture(directory)
    return Capture(directory, str(program.face), program.lanes, program.wide, {}, (), (), (), (), None)
