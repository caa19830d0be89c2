"""The page an engineer reads before touching the code: what each kernel does to memory, lanes and registers.

Nothing is run. A compiler, where one is at hand, adds registers and LDS; all else is read from the source.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from porter.analysis.access_values import LaunchShape
from porter.analysis.memory_access import KernelAccesses, accesses_of
from porter.analysis.sizes import shared_bytes
from porter.analysis.warp_assumptions import warp_assumptions
from porter.core.outcome import Target
from porter.cuda import kir
from porter.cuda.lower_kernel import Lowered, LoweredKernel, NotLowered, lower_kernels
from porter.cuda.structure import Function
from porter.cuda.translation_unit import TranslationUnit
from porter.hardware.gpu import Gpu, load_gpu
from porter.harness.toolchains.amd_clang import build_hip
from porter.harness.toolchains.records import Built, KernelResources
from porter.hip.tune.propose import proposals
from porter.hip.tune.records import Proposal
from porter.perf.estimate import Estimate, estimate
from porter.perf.work import LaunchFacts, work_of_launch
from porter.pipeline.headers import read_headers
from porter.pipeline.launch_shapes import launch_shapes
from porter.pipeline.read import kernel_names, read
from porter.pipeline.request import PortRequest
from porter.pipeline.translate import translate_to_hip
from porter.pipeline.tune import suggestions
from porter.report.inspection import CompiledFor, InspectedKernel, Inspection, LaunchText, Roofline
from porter.rules import diagnose

_ASSUMED_BLOCKS = 1024
_TILED_GRID = (32, 32, 1)


@dataclass(frozen=True)
class InspectRequest:
    """Inspect `source` for `gpu` (an architecture or a product); `values` are scalar arguments by name.

    `compile` asks for registers and LDS, which takes a second or two.
    """

    source: Path
    gpu: str = "gfx950"
    kernels: tuple[str, ...] = ()
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    values: Mapping[str, int] | None = None
    compile: bool = True


@dataclass(frozen=True)
class _File:
    request: InspectRequest
    unit: TranslationUnit
    lowered: tuple[LoweredKernel, ...]
    gpu: Gpu
    shapes: Mapping[str, LaunchShape]
    resources: Mapping[str, KernelResources]
    proposals: tuple[Proposal, ...]


def inspect(request: InspectRequest) -> Inspection:
    """Raises PorterError for input that is no CUDA or an unknown GPU."""
    gpu = load_gpu(request.gpu)
    port = PortRequest(
        request.source,
        Target.HIP,
        arch=gpu.name,
        kernels=request.kernels,
        include_dirs=request.include_dirs,
        defines=request.defines,
    )
    unit = read(port)
    lowered = lower_kernels(
        unit.source, unit.launches, include_dirs=port.search_path, defines=request.defines
    )
    resources, not_compiled = _compiled(request, port, unit, gpu)
    shapes = {n: _with_values(s, request) for n, s in launch_shapes(unit, lowered).items()}
    found = proposals(unit, lowered, gpu, shapes)
    file = _File(request, unit, lowered, gpu, shapes, resources, found)
    return Inspection(
        source=unit.source,
        gpu=gpu.name,
        product=gpu.product,
        wavefront_size=gpu.compute.wavefront_size,
        lds_banks=gpu.memory.lds_banks,
        kernels=tuple(_kernel(file, name) for name in kernel_names(port, unit)),
        findings=(*diagnose(unit), *unit.syntax_errors),
        not_compiled=not_compiled,
        headers=tuple(header.source for header in read_headers(unit, port.search_path)),
    )


def _with_values(shape: LaunchShape, request: InspectRequest) -> LaunchShape:
    return LaunchShape(shape.block, shape.grid, {**shape.scalars, **(request.values or {})})


def _kernel(file: _File, name: str) -> InspectedKernel:
    function = next(f for f in file.unit.all_kernels if f.name == name)
    own = [k for k in file.lowered if k.name == name]
    read_ones = [k for k in own if isinstance(k, Lowered)]
    failed = next((k.diagnostic for k in own if isinstance(k, NotLowered)), None)
    launches = tuple(x for x in file.unit.launches if x.kernel == name)
    first = read_ones[0] if read_ones else None
    resources = file.resources.get(name)
    reached = _reached(function, first)
    return InspectedKernel(
        name=name,
        instantiations=tuple(", ".join(k.kernel.template_arguments) for k in read_ones)
        if function.template_parameters
        else (),
        span=function.name_span,
        parameters=tuple(p.text for p in function.parameters),
        launch_bounds=function.launch_bounds,
        static_shared_bytes=shared_bytes(first.kernel) if first else None,
        launches=tuple(
            LaunchText(x.span, x.grid, x.block, x.shared, x.grid_dim, x.block_dim) for x in launches
        ),
        accesses=_accesses(file, first) if first else None,
        block_is_assumed=not any(x.block_dim for x in launches),
        roofline=_roofline(file, first) if first else None,
        compiled=_figures(file.gpu, resources) if resources else None,
        wastes=suggestions(p for p in file.proposals if p.kernel == name),
        warp_assumptions=tuple(a for a in warp_assumptions(file.unit) if a.function in reached),
        unread=failed if first is None else None,
    )


def _reached(function: Function, item: Lowered | None) -> set[str]:
    """The kernel's name and those of the device functions it calls."""
    called = item.kernel.functions if item else {}
    return {function.name, *(name.split("<")[0].rsplit("::", 1)[-1] for name in called)}


