"""Builds a program from text and runs it; each distinct text is compiled once in the user's cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from porter.simulator.build import Program, build_program
from porter.simulator.options import Face
from porter.simulator.run import RunResult, run_program

PROGRAMS = Path(__file__).parent / "programs"
Build = Callable[..., Program]


@pytest.fixture
def program_file(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(text: str, name: str = "program.cu") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def build(name: str, *, face: Face | None = None, lanes: int | None = None, wide: bool = False) -> Program:
    """One of the programs beside the tests; a `.hip` file has HIP's face."""
    path = PROGRAMS / name
    return build_program(
        [path], face=face or (Face.HIP if path.suffix == ".hip" else Face.CUDA), lanes=lanes, wide=wide
    )


def run(
    name: str, arguments: Sequence[str] = (), *, lanes: int | None = None, **options: object
) -> RunResult:
    return run_program(build(name, lanes=lanes), arguments, **options)  # type: ignore[arg-type]


def line_of(name: str, mark: str) -> int:
    """The line of a program that carries the comment `// mark`."""
    lines = (PROGRAMS / name).read_text(encoding="utf-8").splitlines()
    (found,) = [number for number, line in enumerate(lines, 1) if line.endswith(f"// {mark}")]
    return found
