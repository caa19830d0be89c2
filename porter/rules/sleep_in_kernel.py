"""A pause of a given time in device code.

What it finds: `__nanosleep`; one finding a function.

Why it matters: HIP does not have it. `__builtin_amdgcn_s_sleep` counts clocks in steps of 64, and takes a
constant.

What porter does: calls a version of its own, which sleeps in steps until the time is over.

Example: `__nanosleep(100)` is a few steps of `__builtin_amdgcn_s_sleep(1)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_CALLS = frozenset(("__nanosleep",))


@rule("API018", "sleep-in-kernel", answered=True)
def sleep_in_kernel(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in first_of_each(unit, device_calls(unit, _CALLS)):
        message = f"{call.name.text} is not in HIP"
        hint = "use __builtin_amdgcn_s_sleep, which counts clocks"
        yield Diagnostic("API018", Severity.NOTE, message, unit.span_of(call.name), hint)
