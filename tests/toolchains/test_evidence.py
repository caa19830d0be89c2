"""Figures of a build as evidence."""

from __future__ import annotations

from porter.harness.toolchains.evidence import resource_details
from porter.harness.toolchains.records import InstructionMix, KernelResources


def resources(name: str, symbol: str, mix: InstructionMix) -> KernelResources:
    return KernelResources(
        name=name,
        symbol=symbol,
        vgprs=40,
        agprs=8,
        sgprs=20,
        lds_bytes=1024,
        scratch_bytes=0,
        vgpr_spills=0,
        sgpr_spills=0,
        kernarg_bytes=16,
        max_threads_per_block=1024,
        wavefront_size=64,
        uses_dynamic_stack=False,
        waves_per_simd=8,
        occupancy_limited_by="waves",
        threads_per_block=256,
        instructions=mix,
    )


def test_figures_carry_the_kernel_name() -> None:
    details = resource_details([resources("k", "_Z1kv", InstructionMix())])
    assert details["kernels"] == 1
    assert (details["k.vgprs"], details["k.lds_bytes"], details["k.waves_per_simd"]) == (40, 1024, 8)


def test_two_instances_of_a_template_are_told_apart() -> None:
    pair = [resources("k", "_Z1kIfEvv", InstructionMix()), resources("k", "_Z1kIdEvv", InstructionMix())]
    details = resource_details(pair)
    assert "k.vgprs" not in details
    assert details["_Z1kIfEvv.vgprs"] == details["_Z1kIdEvv.vgprs"] == 40


def test_costly_instructions_are_named_where_there_are_some() -> None:
    details = resource_details([resources("k", "k", InstructionMix(total=9, flat=3, compare_and_swap=1))])
    assert details["k.flat_instructions"] == 3
    assert details["k.compare_and_swap_instructions"] == 1
    assert "k.scratch_instructions" not in details
    assert "k.calls_instructions" not in details
