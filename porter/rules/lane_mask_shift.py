"""A one of 32 bits, shifted by a lane index.

What it finds: `1 << lane` and `1u << lane`, where the lane is an index in a group of 32, directly or through
a variable.

Why it matters: once the group is widened to a wavefront the lane reaches 63, and shifting 32 bits by more
than 31 is undefined.

What porter does: keeps the groups of 32 lanes, so that the shift stays in range.

Example: `(1u << lane) - 1` becomes `(1ull << lane) - 1` in code for wavefronts.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.analysis.warp_assumptions import AssumptionKind, warp_assumptions
from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.definitions import definitions_in
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import body_tokens

_ONES = frozenset(("1", "1u", "1U"))


@rule("WAV006", "lane-mask-shift", answered=True)
def lane_mask_shift(unit: TranslationUnit) -> Iterator[Diagnostic]:
    lanes = [a for a in warp_assumptions(unit) if a.kind is AssumptionKind.LANE_INDEX]
    if not lanes:
        return
    starts = {a.span.start for a in lanes}
    texts = {a.text for a in lanes}
    for function in unit.functions:
        if not function.kind.on_device or function.body is None:
            continue
        local = definitions_in(unit.tokenized, function.body.start, function.body.end)
        names = {d.name for d in local if any(text in d.value for text in texts)}
        tokens = body_tokens(unit, function)
        for i in range(len(tokens) - 3):
            if tokens[i].text not in _ONES or tokens[i + 1].text != "<<":
                continue
            by = tokens[i + 3] if tokens[i + 2].text == "(" else tokens[i + 2]
            if by.text in names or by.start in starts:
                message = "32 bits are shifted by a lane index, which reaches 63 on wavefronts of 64 lanes"
                hint = "shift 1ull, or keep groups of 32 lanes"
                yield Diagnostic("WAV006", Severity.NOTE, message, unit.span_of(tokens[i]), hint)
