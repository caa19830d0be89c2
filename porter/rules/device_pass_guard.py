"""`__CUDA_ARCH__` as the test for device code.

What it finds: preprocessor conditions on whether `__CUDA_ARCH__` is defined. Tests of its value are API030.

Why it matters: HIP does not define it: the host's branch is compiled for the device too, without a warning.

What porter does: tests `__HIP_DEVICE_COMPILE__` instead.

Example: `#ifdef __CUDA_ARCH__` becomes `#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_CONDITIONS = frozenset(("if", "ifdef", "ifndef", "elif"))
_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))


@rule("API016", "device-pass-guard", answered=True)
def device_pass_guard(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for directive in unit.tokenized.directives:
        if directive.name not in _CONDITIONS:
            continue
        token = next((t for t in directive.tokens[2:] if t.text == "__CUDA_ARCH__"), None)
        if token is not None and _COMPARISONS.isdisjoint(t.text for t in directive.tokens):
            message = "HIP does not define __CUDA_ARCH__: the branch for the host is taken on the device"
            hint = "test __HIP_DEVICE_COMPILE__ too"
            yield Diagnostic("API016", Severity.NOTE, message, unit.span_of(token), hint)
