"""Front-end errors about names whose reason porter knows: textures and libraries."""

from __future__ import annotations

import re
from dataclasses import replace

from porter.core.diagnostic import Diagnostic

_TEXTURE_NAME = re.compile(
    r"'(?:tex[123C]\w*|tex2D\w*|surf\w+|cudaBoundaryMode\w+|texture)'|[tT]exObject|SurfObject"
)
_LIBRARY_NAME = re.compile(r"'(?:cub|thrust|wmma|nvcuda|cuda|curand\w*|cublas\w*|cufft\w*)'")


def classified(diagnostic: Diagnostic) -> Diagnostic:
    """A front-end error about a name that porter knows the reason for gets that reason's code."""
    if diagnostic.code != "TIL001":
        return diagnostic
    if _TEXTURE_NAME.search(diagnostic.message):
        hint = "textures do not exist on the target; read the array through a pointer"
        return replace(diagnostic, code="TIL010", message="the kernel reads a texture or surface", hint=hint)
    library = _LIBRARY_NAME.search(diagnostic.message)
    if library is not None:
        hint = "write the operation out, or port this kernel to HIP"
        message = f"the kernel calls the library {library.group(0)}"
        return replace(diagnostic, code="TIL011", message=message, hint=hint)
    return diagnostic
