"""Occupancy: how many waves of a kernel fit on a SIMD at once, and what limits them.

The formula is LLVM's for gfx9 (GCNSubtarget: getOccupancyWithNumVGPRs, getOccupancyWithWorkGroupSizes), which
also describes NVIDIA's SMs with their own granularities. SGPRs never limit occupancy on gfx90a and later.
"""

from __future__ import annotations

from dataclasses import dataclass

from porter.hardware.gpu import Gpu


@dataclass(frozen=True)
class Occupancy:
    """`limited_by` names the scarcest resource: "vgpr", "lds", "workgroups" (slots) or "waves"."""

    waves_per_simd: int
    max_waves_per_simd: int
    workgroups_per_compute_unit: int
    limited_by: str

    @property
    def fraction(self) -> float:
        return self.waves_per_simd / self.max_waves_per_simd


def occupancy(gpu: Gpu, *, vgprs: int, lds_bytes: int, threads_per_block: int) -> Occupancy:
    """Waves per SIMD for a block of `threads_per_block` threads.

    `vgprs` is the total of one thread (VGPR + AGPR on gfx90a and later); `lds_bytes` static and dynamic LDS
    of one workgroup. Zero waves when one workgroup asks for more than the compute unit has.
    """
    waves_per_workgroup = _ceil_div(max(threads_per_block, 1), gpu.compute.wavefront_size)
    limits = {
        "vgpr": waves_by_vgprs(gpu, vgprs) * gpu.compute.simds_per_compute_unit // waves_per_workgroup,
        "lds": workgroups_by_lds(gpu, lds_bytes),
        "workgroups": _workgroup_slots(gpu, waves_per_workgroup),
        "waves": gpu.compute.max_waves_per_simd * gpu.compute.simds_per_compute_unit // waves_per_workgroup,
    }
    workgroups = min(limits.values())
    waves = min(
        _ceil_div(workgroups * waves_per_workgroup, gpu.compute.simds_per_compute_unit),
        gpu.compute.max_waves_per_simd,
    )
    return Occupancy(waves, gpu.compute.max_waves_per_simd, workgroups, _scarcest(limits, workgroups))


def waves_by_vgprs(gpu: Gpu, vgprs: int) -> int:
    """min(hardware's limit, registers of a lane // registers rounded up to the granule)."""
    granule = gpu.compute.vgpr_granule
    rounded = max(_ceil_div(vgprs, granule), 1) * granule
    return min(gpu.compute.max_waves_per_simd, gpu.compute.vgprs_per_simd_lane // rounded)


def workgroups_by_lds(gpu: Gpu, lds_bytes: int) -> int:
    """Workgroups a compute unit's LDS holds; 0 when `lds_bytes` is more than one workgroup may have."""
    memory = gpu.memory
    if lds_bytes > memory.lds_bytes_per_workgroup:
        return 0
    wanted = lds_bytes + memory.lds_reserved_bytes_per_workgroup
    rounded = _ceil_div(wanted, memory.lds_granule_bytes) * memory.lds_granule_bytes
    if rounded == 0:
        return gpu.compute.max_single_wave_workgroups
    return memory.lds_bytes_per_compute_unit // rounded


def _workgroup_slots(gpu: Gpu, waves_per_workgroup: int) -> int:
    if waves_per_workgroup == 1:
        return gpu.compute.max_single_wave_workgroups
    return gpu.compute.max_workgroups_per_compute_unit


def _scarcest(limits: dict[str, int], workgroups: int) -> str:
    # With equal limits the hardware's own ceiling is the true one: nothing the author changes would help.
    order = ("waves", "workgroups", "vgpr", "lds")
    return next(name for name in order if limits[name] == workgroups)


def _ceil_div(a: int, b: int) -> int:
    return -(-a // b)
