"""A reduction over a warp in one instruction.

What it finds: `__reduce_add_sync` and its companions; one finding for each in a function.

Why it matters: HIP has them from ROCm 7 on, with masks of 64 bits: over a whole wavefront, where NVIDIA's are
over 32 lanes.

What porter does: calls a version of its own for groups of 32 lanes.

Example: `__reduce_add_sync(~0u, v)` is five shuffle-and-add steps with the width 32.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_CALLS = frozenset(
    (
        "__reduce_add_sync",
        "__reduce_min_sync",
        "__reduce_max_sync",
        "__reduce_and_sync",
        "__reduce_or_sync",
        "__reduce_xor_sync",
    )
)


@rule("WAV012", "warp-reduce-intrinsic", answered=True)
def warp_reduce_intrinsic(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in first_of_each(unit, device_calls(unit, _CALLS)):
        message = f"{call.name.text} is in HIP only from ROCm 7 on, over 64 lanes"
        hint = "reduce with shuffles of width 32"
        yield Diagnostic("WAV012", Severity.NOTE, message, unit.span_of(call.name), hint)
