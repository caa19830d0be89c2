"""Step 4 of the ladder: the port becomes machine code for the target, without a GPU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from porter.core.diagnostic import Diagnostic
from porter.core.outcome import Evidence, Target
from porter.harness.programs import judges_files
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.records import (
    BuildFailed,
    BuildResult,
    Built,
    KernelResources,
    LaunchShape,
    NotAvailable,
)
from porter.harness.toolchains.triton_aot import build_triton
from porter.pipeline.draft import Draft
from porter.pipeline.launcher_calls import launcher_calls
from porter.pipeline.original import Original, verify_options
from porter.pipeline.request import PortRequest


@dataclass(frozen=True)
class Builds:
    """What the toolchains said. `failure` is the first architecture asked for that does not build.

    `absent` are templates that nothing instantiates: no code is made of them.
    """

    evidence: tuple[Evidence, ...] = ()
    failure: BuildFailed | None = None
    unavailable: str = ""
    warnings: tuple[Diagnostic, ...] = ()
    kernels: tuple[KernelResources, ...] = ()
    absent: frozenset[str] = frozenset()

    def resources(self, kernel: str) -> KernelResources | None:
        """Of the first instantiation; Triton's jit function of kernel `k` is named `k_kernel`."""
        names = (kernel, f"{kernel}_kernel")
        return next((k for k in self.kernels if k.name.split("<")[0].rsplit("::", 1)[-1] in names), None)


NOTHING_BUILT = Builds()


def build(
    request: PortRequest,
    draft: Draft,
    path: Path,
    original: Original,
    kernels: tuple[str, ...],
    absent: frozenset[str] = frozenset(),
) -> Builds:
    """Builds `path` for the architecture asked for, and for the others of `also` as extra evidence.

    Of the `kernels` those that are `absent` need not be in the result.
    """
    kernels = tuple(k for k in kernels if k not in absent)
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
    return Builds(tuple(evidence), warnings=warnings, kernels=resources, absent=absent)


def _build_one(
    request: PortRequest, draft: Draft, path: Path, original: Original, kernels: tuple[str, ...], arch: str
) -> BuildResult:
    if draft.target is Target.TRITON:
        calls = launcher_calls(request, draft, original, kernels)
        if not calls:
            return NotAvailable(
                "no captured launch says what types the arguments have", "let porter run the program"
            )
        return build_triton(path, calls, arch)
    return build_hip(
        path,
        arch,
        include_dirs=request.search_path,
        defines=request.defines,
        launches=_launch_shapes(kernels, original),
        kernels=kernels,
        hidden=judges_files(verify_options(request), path, request.source),
    )


def _launch_shapes(kernels: tuple[str, ...], original: Original) -> Mapping[str, LaunchShape]:
    shapes: dict[str, LaunchShape] = {}
    for name in kernels:
        for launch in original.launches(name):
            threads = launch.block[0] * launch.block[1] * launch.block[2]
            shapes.setdefault(name, LaunchShape(threads, launch.shared_bytes))
    return shapes
