"""Compiles a rewritten program with nvcc for the GPU of this machine."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from porter.core.errors import InputError, ToolMissing
from porter.core.process import Limits, run_limited
from porter.harness.device_capture.rewrite import rewrite
from porter.harness.toolchains.nvcc import HOW_TO_INSTALL, find_nvcc
from porter.simulator.sources import collect, mirrored, write_mirror

INCLUDE_DIRECTORY = Path(__file__).parent / "include"
_BUILD_SECONDS = 600.0
_SHOWN_LINES = 20


@dataclass(frozen=True)
class DeviceProgram:
    """What is compiled: `sources`, one with `main()`, and how. `arch` is nvcc's (`native`, `sm_90`)."""

    sources: tuple[Path, ...]
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    arch: str = "native"
    standard: str = "c++17"


def build_for_capture(program: DeviceProgram, executable: Path, nvcc: Path | None = None) -> None:
    """Writes `executable`. Raises ToolMissing without nvcc, InputError with nvcc's messages when it fails."""
    nvcc = nvcc or find_nvcc()
    if nvcc is None:
        raise ToolMissing("capturing on a GPU needs nvcc", hint=HOW_TO_INSTALL)
    files = collect(program.sources, tuple(d.absolute() for d in program.include_dirs), rewrite)
    with tempfile.TemporaryDirectory(prefix="porter-capture-") as scratch:
        tree = Path(scratch) / "tree"
        write_mirror(tree, files)
        done = run_limited(
            [nvcc, *_flags(program, tree), *(mirrored(tree, s) for s in program.sources), "-o", executable],
            cwd=Path(scratch),
            limits=Limits(wall_seconds=_BUILD_SECONDS),
        )
    if not done.ok or not executable.is_file():
        text = (done.stderr + done.stdout).decode(errors="replace")
        errors = [line for line in text.splitlines() if "error" in line.lower()] or text.splitlines()[-3:]
        raise InputError("nvcc does not compile the program:\n" + "\n".join(errors[:_SHOWN_LINES]))


def _flags(program: DeviceProgram, tree: Path) -> list[str | Path]:
    flags: list[str | Path] = [f"-arch={program.arch}", f"-std={program.standard}", "-O2", "-w"]
    flags += ["--extended-lambda", "--expt-relaxed-constexpr"]
    flags += ["-I", INCLUDE_DIRECTORY, "-include", "porter_capture/porter_capture.h"]
    for folder in program.include_dirs:
        flags += ["-I", mirrored(tree, folder), "-I", folder.absolute()]
    return [*flags, *(f"-D{define}" for define in program.defines)]
