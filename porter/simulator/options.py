"""What decides how a program is built, and the compiler flags that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from porter.simulator.compiler import Compiler
from porter.simulator.sources import INCLUDE_DIRECTORY


class Face(str, Enum):
    """Which vendor's headers and rules the program is written for."""

    CUDA = "cuda"
    HIP = "hip"

    def __str__(self) -> str:
        return self.value

    @property
    def lanes(self) -> int:
        """The face's own warp size."""
        return 32 if self is Face.CUDA else 64

    @property
    def header(self) -> str:
        return "cuda_runtime.h" if self is Face.CUDA else "hip/hip_runtime.h"


@dataclass(frozen=True)
class Options:
    """All that decides how a program is built, apart from its text."""

    face: Face
    lanes: int
    wide: bool = False
    check: bool = False
    optimization: str = "-O1"
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()


def code_flags(options: Options, compiler: Compiler) -> list[str | Path]:
    flags: list[str | Path] = ["-std=c++17", options.optimization, "-w", "-pthread"]
    # Line tables in the version that the runtime reads; addresses as they are in the file.
    flags += [
        "-g1",
        "-gdwarf-4",
        "-fno-pie",
        "-no-pie",
        "-fno-omit-frame-pointer",
        "-fstack-clash-protection",
    ]
    # The device rounds every operation on its own here; pointers are reinterpreted freely; integers wrap.
    flags += ["-ffp-contract=off", "-fno-math-errno", "-fno-strict-aliasing", "-fwrapv"]
    if compiler.is_clang:
        flags += ["-fno-caret-diagnostics", "-fdiagnostics-color=never"]
        flags += ["-ferror-limit=20", "-fbracket-depth=1024"]
    else:
        flags += ["-fno-diagnostics-show-caret", "-fdiagnostics-color=never", "-fmax-errors=20"]
        # A small kernel becomes a part of the loop over its threads, which compiles no slower.
        flags += ["-finline-small-functions", "-finline-functions", "--param=max-inline-insns-auto=40"]
    if compiler.is_zig:
        # zig traps on undefined behaviour and drops assertions unless told otherwise.
        flags += ["-fno-sanitize=all", "-Wno-everything", "-UNDEBUG"]
    if options.check:
        flags += ["-DPORTER_SIM_CHECK"]
    flags += ["-isystem", INCLUDE_DIRECTORY, f"-DPORTER_SIM_LANES={options.lanes}"]
    # Behind everything: where NVIDIA's own libcu++ is on the path, it is taken whole.
    flags += ["-idirafter", INCLUDE_DIRECTORY / "libcudacxx"]
    if options.face is Face.HIP:
        flags.append("-DPORTER_SIM_HIP")
    if options.wide:
        flags.append("-DPORTER_SIM_WIDE")
    return flags


def instrument_flags(options: Options, compiler: Compiler) -> list[str | Path]:
    """What makes the compiler call the runtime before every access of the user's code.

    The callbacks are those of two sanitizers, whose own runtimes are never linked: clang's driver must not
    learn of them, or it would add those runtimes' demands (a position-independent executable) to the program.
    """
    if not options.check:
        return []
    if compiler.is_clang:
        return [
            *("-Xclang", "-fsanitize=thread"),
            *("-Xclang", "-fsanitize=alignment,shift-exponent"),
            *("-Xclang", "-fsanitize-recover=alignment,shift-exponent"),
            *("-mllvm", "-tsan-instrument-read-before-write=1"),
            *("-mllvm", "-tsan-instrument-func-entry-exit=0"),
        ]
    return ["-fsanitize=thread,alignment,shift-exponent", "--param=tsan-instrument-func-entry-exit=0"]
