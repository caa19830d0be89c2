"""The CUDA original through NVIDIA's own compiler, where one is installed: is it valid before it is ported?

Registers, shared memory and spills are ptxas's (`-Xptxas -v`), in the words used for AMD: a register is a
VGPR.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Evidence
from porter.core.process import Limits, run_limited
from porter.core.span import SourceText, Span
from porter.hardware.gpu import Gpu, load_gpu
from porter.hardware.occupancy import occupancy
from porter.harness.toolchains.clang_messages import BUILD_ERROR, BUILD_WARNING
from porter.harness.toolchains.code_object import ASSUMED_THREADS_PER_BLOCK, source_name
from porter.harness.toolchains.evidence import resource_details
from porter.harness.toolchains.records import (
    BuildFailed,
    BuildResult,
    Built,
    CodeObject,
    KernelResources,
    NotAvailable,
)

HOW_TO_INSTALL = "install the CUDA toolkit, or set CUDA_HOME"
_MESSAGE = re.compile(
    r"^(?P<path>[^\s(][^(\n]*)\((?P<line>\d+)\): (?P<kind>error|warning)[^:]*: (?P<text>.*)$"
    r"|^(?P<gcc_path>[^\s:]+):(?P<gcc_line>\d+):\d+: "
    r"(?P<gcc_kind>fatal error|error|warning): (?P<gcc_text>.*)$",
    re.MULTILINE,
)
_PTXAS_ERROR = re.compile(r"^ptxas .*?\b(?:error|fatal)\s*: (?P<text>.*)$", re.MULTILINE)
_PTXAS_FIGURES = re.compile(
    r"Compiling entry function '(?P<symbol>\w+)'.*?"
    r"(?P<stack>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores.*?"
    r"Used (?P<registers>\d+) registers(?P<rest>[^\n]*)",
    re.DOTALL,
)
_SHARED = re.compile(r"(\d+) bytes smem")


def find_nvcc() -> Path | None:
    """`$CUDA_HOME/bin/nvcc`, else the one on the path, else the usual place."""
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    candidates = [Path(home) / "bin" / "nvcc"] if home else []
    if on_path := shutil.which("nvcc"):
        candidates.append(Path(on_path))
    candidates.append(Path("/usr/local/cuda/bin/nvcc"))
    return next((path for path in candidates if path.is_file()), None)


def nvcc_version(nvcc: Path) -> str:
    """`13.0.88`, or "" when it does not say."""
    done = run_limited([nvcc, "--version"], cwd=Path("/"))
    found = re.search(rb"V(\d+\.\d+\.\d+)", done.stdout)
    return found.group(1).decode() if found else ""


def build_cuda(
    source: Path,
    arch: str = "sm_90",
    *,
    include_dirs: Sequence[Path] = (),
    defines: Sequence[str] = (),
    options: Sequence[str] = (),
) -> BuildResult:
    """Compiles the device code of `source` to a cubin. Raises as `build_hip` does."""
    gpu = load_gpu(arch)
    nvcc = find_nvcc()
    if nvcc is None:
        return NotAvailable("nvcc", HOW_TO_INSTALL)
    with tempfile.TemporaryDirectory(prefix="porter-nvcc-") as directory:
        cubin = Path(directory) / "k.cubin"
        done = run_limited(
            [
                nvcc, f"-arch={arch}", "-cubin", "-O3", "-std=c++17", "-x", "cu", "-Xptxas", "-v",
                *(f"-I{folder.resolve()}" for folder in include_dirs), *(f"-D{d}" for d in defines),
                *options, source.resolve(), "-o", cubin,
            ],
            cwd=Path(directory),
            limits=Limits(wall_seconds=300.0),
        )  # fmt: skip
        log = (done.stdout + done.stderr).decode(errors="replace")
        messages = nvcc_diagnostics(log, SourceText.read(source))
        if not done.ok or not cubin.is_file():
            return BuildFailed(messages or (_unexplained(source, log),), log)
        code = CodeObject(source.stem, cubin.read_bytes(), "")
    kernels = ptxas_resources(log, gpu)
    evidence = Evidence("built", arch, {"nvcc": nvcc_version(nvcc)}, resource_details(kernels))
    return Built(evidence, kernels, (code,), tuple(m for m in messages if m.severity is Severity.WARNING))


def nvcc_diagnostics(log: str, source: SourceText) -> tuple[Diagnostic, ...]:
    """cudafe's and the preprocessor's messages at their lines; ptxas's, which have none, at line 1."""
    found = [_placed(match, source) for match in _MESSAGE.finditer(log)]
    start = source.span(0, 0)
    found += [
        Diagnostic(BUILD_ERROR, Severity.ERROR, f"ptxas: {m['text']}", start)
        for m in _PTXAS_ERROR.finditer(log)
    ]
    return tuple(dict.fromkeys(found))


def _placed(match: re.Match[str], source: SourceText) -> Diagnostic:
    path = match["path"] or match["gcc_path"]
    line = int(match["line"] or match["gcc_line"])
    warning = (match["kind"] or match["gcc_kind"]) == "warning"
    if Path(path).resolve() == Path(source.path).resolve():
        start = source.offset(line, 1)
        text = source.line_text(line)
        indent = len(text) - len(text.lstrip())
        span = source.span(start + indent, start + len(text))
    else:
        span = Span(path, 0, 0, line, 1)
    return Diagnostic(
        BUILD_WARNING if warning else BUILD_ERROR,
        Severity.WARNING if warning else Severity.ERROR,
        match["text"] or match["gcc_text"],
        span,
    )


def _unexplained(source: Path, log: str) -> Diagnostic:
    last = next((line for line in reversed(log.splitlines()) if line.strip()), "it printed nothing")
    return Diagnostic(BUILD_ERROR, Severity.ERROR, f"nvcc failed: {last}", Span(str(source), 0, 0, 1, 1))


def ptxas_resources(log: str, gpu: Gpu) -> tuple[KernelResources, ...]:
    """What `ptxas -v` printed about each kernel. A spilled register is four bytes of spill stores."""
    return tuple(_resources(match, gpu) for match in _PTXAS_FIGURES.finditer(log))


def _resources(match: re.Match[str], gpu: Gpu) -> KernelResources:
    shared = _SHARED.search(match["rest"])
    lds, registers = int(shared.group(1)) if shared else 0, int(match["registers"])
    fits = occupancy(gpu, vgprs=registers, lds_bytes=lds, threads_per_block=ASSUMED_THREADS_PER_BLOCK)
    return KernelResources(
        name=source_name(match["symbol"]),
        symbol=match["symbol"],
        vgprs=registers,
        agprs=0,
        sgprs=0,
        lds_bytes=lds,
        scratch_bytes=int(match["stack"]),
        vgpr_spills=int(match["stores"]) // 4,
        sgpr_spills=0,
        kernarg_bytes=0,
        max_threads_per_block=gpu.compute.max_threads_per_block,
        wavefront_size=gpu.compute.wavefront_size,
        uses_dynamic_stack=False,
        waves_per_simd=fits.waves_per_simd,
        occupancy_limited_by=fits.limited_by,
        threads_per_block=ASSUMED_THREADS_PER_BLOCK,
    )
