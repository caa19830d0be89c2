"""Conversions and constructors of bfloat16 that HIP names otherwise.

What it finds: `__float2bfloat16_rn`, `__float22bfloat162_rn`, `__floats2bfloat162_rn`, `make_bfloat162`,
`__bfloat1622float2` and the forms with a rounding mode; one finding for each in a function.

Why it matters: HIP has two bfloat16 types and not all of these names, by version.

What porter does: writes the type of `hip/hip_bf16.h` and calls versions of its own where a name is missing.

Example: `__float2bfloat16_rn(x)` is `__float2bfloat16(x)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_NAMES = re.compile(
    r"^(__float2bfloat16_r[nzud]|__float22bfloat162_rn|__floats2bfloat162_rn|__float2bfloat162_rn|make_bfloat162"
    r"|__bfloat1622float2|__double2bfloat16|__bfloat162(int|uint|short|ushort)_r[nzud])$"
)


@rule("NUM006", "bfloat16-intrinsic", answered=True)
def bfloat16_intrinsic(unit: TranslationUnit) -> Iterator[Diagnostic]:
    names = frozenset(word for word in unit.words if _NAMES.match(word))
    for call in first_of_each(unit, device_calls(unit, names)):
        message = f"{call.name.text} is not in every version of HIP"
        hint = "use the conversions without a rounding mode, and members for pairs"
        yield Diagnostic("NUM006", Severity.NOTE, message, unit.span_of(call.name), hint)
