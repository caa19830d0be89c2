"""`warpSize` where a constant expression is needed.

What it finds: `warpSize` in the extent of a `__shared__` array, as a template argument, in a case label, in a
`constexpr` or a `static_assert`.

Why it matters: since ROCm 7 `warpSize` is no constant expression, because one binary can serve GPUs of 32 and
64 lanes. Such code does not compile.

What porter does: writes 32 there, the size of the groups that it keeps.

Example: `__shared__ float s[256 / warpSize];` needs `s[256 / 32]`, or room for the smallest warp.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.call_sites import is_free_name
from porter.cuda.tokens import Token
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule


@rule("WAV007", "warp-size-as-constant", answered=True)
def warp_size_as_constant(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if "warpSize" not in unit.words:
        return
    tokens = unit.tokenized.code
    for i, token in enumerate(tokens):
        if token.text == "warpSize" and is_free_name(tokens, i) and _needs_constant(tokens, i):
            message = "warpSize stands where a constant is needed, which it is not since ROCm 7"
            hint = "use a constant of your own, sized for warps of 32 lanes"
            yield Diagnostic("WAV007", Severity.NOTE, message, unit.span_of(token), hint)


def _needs_constant(tokens: tuple[Token, ...], at: int) -> bool:
    if tokens[at - 1].text in ("<", ",") and at + 1 < len(tokens) and tokens[at + 1].text == ">":
        return True
    start, brackets = at, 0
    while start > 0 and tokens[start - 1].text not in (";", "{", "}"):
        start -= 1
        brackets += {"[": 1, "]": -1}.get(tokens[start].text, 0)
    words = {t.text for t in tokens[start:at]}
    is_extent = brackets > 0 and "__shared__" in words and "=" not in words
    return is_extent or not words.isdisjoint(("constexpr", "static_assert", "case"))
