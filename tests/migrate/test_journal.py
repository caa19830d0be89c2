"""The journal: states that survive, plans that change, files that are none."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from porter.core.errors import InputError
from porter.migrate.repository.journal import Journal
from porter.migrate.repository.units import Kind, State, Unit

A = Unit(0, "Makefile", Kind.BUILD, "k0")
B = Unit(1, "a.cu", Kind.KERNELS, "k1")
C = Unit(2, "c.cuh", Kind.CUDA, "k2")


def done(path: Path, *units: Unit) -> Journal:
    journal = Journal(path)
    journal.plan(units)
    for unit in units:
        journal.finished(unit, State.PORTED, 1.5)
    return journal


def names(journal: Journal) -> list[str]:
    return [unit.name for unit in journal.waiting()]


def test_what_is_finished_stays_so_when_it_is_opened_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.plan((A, B, C))
    journal.finished(B, State.OPEN, 0.1)
    journal.close()
    journal = Journal(tmp_path / "j")
    journal.plan((A, B, C))
    assert list(journal.waiting()) == [A, C]
    assert list(journal.done()) == [B]
    assert journal.counts() == {(Kind.BUILD, None): 1, (Kind.KERNELS, State.OPEN): 1, (Kind.CUDA, None): 1}


def test_files_that_come_and_go(tmp_path: Path) -> None:
    journal = done(tmp_path / "j", A, B)
    journal.plan((Unit(0, "0.mk", Kind.BUILD, "k"), Unit(1, "a.cu", Kind.KERNELS, "k1")))
    assert names(journal) == ["0.mk"]
    assert [u.name for u in journal.done()] == ["a.cu"]


def test_units_may_be_finished_while_they_are_listed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    units = [Unit(i, f"{i}.cu", Kind.KERNELS, "k") for i in range(2500)]
    journal.plan(units)
    seen = []
    for unit in journal.waiting():
        seen.append(unit)
        journal.finished(unit, State.PORTED, 0.0)
    assert seen == units
    assert names(journal) == []


def test_a_plan_that_fails_changes_nothing(tmp_path: Path) -> None:
    journal = done(tmp_path / "j", A, B)

    def broken():  # type: ignore[no-untyped-def]
        yield C
        raise OSError("unreadable")

    with pytest.raises(OSError, match="unreadable"):
        journal.plan(broken())
    assert [u.name for u in journal.done()] == ["Makefile", "a.cu"]


@pytest.mark.parametrize(
    "data", [b"no database at all, but long enough to look at" * 40, b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_a_file_that_is_none_is_told(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(data)
    with pytest.raises(InputError, match="the journal cannot be used"):
        Journal(tmp_path / "j")


def test_one_of_another_version_is_told(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "j") as other:
        other.execute("CREATE TABLE unit (number INTEGER, path TEXT)")
    other.close()
    with pytest.raises(InputError, match="the journal cannot be used"):
        Journal(tmp_path / "j").plan((A,))
