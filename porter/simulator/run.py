"""Runs built programs with limits, and gathers what the simulator found wrong in their kernels."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.core.process import Limits, run_limited
from porter.core.sandbox import Sandbox
from porter.simulator.build import Program
from porter.simulator.checks import checks_environment

_SHADOW_BYTES = 32 << 30


@dataclass(frozen=True)
class SimulatorError:
    """One fault in a kernel: what compute-sanitizer would say, at the source line.

    `count` is how often it was seen; block and thread are those of the first time, or None for what no thread
    did. `settled` is a launch that was refused and whose status the program has been given.
    """

    code: str
    message: str
    kernel: str
    block: tuple[int, int, int] | None
    thread: tuple[int, int, int] | None
    file: str
    line: int
    count: int = 1
    settled: bool = False

    def __str__(self) -> str:
        text = f"{self.file}:{self.line}: error: {self.message} [{self.code}]"
        if not self.kernel:
            return text
        who = f", block {_shown(self.block)}, thread {_shown(self.thread)}" if self.block else ""
        times = f", {self.count} times" if self.count > 1 else ""
        return f"{text} (kernel {self.kernel}{who}{times})"


@dataclass(frozen=True)
class RunResult:
    """How a program ended: `errors` are what the simulator reported, the rest is as in `Completed`."""

    returncode: int
    stdout: bytes
    stderr: bytes
    errors: tuple[SimulatorError, ...]
    timed_out: bool
    cpu_seconds: float | None = None
    starved: bool = False

    @property
    def ok(self) -> bool:
        return self.returncode == 0 and not self.errors and not self.timed_out


def run_program(
    program: Program,
    arguments: Sequence[str] = (),
    *,
    cwd: Path | None = None,
    limits: Limits | None = None,
    capture_dir: Path | None = None,
    replay_plan: Path | None = None,
    schedule_seed: int | None = None,
    threads: int | None = None,
    passthrough: bool = False,
    inputs: Sequence[Path] = (),
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    hostile: bool = False,
    readable: Sequence[Path] = (),
) -> RunResult:
    """Runs `program` in `cwd`, or in a scratch folder that `inputs` (files, folders) are copied to.

    `capture_dir` must exist; with `replay_plan` the program runs its replays and records nothing else (see
    docs/capture-format.md). `schedule_seed` permutes the order of blocks, warps and lanes. `threads` bounds
    the worker threads. `environment` adds variables, e.g. PORTER_REPLAY_SECONDS. A `hostile` program sees
    no file but the system's, its working folder, its capture directory and those of `readable`, where
    namespaces are to be had.
    """
    with tempfile.TemporaryDirectory(prefix="porter-run-") as scratch:
        folder = Path(scratch) / "work"
        folder.mkdir()
        for path in inputs:
            _copy(path, folder)
        error_log = Path(scratch) / "errors.jsonl"
        chosen = {
            "PORTER_ERRORS": error_log,
            "PORTER_CAPTURE": capture_dir and capture_dir.absolute(),
            "PORTER_REPLAY": replay_plan and replay_plan.absolute(),
            "PORTER_SIM_SCHEDULE": schedule_seed,
            "PORTER_SIM_THREADS": threads,
        }
        done = run_limited(
            [program.path, *arguments],
            cwd=cwd or folder,
            limits=_limits_for(program, limits),
            env={**_own_environment(program), **(environment or {}), **_given(chosen)},
            stdin=stdin,
            passthrough=passthrough,
            sandbox=_sandbox(program, readable, [Path(scratch), cwd, capture_dir]) if hostile else None,
        )
        return RunResult(
            done.returncode,
            done.stdout,
            done.stderr,
            _read_errors(error_log),
            done.timed_out,
            done.cpu_seconds,
            done.starved,
        )


def _own_environment(program: Program) -> dict[str, str]:
    return {**program.gpu, **program.libraries.environment, **checks_environment(program.checks)}


def _given(variables: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in variables.items() if value is not None}


def _sandbox(program: Program, given: Sequence[Path], folders: Sequence[Path | None]) -> Sandbox:
    readable = (program.path, *program.libraries.shared_objects, *given)
    return Sandbox(readable=readable, writable=tuple(f for f in folders if f is not None))


def _limits_for(program: Program, limits: Limits | None) -> Limits:
    """What watches accesses reserves address space that it mostly never touches."""
    limits = limits or Limits()
    if program.checks and limits.memory_bytes > 0:
        return replace(limits, memory_bytes=limits.memory_bytes + _SHADOW_BYTES)
    return limits


def _copy(path: Path, folder: Path) -> None:
    if path.is_dir():
        shutil.copytree(path, folder / path.name)
    else:
        shutil.copy(path, folder / path.name)


def _shown(place: tuple[int, int, int] | None) -> str:
    """As the running program prints it."""
    return f"({','.join(map(str, place or ()))})"


def _read_errors(path: Path) -> tuple[SimulatorError, ...]:
    if not path.exists():
        return ()
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    counts = {_identity(event): int(event["count"]) for event in events if event["event"] == "repeated"}
    last_settled = max((i for i, event in enumerate(events) if event["event"] == "settled"), default=-1)
    return tuple(
        _error(event, counts.get(_identity(event), 1), settled=event["code"] == "SIM010" and i < last_settled)
        for i, event in enumerate(events)
        if event["event"] == "error"
    )


def _identity(event: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(str(event[key]) for key in ("code", "kernel", "file", "line"))


def _error(event: Mapping[str, object], count: int, *, settled: bool) -> SimulatorError:
    return SimulatorError(
        code=str(event["code"]),
        message=str(event["message"]),
        kernel=str(event["kernel"]),
        block=_triple(event.get("block")),
        thread=_triple(event.get("thread")),
        file=str(event["file"]),
        line=int(str(event["line"])),
        count=count,
        settled=settled,
    )


def _triple(value: object) -> tuple[int, int, int] | None:
    if not isinstance(value, list):
        return None
    x, y, z = value
    return int(x), int(y), int(z)
