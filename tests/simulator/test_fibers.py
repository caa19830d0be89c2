"""Stack switching alone, in the machine's own way and in the one that every machine has."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from porter.simulator.compiler import find_compiler
from porter.simulator.prebuilt import RUNTIME_DIRECTORY

_PROGRAM = Path(__file__).parent / "programs" / "fibers.cpp"


@pytest.mark.parametrize("define", ["PORTER_SIM_OWN_SWITCH", "PORTER_SIM_UCONTEXT"])
def test_a_fiber_waits_and_goes_on(tmp_path: Path, define: str) -> None:
    program = tmp_path / "fibers"
    sources = [_PROGRAM, RUNTIME_DIRECTORY / "fiber.cpp"]
    flags = ["-std=c++17", "-O1", f"-D{define}", "-I", RUNTIME_DIRECTORY]
    subprocess.run([*find_compiler().command, *flags, *sources, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, timeout=20)
    assert (done.returncode, done.stdout.splitlines()) == (
        0,
        ["starts", "turn 1 of main", "turn 2 of main", "goes on with 63", "leaves", "home"],
    )
