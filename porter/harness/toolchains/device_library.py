"""AMD's device library as bitcode: `ocml.bc`, `ockl.bc` and the constants that select their code paths."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from porter.core.cache import cache_directory, digest
from porter.core.process import run_limited
from porter.harness.toolchains.amd_compiler import AmdCompiler

_CONSTANTS = Path(__file__).parent / "device_constants.c"


def isa_version(arch: str) -> int:
    """`gfx90a` gives 9010, `gfx950` 9500: major × 1000 + minor × 100 + hexadecimal stepping."""
    digits = arch.split(":")[0].removeprefix("gfx")
    major, minor, stepping = digits[:-2], digits[-2], digits[-1]
    return int(major) * 1000 + int(minor) * 100 + int(stepping, 16)


def bitcode_flags(compiler: AmdCompiler, arch: str) -> tuple[str, ...]:
    """Links the device library into a compilation; the constants come last, since the others use them."""
    if compiler.bitcode is None:
        return ()
    files = (compiler.bitcode / "ocml.bc", compiler.bitcode / "ockl.bc", _constants(compiler, arch))
    return (
        "-nogpulib",
        *(part for file in files for part in ("-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(file))),
    )


def _constants(compiler: AmdCompiler, arch: str) -> Path:
    key = digest(_CONSTANTS.read_bytes(), compiler.version, arch)
    stored = cache_directory("device-library") / f"{key}.bc"
    if stored.is_file():
        return stored
    partial = stored.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    done = run_limited(
        [
            *compiler.clang, "-x", "c", "--target=amdgcn-amd-amdhsa", f"-mcpu={arch}", "-nogpulib", "-O3",
            f"-DPORTER_ISA_VERSION={isa_version(arch)}", "-Xclang", "-mcode-object-version=none",
            "-emit-llvm", "-c", _CONSTANTS, "-o", partial,
        ],
        cwd=stored.parent,
        env=dict(compiler.environment),
    )  # fmt: skip
    if not done.ok:
        raise RuntimeError(
            f"the device library's constants do not compile: {done.stderr.decode(errors='replace')}"
        )
    partial.replace(stored)
    return stored
