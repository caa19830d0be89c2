"""Dot products of packed bytes.

What it finds: `__dp4a`, `__dp2a_lo` and `__dp2a_hi`; one finding for each in a function.

Why it matters: HIP does not have them. CDNA has the instructions, under other names and with an operand more,
which says whether the sum saturates.

What porter does: calls a version of its own.

Example: `__dp4a(a, b, c)` of signed bytes is `__builtin_amdgcn_sdot4(a, b, c, false)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_CALLS = frozenset(("__dp4a", "__dp2a_lo", "__dp2a_hi"))


@rule("API022", "dot-product-intrinsic", answered=True)
def dot_product_intrinsic(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in first_of_each(unit, device_calls(unit, _CALLS)):
        message = f"{call.name.text} is not in HIP"
        hint = "use the builtins __builtin_amdgcn_sdot4 and udot4"
        yield Diagnostic("API022", Severity.NOTE, message, unit.span_of(call.name), hint)
