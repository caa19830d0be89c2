"""Approximations by the special function unit.

What it finds: `__sinf`, `__cosf`, `__tanf`, `__sincosf`, `__expf`, `__exp10f`, `__logf`, `__log2f`,
`__log10f`, `__powf` and `__fdividef`; one finding for each in a function.

Why it matters: they exist in HIP, with other errors: results differ in the last bits and more, and
`__fdividef` by huge numbers is not zero.

What porter does: keeps the calls; the tolerance of the comparison is the original's own error.

Example: a test that compares `__expf` with stored results of an NVIDIA GPU bit by bit fails.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_CALLS = frozenset(
    (
        "__sinf",
        "__cosf",
        "__tanf",
        "__sincosf",
        "__expf",
        "__exp10f",
        "__logf",
        "__log2f",
        "__log10f",
        "__powf",
        "__fdividef",
    )
)


@rule("NUM003", "fast-math-intrinsic", answered=True)
def fast_math_intrinsic(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in first_of_each(unit, device_calls(unit, _CALLS)):
        message = f"{call.name.text} has another error on AMD than on NVIDIA"
        hint = "compare with a tolerance, or call the accurate function"
        yield Diagnostic("NUM003", Severity.NOTE, message, unit.span_of(call.name), hint)
