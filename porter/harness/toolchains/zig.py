"""zig from its Python package: a clang with the AMDGPU back end, lld, libc++ and glibc's headers.

`zig clang` is the plain driver and knows none of zig's headers; `zig c++` knows them but refuses HIP. So the
flags of the second are asked for once, and given to the first.
"""

from __future__ import annotations

import itertools
import json
import os
import platform
import tempfile
from dataclasses import dataclass
from pathlib import Path

from porter.core.cache import cache_directory, digest
from porter.core.process import run_limited
from porter.harness.toolchains.packages import package_directory, package_version

HOW_TO_INSTALL = "pip install ziglang==0.17.1"


@dataclass(frozen=True)
class Zig:
    executable: Path
    version: str

    def command(self, tool: str) -> tuple[str, ...]:
        """`clang`, `c++` or `ld.lld` as the start of an argument list."""
        return (str(self.executable), tool)


@dataclass(frozen=True)
class HostFlags:
    """What makes host C++ compile: libc++'s settings, its headers, the C library's headers."""

    defines: tuple[str, ...]
    cxx_includes: tuple[str, ...]
    c_includes: tuple[str, ...]


def find_zig() -> Zig | None:
    directory = package_directory("ziglang")
    if directory is None or not (directory / "zig").is_file():
        return None
    return Zig(directory / "zig", package_version("ziglang"))


def zig_environment() -> dict[str, str]:
    """zig insists on writable caches; they hold nothing that cannot be made again."""
    directory = str(cache_directory("zig"))
    return {"ZIG_GLOBAL_CACHE_DIR": directory, "ZIG_LOCAL_CACHE_DIR": directory}


def host_triple() -> str:
    return f"{platform.machine()}-linux-gnu"


def host_flags(zig: Zig) -> HostFlags:
    """The flags `zig c++` gives itself, asked once per installation and kept in the cache.

    Raises RuntimeError when this zig does not print them.
    """
    stored = cache_directory("zig-flags") / f"{digest(str(zig.executable), zig.version, host_triple())}.json"
    if stored.is_file():
        arguments = json.loads(stored.read_text())
    else:
        arguments = _ask(zig)
        partial = stored.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps(arguments))
        partial.replace(stored)
    return _parse(arguments)


def _ask(zig: Zig) -> list[str]:
    # A fresh cache: with a warm one zig finds the object there and prints nothing.
    with tempfile.TemporaryDirectory(prefix="porter-zig-") as directory:
        source = Path(directory) / "empty.cpp"
        source.write_text("")
        done = run_limited(
            [*zig.command("c++"), "-target", host_triple(), "-c", source, "-o", "empty.o"],
            cwd=Path(directory),
            env={
                "ZIG_GLOBAL_CACHE_DIR": directory,
                "ZIG_LOCAL_CACHE_DIR": directory,
                "ZIG_VERBOSE_CC": "1",
            },
        )
    lines = done.stderr.decode(errors="replace").splitlines()
    command = next((line for line in lines if "-nostdinc" in line), None)
    if command is None:
        raise RuntimeError(f"zig {zig.version} did not print its compiler flags: {lines[:3]}")
    return command.split()


def _parse(arguments: list[str]) -> HostFlags:
    includes = list(
        dict.fromkeys(value for flag, value in itertools.pairwise(arguments) if flag == "-isystem")
    )
    cxx = tuple(path for path in includes if "libcxx" in path)
    # zig's own lib/include is clang's resource headers without the CUDA and HIP ones.
    c = tuple(
        path
        for path in includes
        if path not in cxx and not path.endswith(("/lib/include", "libunwind/include"))
    )
    defines = tuple(dict.fromkeys(a for a in arguments if a.startswith("-D")))
    return HostFlags(defines, cxx, c)
