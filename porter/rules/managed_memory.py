"""Memory that host and device share by page migration.

What it finds: `cudaMallocManaged` and `__managed__`; one finding a function.

Why it matters: on CDNA pages migrate only where the system and the program run with XNACK (`HSA_XNACK=1`).
Without it the GPU reads the host's memory over the bus at every access: right, and much slower.

What porter does: keeps the calls.

Example: allocate with `cudaMalloc` and copy, or set `HSA_XNACK=1` and compile for `gfx942:xnack+`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_NAMES = frozenset(("cudaMallocManaged", "__managed__"))


@rule("MEM005", "managed-memory", answered=True)
def managed_memory(unit: TranslationUnit) -> Iterator[Diagnostic]:
    seen: set[int] = set()
    for token in unit.references if not _NAMES.isdisjoint(unit.words) else ():
        function = unit.function_at(token.start)
        place = function.span.start if function is not None else -1
        if token.text in _NAMES and place not in seen:
            seen.add(place)
            message = "managed memory migrates on CDNA only with XNACK; else every access goes over the bus"
            hint = "run with HSA_XNACK=1, or allocate and copy"
            yield Diagnostic("MEM005", Severity.NOTE, message, unit.span_of(token), hint)
