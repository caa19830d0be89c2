"""`__launch_bounds__(T, B)`: the second argument counts blocks per SM in CUDA, waves per SIMD in HIP.

`B` blocks of `T` threads on a compute unit are `B * T / 64` waves over 4 SIMDs (the HIP programming guide).
"""

from __future__ import annotations

from collections.abc import Mapping

from porter.core.diagnostic import Diagnostic
from porter.core.edit import Edit
from porter.cuda.call_sites import CallSite, calls
from porter.cuda.constants import fold, lookup_in
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step, warning

CLUSTER_BOUND = "LCH010"
_THREADS_PER_WAVE_OF_EVERY_SIMD = 256  # 64 lanes on each of a compute unit's 4 SIMDs
_MAX_WAVES_PER_SIMD = 8


def convert_launch_bounds(unit: TranslationUnit) -> Step:
    """Rewrites the second argument, as a number where it is constant; drops the third."""
    edits: list[Edit] = []
    findings: list[Diagnostic] = []
    for call in calls(unit, frozenset(("__launch_bounds__",))):
        if len(call.arguments) < 2:
            continue
        start, end = _range(call, 1)
        text = waves_per_simd(call.argument(unit, 0), call.argument(unit, 1), unit.constants).encode(
            "latin-1"
        )
        edits.append(Edit(start, end, text, "counts waves per SIMD in HIP, blocks per SM in CUDA"))
        if len(call.arguments) > 2:
            edits.append(Edit(end, _range(call, 2)[1], b"", "HIP has no clusters"))
            message = "the third launch bound counts blocks of a cluster, which CDNA does not have"
            findings.append(warning(CLUSTER_BOUND, message, call.span(unit)))
    return Step(tuple(edits), tuple(findings))


def waves_per_simd(threads: str, blocks: str, scope: Mapping[str, str]) -> str:
    """HIP's second bound for CUDA's `(threads, blocks)`, at least 1 and at most what the hardware holds."""
    lookup = lookup_in(scope)
    per_block, per_unit = fold(threads, lookup), fold(blocks, lookup)
    if per_block is None or per_unit is None:
        total = f"(({threads}) * ({blocks}) + {_THREADS_PER_WAVE_OF_EVERY_SIMD - 1})"
        waves = f"{total} / {_THREADS_PER_WAVE_OF_EVERY_SIMD}"
        return f"({waves} > {_MAX_WAVES_PER_SIMD} ? {_MAX_WAVES_PER_SIMD} : {waves})"
    waves_count = -(-per_block * per_unit // _THREADS_PER_WAVE_OF_EVERY_SIMD)
    return str(min(max(waves_count, 1), _MAX_WAVES_PER_SIMD))


def _range(call: CallSite, index: int) -> tuple[int, int]:
    start, end = call.arguments[index]
    return call.stream.tokens[start].start, call.stream.tokens[end - 1].end
