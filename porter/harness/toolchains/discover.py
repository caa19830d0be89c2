"""What this machine has: each tool with its version, the evidence it adds, and the way to get it.

Nothing is imported and no network is used; API keys are only seen to be set, never read.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from porter.core.process import run_limited
from porter.harness.toolchains import amd_compiler
from porter.harness.toolchains.nvcc import HOW_TO_INSTALL as HOW_TO_INSTALL_NVCC
from porter.harness.toolchains.nvcc import find_nvcc, nvcc_version
from porter.harness.toolchains.packages import package_directory, package_version
from porter.harness.toolchains.records import NotAvailable
from porter.harness.toolchains.zig import HOW_TO_INSTALL as HOW_TO_INSTALL_ZIG
from porter.harness.toolchains.zig import find_zig


@dataclass(frozen=True)
class Tool:
    """`evidence` are the kinds it makes possible (`built:gfx950`), or what it is for where it is none."""

    name: str
    found: bool
    version: str
    where: str
    evidence: tuple[str, ...]
    how_to_install: str

    @property
    def adds(self) -> str:
        return ", ".join(self.evidence)


_SIMULATED = ("simulated:wave64",)
_BUILT_AMD = ("built:gfx90a", "built:gfx942", "built:gfx950")
_EXECUTED_ISA = ("executed-isa:gfx942", "executed-isa:gfx950")
_NOTHING_YET = ("nothing yet: no port is run on a GPU",)


def discover() -> tuple[Tool, ...]:
    """Every tool porter knows how to use, present or not, in the order of the ladder."""
    finders: tuple[Callable[[], Tool], ...] = (
        _host_compiler,
        _zig,
        _amd_compiler,
        _clang_headers,
        lambda: _package("torch", ("interpreted",), "pip install 'porter[triton]'"),
        lambda: _package("triton", ("interpreted", *_BUILT_AMD), "pip install 'porter[triton]'"),
        lambda: _package("tinygrad", _EXECUTED_ISA, "pip install 'porter[isa]'"),
        _rocm,
        _nvcc,
        _amd_gpu,
        _nvidia_gpu,
    )
    return tuple(finder() for finder in finders)


def _host_compiler() -> Tool:
    path = next((p for name in ("clang++", "g++") if (p := shutil.which(name))), None)
    version = _first_version([path, "--version"]) if path else ""
    install = "apt-get install g++ (or use zig: " + HOW_TO_INSTALL_ZIG + ")"
    return Tool("C++ compiler of the system", path is not None, version, path or "", _SIMULATED, install)


def _zig() -> Tool:
    zig = find_zig()
    where, version = (str(zig.executable), zig.version) if zig else ("", "")
    return Tool("zig", zig is not None, version, where, (*_SIMULATED, *_BUILT_AMD), HOW_TO_INSTALL_ZIG)


def _amd_compiler() -> Tool:
    found = amd_compiler.find_amd_compiler()
    if isinstance(found, NotAvailable):
        return Tool(
            "compiler for AMD GPUs", False, f"missing: {found.missing}", "", _BUILT_AMD, found.how_to_install
        )
    version = f"clang {found.version}; headers: {found.headers_version}"
    return Tool(
        "compiler for AMD GPUs", True, version, found.clang[0], _BUILT_AMD, amd_compiler.HOW_TO_INSTALL
    )


def _clang_headers() -> Tool:
    return _package("clang-tidy", _BUILT_AMD, "pip install clang-tidy==22.1.8", module="clang_tidy")


def _package(name: str, evidence: tuple[str, ...], install: str, module: str = "") -> Tool:
    where = package_directory(module or name)
    return Tool(name, where is not None, package_version(name), str(where or ""), evidence, install)


def _rocm() -> Tool:
    root = Path(os.environ.get("ROCM_PATH", "/opt/rocm"))
    hipcc = next(
        (p for p in (str(root / "bin" / "hipcc"), shutil.which("hipcc")) if p and Path(p).is_file()), None
    )
    install = "https://rocm.docs.amd.com: install ROCm, or set ROCM_PATH"
    evidence = (*_BUILT_AMD, "the real headers of every ROCm library")
    version = _text(root / ".info" / "version") or (_first_version([hipcc, "--version"]) if hipcc else "")
    return Tool("ROCm (hipcc)", hipcc is not None, version, hipcc or "", evidence, install)


def _nvcc() -> Tool:
    nvcc = find_nvcc()
    version = nvcc_version(nvcc) if nvcc else ""
    evidence = ("captures on a GPU (porter capture --on cuda)",)
    return Tool("nvcc", nvcc is not None, version, str(nvcc or ""), evidence, HOW_TO_INSTALL_NVCC)


def _amd_gpu() -> Tool:
    """GPUs by the kernel driver's own table: no ROCm is needed to see them."""
    names = []
    for node in sorted(Path("/sys/class/kfd/kfd/topology/nodes").glob("*/properties")):
        version = re.search(r"^gfx_target_version (\d+)$", _text(node), re.MULTILINE)
        if version and int(version.group(1)):
            names.append(_gfx_name(int(version.group(1))))
    usable = bool(names) and os.access("/dev/kfd", os.R_OK | os.W_OK)
    return Tool("AMD GPU", usable, ", ".join(names), "/dev/kfd" if names else "", _NOTHING_YET, "an AMD GPU")


def _gfx_name(version: int) -> str:
    """90402 is gfx942, 90010 gfx90a: decimal pairs of major, minor, stepping; the latter two in hex."""
    return f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}"


def _nvidia_gpu() -> Tool:
    smi = shutil.which("nvidia-smi")
    names = ""
    if smi:
        query = [smi, "--query-gpu=name,compute_cap", "--format=csv,noheader"]
        done = run_limited(query, cwd=Path("/"))
        names = "; ".join(done.stdout.decode(errors="replace").split("\n")).strip("; ") if done.ok else ""
    return Tool(
        "NVIDIA GPU",
        bool(names),
        names,
        smi or "",
        ("captures on a GPU (porter capture --on cuda)",),
        "an NVIDIA GPU with its driver",
    )


def _first_version(command: list[str]) -> str:
    done = run_limited(command, cwd=Path("/"))
    found = re.search(rb"\d+\.\d+(\.\d+)?", done.stdout)
    return found.group(0).decode() if found else ""


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
