"""A GPU as data: one TOML file each beside this module, every figure marked with its source there.

The words are AMD's (compute unit, SIMD, wave, LDS, VGPR); for NVIDIA they mean SM, processing block, warp,
shared memory and register. All figures are peaks of one HIP or CUDA device, dense, at the boost clock.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from porter.core.errors import PorterError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_DIRECTORY = Path(__file__).parent


@dataclass(frozen=True)
class ComputeLimits:
    """What a compute unit offers and what a block may ask for."""

    wavefront_size: int
    simds_per_compute_unit: int
    max_waves_per_simd: int
    vgprs_per_simd_lane: int
    vgpr_granule: int
    max_vgprs_per_thread: int
    max_threads_per_block: int
    max_workgroups_per_compute_unit: int
    max_single_wave_workgroups: int


@dataclass(frozen=True)
class MemoryLimits:
    """On-chip memories. A die is an XCD on MI300 and later. Zero: there is none, or it is not published."""

    lds_bytes_per_compute_unit: int
    lds_bytes_per_workgroup: int
    lds_granule_bytes: int
    lds_reserved_bytes_per_workgroup: int
    lds_banks: int
    lds_bytes_per_clock: int
    l2_bytes_per_die: int
    last_level_cache_bytes: int
    last_level_cache_gbps: float = 0.0


@dataclass(frozen=True)
class Gpu:
    """One product of an architecture. Bandwidths are in 1e9 bytes a second, rates in 1e12 operations.

    `vector_tflops` and `matrix_tflops` are keyed by dtype: f64, f32, tf32 or xf32, f16, bf16, fp8, fp6,
    fp4, i8. `launch_us` is the least time between two launches of an empty kernel in one stream.
    """

    name: str
    product: str
    vendor: str
    compute: ComputeLimits
    memory: MemoryLimits
    compute_units: int
    dies: int
    clock_mhz: int
    hbm_bytes: int
    hbm_gbps: float
    launch_us: float
    vector_tflops: Mapping[str, float]
    matrix_tflops: Mapping[str, float]
    sources: Mapping[str, str]

    @property
    def l2_bytes(self) -> int:
        return self.memory.l2_bytes_per_die * self.dies

    def flops_per_clock_per_compute_unit(self, dtype: str, *, matrix: bool) -> float:
        """Operations one compute unit retires in a cycle; raises KeyError for a dtype the unit lacks."""
        tflops = (self.matrix_tflops if matrix else self.vector_tflops)[dtype]
        return tflops * 1e6 / (self.compute_units * self.clock_mhz)


def known_gpus() -> tuple[str, ...]:
    """The architecture names, AMD's first."""
    return tuple(sorted(path.stem for path in _DIRECTORY.glob("*.toml")))


def known_products() -> tuple[str, ...]:
    return tuple(product for name in known_gpus() for product in _table(name)["products"])


def load_gpu(name: str) -> Gpu:
    """The GPU of an architecture (`gfx950`: its default product) or of a product (`MI350X`).

    Target features after a colon (`gfx942:sramecc+:xnack-`) are ignored. Raises PorterError for an unknown
    name.
    """
    wanted = name.strip().split(":")[0]
    for architecture in known_gpus():
        table = _table(architecture)
        if wanted.lower() == architecture:
            return _gpu(table, table["default_product"])
        for product in table["products"]:
            if wanted.lower() == product.lower():
                return _gpu(table, product)
    raise PorterError(
        f"unknown GPU {name!r}",
        hint=f"known: {', '.join(known_gpus())}; products: {', '.join(known_products())}",
    )


@cache
def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((_DIRECTORY / f"{name}.toml").read_text(encoding="utf-8"))


def _gpu(table: dict[str, Any], product: str) -> Gpu:
    figures = dict(table["products"][product])
    # Rates stand beside the products where all of them share one clock.
    vector = figures.pop("vector_tflops", table.get("vector_tflops"))
    matrix = figures.pop("matrix_tflops", table.get("matrix_tflops"))
    return Gpu(
        name=table["name"],
        product=product,
        vendor=table["vendor"],
        compute=ComputeLimits(**table["compute"]),
        memory=MemoryLimits(**table["memory"]),
        vector_tflops=vector,
        matrix_tflops=matrix,
        sources=table["sources"],
        **figures,
    )
