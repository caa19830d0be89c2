"""A shuffle that leaves its width out.

What it finds: `__shfl_sync`, `__shfl_up_sync`, `__shfl_down_sync` and `__shfl_xor_sync` with three arguments.

Why it matters: the width that is left out is the warp's: 32 lanes on NVIDIA, 64 on CDNA. `__shfl_sync(m, v,
0)` then reads lane 0 in lanes 32 to 63 too, and a reduction adds up lanes of two groups.

What porter does: gives every shuffle its 32 lanes. The fix does the same to the source, which means the same
on NVIDIA.

Example: `__shfl_down_sync(m, v, 16)` becomes `__shfl_down_sync(m, v, 16, 32)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.cuda.call_sites import CallSite
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls

_SHUFFLES = frozenset(("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"))


@rule("WAV003", "shuffle-without-width", answered=True, fixable=True)
def shuffle_without_width(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in device_calls(unit, _SHUFFLES):
        if len(call.arguments) != 3 or any("..." in a or "__VA_ARGS__" in a for a in _texts(unit, call)):
            continue
        close = call.stream.tokens[call.close].start
        message = f"{call.name.text} without a width is over 64 lanes in HIP"
        fix = (Edit(close, close, b", 32", "the warp's 32 lanes"),)
        span = unit.span_of(call.name)
        yield Diagnostic("WAV003", Severity.NOTE, message, span, "name the width: 32", fix)


def _texts(unit: TranslationUnit, call: CallSite) -> tuple[str, ...]:
    return tuple(call.argument(unit, i) for i in range(len(call.arguments)))
