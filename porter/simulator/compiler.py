"""Which C++ compiler builds programs: `$PORTER_CXX`, clang++, g++, else the one of the ziglang package."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from porter.core.cache import cache_directory
from porter.core.errors import ToolMissing
from porter.core.process import run_limited


@dataclass(frozen=True)
class Compiler:
    """`command` starts the compiler; `version` is the first line of its `--version`."""

    command: tuple[str, ...]
    version: str
    is_clang: bool
    is_zig: bool


def find_compiler() -> Compiler:
    """The first with all types; one that lacks some is better than none.

    Raises ToolMissing when there is none.
    """
    found = [compiler for command in _candidates() if (compiler := _probe(command)) is not None]
    if found:
        return next((compiler for compiler in found if _has_half(compiler)), found[0])
    raise ToolMissing(
        "the simulator needs a C++17 compiler",
        hint="install clang++ or g++, or `pip install porter[compilers]`, or set PORTER_CXX",
    )


def _candidates() -> list[tuple[str, ...]]:
    chosen = os.environ.get("PORTER_CXX")
    if chosen:
        return [tuple(shlex.split(chosen))]
    found: list[tuple[str, ...]] = [(path,) for name in ("clang++", "g++") if (path := shutil.which(name))]
    if importlib.util.find_spec("ziglang") is not None:
        found.append((sys.executable, "-m", "ziglang", "c++"))
    return found


@cache
def _probe(command: tuple[str, ...]) -> Compiler | None:
    try:
        done = run_limited([*command, "--version"], cwd=Path.cwd(), env=compiler_environment())
    except FileNotFoundError:
        return None
    if not done.ok:
        return None
    version = done.stdout.decode(errors="replace").splitlines()[0].strip()
    is_zig = "ziglang" in command or Path(command[0]).name == "zig"
    return Compiler(command, version, is_zig or "clang" in version, is_zig)


_HALF_SINCE = {True: 15, False: 12}
"""Which clang, and which GCC, was the first with `_Float16` on x86-64 in C++, by their release notes."""


def _has_half(compiler: Compiler) -> bool:
    numbers = re.findall(r"(\d+)\.\d+\.\d+", compiler.version)
    return not numbers or int(numbers[-1]) >= _HALF_SINCE[compiler.is_clang]


def compiler_environment(local: Path | None = None) -> dict[str, str]:
    """What zig needs to find its cache: the user's home is hidden from compilers as from programs.

    What it makes of a program goes to `local`, by default where what it makes for all of them goes.
    """
    folder = cache_directory("zig")
    return {"ZIG_GLOBAL_CACHE_DIR": str(folder), "ZIG_LOCAL_CACHE_DIR": str(local or folder)}


def compiler_files(compiler: Compiler) -> tuple[Path, ...]:
    """What the compiler itself reads where it is not a part of the system: for a sandbox."""
    if compiler.is_zig:
        spec = importlib.util.find_spec("ziglang")
        package = spec.submodule_search_locations if spec else None
        return (Path(sys.prefix), Path(sys.base_prefix), *map(Path, package or ()))
    return tuple(path for word in compiler.command if (path := _installed_at(word)))


def _installed_at(word: str) -> Path | None:
    """`/opt/llvm` of `/opt/llvm/bin/clang++`; the program's own folder where that is not its layout."""
    found = shutil.which(word)
    if found is None:
        return None
    program = Path(found).resolve()
    return program.parents[1] if program.parent.name == "bin" else program.parent
