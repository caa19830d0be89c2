"""Shared memory handed between the lanes of a warp without synchronisation.

What it finds: a `volatile` pointer or array of shared memory in device code that does not call
`__syncwarp`.

Why it matters: code of the form `if (tid < 32) { s[tid] += s[tid + 32]; s[tid] += s[tid + 16]; … }` relies
on lanes running in step and on `volatile` ordering the accesses. On CDNA the lanes of a wavefront do run in
step, but compilers may reorder accesses of different lanes.

What porter does: keeps the code and reports it.

Example: put `__syncwarp();` between the steps, or use shuffles.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.structure import Function
from porter.cuda.tokens import Token
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_SYNCHRONISATIONS = frozenset(("__syncwarp", "__threadfence_block"))


@rule("SYN001", "warp-synchronous-tail")
def warp_synchronous_tail(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for function in unit.functions:
        if not function.kind.on_device or function.body is None:
            continue
        tokens = _tokens(unit, function)
        if any(t.text in _SYNCHRONISATIONS for t in tokens):
            continue
        declaration = next((t for i, t in enumerate(tokens) if _is_volatile_memory(tokens, i)), None)
        if declaration is not None:
            message = (
                f"{function.name} passes values between lanes through volatile memory without __syncwarp"
            )
            hint = "call __syncwarp() between the steps, or use shuffles"
            yield Diagnostic("SYN001", Severity.WARNING, message, unit.span_of(declaration), hint)


def _tokens(unit: TranslationUnit, function: Function) -> tuple[Token, ...]:
    code = unit.tokenized.code
    return code[unit.tokenized.code_index(function.span.start) : unit.tokenized.code_index(function.span.end)]


def _is_volatile_memory(tokens: tuple[Token, ...], at: int) -> bool:
    """`volatile T *p` or `volatile __shared__ T a[…]`, but not the `volatile` of an asm statement."""
    if tokens[at].text != "volatile" or (at and tokens[at - 1].text in ("asm", "__asm__")):
        return False
    near = [t.text for t in tokens[at : at + 8]]
    declarator = near[: next((i for i, text in enumerate(near) if text in (";", "=", ")", ",")), len(near))]
    return "*" in declarator or "__shared__" in declarator
