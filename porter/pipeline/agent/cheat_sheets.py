"""Which pages of `prompts/cheat_sheets/` a model gets: those for what the kernels use, and for the GPU."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from porter.agent.prompts import prompt_directory
from porter.core.outcome import Target
from porter.pipeline.agent.excerpt import Excerpt

_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True)
class Sheet:
    """For kernels of which a whole name matches `words`, or a part of their inline assembly `assembly`, or
    that were declined with one of the `codes`."""

    name: str
    target: Target
    words: re.Pattern[str]
    assembly: re.Pattern[str] = _NEVER
    codes: frozenset[str] = frozenset()

    def is_for(self, target: Target, excerpt: Excerpt, reasons: Sequence[str]) -> bool:
        if target is not self.target:
            return False
        return (
            bool(self.assembly.search(excerpt.assembly))
            or any(self.words.fullmatch(word) for word in excerpt.words)
            or any(f"[{code}]" in reason for code in self.codes for reason in reasons)
        )


_ANY = re.compile(".*", re.DOTALL)
_LANES = re.compile(
    r"__shfl\w*|__ballot\w*|__any\w*|__all\w*|__match_\w+|__reduce_\w+_sync|__activemask|__syncwarp|warpSize"
    r"|coalesced_threads|tiled_partition|thread_block_tile|coalesced_group|WarpReduce|WarpScan"
)
_SHEETS = (
    Sheet("hip_lanes", Target.HIP, _LANES, re.compile(r"\.sync|laneid|lanemask|warpid|activemask")),
    Sheet("hip_assembly", Target.HIP, _NEVER, re.compile(".")),
    Sheet(
        "hip_async",
        Target.HIP,
        re.compile(r"__pipeline_\w+|memcpy_async|barrier|pipeline|arrive_and_wait"),
        re.compile(r"cp\.async|mbarrier|bulk"),
    ),
    Sheet(
        "hip_matrix",
        Target.HIP,
        re.compile(r"wmma|fragment|mma_sync|load_matrix_sync"),
        re.compile(r"mma|matrix"),
    ),
    Sheet(
        "hip_textures",
        Target.HIP,
        re.compile(r"tex\d?\w*|surf\w+|cudaTexture\w+|cudaSurface\w+|texture"),
        re.compile(r"\b(tex|suld|sust)\."),
    ),
    Sheet(
        "hip_numbers",
        Target.HIP,
        re.compile(r"__nv_fp8\w*|__nv_bfloat16\w*|nv_bfloat16\w*|\w*fp8\w*"),
        re.compile(r"e4m3|e5m2|bf16|f16x2|satfinite"),
    ),
    Sheet("triton", Target.TRITON, _ANY),
    Sheet(
        "triton_threads",
        Target.TRITON,
        re.compile(rf"__shared__|__syncthreads\w*|BlockReduce|BlockScan|{_LANES.pattern}"),
        re.compile(r"\.sync|bar\."),
    ),
    Sheet(
        "triton_control",
        Target.TRITON,
        re.compile(r"while|for|do|goto|break|continue|virtual|switch|malloc|new|typedef|using"),
        re.compile(r"\bbra\b|@!?%?p"),
        # Function pointers, recursion, goto, virtual calls, memory from the heap.
        frozenset(("TIL003", "TIL004", "TIL005", "TIL006", "TIL014")),
    ),
    Sheet(
        "triton_grid",
        Target.TRITON,
        re.compile(r"grid_group|this_grid|__threadfence|atomic\w*|volatile|atomic_ref"),
        re.compile(r"acquire|release|membar|atom\."),
    ),
    Sheet(
        "triton_numbers",
        Target.TRITON,
        re.compile(
            r"curand\w*|[lt]gammaf?|\w*erf\w*|j[01n]f?|y[01n]f?|powf?|tanh?f?|__popc(ll)?|__clz(ll)?|__ffs(ll)?"
            r"|__u?mul\w*hi|log1pf?|expm1f?|sinhf?|coshf?|wmma|mma_sync"
        ),
        re.compile(r"."),
    ),
)
_OF_ARCHITECTURES = {"gfx942": "cdna3", "gfx950": "cdna4"}


def cheat_sheets(target: Target, arch: str, excerpt: Excerpt, reasons: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of the pages, the GPU's first."""
    of_arch = _OF_ARCHITECTURES.get(arch)
    chosen = tuple(sheet.name for sheet in _SHEETS if sheet.is_for(target, excerpt, reasons))
    return (of_arch, *chosen) if of_arch else chosen


@cache
def sheet_text(name: str) -> str:
    path = prompt_directory() / "cheat_sheets" / f"{name}.md"
    return path.read_text(encoding="utf-8").rstrip()
