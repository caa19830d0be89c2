"""Occupancy against figures that LLVM printed for compiled kernels, and against NVIDIA's calculator."""

from __future__ import annotations

import pytest

from porter.hardware.gpu import load_gpu
from porter.hardware.occupancy import occupancy, waves_by_vgprs, workgroups_by_lds

# LLVM 22, kernels of 256 threads: total VGPRs -> "; Occupancy:" of the assembly.
_BY_VGPRS = [(23, 8), (64, 8), (65, 7), (72, 7), (127, 4), (128, 4), (129, 3), (167, 3), (252, 2), (512, 1)]


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize(("vgprs", "waves"), _BY_VGPRS)
def test_registers(arch: str, vgprs: int, waves: int) -> None:
    found = occupancy(load_gpu(arch), vgprs=vgprs, lds_bytes=0, threads_per_block=256)
    assert found.waves_per_simd == waves
    assert waves_by_vgprs(load_gpu(arch), vgprs) == waves


@pytest.mark.parametrize(
    ("arch", "lds_bytes", "waves"),
    [
        ("gfx942", 8192, 8),
        ("gfx942", 8704, 7),
        ("gfx942", 10240, 6),
        ("gfx942", 20480, 3),
        ("gfx942", 33000, 1),
        ("gfx950", 20480, 8),
        ("gfx950", 22000, 7),
        ("gfx950", 33000, 4),
        ("gfx950", 65536, 2),
    ],
)
def test_lds(arch: str, lds_bytes: int, waves: int) -> None:
    found = occupancy(load_gpu(arch), vgprs=8, lds_bytes=lds_bytes, threads_per_block=256)
    assert found.waves_per_simd == waves
    assert found.limited_by == ("waves" if waves == 8 else "lds")


def test_lds_of_gfx950_is_handed_out_in_blocks_of_1280_bytes() -> None:
    gpu = load_gpu("gfx950")
    assert workgroups_by_lds(gpu, 163840 // 5) == 4  # 32,768 rounds up to 33,280
    assert workgroups_by_lds(gpu, 26 * 1280) == 4
    assert workgroups_by_lds(gpu, 25 * 1280) == 5


def test_more_lds_than_a_workgroup_may_have_does_not_fit() -> None:
    assert occupancy(load_gpu("gfx942"), vgprs=8, lds_bytes=65537, threads_per_block=64).waves_per_simd == 0
    assert occupancy(load_gpu("gfx950"), vgprs=8, lds_bytes=65537, threads_per_block=64).waves_per_simd == 1


def test_a_large_block_is_all_or_nothing() -> None:
    """16 waves of a block, 4 a SIMD: at 72 VGPRs 7 waves would fit, but only one such block."""
    found = occupancy(load_gpu("gfx942"), vgprs=72, lds_bytes=0, threads_per_block=1024)
    assert (found.workgroups_per_compute_unit, found.waves_per_simd) == (1, 4)
    assert found.limited_by == "vgpr"


def test_small_blocks_run_out_of_slots() -> None:
    found = occupancy(load_gpu("gfx942"), vgprs=8, lds_bytes=0, threads_per_block=65)
    assert found.limited_by == "waves"
    single = occupancy(load_gpu("gfx942"), vgprs=8, lds_bytes=0, threads_per_block=64)
    assert single.workgroups_per_compute_unit == 32
    nvidia = occupancy(load_gpu("sm_90"), vgprs=8, lds_bytes=0, threads_per_block=32)
    assert (nvidia.workgroups_per_compute_unit, nvidia.limited_by) == (32, "workgroups")
    assert nvidia.fraction == 0.5


@pytest.mark.parametrize(
    ("registers", "shared", "threads", "blocks"),
    [
        (32, 0, 256, 8),
        (64, 0, 256, 4),
        (65, 0, 256, 3),
        (255, 0, 256, 1),
        (32, 48 * 1024, 256, 4),
        (32, 0, 1024, 2),
    ],
)
def test_nvidia_blocks_per_multiprocessor(registers: int, shared: int, threads: int, blocks: int) -> None:
    found = occupancy(load_gpu("sm_90"), vgprs=registers, lds_bytes=shared, threads_per_block=threads)
    assert found.workgroups_per_compute_unit == blocks


def test_a_block_with_more_registers_than_the_unit_has_does_not_fit() -> None:
    assert occupancy(load_gpu("gfx942"), vgprs=512, lds_bytes=0, threads_per_block=512).waves_per_simd == 0
