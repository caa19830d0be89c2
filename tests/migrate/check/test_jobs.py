"""Files over processes: the same results in the same order, and a crash is one file's result."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from porter.core.outcome import Target
from porter.migrate.check import analyse as analysis
from porter.migrate.check.jobs import analyse_all, processes_for
from porter.migrate.check.request import FileJob, Selection
from tests.migrate.conftest import WriteTree

WARPS = "__global__ void k(int* p) { p[threadIdx.x % 32] = 1; }\n"


def jobs(root: Path, count: int) -> list[FileJob]:
    return [FileJob(root, f"{i}.cu", True, Target.HIP, "gfx950", Selection()) for i in range(count)]


@pytest.mark.parametrize(
    ("asked", "files", "expected"),
    [(3, 9, 3), (3, 2, 2), (1, 0, 1), (0, 10, 1), (0, 0, 1), (0, 10**6, os.cpu_count())],
)
def test_how_many_processes(asked: int, files: int, expected: int) -> None:
    assert processes_for(asked, files) == expected


def test_two_processes_find_what_one_does(write_tree: WriteTree) -> None:
    root = write_tree({f"{i}.cu": WARPS if i % 2 else "" for i in range(6)})
    work = jobs(root, 6)
    alone = list(analyse_all(work, 1))
    assert list(analyse_all(iter(work), 2)) == alone
    assert [len(found.findings) for found in alone] == [0, 1, 0, 1, 0, 1]


def test_a_crash_of_an_analysis_is_a_finding(write_tree: WriteTree, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(analysis, "translate_hip", crash)
    (found,) = analyse_all(jobs(write_tree({"0.cu": WARPS}), 1), 1)
    (finding,) = found.findings
    assert (finding.diagnostic.code, finding.path, found.analysed) == ("CHK004", "0.cu", False)
    assert finding.diagnostic.message.startswith(
        "the analysis of this file failed: RecursionError: too deep at"
    )
