"""HIP's core header, parsed once: it is nine tenths of the time of a small kernel's compilation.

Used only where it cannot change what is compiled: the source includes `hip/hip_runtime.h` itself, nothing but
system headers stands before it, and no option of the caller's could be seen by the header.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from porter.core.cache import cache_directory, digest
from porter.core.process import run_limited
from porter.harness.toolchains.amd_compiler import AmdCompiler

_CORE = "#include <hip/hip_runtime.h>\n"
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PLAIN_START = re.compile(
    r"\s*(?:#\s*(?:pragma\s+once|include\s*<[^>\n]+>)\s*\n\s*)*?#\s*include\s*<hip/hip_runtime\.h>"
)


def starts_with_core_header(text: str) -> bool:
    """Whether `text` includes HIP's core header with only system headers before it."""
    return _PLAIN_START.match(_COMMENT.sub("", text)) is not None


def precompiled_flags(compiler: AmdCompiler, command: Sequence[str | Path], identity: str) -> tuple[str, ...]:
    """Flags that load the precompiled header, made on first use.

    `command` is the compilation without its source; `identity` what distinguishes it (GPU, standard).
    Empty where the header cannot be had in this form.
    """
    header = next((f / "hip" / "hip_runtime.h" for f in compiler.headers if (f / "hip").is_dir()), None)
    if header is None:
        return ()
    # clang refuses a precompiled header whose inputs have new time stamps, so these are part of the key.
    stamps = [header.stat().st_mtime_ns, Path(compiler.clang[0]).stat().st_mtime_ns]
    key = digest(compiler.version, compiler.headers_version, repr(compiler.host), identity, repr(stamps))
    stored = cache_directory("precompiled") / f"{key}.pch"
    if not stored.is_file() and not _make(compiler, command, stored):
        return ()
    return ("-Xclang", "-include-pch", "-Xclang", str(stored))


def _make(compiler: AmdCompiler, command: Sequence[str | Path], stored: Path) -> bool:
    source, partial = stored.with_suffix(f".{os.getpid()}.hip"), stored.with_suffix(f".{os.getpid()}")
    # clang looks for this file again whenever it loads the header, so each maker keeps its own.
    source.write_text(_CORE)
    done = run_limited(
        [*command, source, "-S", "-Xclang", "-emit-pch", "-o", partial],
        cwd=stored.parent,
        env=dict(compiler.environment),
    )
    if done.ok:
        partial.replace(stored)
    return done.ok
