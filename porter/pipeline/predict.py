"""Step 7 of the ladder, as far as one candidate goes: what the port will cost on the GPU asked for."""

from __future__ import annotations

from porter.core.result import Prediction
from porter.cuda.kir import Kernel, Pointer
from porter.hardware.gpu import Gpu, load_gpu
from porter.harness.capture import Launch, PointerArgument, ScalarArgument
from porter.perf.estimate import CannotLaunch, Estimate, Resources, estimate, vector_tflops
from porter.perf.work import LaunchFacts, Work, work_of_launch
from porter.pipeline.build import Builds
from porter.pipeline.original import Original


def predict(kernel: Kernel, original: Original, builds: Builds, arch: str) -> Prediction | None:
    """The roofline time of the largest captured launch of `kernel`; None when it was never launched."""
    largest = largest_launch(kernel.name, original)
    result = roofline(kernel, original, builds, arch)
    if largest is None or not isinstance(result, Estimate):
        return None
    gpu = load_gpu(arch)
    work = work_of_launch(kernel, _facts(kernel, largest, original))
    return Prediction(
        gpu.product,
        result.time_us,
        result.bound,
        bytes_moved=work.bytes_read + work.bytes_written,
        flops=sum(work.flops_by_dtype.values()) + sum(work.matrix_flops_by_dtype.values()),
        peak_gbps=gpu.hbm_gbps,
        peak_tflops=_peak_tflops(work, gpu),
        launch_us=gpu.launch_us,
    )


def _peak_tflops(work: Work, gpu: Gpu) -> float:
    """Of the unit and dtype that do most of the operations; of float32 where there are none."""
    matrix = max(work.matrix_flops_by_dtype.items(), key=lambda item: item[1], default=("", 0.0))
    vector = max(work.flops_by_dtype.items(), key=lambda item: item[1], default=("f32", 0.0))
    if matrix[1] > vector[1]:
        return gpu.matrix_tflops[matrix[0]]
    return vector_tflops(gpu, vector[0])


def roofline(kernel: Kernel, original: Original, builds: Builds, arch: str) -> Estimate | CannotLaunch | None:
    """What bounds the largest captured launch of `kernel` as it was built; None when there was none."""
    largest = largest_launch(kernel.name, original)
    if largest is None:
        return None
    gpu = load_gpu(arch)
    built = builds.resources(kernel.name)
    resources = Resources(built.vgprs, built.lds_bytes + largest.shared_bytes) if built else None
    return estimate(work_of_launch(kernel, _facts(kernel, largest, original)), gpu, resources)


def largest_launch(kernel: str, original: Original) -> Launch | None:
    launches = original.launches(kernel)
    return max(launches, key=lambda x: (x.grid[0] * x.grid[1] * x.grid[2], -x.index), default=None)


def _facts(kernel: Kernel, launch: Launch, original: Original) -> LaunchFacts:
    scalars: dict[str, int | float] = {}
    sizes: dict[str, int] = {}
    for parameter, argument in zip(kernel.parameters, launch.arguments, strict=False):
        if isinstance(argument, ScalarArgument) and (value := argument.value()) is not None:
            scalars[parameter.name] = value
        if not isinstance(parameter.type, Pointer) or not isinstance(argument, PointerArgument):
            continue
        if argument.allocation is not None:
            whole = original.allocation_bytes(argument.allocation)
            sizes[parameter.name] = whole - argument.offset_bytes
    return LaunchFacts(launch.grid, launch.block, scalars, sizes)
