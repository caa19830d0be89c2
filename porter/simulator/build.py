"""Builds CUDA and HIP programs for the CPU: rewritten sources, the face's headers, the simulator's runtime.

Everything built is kept in the cache under a key of all it was made of. Sources are hostile: compilers run
with limits, without network, and their messages never carry the contents of files outside the program.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path

from porter.core.cache import cache_directory, digest
from porter.core.diagnostic import Diagnostic
from porter.core.errors import ExitCode, InputError, ToolMissing
from porter.core.process import Completed, Limits, run_limited
from porter.simulator.compiler import Compiler, compiler_environment, find_compiler
from porter.simulator.diagnostics import link_error, parse_messages
from porter.simulator.rewrite import rewrite
from porter.simulator.sources import INCLUDE_DIRECTORY, UserFile, collect, mirrored, write_mirror
from porter.simulator.widen import WideUnsupported, rewrite_wide

RUNTIME_DIRECTORY = Path(__file__).parent / "runtime"
_HOST_SUFFIXES = (".cpp", ".cc", ".cxx", ".c")
_COMPILE_LIMITS = Limits(wall_seconds=300.0, memory_bytes=16 << 30)


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


class CompileError(InputError):
    """The program does not compile or link; carries the compiler's errors at the user's places."""

    exit_code = ExitCode.USAGE

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("\n".join(str(d) for d in diagnostics[:20]))
        self.diagnostics = diagnostics


@dataclass(frozen=True)
class Options:
    """All that decides how a program is built, apart from its text."""

    face: Face
    lanes: int
    wide: bool = False
    sanitize: bool = False
    optimization: str = "-O1"
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """An executable for the simulator. `gpu` holds the PORTER_SIM_GPU_* figures it shall see."""

    path: Path
    face: Face
    lanes: int
    wide: bool
    sanitize: bool
    compiler: str
    sources: tuple[Path, ...]
    gpu: Mapping[str, str] = field(default_factory=dict)


def build_program(
    sources: Sequence[Path],
    *,
    face: Face,
    lanes: int | None = None,
    include_dirs: Sequence[Path] = (),
    defines: Sequence[str] = (),
    sanitize: bool = False,
    wide: bool = False,
    gpu: str | None = None,
    optimization: str = "-O1",
) -> Program:
    """Compiles and links `sources` (a later build of the same text comes from the cache).

    `lanes` defaults to the face's own: 32 for CUDA, 64 for HIP. `wide` compiles the user's float as double.
    `defines` are `NAME` or `NAME=VALUE`. Raises InputError for unreadable sources, CompileError with located
    findings, WideUnsupported when `wide` would not keep the program's meaning, ToolMissing without compiler.
    """
    lanes = face.lanes if lanes is None else lanes
    if lanes not in (32, 64):
        raise InputError(f"a warp has 32 or 64 lanes, not {lanes}")
    options = Options(
        face, lanes, wide, sanitize, optimization, tuple(d.absolute() for d in include_dirs), tuple(defines)
    )
    compiler = find_compiler()
    if sanitize and not compiler.sanitizes:
        raise ToolMissing(
            "AddressSanitizer needs clang++ or g++", hint="install one, or run without --sanitize"
        )
    files = collect(sources, options.include_dirs, rewrite_wide if wide else rewrite)
    absolute = tuple(source.absolute() for source in sources)
    path = _cached_executable(absolute, files, options, compiler)
    return Program(path, face, lanes, wide, sanitize, compiler.version, absolute, gpu_environment(gpu, face))


def gpu_environment(gpu: str | None, face: Face) -> dict[str, str]:
    """A GPU's figures as the runtime reads them, by its architecture's name; empty for the face's own."""
    if gpu is None:
        return {}
    shared = {
        "gfx90a": 65536,
        "gfx942": 65536,
        "gfx950": 163840,
        "sm_80": 166912,
        "sm_90": 232448,
        "sm_100": 232448,
    }
    if gpu not in shared:
        raise InputError(f"the simulator knows no GPU '{gpu}'", hint="one of " + ", ".join(shared))
    figures = {"PORTER_SIM_GPU_ARCH": gpu, "PORTER_SIM_GPU_SHARED_BYTES": str(shared[gpu])}
    units = {"gfx90a": 104, "gfx942": 304, "gfx950": 256, "sm_80": 108, "sm_90": 132, "sm_100": 148}
    figures["PORTER_SIM_GPU_UNITS"] = str(units[gpu])
    if face is Face.CUDA and gpu.startswith("sm_"):
        major, minor = divmod(int(gpu[3:]), 10)
        figures |= {"PORTER_SIM_GPU_MAJOR": str(major), "PORTER_SIM_GPU_MINOR": str(minor)}
    return figures


def _cached_executable(
    sources: Sequence[Path], files: Sequence[UserFile], options: Options, compiler: Compiler
) -> Path:
    parts: list[bytes | str] = [_runtime_key(options, compiler), *(str(s) for s in sources)]
    parts += [str(d) for d in options.include_dirs] + list(options.defines)
    for file in files:
        parts += [str(file.path), file.rewritten.data]
    target = cache_directory("simulator") / "programs" / digest(*parts)
    if not target.exists():
        target.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="porter-build-") as scratch:
            built = _compile(Path(scratch), sources, files, options, compiler)
            _publish(built, target)
    return target


def _publish(built: Path, target: Path) -> None:
    """Moves a finished file into the cache in one step, so that nobody ever sees half of it."""
    staged = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    staged.write_bytes(built.read_bytes())
    staged.chmod(0o755)
    os.replace(staged, target)


