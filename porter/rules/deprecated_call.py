"""A call that CUDA has renamed.

What it finds: `cudaThreadSynchronize`, `cudaThreadExit`, and the calls for limits and cache preferences that
start with `cudaThread`.

Why it matters: CUDA 13 has none of them any more, and neither has HIP.

What porter does: writes HIP's name for what the newer call does. The fix writes the newer call into the
source, which means the same on NVIDIA.

Example: `cudaThreadSynchronize()` becomes `cudaDeviceSynchronize()`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import foreign_calls

_NEW_NAMES = {
    "cudaThreadExit": "cudaDeviceReset",
    "cudaThreadGetCacheConfig": "cudaDeviceGetCacheConfig",
    "cudaThreadGetLimit": "cudaDeviceGetLimit",
    "cudaThreadSetCacheConfig": "cudaDeviceSetCacheConfig",
    "cudaThreadSetLimit": "cudaDeviceSetLimit",
    "cudaThreadSynchronize": "cudaDeviceSynchronize",
}


@rule("API015", "deprecated-call", answered=True, fixable=True)
def deprecated_call(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in foreign_calls(unit, frozenset(_NEW_NAMES)):
        name = call.name.text
        new = _NEW_NAMES[name]
        fix = (Edit(call.name.start, call.name.end, new.encode(), "renamed"),)
        message = f"{name} is {new} since CUDA 4, and gone from CUDA 13"
        yield Diagnostic("API015", Severity.NOTE, message, unit.span_of(call.name), f"call {new}", fix)
