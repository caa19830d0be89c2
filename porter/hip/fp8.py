"""8-bit floats: gfx942 computes with FNUZ formats (largest E4M3 value 240), gfx950 with OCP's (448).

The type follows the GPU, so that host and device agree; on gfx942 a finding says that values differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic
from porter.core.edit import Edit
from porter.cuda.call_sites import is_free_name, streams
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.options import HipOptions
from porter.hip.step import Step, replace, warning

FNUZ_FORMAT = "NUM001"

_TYPES = {
    f"__nv_fp8{count}_{kind}": f"__hip_fp8{count}_{kind}"
    for count in ("", "x2", "x4")
    for kind in ("e4m3", "e5m2")
}
_FORMATS = {"__NV_E4M3": "__HIP_E4M3", "__NV_E5M2": "__HIP_E5M2"}


def port_fp8(unit: TranslationUnit, options: HipOptions) -> Step:
    """Edits of types and interpretation constants; one warning a file on a FNUZ GPU."""
    edits: list[Edit] = []
    for token, hip in _uses(unit):
        fnuz = "" if options.has_ocp_fp8 else ("_fnuz" if token.text in _TYPES else "_FNUZ")
        edits.append(replace(token, hip + fnuz, f"the format of {options.arch}"))
    findings: tuple[Diagnostic, ...] = ()
    first = next(iter(_uses(unit)), None)
    if first is not None and not options.has_ocp_fp8:
        findings = (_fnuz(unit, first[0], options),)
    return Step(tuple(edits), findings)


def _uses(unit: TranslationUnit) -> Iterator[tuple[Token, str]]:
    if unit.words.isdisjoint(_TYPES) and unit.words.isdisjoint(_FORMATS):
        return
    for stream in streams(unit):
        for i, token in enumerate(stream.tokens):
            hip = _TYPES.get(token.text) or _FORMATS.get(token.text)
            if hip and token.kind is Kind.IDENTIFIER and is_free_name(stream.tokens, i):
                yield token, hip


def _fnuz(unit: TranslationUnit, token: Token, options: HipOptions) -> Diagnostic:
    return warning(
        FNUZ_FORMAT,
        f"{options.arch} has FNUZ 8-bit floats: another bias, and 240 as the largest E4M3 value, not 448",
        unit.span_of(token),
        "rescale what exceeds 240, and convert stored OCP data; gfx950 has CUDA's formats",
    )
