"""A part of the L2 cache kept for some data.

What it finds: `accessPolicyWindow` of stream and kernel attributes.

Why it matters: AMD's L2 has no part that can be set aside. The window is ignored, or the call that sets it
fails.

What porter does: keeps the attribute; names that HIP does not have are refused.

Example: leave the window out on AMD, and do not treat the failing call as fatal.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule


@rule("MEM007", "persisting-l2", answered=True)
def persisting_l2(unit: TranslationUnit) -> Iterator[Diagnostic]:
    tokens = unit.tokenized.code
    for i in range(1, len(tokens) if "accessPolicyWindow" in unit.words else 0):
        if tokens[i].text == "accessPolicyWindow" and tokens[i - 1].text in (".", "->"):
            message = "no part of AMD's L2 cache can be kept for a window of memory"
            hint = "leave the window out on AMD"
            yield Diagnostic("MEM007", Severity.NOTE, message, unit.span_of(tokens[i]), hint)
