"""`nvcuda::wmma` by a header of porter's that keeps fragments in warps of 32 lanes.

The names stay as they are. The licence is that `headers/porter_wmma.h` has them; elements of less than a byte
it has not. What it costs is told at the first use in each function.
"""

from __future__ import annotations

from dataclasses import replace

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.call_sites import streams
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.step import Step, error

FRAGMENTS = "LIB002"
IN_WARPS = "LIB012"

_SUB_BYTE = frozenset(("experimental", "bmma_sync", "bmmaBitOp"))


def port_matrix_fragments(unit: TranslationUnit, *, with_headers: bool) -> Step:
    """An error at each use of matrices of bits and of 4-bit integers."""
    if not with_headers or "wmma" not in unit.words:
        return Step()
    return Step(
        findings=tuple(
            error(
                FRAGMENTS,
                f"wmma::{after.text} has elements of less than a byte, which AMD cannot multiply",
                unit.span_of(after),
                "widen the elements to 8 bits",
            )
            for stream in streams(unit)
            for name, after in zip(stream.tokens, stream.tokens[2:], strict=False)
            if name.text == "wmma" and after.text in _SUB_BYTE
        )
    )


def as_ported(finding: Diagnostic) -> Diagnostic:
    """The rule's refusal of fragments, as the warning that is left of it."""
    if finding.code != FRAGMENTS:
        return finding
    message = (
        "wmma works in warps of 32 lanes: on the matrix cores where both warps of a wavefront multiply at "
        "once and the shape is 16x16x16, 16x16x8 (tf32) or 8x8x4 (double), else on vector units"
    )
    hint = "launch blocks of a multiple of 64 threads; rocWMMA's fragments save the exchange between halves"
    return replace(finding, code=IN_WARPS, severity=Severity.WARNING, message=message, hint=hint)
