"""A barrier of some lanes of a warp.

What it finds: `__syncwarp` with a mask; one finding a function.

Why it matters: HIP's takes 64 bits, and must be told exactly the lanes that arrive. Before ROCm 7 there is
none.

What porter does: waits for all lanes of the wavefront that run, which includes those of the mask.

Example: `if (lane < 16) __syncwarp(0xffff);` waits for the lower half of a warp.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_BARRIERS = frozenset(("__syncwarp",))


@rule("WAV013", "warp-barrier-mask", answered=True)
def warp_barrier_mask(unit: TranslationUnit) -> Iterator[Diagnostic]:
    masked = (call for call in device_calls(unit, _BARRIERS) if call.arguments)
    for call in first_of_each(unit, masked):
        message = "the mask of __syncwarp has 64 bits in HIP, where it is there at all (ROCm 7)"
        hint = "leave the mask out where all lanes that run arrive"
        yield Diagnostic("WAV013", Severity.NOTE, message, unit.span_of(call.name), hint)
