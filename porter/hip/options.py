"""What the user may choose about a HIP port."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from porter.hip.rocm_version import RocmVersion


class Style(str, Enum):
    """`rewrite`: HIP's spelling everywhere. `shim`: CUDA's stays, and one header makes it build for AMD."""

    REWRITE = "rewrite"
    SHIM = "shim"


class Warps(str, Enum):
    """`preserve`: groups of 32 lanes keep their meaning. `widen`: they are wavefronts where proved."""

    PRESERVE = "preserve"
    WIDEN = "widen"


@dataclass(frozen=True)
class HipOptions:
    """`arch` is the GPU whose limits and number formats count (`gfx942`, `gfx950` …).

    `rocm` is the version that the port is built with: names that it does not have are errors. None: any.
    """

    arch: str = "gfx950"
    style: Style = Style.REWRITE
    rocm: RocmVersion | None = None

    @property
    def has_ocp_fp8(self) -> bool:
        """gfx942 computes with FNUZ formats, gfx950 and later with OCP's."""
        return self.arch not in ("gfx940", "gfx941", "gfx942")

    @property
    def has_large_lds(self) -> bool:
        """gfx950 has 160 KiB of LDS for a block, the CDNA GPUs before it 64 KiB."""
        return self.arch not in ("gfx908", "gfx90a", "gfx940", "gfx941", "gfx942")
