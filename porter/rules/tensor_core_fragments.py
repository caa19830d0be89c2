"""Tensor-core fragments of `nvcuda::wmma`.

What it finds: every use of the `wmma` namespace; one finding a function.

Why it matters: a fragment is spread over 64 lanes in another layout on AMD. Renaming compiles at best and
is wrong wherever a lane's own elements are touched.

What porter does: for HIP a header of porter's keeps fragments in warps of 32 lanes, unless the source stays
CUDA (`--style shim`); elsewhere the kernel is refused.

Example: `wmma::mma_sync(c, a, b, c)` stays and means porter's; `rocwmma::mma_sync` has 64-lane fragments.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.call_sites import streams
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule


@rule("LIB002", "tensor-core-fragments")
def tensor_core_fragments(unit: TranslationUnit) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for stream in streams(unit) if "wmma" in unit.words else ():
        for i, token in enumerate(stream.tokens[:-1]):
            if token.text != "wmma" or stream.tokens[i + 1].text != "::":
                continue
            function = unit.function_at(token.start)
            where = function.name if function is not None else f"line {unit.span_of(token).line}"
            if where not in seen:
                seen.add(where)
                yield Diagnostic(
                    "LIB002",
                    Severity.ERROR,
                    "wmma fragments have another layout on AMD, over 64 lanes",
                    unit.span_of(token),
                    "use rocWMMA, or MFMA builtins; do not touch fragment elements by index",
                )
