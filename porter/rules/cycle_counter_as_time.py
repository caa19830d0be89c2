"""`clock()` and `clock64()` in device code.

What it finds: their calls in kernels and device functions.

Why it matters: they count cycles of another clock than on NVIDIA, which changes with the load.
`wall_clock64()` counts at a constant rate, the device attribute `hipDeviceAttributeWallClockRate`.

What porter does: keeps the call and reports it.

Example: a busy-wait of 1000 cycles takes another time on each GPU.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.call_sites import calls
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule


@rule("API012", "cycle-counter-as-time")
def cycle_counter_as_time(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in calls(unit, frozenset(("clock", "clock64"))):
        function = unit.function_at(call.name.start)
        if function is not None and function.kind.on_device:
            yield Diagnostic(
                "API012",
                Severity.WARNING,
                f"{call.name.text}() counts another clock than on NVIDIA",
                unit.span_of(call.name),
                "use wall_clock64() and hipDeviceAttributeWallClockRate for time",
            )
