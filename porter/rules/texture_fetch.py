"""Texture and surface accesses in device code.

What it finds: texture references, `tex1D`…, `tex2D`…, `surf…read` and `surf…write` calls, mipmapped
arrays.

Why it matters: gfx942 and gfx950 have no image instructions, so HIP's texture functions do not compile for
them. Texture references were removed from CUDA 12.

What porter does: for HIP, reads them in software from plain memory, except mipmaps and gradients; for Triton,
refuses the kernels that fetch.

Example: `tex2D<float>(t, x, y)` reads a 2-D image with filtering; replace it by a bounds-checked load from
a pitched buffer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.call_sites import is_free_name, streams
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_FETCH = re.compile(
    r"^(tex1Dfetch|tex2Dgather|tex(1D|2D|3D|Cubemap)(Layered)?(Lod|Grad)?"
    r"|surf(1D|2D|3D|Cubemap)(Layered)?(read|write))$"
)
_MIPMAPS = frozenset(("cudaMallocMipmappedArray", "cudaGetMipmappedArrayLevel", "cudaFreeMipmappedArray"))


@rule("MEM001", "texture-fetch")
def texture_fetch(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if not any(word == "texture" or word in _MIPMAPS or _FETCH.match(word) for word in unit.words):
        return
    own = {f.name for f in unit.functions}
    for stream in streams(unit):
        for i, token in enumerate(stream.tokens[:-1]):
            after = stream.tokens[i + 1].text
            if token.kind is not Kind.IDENTIFIER or token.text in own or not is_free_name(stream.tokens, i):
                continue
            if _FETCH.match(token.text) and after in ("<", "("):
                yield _finding(
                    unit, token, f"{token.text} needs image instructions, which gfx942 and gfx950 lack"
                )
            elif token.text in _MIPMAPS and after == "(":
                yield _finding(unit, token, f"{token.text} needs images, which gfx942 and gfx950 lack")
            elif token.text == "texture" and after == "<":
                yield _finding(
                    unit, token, "texture references exist neither in CUDA 12 nor on gfx942 and gfx950"
                )


def _finding(unit: TranslationUnit, token: Token, message: str) -> Diagnostic:
    hint = "read from a buffer with explicit bounds, and filter in code"
    return Diagnostic("MEM001", Severity.ERROR, message, unit.span_of(token), hint)
