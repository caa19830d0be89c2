"""Builds CUDA and HIP programs for the CPU: rewritten sources, the face's headers, the simulator's runtime.

Everything built is kept in the cache under a key of all it was made of. Sources are hostile: compilers run
with limits, without network, and their messages never carry the contents of files outside the program.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.core.cache import cache_directory, digest
from porter.core.cache_limit import mark_used
from porter.core.diagnostic import Diagnostic
from porter.core.errors import ExitCode, InputError, ToolMissing
from porter.core.process import Completed
from porter.core.sandbox import Sandbox
from porter.simulator.checks import Check, needs_instrumentation
from porter.simulator.compiler import Compiler, compiler_files, find_compiler
from porter.simulator.diagnostics import hip_in_cuda, link_error, parse_messages
from porter.simulator.gpu_figures import gpu_environment
from porter.simulator.libraries import Linked, linked, used_libraries
from porter.simulator.options import Face, Options, code_flags, instrument_flags
from porter.simulator.prebuilt import (
    header_names,
    precompiled_header,
    program_key,
    publish,
    run_compiler,
    runtime_objects,
)
from porter.simulator.rewrite import rewrite, rewrite_checked
from porter.simulator.sources import (
    INCLUDE_DIRECTORY,
    Rewrite,
    UserFile,
    collect,
    included_names,
    mirrored,
    write_mirror,
)
from porter.simulator.widen import WideUnsupported, rewrite_wide

_HOST_SUFFIXES = (".cpp", ".cc", ".cxx", ".c")


class CompileError(InputError):
    """The program does not compile or link; carries the compiler's errors at the user's places."""

    exit_code = ExitCode.USAGE

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        hint = next((d.hint for d in diagnostics if d.hint), "")
        super().__init__("\n".join(str(d) for d in diagnostics[:20]), hint=hint)
        self.diagnostics = diagnostics


@dataclass(frozen=True)
class Program:
    """An executable for the simulator. `gpu` holds the PORTER_SIM_GPU_* figures it shall see.

    `libraries` are the vendors' libraries it is linked to.
    `checks` are made in every run of it; the executable itself is the same for all that need one of its own.
    """

    path: Path
    face: Face
    lanes: int
    wide: bool
    checks: frozenset[Check]
    compiler: str
    sources: tuple[Path, ...]
    gpu: Mapping[str, str] = field(default_factory=dict)
    libraries: Linked = field(default_factory=Linked)


def build_program(
    sources: Sequence[Path],
    *,
    face: Face,
    lanes: int | None = None,
    include_dirs: Sequence[Path] = (),
    defines: Sequence[str] = (),
    checks: frozenset[Check] = frozenset(),
    wide: bool = False,
    gpu: str | None = None,
    optimization: str = "-O1",
    hostile: bool = False,
    hidden: Sequence[Path] = (),
) -> Program:
    """Compiles and links `sources` (a later build of the same text comes from the cache).

    `lanes` defaults to the face's own: 32 for CUDA, 64 for HIP. `wide` compiles the user's float as double.
    The program's runs make `checks`. `defines` are `NAME` or `NAME=VALUE`. Of `hostile` sources the compiler
    sees no file but the system's, porter's headers, the include folders and what the sources include, without
    what is `hidden`, where namespaces are to be had. Raises InputError for unreadable sources, CompileError
    with located findings, WideUnsupported when `wide` would not keep the program's meaning, ToolMissing
    without a compiler or without the package that a library it calls stands on.
    """
    lanes = face.lanes if lanes is None else lanes
    if lanes not in (32, 64):
        raise InputError(f"a warp has 32 or 64 lanes, not {lanes}")
    options = Options(
        face,
        lanes,
        wide,
        needs_instrumentation(checks),
        optimization,
        tuple(d.absolute() for d in include_dirs),
        tuple(defines),
    )
    compiler = find_compiler()
    files = collect(sources, options.include_dirs, _rewriting(options), hidden)
    absolute = tuple(source.absolute() for source in sources)
    libraries = linked(used_libraries(files), options, compiler)
    confined = _Confined(tuple(hidden)) if hostile else None
    path = _cached_executable(absolute, files, options, compiler, libraries, confined)
    figures = gpu_environment(gpu, face)
    return Program(path, face, lanes, wide, checks, compiler.version, absolute, figures, libraries)


@dataclass(frozen=True)
class _Confined:
    """How hostile sources are compiled: without sight of what is `hidden`."""

    hidden: tuple[Path, ...]

    def sandbox(
        self,
        scratch: Path,
        files: Sequence[UserFile],
        options: Options,
        compiler: Compiler,
        libraries: Linked,
    ) -> Sandbox:
        caches = [cache_directory("simulator") / name for name in ("headers", "runtime")]
        named = [f for f in libraries.compile_flags if Path(f).is_absolute()]
        readable = [
            *compiler_files(compiler),
            INCLUDE_DIRECTORY,
            *caches,
            *options.include_dirs,
            *(file.path for file in files),
            *(path.parent for path in libraries.shared_objects),
            *map(Path, named),
        ]
        writable = (scratch, cache_directory("zig")) if compiler.is_zig else (scratch,)
        return Sandbox(tuple(dict.fromkeys(readable)), writable, self.hidden)


def _rewriting(options: Options) -> Rewrite:
    if options.wide:
        return rewrite_wide
    return rewrite_checked if options.check else rewrite


def _cached_executable(
    sources: Sequence[Path],
    files: Sequence[UserFile],
    options: Options,
    compiler: Compiler,
    libraries: Linked,
    confined: _Confined | None,
) -> Path:
    parts: list[bytes | str] = [program_key(options, compiler), *libraries.key, *(str(s) for s in sources)]
    parts += ["confined", *map(str, confined.hidden)] if confined else []
    parts += [str(d) for d in options.include_dirs] + list(options.defines)
    for file in files:
        parts += [str(file.path), file.rewritten.prelude, file.rewritten.data]
    target = cache_directory("simulator") / "programs" / digest(*parts)
    if not target.exists():
        target.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="porter-build-") as scratch:
            built = _compile(Path(scratch), sources, files, options, compiler, libraries, confined)
            publish(built, target)
    mark_used(target)
    return target


def _compile(
    scratch: Path,
    sources: Sequence[Path],
    files: Sequence[UserFile],
    options: Options,
    compiler: Compiler,
    libraries: Linked,
    confined: _Confined | None,
) -> Path:
    tree = scratch / "tree"
    write_mirror(tree, files)
    by_path = {file.path: file for file in files}
    threads = _thread_flags(files, compiler)
    sandbox = confined.sandbox(scratch, files, options, compiler, libraries) if confined else None
    objects = []
    for number, source in enumerate(sources):
        out = scratch / f"{number}.o"
        flags = [*_user_flags(tree, options, compiler, source.suffix), *libraries.compile_flags]
        done = run_compiler(
            compiler,
            [*flags, *threads, "-c", mirrored(tree, source), "-o", out],
            scratch,
            sandbox,
        )
        if not done.ok:
            raise _compile_error(done, source, by_path, options)
        objects.append(out)
    program = scratch / "program"
    runtime = runtime_objects(options, compiler)
    parts = [*code_flags(options, compiler), *threads, *objects, *libraries.link_flags, *runtime, "-lpthread"]
    done = run_compiler(compiler, [*parts, "-o", program], scratch, sandbox)
    if not done.ok:
        raise CompileError((link_error(done.stderr.decode(errors="replace"), sources[0]),))
    return program


def _thread_flags(files: Sequence[UserFile], compiler: Compiler) -> list[str]:
    """OpenMP for programs that include its header, as their own builds hand it to the host's compiler."""
    if "omp.h" not in included_names(files):
        return []
    if compiler.is_zig:
        raise ToolMissing("the program uses OpenMP, which needs clang++ or g++")
    return ["-fopenmp"]


