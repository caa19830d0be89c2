"""Thrust and libcu++: NVIDIA's own headers, read as a host compiler reads them.

Thrust's back end in plain C++ runs on the host; device memory is the simulator's, by headers of the same
names below `include/thrust/`, which come first. One compilation serves host and device here, and says that
it is CUDA's; these headers must not hear that, or they ask for the GPU's own instructions. So each of them is
reached through a header of its name that takes the macros away while it is read.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from porter.core.cache import cache_directory, digest

_HIDDEN = (
    *("__CUDACC__", "__CUDA_ARCH__", "__NVCC__", "__CUDACC_VER_MAJOR__", "__CUDACC_VER_MINOR__"),
    *("__HIPCC__", "__HIP__", "__HIP_DEVICE_COMPILE__", "__HIP_PLATFORM_AMD__"),
)
_DEFINES = (
    *("-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP", "-DTHRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP"),
    # Their use of these types goes into the representation of NVIDIA's classes.
    "-DCCCL_DISABLE_NVTX",
    *("-DCCCL_DISABLE_FP16_SUPPORT", "-DCCCL_DISABLE_BF16_SUPPORT", "-DCCCL_DISABLE_NVFP8_SUPPORT"),
)


def cccl_flags(include: Path, version: str) -> tuple[str | Path, ...]:
    """Flags for files that include headers of `include`, a CCCL of this version."""
    return ("-isystem", _reached_through(include, version), "-isystem", include, *_DEFINES)


def _reached_through(include: Path, version: str) -> Path:
    """A folder of headers that include those of the same name in the next folder."""
    folder = cache_directory("simulator") / "cccl" / digest(str(include), version, *_HIDDEN)
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            made = Path(scratch) / "headers"
            for name in _public_headers(include):
                (made / name).parent.mkdir(parents=True, exist_ok=True)
                (made / name).write_text(_text(name), encoding="utf-8")
            try:
                os.replace(made, folder)
            except OSError:  # another process was first
                if not folder.exists():
                    raise
    return folder


def _public_headers(include: Path) -> list[Path]:
    names = [
        path.relative_to(include)
        for top in ("thrust", "cuda", "nv")
        for path in sorted((include / top).rglob("*"))
        if path.is_file()
    ]
    return [name for name in names if not any(p == "detail" or p.startswith("__") for p in name.parts)]


def _text(name: Path) -> str:
    hide = "".join(f'#pragma push_macro("{macro}")\n#undef {macro}\n' for macro in _HIDDEN)
    show = "".join(f'#pragma pop_macro("{macro}")\n' for macro in _HIDDEN)
    return f"{hide}#include_next <{name.as_posix()}>\n{show}"
