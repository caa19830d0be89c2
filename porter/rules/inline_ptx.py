"""Inline assembly in device code.

What it finds: `asm` statements with instructions in kernels, device functions and macros; one finding a
function.

Why it matters: PTX is NVIDIA's. Clang accepts the text and fails only when it generates code for AMD, so that
a syntax check passes.

What porter does: writes builtins for the instructions that it knows, and refuses the others at their place.

Example: `asm("mov.u32 %0, %laneid;" : "=r"(lane));` is `lane = __lane_id() % 32;`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import is_on_device

_ASM = frozenset(("asm", "__asm__", "__asm"))


@rule("PTX002", "inline-ptx", answered=True)
def inline_ptx(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if _ASM.isdisjoint(unit.words):
        return
    seen: set[int] = set()
    tokens = tuple(t for t in unit.tokenized.tokens if t.kind is not Kind.COMMENT)
    for i, token in enumerate(tokens):
        if token.text not in _ASM or not is_on_device(unit, token) or not _has_text(tokens, i):
            continue
        function = unit.function_at(token.start)
        place = function.span.start if function is not None else -1 - token.directive
        if place not in seen:
            seen.add(place)
            message = "PTX compiles to no code for AMD"
            hint = "use CUDA's intrinsics, which have counterparts"
            yield Diagnostic("PTX002", Severity.NOTE, message, unit.span_of(token), hint)


def _has_text(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether an instruction follows; an empty text is a barrier for the compiler, on every GPU."""
    following = tokens[at + 1 : at + 6]
    text = next((t.text for t in following if t.kind is Kind.STRING), '""')
    return bool(text.strip('"').strip())
