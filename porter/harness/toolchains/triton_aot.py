"""A Triton module to AMD code objects ahead of time, without a GPU.

The module's own launchers are called, in a child process, with arguments of the given types; each kernel they
launch is compiled for the target with the signature and the constants of that launch. Assumes Triton 3.3 or
later.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from porter.core.cache import digest
from porter.core.diagnostic import Diagnostic, Severity
from porter.core.outcome import Evidence
from porter.core.process import Completed, Limits, run_limited
from porter.core.sandbox import Sandbox
from porter.core.span import SourceText
from porter.hardware.gpu import Gpu, load_gpu
from porter.harness.toolchains import build_store
from porter.harness.toolchains.clang_messages import OVER_LDS
from porter.harness.toolchains.code_object import kernels_of
from porter.harness.toolchains.evidence import resource_details
from porter.harness.toolchains.packages import package_directory, package_version
from porter.harness.toolchains.records import (
    BuildFailed,
    BuildResult,
    Built,
    CodeObject,
    KernelResources,
    LaunchShape,
    NotAvailable,
)

COMPILATION = "BLD906"
LAUNCHER = "BLD907"
NOTHING_LAUNCHED = "BLD908"

_CHILD = Path(__file__).with_name("triton_child.py")
_DRIVER = Path(__file__).with_name("triton_driver.py")
_LIMITS = Limits(wall_seconds=600.0, memory_bytes=24 << 30)


@dataclass(frozen=True)
class TensorSpec:
    """A one-dimensional tensor argument; `dtype` in torch's spelling (`float32`) or safetensors' (`F32`)."""

    dtype: str
    n_elems: int


Argument: TypeAlias = TensorSpec | int | float | bool


@dataclass(frozen=True)
class LauncherCall:
    """One call of a launcher function (or of a `@triton.jit` kernel itself).

    `grid` and `block` are passed as keywords where the launcher takes them; a kernel is launched on `grid`.
    """

    launcher: str
    arguments: tuple[Argument, ...]
    grid: tuple[int, ...] = ()
    block: tuple[int, ...] = ()
    keywords: Mapping[str, int | float | bool | str] = field(default_factory=dict)


def build_triton(module: Path, calls: Sequence[LauncherCall], arch: str) -> BuildResult:
    """Compiles every kernel that `calls` launch, for `arch` (`gfx942`, `gfx950`, …).

    LDS above the GPU's limit is a failure here, though Triton itself lets it pass. Raises PorterError for an
    unknown `arch` and OSError when `module` cannot be read; everything else is in the result.
    """
    gpu = load_gpu(arch)
    for package in ("torch", "triton"):
        if package_directory(package) is None:
            return NotAvailable(package, "pip install 'porter[triton]'")
    key = _key(module, calls, gpu)
    stored = build_store.load(build_store.TRITON_BUILDS, key)
    if stored is not None:
        return stored
    with tempfile.TemporaryDirectory(prefix="porter-triton-") as directory:
        done, reply = _compile(module.resolve(), calls, gpu, Path(directory))
    result = _result(module, gpu, done, reply)
    if isinstance(result, Built) and reply is not None:
        build_store.save(build_store.TRITON_BUILDS, key, result, [Path(f) for f in reply["files"]])
    return result


def _compile(
    module: Path, calls: Sequence[LauncherCall], gpu: Gpu, directory: Path
) -> tuple[Completed, dict[str, Any] | None]:
    request, reply = directory / "request.json", directory / "reply.json"
    request.write_text(json.dumps(_request(module, calls, gpu)))
    # The module is not trusted: its compilation cache is thrown away, so that it cannot prepare another's.
    done = run_limited(
        [sys.executable, _CHILD, request, reply],
        cwd=directory,
        limits=_LIMITS,
        env={
            "TRITON_CACHE_DIR": str(directory / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OMP_NUM_THREADS": "1",
            # Modules that set this themselves where there is no GPU must not get interpreted functions here.
            "TRITON_INTERPRET": "0",
        },
        sandbox=Sandbox(readable=_python_files(module), writable=(directory,)),
    )
    return done, json.loads(reply.read_text()) if reply.is_file() else None


def _python_files(module: Path) -> tuple[Path, ...]:
    """What the child reads: Python with its packages, the program it runs, the module and its neighbours."""
    packages = [found.parent for name in ("torch", "triton", "numpy") if (found := package_directory(name))]
    wanted = [Path(sys.prefix), Path(sys.base_prefix), *packages, _CHILD, _DRIVER, module.parent]
    return tuple(dict.fromkeys(wanted))


def _request(module: Path, calls: Sequence[LauncherCall], gpu: Gpu) -> dict[str, Any]:
    return {
        "module": str(module),
        "arch": gpu.name,
        "wavefront_size": gpu.compute.wavefront_size,
        "device_properties": {
            "max_shared_mem": gpu.memory.lds_bytes_per_workgroup,
            "multiprocessor_count": gpu.compute_units,
            "warpSize": gpu.compute.wavefront_size,
        },
        "calls": [
            {
                "launcher": call.launcher,
                "arguments": [_encode(argument) for argument in call.arguments],
                "grid": call.grid,
                "block": call.block,
                "keywords": dict(call.keywords),
            }
            for call in calls
        ],
    }


def _encode(argument: Argument) -> dict[str, Any]:
    if isinstance(argument, TensorSpec):
        return dataclasses.asdict(argument)
    return {"scalar": argument}


def _result(module: Path, gpu: Gpu, done: Completed, reply: dict[str, Any] | None) -> BuildResult:
    log = done.stderr.decode(errors="replace")
    text = SourceText.read(module)
    if reply is None:
        reason = "ran out of time" if done.timed_out else f"died with status {done.returncode}"
        last = next((line for line in reversed(log.splitlines()) if line.strip()), "it printed nothing")
        return BuildFailed((_at(text, COMPILATION, f"Triton's compiler {reason}: {last}", 1, 1),), log)
    if failure := reply["failure"]:
        code = COMPILATION if failure["kind"] == "compilation" else LAUNCHER
        return BuildFailed((_at(text, code, failure["message"], failure["line"], failure["column"]),), log)
    if not reply["kernels"]:
        return BuildFailed((_at(text, NOTHING_LAUNCHED, "the launchers launched no kernel", 1, 1),), log)
    objects = tuple(_code_object(kernel) for kernel in reply["kernels"])
    kernels = tuple(
        _resources(kernel, code, gpu) for kernel, code in zip(reply["kernels"], objects, strict=True)
    )
    if over := _over_lds(kernels, gpu, text):
        return BuildFailed(over, log)
    tools = {"triton": package_version("triton"), "torch": package_version("torch")}
    evidence = Evidence("built", gpu.name, tools, resource_details(kernels))
    return Built(evidence, kernels, objects)


def _code_object(kernel: dict[str, Any]) -> CodeObject:
    return CodeObject(kernel["name"], base64.b64decode(kernel["code_object"]), kernel["assembly"])


def _resources(kernel: dict[str, Any], code: CodeObject, gpu: Gpu) -> KernelResources:
    launch = LaunchShape(kernel["num_warps"] * gpu.compute.wavefront_size, kernel["shared_bytes"])
    (resources,) = kernels_of(code, gpu, {kernel["name"]: launch})
    # Triton's LDS is dynamic: the code object says 0, the compiler's metadata the truth.
    return dataclasses.replace(resources, lds_bytes=kernel["shared_bytes"])


def _over_lds(kernels: Sequence[KernelResources], gpu: Gpu, text: SourceText) -> tuple[Diagnostic, ...]:
    limit = gpu.memory.lds_bytes_per_workgroup
    return tuple(
        _at_kernel(
            text,
            kernel.name,
            f"{kernel.name} needs {kernel.lds_bytes} bytes of LDS; {gpu.name} has {limit} a workgroup",
        )
        for kernel in kernels
        if kernel.lds_bytes > limit
    )


def _at_kernel(text: SourceText, name: str, reason: str) -> Diagnostic:
    start = max(text.text.find(f"def {name}"), 0)
    hint = "fewer num_stages, or a smaller tile"
    return Diagnostic(OVER_LDS, Severity.ERROR, reason, text.span(start, start + len(f"def {name}")), hint)


def _at(text: SourceText, code: str, reason: str, line: int, column: int) -> Diagnostic:
    start = min(text.offset(line, column), len(text.data))
    return Diagnostic(code, Severity.ERROR, reason, text.span(start, start + 1))


def _key(module: Path, calls: Sequence[LauncherCall], gpu: Gpu) -> str:
    path = module.resolve()
    versions = [package_version(name) for name in ("torch", "triton")]
    request = json.dumps(_request(path, calls, gpu))
    return digest(
        str(module), path.read_bytes(), request, repr(versions), _CHILD.read_bytes(), _DRIVER.read_bytes()
    )
