"""Asynchronous copies from global to shared memory.

What it finds: `__pipeline_memcpy_async` and its companions.

Why it matters: HIP has no counterpart. A plain copy with a barrier means the same, without the overlap.

What porter does: refuses the kernel.

Example: `__pipeline_memcpy_async(&s[i], &g[i], 16)` becomes `s[i] = g[i]`, and `__pipeline_wait_prior(0)`
with the barrier after it stays a barrier.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.call_sites import calls
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_CALLS = frozenset(
    ("__pipeline_memcpy_async", "__pipeline_commit", "__pipeline_wait_prior", "__pipeline_arrive_on")
)


@rule("MEM003", "asynchronous-copy")
def asynchronous_copy(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in calls(unit, _CALLS):
        message = f"{call.name.text} has no counterpart in HIP"
        hint = "copy through registers and call __syncthreads()"
        yield Diagnostic("MEM003", Severity.ERROR, message, unit.span_of(call.name), hint)
