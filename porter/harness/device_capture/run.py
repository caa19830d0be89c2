"""Runs a program that was compiled for capture, on the GPU of this machine."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Sequence
from pathlib import Path

from porter.core.errors import InputError, ToolMissing
from porter.core.process import Completed, Limits, run_limited
from porter.harness.device_capture.build import DeviceProgram, build_for_capture
from porter.harness.toolchains.nvcc import HOW_TO_INSTALL, find_nvcc

# What the driver is told by its user; everything else of the environment stays out.
_FORWARDED = ("CUDA_", "NVIDIA_", "LD_LIBRARY_PATH")


def find_nvidia_gpu() -> str:
    """The names of the GPUs as the driver gives them, "" for none."""
    smi = shutil.which("nvidia-smi")
    if smi is None:
        return "an NVIDIA GPU" if Path("/dev/nvidia0").exists() else ""
    done = run_limited([smi, "--query-gpu=name", "--format=csv,noheader"], cwd=Path("/"))
    names = done.stdout.decode(errors="replace").split("\n") if done.ok else []
    return "; ".join(name.strip() for name in names if name.strip())


def capture_on_device(
    program: DeviceProgram,
    arguments: Sequence[str],
    directory: Path,
    *,
    limit_bytes: int,
    wall_seconds: float,
) -> Completed:
    """Compiles and runs `program` in the current folder; the capture goes to `directory`, which must exist.

    Raises ToolMissing without nvcc or a GPU, InputError for a program that does not compile.
    """
    if find_nvcc() is None:
        raise ToolMissing("capturing on a GPU needs nvcc, which is not here", hint=HOW_TO_INSTALL)
    if not find_nvidia_gpu():
        raise ToolMissing(
            "capturing on a GPU needs an NVIDIA GPU with its driver, which is not here",
            hint="capture on a machine that has one, and replay the folder here",
        )
    with tempfile.TemporaryDirectory(prefix="porter-capture-") as scratch:
        executable = Path(scratch) / "program"
        build_for_capture(program, executable)
        return run_compiled(
            executable, arguments, directory, limit_bytes=limit_bytes, wall_seconds=wall_seconds
        )


def run_compiled(
    executable: Path, arguments: Sequence[str], directory: Path, *, limit_bytes: int, wall_seconds: float
) -> Completed:
    """The driver reserves far more address space than memory, so the address space is not limited."""
    environment = {k: v for k, v in os.environ.items() if k.startswith(_FORWARDED)}
    environment["PORTER_DEVICE_CAPTURE"] = str(directory.absolute())
    environment["PORTER_CAPTURE_LIMIT"] = str(limit_bytes)
    done = run_limited(
        [executable, *arguments],
        cwd=Path.cwd(),
        limits=Limits(wall_seconds=wall_seconds, memory_bytes=-1),
        env=environment,
        passthrough=True,
    )
    if done.returncode < 0 and not done.timed_out:
        raise InputError(f"the program was ended by {signal.Signals(-done.returncode).name}")
    return done
