"""Arithmetic on two or four small integers in a word.

What it finds: `__vadd4`, `__vabsdiffu4`, `__vcmpgtu2` and the like; one finding for each in a function.

Why it matters: HIP does not have them, and CDNA has an instruction for only some.

What porter does: calls versions of its own.

Example: `__vadd4(a, b)` adds four bytes, each without a carry into the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_PACKED = re.compile(
    r"^__v(abs|absss|absdiff[su]|add|add[su]s|avg[su]|hadd[su]|cmp(eq|ne|[gl][te][su])|max[su]|min[su]|neg|negss"
    r"|sad[su]|set(eq|ne|[gl][te][su])|sub|sub[su]s)[24]$"
)


@rule("API019", "packed-integer-intrinsic", answered=True)
def packed_integer_intrinsic(unit: TranslationUnit) -> Iterator[Diagnostic]:
    names = frozenset(word for word in unit.words if _PACKED.match(word))
    for call in first_of_each(unit, device_calls(unit, names)):
        message = f"{call.name.text} is not in HIP"
        hint = "work on the bytes with masks and shifts"
        yield Diagnostic("API019", Severity.NOTE, message, unit.span_of(call.name), hint)
