"""Lanes grouped by equal values.

What it finds: `__match_any_sync` and `__match_all_sync`; one finding for each in a function.

Why it matters: HIP has them from ROCm 7 on (with a macro from 6.2), with masks and results of 64 bits.

What porter does: calls a version of its own, which works in groups of 32 lanes and on every ROCm.

Example: `unsigned peers = __match_any_sync(m, key);` needs `unsigned long long` for a wavefront.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_CALLS = frozenset(("__match_any_sync", "__match_all_sync"))


@rule("WAV009", "warp-match", answered=True)
def warp_match(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in first_of_each(unit, device_calls(unit, _CALLS)):
        message = f"{call.name.text} is in HIP only from ROCm 7 on, with 64-bit masks"
        hint = "loop over the distinct values with ballots where older versions count"
        yield Diagnostic("WAV009", Severity.NOTE, message, unit.span_of(call.name), hint)
