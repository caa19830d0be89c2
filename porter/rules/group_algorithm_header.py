"""Reductions and scans of cooperative groups.

What it finds: `#include` of `cooperative_groups/reduce.h` or `cooperative_groups/scan.h`.

Why it matters: HIP's cooperative groups do not have these headers, nor `cg::reduce` and the scans.

What porter does: takes the header out and calls versions of its own.

Example: `cg::reduce(tile, v, cg::plus<float>())` is a loop of `tile.shfl_down`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_HEADERS = frozenset(("cooperative_groups/reduce.h", "cooperative_groups/scan.h"))


@rule("LIB007", "group-algorithm-header", answered=True)
def group_algorithm_header(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for include in unit.includes:
        if include.target in _HEADERS:
            message = f"HIP does not have {include.target}"
            hint = "reduce with the shuffles of the group"
            yield Diagnostic("LIB007", Severity.NOTE, message, include.span, hint)
