"""Figures of a build as the flat details of an Evidence."""

from __future__ import annotations

from collections.abc import Sequence

from porter.harness.toolchains.records import KernelResources


def resource_details(kernels: Sequence[KernelResources]) -> dict[str, int | float | str]:
    """`<kernel>.vgprs` and so on; the symbol stands for the name where two instances share one."""
    names = [kernel.name for kernel in kernels]
    details: dict[str, int | float | str] = {"kernels": len(kernels)}
    for kernel in kernels:
        label = kernel.name if names.count(kernel.name) == 1 else kernel.symbol
        details.update({f"{label}.{key}": value for key, value in _figures(kernel).items()})
    return details


# Instructions that cost more than the source shows; named only where there are some.
_SUSPECTS = ("flat", "scratch", "compare_and_swap", "calls")


def _figures(kernel: KernelResources) -> dict[str, int | str]:
    suspects = {f"{name}_instructions": getattr(kernel.instructions, name) for name in _SUSPECTS}
    return {
        "vgprs": kernel.vgprs,
        "agprs": kernel.agprs,
        "sgprs": kernel.sgprs,
        "lds_bytes": kernel.lds_bytes,
        "vgpr_spills": kernel.vgpr_spills,
        "sgpr_spills": kernel.sgpr_spills,
        "scratch_bytes": kernel.scratch_bytes,
        "waves_per_simd": kernel.waves_per_simd,
        "occupancy_limited_by": kernel.occupancy_limited_by,
        "threads_per_block": kernel.threads_per_block,
        **{name: n for name, n in suspects.items() if n},
    }
