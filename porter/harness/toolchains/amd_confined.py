"""The compiler for AMD GPUs at work on a source that is not trusted.

It has limits and no network; where the system has namespaces it sees the system, its own files, those of the
build, and nothing else: no `#include`, `#embed` or `.incbin` reaches further.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from porter.core.cache import cache_directory
from porter.core.process import Completed, Limits, run_limited
from porter.core.sandbox import Sandbox
from porter.harness.toolchains.amd_compiler import MINIMAL_HEADERS, AmdCompiler
from porter.simulator.sources import reached_files

_LIMITS = Limits(wall_seconds=300.0)


@dataclass(frozen=True)
class ConfinedCompiler:
    """`directory` is where it works, and all that it may write. What is `hidden` is not there for it."""

    compiler: AmdCompiler
    directory: Path
    source: Path
    include_dirs: tuple[Path, ...]
    hidden: tuple[Path, ...]

    def run(self, *command: str | Path) -> Completed:
        environment = dict(self.compiler.environment)
        if "ZIG_LOCAL_CACHE_DIR" in environment:
            environment["ZIG_LOCAL_CACHE_DIR"] = str(self.directory)
        return run_limited(
            command, cwd=self.directory, limits=_LIMITS, env=environment, sandbox=self._sandbox
        )

    @cached_property
    def _sandbox(self) -> Sandbox:
        folders = [folder.resolve() for folder in self.include_dirs]
        files = reached_files(self.source.resolve(), folders, self.hidden)
        writable = [self.directory]
        if self.compiler.kind == "zig":
            writable.append(cache_directory("zig"))
        readable = dict.fromkeys((*self._own_files(), *folders, *files))
        return Sandbox(tuple(readable), tuple(writable), self.hidden)

    def _own_files(self) -> list[Path]:
        compiler = self.compiler
        own = [*compiler.system_directories, *compiler.headers, MINIMAL_HEADERS]
        own += [cache_directory("precompiled"), cache_directory("device-library")]
        own += [compiler.bitcode] if compiler.bitcode else []
        own += [Path(tool).resolve().parent for tool in (compiler.clang[0], compiler.linker[0])]
        return own + [Path(part) for part in compiler.host if Path(part).is_absolute()]
