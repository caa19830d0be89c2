"""A mask of all lanes, made by a shift by the warp's size.

What it finds: `1 << warpSize` and `1ull << warpSize`, in any spelling of the one.

Why it matters: on CDNA the shift is by 64, which is undefined for 64 bits: the mask of all lanes comes out as
0 or 1.

What porter does: keeps groups of 32 lanes, and writes 32 for the size.

Example: `(1ull << warpSize) - 1` becomes `~0ull >> (64 - warpSize)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.call_sites import streams
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_ONE = re.compile(r"^1[uUlL]*$")


@rule("WAV016", "full-width-mask", answered=True)
def full_width_mask(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if "warpSize" not in unit.words:
        return
    for stream in streams(unit):
        tokens = stream.tokens
        for i in range(len(tokens) - 2):
            shifted = tokens[i + 1].text == "<<" and tokens[i + 2].text == "warpSize"
            if shifted and (_ONE.match(tokens[i].text) or tokens[i].text == ")"):
                message = "a shift by warpSize is by 64 on CDNA, which is undefined"
                hint = "shift all ones to the right: ~0ull >> (64 - warpSize)"
                yield Diagnostic("WAV016", Severity.NOTE, message, unit.span_of(tokens[i]), hint)
