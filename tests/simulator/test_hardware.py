"""The simulator against an NVIDIA GPU: the same programs, line by line.

`hardware/*.h200` is what each program printed on an H200 (CUDA 13.0, `nvcc -O2 -arch=sm_90`): a name, a hash
of 2048 results, and the status.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program

PROGRAMS = Path(__file__).with_name("hardware")


@pytest.mark.parametrize("name", ["words", "floats", "fragments"])
def test_results_are_the_gpus_to_the_bit(name: str) -> None:
    result = run_program(build_program([PROGRAMS / f"{name}.cu"], face=Face.CUDA))
    assert result.errors == ()
    seen = result.stdout.decode().splitlines()
    expected = (PROGRAMS / f"{name}.h200").read_text(encoding="utf-8").splitlines()
    assert [line for line in expected if line not in seen] == []
    assert len(seen) == len(expected) > 20
