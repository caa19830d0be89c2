"""Makes a capture directory: events and tensors, and `capture.json`, which says how it was made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from porter import __version__
from porter.core.errors import InputError
from porter.core.process import Limits
from porter.cuda.input import check_input
from porter.harness.device_capture.build import DeviceProgram
from porter.harness.device_capture.run import capture_on_device
from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program

FORMAT = "porter-capture-1"
MANIFEST = "capture.json"


class Where(str, Enum):
    """What a program runs on while it is captured."""

    SIMULATOR = "simulator"
    CUDA = "cuda"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class CaptureRequest:
    """`sources` with main() in one of them; `arch` is nvcc's and only read with `Where.CUDA`."""

    sources: tuple[Path, ...]
    arguments: tuple[str, ...] = ()
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    on: Where = Where.SIMULATOR
    limit_bytes: int = 1 << 30
    wall_seconds: float = 600.0
    arch: str = "native"

    @property
    def search_path(self) -> tuple[Path, ...]:
        return (*(s.parent for s in self.sources), *self.include_dirs)


@dataclass(frozen=True)
class Captured:
    """How the program ended and how much of it was recorded."""

    exit_code: int
    timed_out: bool
    launches: int
    truncated: int
    transfers: int
    device: str

    def __str__(self) -> str:
        text = f"{self.launches} launches, {self.transfers} copies to the host, on {self.device}"
        return text + (f"; {self.truncated} launches without their memory" if self.truncated else "")


@dataclass(frozen=True)
class Manifest:
    """`capture.json`: the command that made the capture. A capture made by hand has none."""

    sources: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    on: str = ""


def capture_program(request: CaptureRequest, directory: Path) -> Captured:
    """Runs the program with `directory` (empty, existing) as its capture.

    Raises InputError for what does not compile or launches nothing, ToolMissing for what the machine lacks.
    """
    for path in request.sources:
        check_input(path)
    run = _on_device if request.on is Where.CUDA else _in_simulator
    exit_code, timed_out = run(request, directory)
    _write_manifest(request, directory)
    events = _events(directory)
    if not events:
        raise InputError(f"{request.sources[0]}: the program calls nothing of the CUDA runtime")
    launches = [e for e in events if e["event"] == "launch"]
    return Captured(
        exit_code,
        timed_out,
        len(launches),
        sum(bool(e.get("truncated")) for e in launches),
        sum(e["event"] == "transfer" for e in events),
        str(events[0].get("device", "the simulator")),
    )


def _on_device(request: CaptureRequest, directory: Path) -> tuple[int, bool]:
    program = DeviceProgram(request.sources, request.search_path, request.defines, request.arch)
    done = capture_on_device(
        program,
        request.arguments,
        directory,
        limit_bytes=request.limit_bytes,
        wall_seconds=request.wall_seconds,
    )
    return done.returncode, done.timed_out


def _in_simulator(request: CaptureRequest, directory: Path) -> tuple[int, bool]:
    program = build_program(
        request.sources, face=Face.CUDA, include_dirs=request.search_path, defines=request.defines
    )
    done = run_program(
        program,
        request.arguments,
        cwd=Path.cwd(),
        limits=Limits(wall_seconds=request.wall_seconds),
        capture_dir=directory,
        passthrough=True,
        environment={"PORTER_CAPTURE_LIMIT": str(request.limit_bytes)},
    )
    return (done.returncode if done.returncode >= 0 else 128 - done.returncode), done.timed_out


def _write_manifest(request: CaptureRequest, directory: Path) -> None:
    manifest = {
        "format": FORMAT,
        "porter": __version__,
        "sources": [path.name for path in request.sources],
        "arguments": list(request.arguments),
        "defines": list(request.defines),
        "on": str(request.on),
        "limit_bytes": request.limit_bytes,
    }
    (directory / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")


def read_manifest(directory: Path) -> Manifest:
    """Raises InputError for a damaged file; an absent one gives an empty record."""
    path = directory / MANIFEST
    if not path.exists():
        return Manifest()
    try:
        raw = json.loads(path.read_text())
        return Manifest(tuple(raw["sources"]), tuple(raw["arguments"]), tuple(raw["defines"]), str(raw["on"]))
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: damaged: {error!r}") from error


def _events(directory: Path) -> list[dict[str, Any]]:
    """The events that a program left; the last line of one that crashed may be cut."""
    path = directory / "events.jsonl"
    found = []
    for line in path.read_text(errors="replace").splitlines() if path.exists() else ():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found
