"""A group of the lanes that run together.

What it finds: `coalesced_threads()` of cooperative groups, in device code; one finding a function.

Why it matters: on CDNA such a group has up to 64 threads. Code that keeps its lanes in 32 bits, or sizes an
array for 32, is wrong.

What porter does: keeps the group; its size and ranks are those of the wavefront.

Example: `unsigned lanes = g.ballot(p);` of a coalesced group `g` needs 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule


@rule("WAV015", "coalesced-group", answered=True)
def coalesced_group(unit: TranslationUnit) -> Iterator[Diagnostic]:
    seen: set[int] = set()
    tokens = unit.tokenized.code
    for i, token in enumerate(tokens[:-1] if "coalesced_threads" in unit.words else ()):
        function = unit.function_at(token.start)
        if token.text != "coalesced_threads" or tokens[i + 1].text != "(" or function is None:
            continue
        if function.kind.on_device and function.span.start not in seen:
            seen.add(function.span.start)
            message = "a coalesced group has up to 64 threads on CDNA"
            hint = "ask the group for its size, and keep its lanes in 64 bits"
            yield Diagnostic("WAV015", Severity.NOTE, message, unit.span_of(token), hint)
