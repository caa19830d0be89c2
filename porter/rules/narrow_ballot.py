"""The lanes of a warp in 32 bits.

What it finds: `__ballot_sync`, `__activemask` and `__match_…_sync` whose result goes into a variable of 32
bits, or straight into `__popc`, `__ffs`, `__clz` or `__brev`.

Why it matters: a wavefront's ballot has 64 bits. In 32 bits the upper half is lost, without a warning.

What porter does: takes the half of the ballot that holds this lane's group of 32.

Example: `unsigned m = __ballot_sync(~0u, p);` needs `unsigned long long` and `__popcll` where it is to hold
all lanes.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls

_BALLOTS = frozenset(("__ballot_sync", "__activemask", "__match_any_sync", "__match_all_sync"))
_NARROW = frozenset(("int", "unsigned", "uint32_t", "int32_t", "uint"))
_COUNTS = frozenset(("__popc", "__ffs", "__clz", "__brev"))


@rule("WAV005", "narrow-ballot", answered=True)
def narrow_ballot(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for call in device_calls(unit, _BALLOTS):
        how = _narrowed(call.stream.tokens, call.at)
        if how:
            message = f"the lanes of {call.name.text} {how}; on CDNA they are 64"
            hint = "use 64 bits, or the half that holds the lane's own group of 32"
            yield Diagnostic("WAV005", Severity.NOTE, message, unit.span_of(call.name), hint)


def _narrowed(tokens: tuple[Token, ...], at: int) -> str:
    """How the value of the call at `at` loses its upper half; "" where it does not, as far as is seen."""
    before, further = (tokens[at - k].text if at >= k else "" for k in (1, 2))
    if before == "(" and further in _COUNTS:
        return f"go through {further}, which takes 32 bits"
    is_variable = at >= 3 and tokens[at - 2].kind is Kind.IDENTIFIER
    if before == "=" and is_variable and tokens[at - 3].text in _NARROW:
        return f"go into '{further}', which has 32 bits"
    return ""
