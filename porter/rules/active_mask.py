"""The lanes that happen to run together.

What it finds: `__activemask()` in device code; one finding a function.

Why it matters: in HIP it has 64 bits, and it exists from ROCm 6.2 on. Which lanes run together is the
compiler's choice on either GPU: code that takes it for the lanes of a branch is wrong by luck.

What porter does: takes the half that holds this lane's group of 32.

Example: compute the mask with `__ballot_sync` before the branch, and pass it on.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_CALLS = frozenset(("__activemask",))


@rule("WAV008", "active-mask", answered=True)
def active_mask(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in first_of_each(unit, device_calls(unit, _CALLS)):
        message = f"{call.name.text}() has 64 bits in HIP, and says only which lanes run together now"
        hint = "compute the mask before the branch, with a ballot"
        yield Diagnostic("WAV008", Severity.NOTE, message, unit.span_of(call.name), hint)
