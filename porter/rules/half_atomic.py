"""An atomic addition of 16-bit floats.

What it finds: `atomicAdd` on a parameter or variable of type `__half`, `__half2`, `__nv_bfloat16` or
`__nv_bfloat162`.

Why it matters: HIP has no overload for them in all versions, and no instruction for single ones: they are a
loop of compare-and-swap on the word.

What porter does: calls a version of its own, which does the loop.

Example: `atomicAdd(&sum[i], h)` of `__half` becomes an addition in float in shared memory, and one store.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.structure import Function
from porter.cuda.tokens import Kind
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import body_tokens, device_calls

_ADD = frozenset(("atomicAdd",))
_TYPES = frozenset(
    ("half", "half2", "__half", "__half2", "nv_bfloat16", "nv_bfloat162", "__nv_bfloat16", "__nv_bfloat162")
)


@rule("NUM004", "half-atomic", answered=True)
def half_atomic(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in device_calls(unit, _ADD):
        function = unit.function_at(call.name.start)
        if function is None or not call.arguments:
            continue
        first, last = call.arguments[0]
        pointed = next((t.text for t in call.stream.tokens[first:last] if t.kind is Kind.IDENTIFIER), "")
        type_ = _type_of(unit, function, pointed)
        if type_:
            message = f"atomicAdd of {type_} is a loop of compare-and-swap on AMD, where HIP has it at all"
            hint = "add in float, or in pairs of 16 bits"
            yield Diagnostic("NUM004", Severity.NOTE, message, unit.span_of(call.name), hint)


def _type_of(unit: TranslationUnit, function: Function, name: str) -> str:
    """The 16-bit float type that the function declares `name` with, as `T* name` or `T name[…]`; else ""."""
    tokens = body_tokens(unit, function)
    for i in range(1, len(tokens)):
        if tokens[i].text != name:
            continue
        before = i - 1
        while before > 0 and tokens[before].text in ("*", "&", "__restrict__", "const"):
            before -= 1
        if tokens[before].text in _TYPES:
            return tokens[before].text
    return ""
