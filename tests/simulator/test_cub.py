"""CUB's block, warp and device parts against plain loops, under both vendors' names."""

from __future__ import annotations

import pytest

from tests.simulator.conftest import run


@pytest.mark.parametrize("program", ["cub.cu", "hipcub.hip"])
@pytest.mark.parametrize("seed", [None, 3])
def test_parts_agree_with_plain_loops(program: str, seed: int | None) -> None:
    result = run(program, schedule_seed=seed)
    assert (result.stdout.decode(), result.returncode, result.errors) == ("all passed\n", 0, ())
