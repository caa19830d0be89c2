"""A kernel that is allowed more shared memory than gfx942 has.

What it finds: `cudaFuncSetAttribute` and `cuFuncSetAttribute` that set the largest dynamic shared memory to a
constant above 64 KiB.

Why it matters: NVIDIA's GPUs give up to 227 KiB that way. gfx90a and gfx942 have 64 KiB of LDS, gfx950 160
KiB: the call fails there, or the launch does.

What porter does: keeps the call and reports it.

Example: with 96 KiB a tile of 128 × 192 floats has to be split for gfx942.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.constants import fold, lookup_in
from porter.cuda.definitions import definitions_in, values_at
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.shared_memory_limit import LDS_BYTES_GFX942
from porter.rules.sites import foreign_calls

_CALLS = frozenset(("cudaFuncSetAttribute", "cuFuncSetAttribute"))
_ATTRIBUTES = frozenset(
    ("cudaFuncAttributeMaxDynamicSharedMemorySize", "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES")
)


@rule("MEM008", "shared-memory-opt-in")
def shared_memory_opt_in(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in foreign_calls(unit, _CALLS):
        if len(call.arguments) != 3 or call.argument(unit, 1) not in _ATTRIBUTES:
            continue
        function = unit.function_at(call.name.start)
        local: dict[str, str] = {}
        if function is not None and function.body is not None:
            local = values_at(
                unit.tokenized,
                definitions_in(unit.tokenized, function.body.start, function.body.end),
                call.name.start,
            )
        size = fold(call.argument(unit, 2), lookup_in(local, unit.constants))
        if size is not None and size > LDS_BYTES_GFX942:
            message = f"{size} bytes of shared memory; gfx90a and gfx942 have {LDS_BYTES_GFX942}"
            hint = "use a smaller tile, or build for gfx950 (160 KiB)"
            yield Diagnostic("MEM008", Severity.WARNING, message, unit.span_of(call.name), hint)
