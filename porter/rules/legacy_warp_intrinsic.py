"""Warp intrinsics without a mask.

What it finds: `__shfl`, `__shfl_up`, `__shfl_down`, `__shfl_xor`, `__any`, `__all` and `__ballot`; one
finding for each in a function.

Why it matters: nvcc refuses them for compute capability 7.0 and above. HIP still has these names, over 64
lanes: the code compiles and means something else.

What porter does: writes the forms that keep groups of 32 lanes.

Example: `__any(p)` becomes `__any_sync(mask, p)`, with the mask of the lanes that arrive.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_CALLS = frozenset(("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__any", "__all", "__ballot"))


@rule("WAV014", "legacy-warp-intrinsic", answered=True)
def legacy_warp_intrinsic(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in first_of_each(unit, device_calls(unit, _CALLS)):
        message = f"{call.name.text} is gone from CUDA since Volta, and is over 64 lanes in HIP"
        hint = "use the form with _sync and a mask"
        yield Diagnostic("WAV014", Severity.NOTE, message, unit.span_of(call.name), hint)