def _compile(
    scratch: Path, sources: Sequence[Path], files: Sequence[UserFile], options: Options, compiler: Compiler
) -> Path:
    tree = scratch / "tree"
    write_mirror(tree, files)
    by_path = {file.path: file for file in files}
    objects = []
    for number, source in enumerate(sources):
        out = scratch / f"{number}.o"
        flags = _user_flags(tree, options, compiler, source.suffix)
        done = _run(
            compiler,
            [*flags, "-c", mirrored(tree, source), "-o", out],
            scratch,
        )
        if not done.ok:
            raise _compile_error(done, source, by_path, options)
        objects.append(out)
    program = scratch / "program"
    runtime = _runtime_object(options, compiler)
    done = _run(
        compiler, [*_code_flags(options, compiler), *objects, runtime, "-lpthread", "-o", program], scratch
    )
    if not done.ok:
        raise CompileError((link_error(done.stderr.decode(errors="replace"), sources[0]),))
    return program


def _compile_error(
    done: Completed, source: Path, files: Mapping[Path, UserFile], options: Options
) -> CompileError | WideUnsupported:
    diagnostics = parse_messages(done.stderr.decode(errors="replace"), files)
    if not diagnostics:
        reason = "the compiler ran out of time" if done.timed_out else "the compiler failed"
        raise InputError(f"{source}: {reason}")
    if options.wide:
        first = diagnostics[0]
        return WideUnsupported(f"with float compiled as double: {first.message}", first.span)
    return CompileError(diagnostics)


def _user_flags(tree: Path, options: Options, compiler: Compiler, suffix: str) -> list[str | Path]:
    """As nvcc does it: only files of its own kind have the runtime header included before the first line."""
    flags: list[str | Path] = [*_code_flags(options, compiler)]
    if suffix == ".c":
        flags[0] = "-std=gnu17"
    if suffix in _HOST_SUFFIXES:
        flags += ["-DPORTER_SIM_HOST_FILE"]
    else:
        header = _precompiled_header(options, compiler)
        flags += ["-include-pch", header] if compiler.is_clang else ["-include", header]
    for folder in options.include_dirs:
        flags += ["-I", mirrored(tree, folder), "-I", folder]
    flags += [f"-D{define}" for define in options.defines]
    return [*flags, "-x", "c" if suffix == ".c" else "c++"]


def _code_flags(options: Options, compiler: Compiler) -> list[str | Path]:
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
    flags += ["-fno-diagnostics-show-caret", "-fdiagnostics-color=never", "-fmax-errors=20"]
    if compiler.is_clang:
        flags = [f for f in flags if f not in ("-fmax-errors=20", "-fno-diagnostics-show-caret")]
        flags += ["-fno-caret-diagnostics", "-ferror-limit=20", "-fbracket-depth=1024"]
    if compiler.is_zig:
        # zig traps on undefined behaviour and drops assertions unless told otherwise.
        flags += ["-fno-sanitize=all", "-Wno-everything", "-UNDEBUG"]
    if options.sanitize:
        flags += ["-fsanitize=address"]
    flags += ["-isystem", INCLUDE_DIRECTORY, f"-DPORTER_SIM_LANES={options.lanes}"]
    if options.face is Face.HIP:
        flags.append("-DPORTER_SIM_HIP")
    if options.wide:
        flags.append("-DPORTER_SIM_WIDE")
    return flags


@cache
def _headers_digest() -> str:
    parts: list[bytes | str] = []
    for folder in (INCLUDE_DIRECTORY, RUNTIME_DIRECTORY):
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            parts += [str(path.relative_to(folder)), path.read_bytes()]
    return digest(*parts)


def _runtime_key(options: Options, compiler: Compiler) -> str:
    flags = [str(f) for f in _code_flags(options, compiler)]
    return digest(_headers_digest(), compiler.version, *compiler.command, *flags)


def _runtime_object(options: Options, compiler: Compiler) -> Path:
    target = cache_directory("simulator") / "runtime" / f"{_runtime_key(options, compiler)}.o"
    if not target.exists():
        target.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="porter-build-") as scratch:
            out = Path(scratch) / "runtime.o"
            flags = [f if f != options.optimization else "-O2" for f in _code_flags(options, compiler)]
            argv = [*flags, "-I", RUNTIME_DIRECTORY, "-c", RUNTIME_DIRECTORY / "runtime.cpp", "-o", out]
            _must(_run(compiler, argv, Path(scratch)), "the simulator's runtime")
            _publish(out, target)
    return target


def _precompiled_header(options: Options, compiler: Compiler) -> Path:
    """What to give to `-include-pch` (clang) or `-include` (gcc, which finds the `.gch` beside the name)."""
    folder = cache_directory("simulator") / "headers" / _runtime_key(options, compiler)
    header = folder / "face.h"
    compiled = folder / ("face.pch" if compiler.is_clang else "face.h.gch")
    if not compiled.exists():
        folder.mkdir(parents=True, exist_ok=True)
        header.write_text(f'#include "{options.face.header}"\n', encoding="utf-8")
        with tempfile.TemporaryDirectory(prefix="porter-build-") as scratch:
            out = Path(scratch) / compiled.name
            argv = [*_code_flags(options, compiler), "-x", "c++-header", header, "-o", out]
            _must(_run(compiler, argv, Path(scratch)), "the simulator's headers")
            _publish(out, compiled)
    return compiled if compiler.is_clang else header


def _must(done: Completed, what: str) -> None:
    if not done.ok:
        raise InputError(f"{what} did not compile:\n{done.stderr.decode(errors='replace')[:4000]}")


def _run(compiler: Compiler, argv: Sequence[str | Path], cwd: Path) -> Completed:
    return run_limited(
        [*compiler.command, *argv], cwd=cwd, limits=_COMPILE_LIMITS, env=compiler_environment()
    )
