"""What programs share and is compiled once: the runtime's objects and the face's precompiled header.

Each is kept in the cache under a key of the text it is made of, the compiler and its flags: a file of the
runtime is compiled anew only when it or a header it includes has changed.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from porter.core.cache import cache_directory, digest
from porter.core.cache_limit import mark_used, tidy
from porter.core.errors import InputError
from porter.core.process import Completed, Limits, run_limited
from porter.core.sandbox import Sandbox
from porter.simulator.compiler import Compiler, compiler_environment
from porter.simulator.options import Options, code_flags, instrument_flags
from porter.simulator.sources import INCLUDE_DIRECTORY

_PACKAGE = Path(__file__).parent
RUNTIME_DIRECTORY = _PACKAGE / "runtime"
_QUOTED_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_NAME = re.compile(rb"\b[A-Za-z_]\w*")
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b.*$", re.MULTILINE)
_COMPILE_LIMITS = Limits(wall_seconds=300.0, memory_bytes=16 << 30)


def runtime_objects(options: Options, compiler: Compiler) -> tuple[Path, ...]:
    """The simulator's runtime, compiled for these options on all cores."""

    def compiled(unit: Path) -> Path:
        return compiled_once(unit, options, compiler, what="the simulator's runtime")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return tuple(pool.map(compiled, _runtime_units()))


@cache
def _runtime_units() -> tuple[Path, ...]:
    """The runtime's files that are compiled on their own: those that no other one includes."""
    files = sorted(RUNTIME_DIRECTORY.glob("*.cpp"))
    included = {name.decode() for file in files for name in _QUOTED_INCLUDE.findall(file.read_bytes())}
    return tuple(file for file in files if file.name not in included)


def compiled_once(
    source: Path,
    options: Options,
    compiler: Compiler,
    *,
    what: str,
    include_dirs: Sequence[Path] = (),
    version: str = "",
) -> Path:
    """The object of one of porter's own C++ files; `what` names it in the error when it does not compile.

    `version` is that of the foreign headers it includes, whose text is no part of the key.
    """
    flags = [f if f != options.optimization else "-O2" for f in code_flags(options, compiler)]
    for folder in (source.parent, *include_dirs):
        flags += ["-I", folder]
    # Where porter is installed makes no difference: the text of what is included there is in the key.
    how = [part.replace(str(_PACKAGE), "") for part in _how(flags, compiler)]
    key = digest(_text_digest(source, tuple(include_dirs)), version, *how)
    target = cache_directory("simulator") / "runtime" / f"{key}.o"
    if not target.exists():
        target.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="porter-build-") as scratch:
            out = Path(scratch) / "compiled.o"
            _must(run_compiler(compiler, [*flags, "-c", source, "-o", out], Path(scratch)), what)
            publish(out, target)
    mark_used(target)
    return target


def precompiled_header(options: Options, compiler: Compiler) -> Path:
    """What to give to `-include-pch` (clang) or `-include` (gcc, which finds the `.gch` beside the name)."""
    flags = [*code_flags(options, compiler), *instrument_flags(options, compiler)]
    # Compilers know a header by its time of change too: one that was installed anew is another one to them.
    times = [str(path.stat().st_mtime_ns) for path in _headers()]
    key = digest(headers_digest(), *times, *_how(flags, compiler))
    folder = cache_directory("simulator") / "headers" / key
    header = folder / "face.h"
    compiled = folder / ("face.pch" if compiler.is_clang else "face.h.gch")
    if not compiled.exists():
        folder.mkdir(parents=True, exist_ok=True)
        header.write_text(f'#include "{options.face.header}"\n', encoding="utf-8")
        with tempfile.TemporaryDirectory(prefix="porter-build-") as scratch:
            out = Path(scratch) / compiled.name
            argv = [*flags, "-x", "c++-header", header, "-o", out]
            _must(run_compiler(compiler, argv, Path(scratch)), "the simulator's headers")
            publish(out, compiled)
    mark_used(compiled)
    return compiled if compiler.is_clang else header


def program_key(options: Options, compiler: Compiler) -> str:
    """A digest of all that goes into a program apart from its own text."""
    parts = [*map(_text_digest, _runtime_units()), headers_digest()]
    flags = [*code_flags(options, compiler), *instrument_flags(options, compiler)]
    return digest(*parts, *_how(flags, compiler))


def publish(built: Path, target: Path) -> None:
    """Moves a finished file into the cache in one step, so that nobody ever sees half of it."""
    descriptor, name = tempfile.mkstemp(prefix=f"{target.name}.", suffix=".tmp", dir=target.parent)
    staged = Path(name)
    with os.fdopen(descriptor, "wb") as out:
        out.write(built.read_bytes())
    staged.chmod(0o755)
    os.replace(staged, target)
    tidy()


def run_compiler(
    compiler: Compiler, argv: Sequence[str | Path], cwd: Path, sandbox: Sandbox | None = None
) -> Completed:
    """Runs the compiler with limits, without network, in `cwd`, and in a sandbox where one is given."""
    return run_limited(
        [*compiler.command, *argv],
        cwd=cwd,
        limits=_COMPILE_LIMITS,
        env=compiler_environment(None if sandbox is None else cwd),
        sandbox=sandbox,
    )


@cache
def headers_digest() -> str:
    """Of every header a program may include."""
    return _files_digest(_headers())


@cache
def header_names() -> frozenset[str]:
    """The names that the headers use for things of their own, without those that their directives test."""
    used: set[bytes] = set()
    tested: set[bytes] = set()
    for path in _headers():
        text = path.read_bytes()
        used.update(_NAME.findall(text))
        tested.update(name for line in _CONDITION.findall(text) for name in _NAME.findall(line))
    return frozenset(name.decode() for name in used - tested)


def _headers() -> tuple[Path, ...]:
    return tuple(sorted(path for path in INCLUDE_DIRECTORY.rglob("*") if path.is_file()))


@cache
def _text_digest(source: Path, include_dirs: tuple[Path, ...] = ()) -> str:
    """Of `source` and the files it includes by quoted name, theirs too."""
    reached = {source}
    pending = [source]
    while pending:
        path = pending.pop()
        for name in _QUOTED_INCLUDE.findall(path.read_bytes()):
            for folder in (path.parent, source.parent, *include_dirs, INCLUDE_DIRECTORY):
                found = folder / name.decode()
                if found.is_file():
                    if found not in reached:
                        reached.add(found)
                        pending.append(found)
                    break
    return _files_digest(sorted(reached))


def _files_digest(files: Sequence[Path]) -> str:
    parts: list[bytes | str] = []
    for path in files:
        parts += [path.name, path.read_bytes()]
    return digest(*parts)


def _how(flags: Sequence[str | Path], compiler: Compiler) -> list[str]:
    return [compiler.version, *compiler.command, *(str(flag) for flag in flags)]


def _must(done: Completed, what: str) -> None:
    if not done.ok:
        raise InputError(f"{what} did not compile:\n{done.stderr.decode(errors='replace')[:4000]}")
