"""`port(text)`: the HIP text without the inserted lines; `translate(text)`: the whole result."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.options import HipOptions
from porter.hip.translate import HipTranslation, translate_hip

HEADER = "#include <cuda_runtime.h>\n"
PORTED_HEADER = "#include <hip/hip_runtime.h>\n"


@pytest.fixture
def translate() -> Callable[..., HipTranslation]:
    def run(text: str, arch: str = "gfx950") -> HipTranslation:
        unit = read_translation_unit(SourceText("t.cu", text.encode("latin-1")))
        return translate_hip(unit, HipOptions(arch))

    return run


@pytest.fixture
def port(translate: Callable[..., HipTranslation]) -> Callable[..., str]:
    """Ports `text` behind the runtime header, and gives back what became of `text` itself."""

    def run(text: str, arch: str = "gfx950") -> str:
        ported = translate(HEADER + text, arch).text.decode("latin-1")
        assert ported.startswith(PORTED_HEADER)
        body = ported.removeprefix(PORTED_HEADER)
        if body.startswith("// Warp operations"):
            body = body[body.rindex("#endif\n") + len("#endif\n") :]
        return body

    return run


@pytest.fixture
def found(translate: Callable[..., HipTranslation]) -> Callable[..., list[tuple[str, int, int]]]:
    """Code, line and column of every finding."""

    def run(text: str, arch: str = "gfx950") -> list[tuple[str, int, int]]:
        return [(f.code, f.span.line, f.span.column) for f in translate(text, arch).findings]

    return run
