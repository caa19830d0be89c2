"""The compatibility header of `--style shim`: CUDA's names for HIP's compiler, nothing for nvcc."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from porter.hip.includes import RUNTIME_HEADER
from porter.hip.shim_text import shim_names, shim_text

COMPATIBILITY_HEADER = "cuda_to_hip.h"
# hipcc, clang -x hip, and the simulator's 64-lane build.
FOR_AMD = "PORTER_FOR_AMD"
COMPILES_FOR_AMD = "defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(PORTER_SIM_HIP)"

_SHUFFLES = ("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor")
_VOTES = ("__ballot", "__any", "__all")
_GROUP = {
    "__activemask": "activemask",
    "__ballot_sync": "ballot_sync",
    "__any_sync": "any_sync",
    "__all_sync": "all_sync",
    "__uni_sync": "uni_sync",
    "__match_any_sync": "match_any_sync",
    "__match_all_sync": "match_all_sync",
    **{f"__reduce_{op}_sync": f"reduce_{op}_sync" for op in ("add", "min", "max", "and", "or", "xor")},
}


def _warp_macros() -> dict[str, str]:
    macros = {name: f"{name} porter_{shim}" for name, shim in _GROUP.items()}
    macros["__syncwarp"] = "__syncwarp(...) porter_syncwarp()"
    for name in _SHUFFLES:
        macros[name] = f"{name}(...) porter_{name[2:]}(__VA_ARGS__)"
        macros[f"{name}_sync"] = f"{name}_sync(mask, ...) porter_{name[2:]}(__VA_ARGS__)"
    for name in _VOTES:
        macros[name] = f"{name}(...) porter_{name[2:]}_sync(0xffffffffu, __VA_ARGS__)"
    return macros


WARP_MACROS: Mapping[str, str] = _warp_macros()

_SHUFFLE = """\
template <typename T>
__device__ __forceinline__ T porter_{name}(T value, int lane, int width = 32) {{
  return __{name}(value, lane, width);
}}
"""
_TITLE = (
    "// Lets CUDA source build for AMD GPUs too, with 32-lane warps keeping their meaning; added by porter.\n"
    "// Under nvcc it changes nothing.\n"
    "#pragma once\n\n"
    f"#if {COMPILES_FOR_AMD}\n#define {FOR_AMD} 1\n#else\n#define {FOR_AMD} 0\n#endif\n\n"
)


@dataclass(frozen=True)
class Compatibility:
    """HIP's headers to include, CUDA names by what they become, and definitions of `shims/`."""

    includes: tuple[str, ...]
    names: Mapping[str, str]
    shims: frozenset[str]

    @property
    def text(self) -> str:
        """The header."""
        hip = [f"#include <{target}>" for target in dict.fromkeys((RUNTIME_HEADER, *self.includes))]
        names = [
            f"#define {name} {text}".rstrip() for name, text in sorted(self.names.items()) if name != "cub"
        ]
        warp = sorted(f"#define {text}" for name, text in WARP_MACROS.items() if self._has(name))
        shuffles = "".join(_SHUFFLE.format(name=name[2:]) for name in _SHUFFLES)
        aliases = ["namespace cub = hipcub;"] if "cub" in self.names else []
        body = "\n".join([*hip, "", shim_text(self.shims) + shuffles, *aliases, *names, *warp])
        return (
            f"{_TITLE}#if {FOR_AMD}\n{body}\n#define PORTER_EITHER(cuda, hip) hip\n"
            "#else\n#define PORTER_EITHER(cuda, hip) cuda\n#endif\n"
        )

    def _has(self, intrinsic: str) -> bool:
        """Shuffles need no shim; the others are defined where the source calls them."""
        if intrinsic.startswith("__shfl"):
            return True
        shim = "syncwarp" if intrinsic == "__syncwarp" else intrinsic.removeprefix("__") + "_sync"
        return _GROUP.get(intrinsic, shim) in self.shims


def merge_headers(old: bytes, new: bytes) -> bytes:
    """One header for the sources of both; raises ValueError when a name has two meanings in them."""
    first, second = _parsed(old.decode()), _parsed(new.decode())
    clash = [n for n in first.names.keys() & second.names.keys() if first.names[n] != second.names[n]]
    if clash:
        raise ValueError(f"{', '.join(sorted(clash))} would have two meanings in {COMPATIBILITY_HEADER}")
    return Compatibility(
        tuple(dict.fromkeys((*first.includes, *second.includes))),
        {**first.names, **second.names},
        first.shims | second.shims,
    ).text.encode()


def _parsed(text: str) -> Compatibility:
    if not text.startswith(_TITLE):
        raise ValueError(f"{COMPATIBILITY_HEADER} is there already and not porter's")
    known = shim_names()
    guards = {guard.lower() for guard in re.findall(r"^#ifndef PORTER_(\w+)$", text, re.MULTILINE)}
    names = dict(re.findall(r"^#define (?!PORTER_)(\w+) ?(\w*)$", text, re.MULTILINE))
    if "namespace cub = hipcub;" in text:
        names["cub"] = "hipcub"
    includes = re.findall(r"^#include <(.+)>$", text, re.MULTILINE)
    return Compatibility(
        tuple(includes),
        {name: hip for name, hip in names.items() if name not in WARP_MACROS},
        frozenset(guards & set(known)),
    )
