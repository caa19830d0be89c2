"""What a change between two runs brings back: all that may depend on it, and nothing else."""

from __future__ import annotations

import pytest

from porter.migrate.repository.units import Unit, UnitDone, crashed
from tests.migrate.conftest import WriteTree
from tests.migrate.test_damage import Bench, Counting

FILES = {
    "Makefile": "all:\n\tnvcc a.cu\n",
    "sub/Makefile": "all:\n\tnvcc s.cu\n",
    "a.cu": '#include "sizes.h"\n__global__ void a() {}\n',
    "sub/s.cu": "__global__ void s() {}\n",
    "device.cuh": "__device__ int f();\n",
    "host.cpp": "int n() { return cudaDeviceSynchronize(); }\n",
    "sizes.h": "#define SIZE 3\n",
    "notes.txt": "nothing\n",
}
BUILD, PROGRAMS = ["Makefile", "sub/Makefile"], ["a.cu", "sub/s.cu"]


@pytest.fixture
def bench(write_tree: WriteTree) -> Bench:
    bench = Bench(write_tree(FILES))
    bench.migrate(Counting(), resume=False)
    return bench


def resumed(bench: Bench) -> list[str]:
    executor = Counting()
    bench.migrate(executor, resume=True)
    return sorted(executor.done)


CHANGES = [
    ("a.cu", "__global__ void b() {}\n", PROGRAMS),
    ("device.cuh", "__device__ long f();\n", [*PROGRAMS, "device.cuh"]),
    ("sizes.h", "#define SIZE 4\n", PROGRAMS),
    ("new.h", "", PROGRAMS),
    ("Makefile", "# a comment\nall:\n\tnvcc a.cu\n", BUILD),
    ("Makefile", "FLAGS = -DN=4\nall:\n\tnvcc $(FLAGS) a.cu\n", [*BUILD, *PROGRAMS]),
    ("compile_commands.json", '[{"directory": ".", "file": "a.cu", "command": "nvcc -DN=5 a.cu"}]', PROGRAMS),
    ("notes.txt", "something\n", []),
]


@pytest.mark.parametrize(("name", "text", "expected"), CHANGES, ids=[f"{c[0]}-{len(c[2])}" for c in CHANGES])
def test_a_change_brings_back_what_may_depend_on_it(
    name: str, text: str, expected: list[str], bench: Bench
) -> None:
    assert resumed(bench) == []
    (bench.root / name).write_text(text)
    assert resumed(bench) == sorted(expected)
    assert resumed(bench) == []


def test_a_file_that_is_gone_brings_back_the_programs(bench: Bench) -> None:
    (bench.root / "sizes.h").unlink()
    assert resumed(bench) == PROGRAMS


def test_a_change_is_not_forgotten_with_the_journal_or_by_a_kill(bench: Bench) -> None:
    """The results themselves say what they were made of."""

    def killed(unit: Unit) -> None:
        raise KeyboardInterrupt

    (bench.root / "sizes.h").write_text("#define SIZE 4\n")
    with pytest.raises(KeyboardInterrupt):
        bench.migrate(Counting(killed), resume=True)
    for path in bench.run_folder.glob("journal.sqlite*"):
        path.unlink()
    assert resumed(bench) == PROGRAMS


class Crashing(Counting):
    """Work on programs ends without a result: `passing` or for good."""

    def __init__(self, *, passing: bool) -> None:
        super().__init__()
        self.passing = passing

    def _ended(self, unit: Unit) -> UnitDone:
        if unit.name in PROGRAMS:
            return crashed(unit, "it is gone", passing=self.passing)
        return super()._ended(unit)


@pytest.mark.parametrize("passing", [False, True])
def test_what_may_pass_is_tried_again(write_tree: WriteTree, *, passing: bool) -> None:
    bench = Bench(write_tree(FILES))
    report = bench.migrate(Crashing(passing=passing), resume=False)
    (reason,) = report.reasons
    assert reason.message == ("it is gone; --resume tries it again" if passing else "it is gone")
    assert resumed(bench) == (PROGRAMS if passing else [])
    assert ((bench.out / "a.cu").read_bytes() == b"A.CU") == passing
