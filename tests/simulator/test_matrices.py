"""WMMA and rocWMMA: every shape and type, and where a lane's elements lie."""

from __future__ import annotations

import pytest

from tests.simulator.conftest import run


@pytest.mark.parametrize("name", ["matrices.cu", "matrices.hip"])
def test_fragments(name: str) -> None:
    result = run(name)
    assert (result.returncode, result.stdout, result.errors) == (0, b"all passed\n", ())
