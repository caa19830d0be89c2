"""The chosen GPU's figures as the runtime reads them: environment variables, out of `porter.hardware`."""

from __future__ import annotations

import re

from porter.core.errors import InputError, PorterError
from porter.hardware.gpu import Gpu, load_gpu
from porter.simulator.options import Face


def gpu_environment(gpu: str | None, face: Face) -> dict[str, str]:
    """The PORTER_SIM_GPU_* variables of an architecture or product; empty for the face's own GPU.

    Raises InputError for a GPU that no file describes.
    """
    if gpu is None:
        return {}
    try:
        described = load_gpu(gpu)
    except PorterError as error:
        raise InputError(f"the simulator knows no GPU '{gpu}'", hint=error.hint) from error
    return {f"PORTER_SIM_GPU_{name}": str(value) for name, value in _figures(described, face).items()}


def _figures(gpu: Gpu, face: Face) -> dict[str, int | str]:
    vendor = "AMD Instinct" if gpu.vendor == "amd" else "NVIDIA"
    compute, memory = gpu.compute, gpu.memory
    waves = compute.simds_per_compute_unit * compute.max_waves_per_simd
    lanes = compute.simds_per_compute_unit * compute.wavefront_size
    figures: dict[str, int | str] = {
        "NAME": f"{vendor} {gpu.product} (simulated)",
        "ARCH": gpu.name,
        "UNITS": gpu.compute_units,
        "CLOCK_KHZ": gpu.clock_mhz * 1000,
        "MEMORY_BYTES": gpu.hbm_bytes,
        "L2_BYTES": gpu.l2_bytes,
        "BLOCK_THREADS": compute.max_threads_per_block,
        "UNIT_THREADS": waves * compute.wavefront_size,
        "UNIT_BLOCKS": compute.max_workgroups_per_compute_unit,
        "UNIT_REGISTERS": lanes * compute.vgprs_per_simd_lane,
        "SHARED_BYTES": memory.lds_bytes_per_workgroup,
        "UNIT_SHARED_BYTES": memory.lds_bytes_per_compute_unit,
    }
    return figures | _capability(gpu.name, face)


def _capability(architecture: str, face: Face) -> dict[str, int | str]:
    """`sm_90` is 9.0; a program for the other vendor keeps its face's own numbers."""
    match = re.fullmatch(r"sm_(\d+)(\d)", architecture)
    if match is None or face is not Face.CUDA:
        return {}
    return {"MAJOR": int(match[1]), "MINOR": int(match[2])}
