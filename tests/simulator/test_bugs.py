"""One program for each kind of error: found at its line with the bug, clean without it, all checks on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from porter.simulator.build import Program, build_program
from porter.simulator.checks import ALL_CHECKS
from porter.simulator.compiler import find_compiler
from porter.simulator.options import Face
from porter.simulator.run import run_program

BUGS = Path(__file__).parent / "bugs"


@dataclass(frozen=True)
class Bug:
    """What the checker says. `kernel` is empty where the host does it; `says` is a part of the message.

    What no thread did is `by_host`: it names neither block nor thread.
    """

    name: str
    code: str
    kernel: str = ""
    block: tuple[int, int, int] = (0, 0, 0)
    thread: tuple[int, int, int] = (0, 0, 0)
    says: str = ""
    by_host: bool = False


EXPECTED = [
    Bug("global_read", "SIM001", "difference", (1, 0, 0), (126, 0, 0), "read: out of bounds: byte 1016"),
    Bug("global_write", "SIM001", "fill", (3, 0, 0), (5, 0, 0), "write: out of bounds: byte 808"),
    Bug("shared_static", "SIM001", "smooth", thread=(63, 0, 0), says="byte 256 of `tile', which has 256"),
    Bug("shared_dynamic", "SIM001", "reverse", thread=(64, 0, 0), says="byte 256 of the block's 256 bytes"),
    Bug("use_after_free", "SIM001", "scale", says="freed memory: byte 0 of allocation 2 (4 bytes)"),
    Bug("double_free", "SIM053", says="allocation 1 (256 bytes) is freed a second time", by_host=True),
    Bug("uninitialised", "SIM051", "count", thread=(32, 0, 0), says="byte 4 of `totals'"),
    Bug("uninitialised_global", "SIM051", "add", thread=(3, 0, 0), says="byte 0 of allocation 2"),
    Bug("divergent_barrier", "SIM003", "halves", thread=(32, 0, 0)),
    Bug("wrong_mask", "SIM002", "sum_of_half", says="lanes 0xffff0000 of its mask"),
    Bug("misaligned", "SIM052", "load_rows", thread=(1, 0, 0), says="multiple of 16 bytes"),
    Bug("wide_shift", "SIM058", "before", thread=(2, 0, 0), says="shifted by 32"),
    Bug("race", "SIM050", "neighbours", thread=(1, 0, 0), says="which thread (0,0,0) writes at line 6"),
    Bug("launch_limits", "SIM010", "clear", says="too many threads", by_host=True),
    Bug("unread_status", "SIM054", says="invalid argument", by_host=True),
    Bug("leak", "SIM055", says="1 allocation, 800 bytes", by_host=True),
    Bug("host_reads_device", "SIM056", says="host code reads", by_host=True),
    Bug("device_reads_host", "SIM057", "twice", says="behind argument 1"),
]


def build(name: str, *defines: str) -> Program:
    return build_program([BUGS / f"{name}.cu"], face=Face.CUDA, checks=ALL_CHECKS, defines=defines)


def marked_line(name: str) -> int:
    lines = (BUGS / f"{name}.cu").read_text(encoding="utf-8").splitlines()
    (found,) = [number for number, line in enumerate(lines, 1) if line.endswith("// BUG")]
    return found


@pytest.mark.parametrize("bug", EXPECTED, ids=lambda bug: bug.name)
def test_bug_is_found_at_its_line(bug: Bug) -> None:
    if bug.name == "misaligned" and find_compiler().is_clang:
        pytest.skip("clang does not instrument copies of whole vectors for alignment")
    result = run_program(build(bug.name, "BUG"), threads=1)
    assert result.errors, result.stderr.decode()
    error = result.errors[0]
    assert (error.code, error.line) == (bug.code, marked_line(bug.name)), error
    assert Path(error.file).name == f"{bug.name}.cu"
    who = (None, None) if bug.by_host else (bug.block, bug.thread)
    assert (error.kernel, error.block, error.thread) == (bug.kernel, *who)
    assert bug.says in error.message


@pytest.mark.parametrize("bug", EXPECTED, ids=lambda bug: bug.name)
def test_without_the_bug_it_is_clean(bug: Bug) -> None:
    result = run_program(build(bug.name))
    assert (result.errors, result.returncode) == ((), 0), result.stderr.decode()


def test_every_program_is_expected() -> None:
    assert {path.stem for path in BUGS.glob("*.cu")} == {bug.name for bug in EXPECTED}
