"""Textures, surfaces and CUDA arrays by software: CDNA has no image instructions, and HIP no arrays there.

Fetches and the host's functions go to `headers/porter_texture.h`, which the port then includes; a texture
reference becomes a managed variable. The licence is that the header has every function that the file uses on
textures; mipmaps, gradients and sparse textures are not in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.edit import Edit
from porter.cuda.call_sites import is_free_name, streams
from porter.cuda.tokens import Kind, Token
from porter.cuda.translation_unit import TranslationUnit
from porter.hip.own_headers import own_header_text
from porter.hip.step import Step, insert, replace

TEXTURE_FETCH = "MEM001"
SOFTWARE_TEXTURE = "read in software from plain memory; without the texture units' cache"
HEADER = "porter_texture.h"

_HOST_HEADER = "porter_texture_host.h"
_FETCHES = frozenset(
    ("tex1Dfetch", "tex1D", "tex2D", "tex3D", "tex1DLayered", "tex2DLayered", "tex1DLod", "tex2DLod",
     "tex3DLod", "texCubemap", "texCubemapLayered", "tex2Dgather")
)  # fmt: skip
_SURFACES = frozenset(
    f"surf{kind}{access}"
    for kind in ("1D", "2D", "3D", "1DLayered", "2DLayered", "Cubemap", "CubemapLayered")
    for access in ("read", "write")
)
_HOST = frozenset(
    f"cuda{name}"
    for name in (
        "MallocArray", "Malloc3DArray", "FreeArray", "ArrayGetInfo", "GetChannelDesc", "MemcpyToArray",
        "MemcpyFromArray", "Memcpy2DToArray", "Memcpy2DToArrayAsync", "Memcpy2DFromArray",
        "Memcpy2DArrayToArray", "Memcpy3D", "Memcpy3DAsync", "CreateTextureObject", "DestroyTextureObject",
        "CreateSurfaceObject", "DestroySurfaceObject", "BindTexture", "BindTexture2D", "BindTextureToArray",
        "UnbindTexture",
    )
)  # fmt: skip
# Copies that need the header only where an array takes part.
_ALSO_WITHOUT_ARRAYS = frozenset(("cudaMemcpy3D", "cudaMemcpy3DAsync"))


def port_textures(unit: TranslationUnit) -> Step:
    """Edits of every such name; none in a file that has no textures, surfaces or arrays."""
    used = tuple(_uses(unit))
    if all(t.text in _ALSO_WITHOUT_ARRAYS for t in used) and not _names_arrays(unit):
        return Step()
    return Step(tuple(edit for token in used for edit in _edits(token)))


def software_name(name: str) -> str | None:
    """What the header calls a fetch, a surface access or a function of the host's."""
    known = name in _FETCHES | _SURFACES | _HOST
    return f"porter_{name.removeprefix('cuda')}" if known else None


def covered_fetches(unit: TranslationUnit) -> frozenset[int]:
    """Where the fetches start that the header serves."""
    return frozenset(t.start for t in _uses(unit) if t.text not in _HOST)


def texture_headers(edits: tuple[Edit, ...]) -> dict[str, bytes]:
    """The headers that the edited text needs, by name."""
    needed = any(e.reason == SOFTWARE_TEXTURE for e in edits)
    return {name: own_header_text(name) for name in (HEADER, _HOST_HEADER)} if needed else {}


def _names_arrays(unit: TranslationUnit) -> bool:
    return any(t.text in ("cudaArray", "cudaArray_t", "srcArray", "dstArray") for t in unit.references)


def _uses(unit: TranslationUnit) -> Iterator[Token]:
    if unit.words.isdisjoint(_FETCHES | _SURFACES | _HOST | {"texture"}):
        return
    own = {f.name for f in unit.functions} | {m.name for m in unit.macros}
    for stream in streams(unit):
        tokens = stream.tokens
        for i, token in enumerate(tokens):
            after = tokens[i + 1].text if i + 1 < len(tokens) else ""
            if token.kind is not Kind.IDENTIFIER or token.text in own or not is_free_name(tokens, i):
                continue
            is_fetch = token.text in _FETCHES | _SURFACES and after in ("<", "(")
            is_reference = token.text == "texture" and after == "<"
            if is_fetch or is_reference or token.text in _HOST:
                yield token


def _edits(token: Token) -> Iterator[Edit]:
    if token.text == "texture":
        yield insert(token.start, "__managed__ ", SOFTWARE_TEXTURE)
        yield replace(token, "porter_texture_reference", SOFTWARE_TEXTURE)
    else:
        yield replace(token, software_name(token.text) or token.text, SOFTWARE_TEXTURE)
