"""A block barrier in a loop that threads run unequally often.

What it finds: `__syncthreads()` in a `for` loop whose variable starts at a thread index and whose bound is no
constant that the step divides.

Why it matters: threads that leave the loop early miss the barrier of the last round, unless the bound happens
to be a multiple of the step. It is undefined in CUDA, and a hang on AMD.

What porter does: keeps the code and reports it.

Example: count the rounds from the block's first thread, and guard the accesses: `for (int base = 0; base < n;
base += blockDim.x)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.constants import fold, lookup_in
from porter.cuda.structure import Function
from porter.cuda.tokens import Token, matching, text_of
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import body_tokens

_BARRIERS = frozenset(("__syncthreads", "__syncthreads_and", "__syncthreads_or", "__syncthreads_count"))


@rule("SYN005", "divergent-loop-barrier")
def divergent_loop_barrier(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if _BARRIERS.isdisjoint(unit.words):
        return
    for function in unit.functions:
        if not function.kind.on_device or function.body is None:
            continue
        tokens = body_tokens(unit, function)
        for i in range(len(tokens) - 1):
            loop = _loop(tokens, i)
            if loop is None or _is_even(unit, function, tokens, loop):
                continue
            for token in tokens[loop.close + 1 : loop.end]:
                if token.text in _BARRIERS:
                    message = f"{token.text} in a loop from the thread's index: its rounds can differ"
                    hint = "let all threads run the same rounds, and guard the accesses"
                    yield Diagnostic("SYN005", Severity.WARNING, message, unit.span_of(token), hint)


@dataclass(frozen=True)
class _Loop:
    """Token indices of `for (…; first_semicolon … second …) { … }`."""

    first: int
    second: int
    close: int
    end: int


def _loop(tokens: tuple[Token, ...], at: int) -> _Loop | None:
    """The `for` at `at` with a body in braces that `threadIdx` starts and nothing leaves."""
    if tokens[at].text != "for" or tokens[at + 1].text != "(":
        return None
    close = matching(tokens, at + 1)
    if close is None or close + 1 >= len(tokens) or tokens[close + 1].text != "{":
        return None
    end = matching(tokens, close + 1)
    semicolons = [i for i in range(at, close) if tokens[i].text == ";"]
    if end is None or len(semicolons) != 2:
        return None
    start = tokens[at : semicolons[0]]
    equals = next((i for i, t in enumerate(start) if t.text == "="), None)
    if equals is None or equals + 1 >= len(start) or start[equals + 1].text != "threadIdx":
        return None
    return _Loop(semicolons[0], semicolons[1], close, end)


def _is_even(unit: TranslationUnit, function: Function, tokens: tuple[Token, ...], loop: _Loop) -> bool:
    """Whether the bound is a constant that no step is known not to divide."""
    lookup = lookup_in(unit.constants)
    if tokens[loop.first + 2].text != "<":
        return False
    rounds = fold(text_of(unit.source, tokens, loop.first + 3, loop.second), lookup)
    if rounds is None:
        return False
    step = text_of(unit.source, tokens, loop.second + 3, loop.close)
    if "".join(step.split()) == "blockDim.x":
        blocks = [x.block_dim[0] for x in unit.launches if x.kernel == function.name and x.block_dim]
        return all(rounds % block == 0 for block in blocks)
    by = fold(step, lookup)
    return by is not None and by > 0 and rounds % by == 0
