"""Step 4 of the ladder: the port becomes machine code for the target, without a GPU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from porter.core.diagnostic import Diagnostic
from porter.core.outcome import Evidence, Target
from porter.harness.capture import Argument, Launch, PointerArgument, ScalarArgument
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.records import (
    BuildFailed,
    BuildResult,
    Built,
    KernelResources,
    LaunchShape,
    NotAvailable,
)
from porter.harness.toolchains.triton_aot import LauncherCall, TensorSpec, build_triton
from porter.harness.triton_child import torch_dtype
from porter.pipeline.draft import Draft
from porter.pipeline.original import Original
from porter.pipeline.request import PortRequest


@dataclass(frozen=True)
class Builds:
    """What the toolchains said. `failure` is the first architecture asked for that does not build."""

    evidence: tuple[Evidence, ...] = ()
    failure: BuildFailed | None = None
    unavailable: str = ""
    warnings: tuple[Diagnostic, ...] = ()
    kernels: tuple[KernelResources, ...] = ()

    def resources(self, kernel: str) -> KernelResources | None:
        """Of the first instantiation; Triton's jit function of kernel `k` is named `k_kernel`."""
        names = (kernel, f"{kernel}_kernel")
        return next((k for k in self.kernels if k.name.split("<")[0].rsplit("::", 1)[-1] in names), None)


NOTHING_BUILT = Builds()


def build(
    request: PortRequest, draft: Draft, path: Path, original: Original, kernels: tuple[str, ...]
) -> Builds:
    """Builds `path` for the architecture asked for, and for the others of `also` as extra evidence."""
    evidence: list[Evidence] = []
    warnings: tuple[Diagnostic, ...] = ()
    resources: tuple[KernelResources, ...] = ()
    for arch in (request.arch, *request.also):
        result = _build_one(request, draft, path, original, kernels, arch)
        if isinstance(result, Built):
            evidence.append(result.evidence)
            warnings, resources = warnings or result.warnings, resources or result.kernels
        elif isinstance(result, NotAvailable):
            return Builds(unavailable=str(result))
        elif arch == request.arch:
            return Builds(failure=result)
    return Builds(tuple(evidence), warnings=warnings, kernels=resources)


def _build_one(
    request: PortRequest, draft: Draft, path: Path, original: Original, kernels: tuple[str, ...], arch: str
) -> BuildResult:
    if draft.target is Target.TRITON:
        calls = tuple(c for name in kernels for c in _launcher_calls(name, original))
        if not calls:
            return NotAvailable(
                "no launch was captured, so the argument types are not known", "let porter run the program"
            )
        return build_triton(path, calls, arch)
    return build_hip(
        path,
        arch,
        include_dirs=request.search_path,
        defines=request.defines,
        launches=_launch_shapes(kernels, original),
        kernels=kernels,
    )


def _launch_shapes(kernels: tuple[str, ...], original: Original) -> Mapping[str, LaunchShape]:
    shapes: dict[str, LaunchShape] = {}
    for name in kernels:
        for launch in original.launches(name):
            threads = launch.block[0] * launch.block[1] * launch.block[2]
            shapes.setdefault(name, LaunchShape(threads, launch.shared_bytes))
    return shapes


def _launcher_calls(kernel: str, original: Original) -> Iterator[LauncherCall]:
    """One call for each block shape and set of argument types that the program used."""
    seen: set[object] = set()
    for launch in original.launches(kernel):
        key = (launch.kernel, launch.block)
        call = _launcher_call(kernel, launch, original) if key not in seen else None
        if call is not None:
            seen.add(key)
            yield call


def _launcher_call(kernel: str, launch: Launch, original: Original) -> LauncherCall | None:
    """None where an argument has no counterpart in a launcher's signature."""
    arguments = [_argument(a, original) for a in launch.arguments]
    if any(a is None for a in arguments):
        return None
    return LauncherCall(
        kernel, tuple(a for a in arguments if a is not None), grid=launch.grid, block=launch.block
    )


def _argument(argument: Argument, original: Original) -> TensorSpec | int | float | bool | None:
    if isinstance(argument, ScalarArgument):
        return argument.value()
    if not isinstance(argument, PointerArgument) or argument.dtype is None or argument.allocation is None:
        return None
    elements = (
        original.allocation_bytes(argument.allocation) - argument.offset_bytes
    ) // argument.dtype.size_bytes
    return TensorSpec(torch_dtype(argument.dtype), max(1, elements))
