"""An end of the kernel by force.

What it finds: `__trap()` and `__brkpt()`; one finding for each in a function.

Why it matters: on AMD a trap ends the whole process, or the queue, and no error comes back from the next
call. Code that expects `cudaErrorLaunchFailure` never sees it.

What porter does: calls `__builtin_trap`.

Example: write an error code to memory, and return.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_CALLS = frozenset(("__trap", "__brkpt"))


@rule("API023", "trap", answered=True)
def trap(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in first_of_each(unit, device_calls(unit, _CALLS)):
        message = f"{call.name.text} ends the process on AMD, rather than the kernel with an error"
        hint = "report the error through memory where the host is to handle it"
        yield Diagnostic("API023", Severity.NOTE, message, unit.span_of(call.name), hint)
