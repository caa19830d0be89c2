"""A choice between L1 and shared memory, or of shared memory's banks.

What it finds: `cudaFuncSetCacheConfig`, `cudaDeviceSetCacheConfig`, `cudaDeviceSetSharedMemConfig`,
`cudaFuncSetSharedMemConfig`, their forms in the driver interface, and the carve-out attribute.

Why it matters: on CDNA the LDS is memory of its own, and its banks are fixed: the calls succeed and do
nothing.

What porter does: keeps the calls.

Example: nothing has to be done; code that relies on a larger L1 after the call needs another look.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_NAMES = frozenset(
    (
        *("cudaFuncSetCacheConfig", "cudaDeviceSetCacheConfig", "cudaDeviceSetSharedMemConfig"),
        *("cudaFuncSetSharedMemConfig", "cuFuncSetCacheConfig", "cuCtxSetCacheConfig"),
        *("cuCtxSetSharedMemConfig", "cudaFuncAttributePreferredSharedMemoryCarveout"),
    )
)


@rule("MEM006", "cache-preference", answered=True)
def cache_preference(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for token in unit.references if not _NAMES.isdisjoint(unit.words) else ():
        if token.text in _NAMES:
            message = f"{token.text} has no effect on CDNA, whose LDS is no part of a cache"
            yield Diagnostic("MEM006", Severity.NOTE, message, unit.span_of(token), "it can be left out")