def _accesses(file: _File, item: Lowered) -> KernelAccesses | None:
    """None where the analysis has a defect, which is then one of the kernel's wastes (MEM014)."""
    shape = file.shapes[item.kernel.name]
    try:
        return accesses_of(item.kernel, shape, file.gpu.memory, file.gpu.compute.wavefront_size)
    except Exception:
        return None


# --- roofline ---


def _roofline(file: _File, item: Lowered) -> Roofline | None:
    """None for a launch that the GPU does not allow, or arithmetic it has no rate for."""
    shape = file.shapes[item.kernel.name]
    facts, assumed = _facts(item.kernel, shape)
    work = work_of_launch(item.kernel, facts)
    result = estimate(work, file.gpu)
    if not isinstance(result, Estimate):
        return None
    fastest = file.gpu.vector_tflops["f64" if set(work.flops_by_dtype) == {"f64"} else "f32"]
    return Roofline(
        bytes_moved=work.bytes_read + work.bytes_written,
        flops_by_dtype=work.flops_by_dtype,
        intensity=work.arithmetic_intensity,
        ridge=fastest * 1e3 / file.gpu.hbm_gbps,
        time_us=result.time_us,
        bound=result.bound,
        assumptions=(*assumed, *result.assumptions),
    )


def _facts(kernel: kir.Kernel, shape: LaunchShape) -> tuple[LaunchFacts, tuple[str, ...]]:
    """The launch with every integer argument known, and what had to be assumed for it."""
    assumed: list[str] = []
    grid = shape.grid
    if grid is None:
        grid = _TILED_GRID if shape.block[1] > 1 else (_ASSUMED_BLOCKS, 1, 1)
        assumed.append(f"a grid of {' x '.join(map(str, grid))} blocks")
    scalars: dict[str, int | float] = dict(shape.scalars)
    across = grid[0] * shape.block[0]
    for parameter in kernel.parameters:
        if parameter.name in scalars or not isinstance(parameter.type, kir.Scalar):
            continue
        if parameter.type.kind in ("int", "uint"):
            scalars[parameter.name] = across
            assumed.append(f"{parameter.name} = {across}")
    return LaunchFacts(grid, shape.block, scalars), (*assumed, "caches save nothing between threads")


# --- resources ---


def _compiled(
    request: InspectRequest, port: PortRequest, unit: TranslationUnit, gpu: Gpu
) -> tuple[dict[str, KernelResources], str]:
    """Resources by kernel, of the HIP port; else why there are none."""
    if not request.compile:
        return {}, "not asked for"
    if gpu.vendor != "amd":
        return {}, f"porter compiles for AMD GPUs, not for {gpu.name}"
    draft = translate_to_hip(port, unit)
    if draft.declined:
        return {}, f"the port of {next(iter(draft.declined))} does not build"
    with tempfile.TemporaryDirectory(prefix="porter-inspect-") as directory:
        path = Path(directory) / "port.hip"
        path.write_bytes(draft.text)
        for name, data in draft.headers.items():
            header = Path(directory) / name
            header.parent.mkdir(parents=True, exist_ok=True)
            header.write_bytes(data)
        built = build_hip(path, gpu.name, include_dirs=port.search_path, defines=request.defines)
    if not isinstance(built, Built):
        return {}, str(built)
    return {k.name: k for k in reversed(built.kernels)}, ""


def _figures(gpu: Gpu, found: KernelResources) -> CompiledFor:
    return CompiledFor(
        gpu.name,
        found.vgprs,
        found.sgprs,
        found.lds_bytes,
        found.scratch_bytes,
        found.vgpr_spills + found.sgpr_spills,
        found.waves_per_simd,
        gpu.compute.max_waves_per_simd,
        found.occupancy_limited_by,
    )
