"""The runtime API by family: each program checks itself, under CUDA's and HIP's names where both have it."""

from __future__ import annotations

import pytest

from tests.simulator.conftest import run


@pytest.mark.parametrize("name", ["textures.cu", "textures.hip", "graphs.cu", "graphs.hip"])
def test_family(name: str) -> None:
    result = run(name)
    assert (result.stdout.decode(), result.returncode, result.errors) == ("all passed\n", 0, ())
