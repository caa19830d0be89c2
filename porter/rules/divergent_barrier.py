"""A block barrier inside a branch that depends on the thread.

What it finds: `__syncthreads()` inside the block of an `if` whose condition mentions `threadIdx` or a
variable initialised from it.

Why it matters: it is undefined in CUDA, and often works there by luck. On AMD it hangs or lets a wavefront
pass.

What porter does: keeps the code and reports it.

Example: move the barrier out of the branch, and guard the accesses instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.tokens import Token, matching
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_BARRIERS = frozenset(("__syncthreads", "__syncthreads_and", "__syncthreads_or", "__syncthreads_count"))


@rule("SYN003", "divergent-barrier")
def divergent_barrier(unit: TranslationUnit) -> Iterator[Diagnostic]:
    code = unit.tokenized.code
    for function in unit.functions:
        if not function.kind.on_device or function.body is None:
            continue
        first, last = (unit.tokenized.code_index(at) for at in (function.body.start, function.body.end))
        for barrier in _in_thread_branches(code[first:last]):
            message = f"{barrier.text} stands in a branch that only some threads of the block may take"
            hint = "move the barrier out of the branch"
            yield Diagnostic("SYN003", Severity.WARNING, message, unit.span_of(barrier), hint)


def _in_thread_branches(tokens: tuple[Token, ...]) -> Iterator[Token]:
    for i in range(len(tokens) - 1):
        if tokens[i].text != "if" or tokens[i + 1].text != "(":
            continue
        close = matching(tokens, i + 1)
        if close is None or close + 1 >= len(tokens) or tokens[close + 1].text != "{":
            continue
        end = matching(tokens, close + 1)
        if (
            end is not None
            and any(t.text == "threadIdx" for t in tokens[i:close])
            and not _leaves(tokens, close, end)
        ):
            yield from (t for t in tokens[close:end] if t.text in _BARRIERS)


def _leaves(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    return any(t.text == "return" for t in tokens[start:end])
