"""Finds a clang that makes gfx90a, gfx942 and gfx950 code objects, and the HIP headers it is to use.

Order: a ROCm installation (everything is its own), zig with clang's headers from Python packages, then a
system clang of version 20 or later. HIP headers: ROCm's, the folder `PORTER_HIP_INCLUDE`, or the core headers
in the triton package; porter's minimal ones stand behind them and are found only where those lack a header.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from porter.core.process import run_limited
from porter.harness.toolchains.packages import package_directory, package_version
from porter.harness.toolchains.records import NotAvailable
from porter.harness.toolchains.zig import find_zig, host_flags, host_triple, zig_environment

MINIMAL_HEADERS = Path(__file__).parent / "include"
HOW_TO_INSTALL = "pip install 'porter[compilers,triton]', or install ROCm, or a clang of version 20 or later"
# What libstdc++, which hipcc uses, still has in C++17 and libc++ only where asked.
_OLD_LIBRARY = (
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_BINDERS",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_AUTO_PTR",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_RANDOM_SHUFFLE",
)
_OLDEST_CLANG = 20  # the first that knows gfx950


@dataclass(frozen=True)
class AmdCompiler:
    """`clang` and `linker` start a command line; `host` are the flags that make host C++ compile.

    `bitcode` is the folder of `ocml.bc` and `ockl.bc`, or None where clang links the device library itself;
    `headers` are ROCm's include folders, none where clang finds them itself.
    """

    kind: str
    version: str
    clang: tuple[str, ...]
    linker: tuple[str, ...]
    host: tuple[str, ...]
    headers: tuple[Path, ...]
    headers_version: str
    bitcode: Path | None
    system_directories: tuple[Path, ...]
    environment: tuple[tuple[str, str], ...] = ()


def find_amd_compiler() -> AmdCompiler | NotAvailable:
    """The first that is complete; else what the most likely one lacks.

    Reads `ROCM_PATH` and `PORTER_HIP_INCLUDE` from the environment.
    """
    return _find(
        os.environ.get("ROCM_PATH", "/opt/rocm"),
        os.environ.get("PORTER_HIP_INCLUDE", ""),
        os.environ.get("PATH", os.defpath),
    )


@cache
def _find(rocm: str, hip_include: str, path: str) -> AmdCompiler | NotAvailable:
    finders: tuple[Callable[[], AmdCompiler | NotAvailable], ...] = (
        lambda: _rocm(Path(rocm)),
        lambda: _zig(hip_include),
        lambda: _system_clang(hip_include, path),
    )
    answers = [finder() for finder in finders]
    found = next((a for a in answers if isinstance(a, AmdCompiler)), None)
    return found or answers[1]


def _rocm(root: Path) -> AmdCompiler | NotAvailable:
    for folder in (root / "llvm" / "bin", root / "lib" / "llvm" / "bin"):
        clang, linker = folder / "clang++", folder / "ld.lld"
        if clang.is_file() and linker.is_file() and (root / "include" / "hip" / "hip_runtime.h").is_file():
            return AmdCompiler(
                kind="rocm",
                version=_clang_version((str(clang),)),
                clang=(str(clang),),
                linker=(str(linker),),
                host=(f"--rocm-path={root}",),
                headers=(),
                headers_version=f"HIP {_hip_version(root / 'include')}",
                bitcode=None,
                system_directories=(root.resolve(), Path("/usr")),
            )
    return NotAvailable(f"ROCm at {root}", "https://rocm.docs.amd.com: install ROCm, or set ROCM_PATH")


def _zig(hip_include: str) -> AmdCompiler | NotAvailable:
    zig, resource = find_zig(), _resource_directory()
    headers = _hip_headers(hip_include)
    if zig is None:
        return NotAvailable("a compiler for AMD GPUs (ziglang)", HOW_TO_INSTALL)
    if resource is None:
        return NotAvailable("clang's HIP headers (clang-tidy 22)", HOW_TO_INSTALL)
    if isinstance(headers, NotAvailable):
        return headers
    flags = host_flags(zig)
    clang_version = _clang_version(zig.command("clang"))
    if resource.name != clang_version.split(".")[0]:
        return NotAvailable(
            f"clang's headers of version {clang_version} (found {resource.name})", "pip install clang-tidy"
        )
    builtin = resource / "include"
    order = (str(builtin / "cuda_wrappers"), *flags.cxx_includes, str(builtin), *flags.c_includes)
    host = (
        f"--target={host_triple()}", "-nogpuinc", "-include", "__clang_hip_runtime_wrapper.h",
        "-resource-dir", str(resource), "-nostdinc", "-nostdinc++", *flags.defines, *_OLD_LIBRARY,
        *(part for directory in order for part in ("-isystem", directory)),
    )  # fmt: skip
    return AmdCompiler(
        kind="zig",
        version=f"{clang_version} (ziglang {zig.version}, clang-tidy {package_version('clang-tidy')})",
        clang=zig.command("clang"),
        linker=zig.command("ld.lld"),
        host=host,
        headers=headers.include,
        headers_version=headers.version,
        bitcode=headers.bitcode,
        system_directories=(zig.executable.parent.resolve(), resource.resolve(), *headers.include),
        environment=tuple(zig_environment().items()),
    )


def _system_clang(hip_include: str, path: str) -> AmdCompiler | NotAvailable:
    headers = _hip_headers(hip_include)
    if isinstance(headers, NotAvailable):
        return headers
    for suffix in ("-22", "-21", "-20", ""):
        clang = shutil.which(f"clang++{suffix}", path=path)
        linker = shutil.which(f"ld.lld{suffix}", path=path)
        if clang is None or linker is None or not _has_amdgpu(clang):
            continue
        return AmdCompiler(
            kind="clang",
            version=_clang_version((clang,)),
            clang=(clang,),
            linker=(linker,),
            host=("-nogpuinc", "-include", "__clang_hip_runtime_wrapper.h"),
            headers=headers.include,
            headers_version=headers.version,
            bitcode=headers.bitcode,
            system_directories=(Path("/usr"), *headers.include),
        )
    return NotAvailable(f"clang of version {_OLDEST_CLANG} or later with the AMDGPU back end", HOW_TO_INSTALL)


def _has_amdgpu(clang: str) -> bool:
    if int(_clang_version((clang,)).split(".")[0] or 0) < _OLDEST_CLANG:
        return False
    return b"amdgcn" in run_limited([clang, "-print-targets"], cwd=Path("/")).stdout


def _clang_version(command: tuple[str, ...]) -> str:
    printed = run_limited([*command, "--version"], cwd=Path("/"), env=zig_environment()).stdout.decode()
    found = re.search(r"clang version (\d+\.\d+\.\d+)", printed)
    return found.group(1) if found else "0"


def _resource_directory() -> Path | None:
    package = package_directory("clang_tidy")
    if package is None:
        return None
    folders = sorted((package / "data" / "lib" / "clang").glob("*/include/__clang_hip_runtime_wrapper.h"))
    return folders[-1].parents[1] if folders else None


@dataclass(frozen=True)
class _HipHeaders:
    include: tuple[Path, ...]
    version: str
    bitcode: Path


def _hip_headers(named: str) -> _HipHeaders | NotAvailable:
    package = package_directory("triton")
    backend = package / "backends" / "amd" if package else None
    bitcode = _device_library(backend)
    if bitcode is None:
        return NotAvailable("the AMD device library (ocml.bc, ockl.bc)", "pip install 'triton>=3.3'")
    if named:
        folder = Path(named).expanduser().resolve()
        if not (folder / "hip" / "hip_runtime.h").is_file():
            return NotAvailable(
                f"hip/hip_runtime.h in PORTER_HIP_INCLUDE={named}", "name ROCm's include folder"
            )
        return _HipHeaders((folder,), f"HIP {_hip_version(folder)} of PORTER_HIP_INCLUDE", bitcode)
    if backend and (backend / "include" / "hip" / "hip_runtime.h").is_file():
        include = (backend / "include").resolve()
        version = f"HIP {_hip_version(include)} of triton {package_version('triton')}"
        return _HipHeaders((include,), version, bitcode)
    return NotAvailable(
        "HIP headers", "pip install 'triton>=3.3', or set PORTER_HIP_INCLUDE to ROCm's include folder"
    )


def _device_library(triton_backend: Path | None) -> Path | None:
    folders = [Path("/opt/rocm/amdgcn/bitcode"), *Path("/usr/lib").glob("*/amdgcn/bitcode")]
    if triton_backend:
        folders.insert(0, triton_backend / "lib")
    return next((f for f in folders if (f / "ocml.bc").is_file() and (f / "ockl.bc").is_file()), None)


def _hip_version(include: Path) -> str:
    try:
        text = (include / "hip" / "hip_version.h").read_text(errors="replace")
    except OSError:
        return "of unknown version"
    parts = [re.search(rf"HIP_VERSION_{p}\s+(\d+)", text) for p in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(p.group(1) for p in parts if p)
