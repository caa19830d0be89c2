"""Device code that works in groups of 32 lanes.

What it finds: lane and warp indices, shared slots per warp, loops over shuffle offsets and full masks that
derive from 32, by use and through any name; one finding a function.

Why it matters: a wavefront of CDNA has 64 lanes. The code stays right as long as its groups of 32 lanes keep
their meaning, but half of each wavefront's reductions, broadcasts and ballots are done twice.

What porter does: keeps the groups of 32 lanes, and reports where they are.

Example: `lane = threadIdx.x & 31` with `__shfl_down_sync(m, v, 16)` becomes the same lane with
`__shfl_down(v, 16, 32)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.analysis.warp_assumptions import WarpAssumption, warp_assumptions
from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule


@rule("WAV001", "hardcoded-warp-size")
def hardcoded_warp_size(unit: TranslationUnit) -> Iterator[Diagnostic]:
    by_function: dict[str, list[WarpAssumption]] = {}
    for assumption in warp_assumptions(unit):
        by_function.setdefault(assumption.function, []).append(assumption)
    for name, assumptions in by_function.items():
        kinds = ", ".join(dict.fromkeys(a.kind.value for a in assumptions))
        yield Diagnostic(
            "WAV001",
            Severity.NOTE,
            f"{name} works in groups of 32 lanes ({kinds}); they keep their meaning on 64-lane wavefronts",
            assumptions[0].span,
        )
