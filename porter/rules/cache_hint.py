"""Loads and stores that say how they are to be cached.

What it finds: `__ldcg`, `__ldca`, `__ldcs`, `__ldlu`, `__ldcv`, `__stwb`, `__stcg`, `__stcs` and `__stwt`;
one finding for each in a function.

Why it matters: HIP has none of them. The hint can be left out, or said with the non-temporal builtins.

What porter does: calls the builtin that says the same, or the plain access.

Example: `__stcs(p, v)` is `__builtin_nontemporal_store(v, p)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_CALLS = frozenset(("__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv", "__stwb", "__stcg", "__stcs", "__stwt"))


@rule("MEM004", "cache-hint", answered=True)
def cache_hint(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in first_of_each(unit, device_calls(unit, _CALLS)):
        message = f"{call.name.text} is not in HIP"
        hint = "use __builtin_nontemporal_load and _store, or the plain access"
        yield Diagnostic("MEM004", Severity.NOTE, message, unit.span_of(call.name), hint)
