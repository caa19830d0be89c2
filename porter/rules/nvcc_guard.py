"""A test for NVIDIA's compiler.

What it finds: preprocessor conditions on `__CUDACC__`, `__NVCC__` and `__CUDACC_RTC__`.

Why it matters: HIP's compiler defines `__HIPCC__` and `__HIPCC_RTC__`: what the test guards is left out.

What porter does: tests HIP's macro instead.

Example: `#ifdef __CUDACC__` becomes `#if defined(__CUDACC__) || defined(__HIPCC__)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_CONDITIONS = frozenset(("if", "ifdef", "ifndef", "elif"))
_COMPILERS = {"__CUDACC__": "__HIPCC__", "__NVCC__": "__HIPCC__", "__CUDACC_RTC__": "__HIPCC_RTC__"}


@rule("API017", "nvcc-guard", answered=True)
def nvcc_guard(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for directive in unit.tokenized.directives:
        if directive.name not in _CONDITIONS:
            continue
        token = next((t for t in directive.tokens[2:] if t.text in _COMPILERS), None)
        if token is not None:
            message = f"HIP's compiler does not define {token.text}; it defines {_COMPILERS[token.text]}"
            hint = "test both macros"
            yield Diagnostic("API017", Severity.NOTE, message, unit.span_of(token), hint)
