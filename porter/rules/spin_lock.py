"""Lanes of one warp that wait for each other in a loop.

What it finds: `while (atomicCAS(…) != …)`, and `while` loops on `atomicExch`, in device code.

Why it matters: since Volta, NVIDIA's lanes make progress independently. AMD's lanes of a wavefront share a
program counter: the lane that holds the lock waits for the lanes that spin, for ever.

What porter does: keeps the code and reports it.

Example: let one lane of the wavefront take the lock, or do the critical section inside the loop's body, on
success.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.tokens import matching
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_LOCKS = frozenset(("atomicCAS", "atomicExch"))


@rule("SYN002", "spin-lock")
def spin_lock(unit: TranslationUnit) -> Iterator[Diagnostic]:
    tokens = unit.tokenized.code
    for i in range(len(tokens) - 1):
        if tokens[i].text != "while" or tokens[i + 1].text != "(":
            continue
        close = matching(tokens, i + 1)
        function = unit.function_at(tokens[i].start)
        if close is None or function is None or not function.kind.on_device:
            continue
        is_empty = (
            close + 1 < len(tokens) and tokens[close + 1].text in (";", "{") and _body_is_empty(unit, close)
        )
        if is_empty and any(t.text in _LOCKS for t in tokens[i:close]):
            message = (
                "lanes that spin on a lock can starve the lane that holds it: no independent progress on AMD"
            )
            hint = "take the lock with one lane per wavefront, or work inside the loop on success"
            yield Diagnostic("SYN002", Severity.WARNING, message, unit.span_of(tokens[i]), hint)


def _body_is_empty(unit: TranslationUnit, close: int) -> bool:
    tokens = unit.tokenized.code
    return tokens[close + 1].text == ";" or (close + 2 < len(tokens) and tokens[close + 2].text == "}")
