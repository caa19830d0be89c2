"""A constant for all lanes as the mask of a warp intrinsic.

What it finds: a first argument of `…_sync` intrinsics that folds to `0xffffffff`, `-1` or
`0xffffffffffffffff`; one finding for each intrinsic in a function.

Why it matters: in HIP the mask has 64 bits: one of 32 bits does not compile, and one of 64 is compared with
the lanes that run when assertions are on, so that a Release build hides what a Debug build aborts on.

What porter does: drops the mask where all lanes of the group take part, and calls intrinsics with 32-lane
masks of its own elsewhere.

Example: `__shfl_sync(0xffffffff, v, 0, 32)` becomes `__shfl(v, 0, 32)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.constants import fold, lookup_in
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule
from porter.rules.sites import device_calls, first_of_each

_INTRINSICS = frozenset(
    (
        *(f"__shfl{kind}_sync" for kind in ("", "_up", "_down", "_xor")),
        *("__all_sync", "__any_sync", "__ballot_sync", "__match_any_sync", "__match_all_sync"),
        *(f"__reduce_{kind}_sync" for kind in ("add", "min", "max", "and", "or", "xor")),
    )
)
_FULL = frozenset((0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF, -1))


@rule("WAV004", "lane-mask-literal", answered=True)
def lane_mask_literal(unit: TranslationUnit) -> Iterator[Diagnostic]:
    lookup = lookup_in(unit.constants)
    masked = (call for call in device_calls(unit, _INTRINSICS) if len(call.arguments) > 1)
    full = (call for call in masked if fold(call.argument(unit, 0), lookup) in _FULL)
    for call in first_of_each(unit, full):
        message = f"the mask of {call.name.text} is a constant; HIP wants 64 bits that are the active lanes"
        hint = "name the mask once, by platform, and its type too"
        yield Diagnostic("WAV004", Severity.NOTE, message, unit.span_of(call.name), hint)