def _compile_error(
    done: Completed, source: Path, files: Mapping[Path, UserFile], options: Options
) -> CompileError | WideUnsupported:
    output = done.stderr.decode(errors="replace")
    diagnostics = parse_messages(output, files)
    mixed = hip_in_cuda(output, files) if options.face is Face.CUDA else None
    if mixed is not None:
        return CompileError((mixed,))
    if not diagnostics:
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        failure = f"the compiler failed: {said[0].split('rror: ', 1)[-1]}" if said else "the compiler failed"
        raise InputError(f"{source}: {'the compiler ran out of time' if done.timed_out else failure}")
    if options.wide:
        first = diagnostics[0]
        return WideUnsupported(f"with float compiled as double: {first.message}", first.span)
    return CompileError(diagnostics)


def _user_flags(tree: Path, options: Options, compiler: Compiler, suffix: str) -> list[str | Path]:
    """As nvcc does it: only files of its own kind have the runtime header included before the first line."""
    flags = [*code_flags(options, compiler), *instrument_flags(options, compiler)]
    if suffix == ".c":
        flags[0] = "-std=gnu17"
    if suffix in _HOST_SUFFIXES:
        flags += ["-DPORTER_SIM_HOST_FILE"]
    else:
        header = precompiled_header(options, compiler)
        flags += ["-include-pch", header] if compiler.is_clang else ["-include", header]
    for folder in options.include_dirs:
        flags += ["-I", mirrored(tree, folder), "-I", folder]
    late = [] if suffix == ".c" else [d for d in options.defines if _defined_name(d) in header_names()]
    flags += [f"-D{define}" for define in options.defines if define not in late]
    if late:
        if suffix in _HOST_SUFFIXES:
            flags += ["-include", options.face.header]
        flags += ["-include", _late_definitions(tree, late)]
    return [*flags, "-x", "c" if suffix == ".c" else "c++"]


def _defined_name(define: str) -> str:
    return re.split(r"[(=]", define)[0]


def _late_definitions(tree: Path, defines: Sequence[str]) -> Path:
    """`-DN=512` for a name that the simulator's headers use as their own: it holds behind them."""
    lines = []
    for define in defines:
        name, _, value = define.partition("=")
        lines.append(f"#define {name} {value if '=' in define else 1}\n")
    header = tree.parent / "definitions.h"
    header.write_text("".join(lines), encoding="utf-8")
    return header
