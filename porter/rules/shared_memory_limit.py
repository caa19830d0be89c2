"""More shared memory in a block than a compute unit of gfx942 has.

What it finds: shared arrays of a kernel whose constant sizes sum to more than 64 KiB, and launches that ask
for more as a constant.

Why it matters: gfx90a and gfx942 have 64 KiB of LDS, gfx950 has 160 KiB. Static arrays above the limit do
not compile, dynamic ones do not launch.

What porter does: reports it; the build for the chosen GPU decides.

Example: `__shared__ float tile[160][128];` holds 80 KiB: split the tile, or build for gfx950.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.constants import fold, lookup_in
from porter.cuda.definitions import definitions_in
from porter.cuda.structure import Function
from porter.cuda.tokens import Token, matching, text_of
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

LDS_BYTES_GFX942 = 64 << 10


@rule("MEM002", "shared-memory-limit")
def shared_memory_limit(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for kernel in unit.kernels:
        total, first = _static_bytes(unit, kernel)
        if first is not None and total > LDS_BYTES_GFX942:
            message = (
                f"{kernel.name} has {total} bytes of shared memory; gfx90a and gfx942 have {LDS_BYTES_GFX942}"
            )
            hint = "use a smaller tile, or build for gfx950 (160 KiB)"
            yield Diagnostic("MEM002", Severity.WARNING, message, unit.span_of(first), hint)
    for launch in unit.launches:
        scope = {**unit.constants, **dict(launch.resolved)}
        requested = fold(launch.shared, lookup_in(scope)) if launch.shared else None
        if requested is not None and requested > LDS_BYTES_GFX942:
            message = f"the launch asks for {requested} bytes of shared memory; gfx942 has {LDS_BYTES_GFX942}"
            yield Diagnostic(
                "MEM002", Severity.WARNING, message, launch.span, "use a smaller tile, or gfx950"
            )


def _static_bytes(unit: TranslationUnit, kernel: Function) -> tuple[int, Token | None]:
    """The bytes of shared arrays whose extents are constant, and the first such declaration."""
    if kernel.body is None:
        return 0, None
    scope = dict(unit.constants)
    scope.update(
        {d.name: d.value for d in definitions_in(unit.tokenized, kernel.body.start, kernel.body.end)}
    )
    tokens = unit.tokenized.code
    total, first = 0, None
    for i in range(unit.tokenized.code_index(kernel.body.start), unit.tokenized.code_index(kernel.body.end)):
        if tokens[i].text == "__shared__" and tokens[i - 1].text != "extern":
            total += _array_bytes(unit, tokens, i + 1, scope)
            first = first or tokens[i]
    return total, first


def _array_bytes(unit: TranslationUnit, tokens: tuple[Token, ...], start: int, scope: dict[str, str]) -> int:
    """The size of the declaration that starts at `start`, 0 where an extent or the type is not constant."""
    lookup = lookup_in(scope)
    open_ = start
    while open_ < len(tokens) and tokens[open_].text not in ("[", ";", "=", ","):
        open_ += 1
    size = fold(f"sizeof({text_of(unit.source, tokens, start, open_ - 1)})", lookup) or 0
    while open_ < len(tokens) and tokens[open_].text == "[":
        close = matching(tokens, open_)
        if close is None:
            return 0
        size *= fold(text_of(unit.source, tokens, open_ + 1, close), lookup) or 0
        open_ = close + 1
    return size
