"""Arithmetic that rounds down, up or to zero.

What it finds: `__fadd_rd`, `__fmul_rz`, `__dsqrt_ru` and the like; one finding for each in a function.

Why it matters: HIP's headers have these names only where the device library is built with them, which ROCm's
is not.

What porter does: calls versions of its own, which round as asked.

Example: interval arithmetic with `__fadd_rd` and `__fadd_ru` is wrong where both round to nearest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_DIRECTED = re.compile(r"^__(f|d)(add|sub|mul|div|rcp|sqrt|ma)_r[duz]$|^__(fmaf|fma)_r[duz]$")


@rule("NUM002", "directed-rounding", answered=True)
def directed_rounding(unit: TranslationUnit) -> Iterator[Diagnostic]:
    names = frozenset(word for word in unit.words if _DIRECTED.match(word))
    for call in first_of_each(unit, device_calls(unit, names)):
        message = f"{call.name.text} rounds in a direction that HIP's headers do not offer"
        hint = "bound the result of the operation that rounds to nearest"
        yield Diagnostic("NUM002", Severity.NOTE, message, unit.span_of(call.name), hint)
