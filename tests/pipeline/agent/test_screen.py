"""What a HIP candidate may take from porter: the headers beside it, and the definitions that tools give."""

import pytest

from porter.core.outcome import Producer, Target
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.hip.shim_text import shim_text
from porter.pipeline.agent.screen import screen
from porter.pipeline.draft import Draft

HEADER = b"inline int porter_tile_size() { return 32; }\n#if defined(__AMDGCN__)\n#endif\n"
CUDA = b"__global__ void k(int* y) { y[0] = 1; }\n"


def told(text: str) -> str:
    unit = read_translation_unit(SourceText("/somewhere/k.cu", CUDA))
    draft = Draft(Target.HIP, Producer.AGENT, text.encode(), headers={"porter_tile.h": HEADER})
    return screen(draft, Draft(Target.HIP, Producer.RULES, CUDA), unit)


@pytest.mark.parametrize(
    "text",
    [
        '#include "porter_tile.h"\n__global__ void k(int* y) { y[0] = porter_tile_size(); }\n',
        shim_text(frozenset(("reduce_max_sync",)))
        + "__global__ void k(int* y) { y[0] = porter_reduce_max_sync(~0u, y[0]); }\n",
    ],
)
def test_what_is_offered_may_be_used(text: str) -> None:
    assert told(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k(int* y) { y[0] = porter_sim_secret(); }\n",
        "__global__ void k(int* y) {\n#if defined(__AMDGCN__)\n y[0] = 2;\n#endif\n}\n",
        '#include "k.cu"\n',
        '#include "draft.hip"\n',
    ],
)
def test_nothing_else_may(text: str) -> None:
    assert told(text)
