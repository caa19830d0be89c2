"""Runs that lost something: what is gone is done again or told, and nothing is said that is not so."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import jsonschema
import pytest

from porter.core.errors import InputError
from porter.core.migration_report import MigrationReport
from porter.core.outcome import Target
from porter.migrate.discovery import whole_tree
from porter.migrate.executors.protocol import Finished
from porter.migrate.repository.output import port_of, write_tree
from porter.migrate.repository.request import MigrationRequest
from porter.migrate.repository.run import opened
from porter.migrate.repository.units import Kind, State, Unit, UnitDone, crashed
from porter.report.migration_json import format_migration
from tests.migrate.conftest import WriteTree

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs" / "migration.schema.json").read_text())
FILES = 12


class Counting:
    """An executor whose work is to write the file's name in capitals; `done` are the files it was given."""

    def __init__(self, before_each: Callable[[Unit], None] = lambda _: None) -> None:
        self.done: list[str] = []
        self.before_each = before_each

    def run(self, units: Iterable[Unit]) -> Iterator[Finished]:
        for unit in units:
            self.before_each(unit)
            self.done.append(unit.name)
            yield Finished(self._ended(unit), 0.01)

    def _ended(self, unit: Unit) -> UnitDone:
        if unit.name == "f3.cu":
            return crashed(unit, "its process ended with 1")
        finding = {"code": "WAV001", "severity": "error", "path": unit.name, "line": 2, "message": "m"}
        failed = unit.name == "f4.cu"
        kernel = {
            "kernel": "k", "outcome": "failed" if failed else "ported", "reason": "wrong" if failed else "",
            "evidence": ["simulated:wave64"], "findings": [finding] if unit.name == "f5.cu" else [],
        }  # fmt: skip
        document = {"units": [kernel] * (unit.kind is Kind.KERNELS), "findings": [], "reason": ""}
        state = State.OPEN if unit.name in ("f4.cu", "f5.cu") else State.PORTED
        return UnitDone(unit, state, {unit.name: unit.name.upper().encode()}, document)


class Bench:
    """A tree and what is done with it, below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.base = root.parent / ".porter"
        self.out = root.parent / "out"

    @property
    def run_folder(self) -> Path:
        (path,) = self.base.glob("runs/*")
        return path

    def migrate(self, executor: Counting, *, resume: bool) -> MigrationReport:
        tree = whole_tree(self.root)
        with opened(MigrationRequest(tree.root, Target.HIP), tree, self.base, resume=resume) as migration:
            report = migration.run(executor, lambda _: None)
            shutil.rmtree(self.out, ignore_errors=True)
            write_tree(tree, port_of(migration.journal, migration.results), self.out)
        return report

    def ported(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.out.iterdir()}

    def files_of_run(self) -> list[Path]:
        folders = (self.run_folder / name for name in ("units", "objects"))
        return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def bench(write_tree: WriteTree) -> Bench:
    return Bench(write_tree({f"f{k}.cu": f"__global__ void k{k}() {{}}\n" for k in range(FILES)}))


def test_the_report_is_as_its_schema_says(bench: Bench) -> None:
    report = bench.migrate(Counting(), resume=False)
    document = json.loads(format_migration(report))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert document["files"] == {"kernels": {"crashed": 1, "open": 2, "ported": FILES - 3}}
    assert document["kernels"] == {"failed": 1, "ported": FILES - 2}
    assert document["exit_code"] == 1
    assert sorted((r["code"], r["message"], r["places"]) for r in document["reasons"]) == [
        ("", "its process ended with 1", ["f3.cu"]),
        ("", "wrong", ["f4.cu: k"]),
        ("WAV001", "m", ["f5.cu:2"]),
    ]


@pytest.mark.parametrize("field", SCHEMA["required"])
def test_the_schema_wants_every_field(field: str, bench: Bench) -> None:
    document = json.loads(format_migration(bench.migrate(Counting(), resume=False)))
    del document[field]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(document)


def shortened(data: bytes) -> bytes:
    return data[: len(data) // 2]


def emptied(_: bytes) -> bytes:
    return b""


def garbled(data: bytes) -> bytes:
    return b"\xff" + data[1:]


def of_another_kind(_: bytes) -> bytes:
    return b'{"name": "f0.cu", "number": 0, "kind": "kernels", "key": "", "state": "ported", "files": []}'


@pytest.mark.parametrize("damage", [shortened, emptied, garbled, of_another_kind, None])
def test_what_is_lost_or_damaged_is_made_again_and_nothing_else(
    damage: Callable[[bytes], bytes] | None, bench: Bench
) -> None:
    """Whatever a loss of power, a full disk or a person did to the files: the port is the same."""
    bench.migrate(Counting(), resume=False)
    whole = bench.ported()
    victims = random.Random(3).sample(bench.files_of_run(), 6)
    for path in victims:
        if damage is None:
            path.unlink()
        else:
            path.write_bytes(damage(path.read_bytes()))
    executor = Counting()
    bench.migrate(executor, resume=True)
    assert bench.ported() == whole
    assert 1 <= len(executor.done) <= len(victims)


@pytest.mark.parametrize("change", ["units", "findings", "files", "state", "document"])
def test_a_result_that_lacks_something_is_no_result(change: str, bench: Bench) -> None:
    bench.migrate(Counting(), resume=False)
    path = next(p for p in bench.files_of_run() if b'"f7.cu"' in p.read_bytes() and p.suffix == ".json")
    document = json.loads(path.read_bytes())
    replaced = {
        "units": {"document": {**document["document"], "units": [{"kernel": "k"}]}},
        "findings": {"document": {**document["document"], "findings": "none"}},
        "files": {"files": {"f7.cu": "../../../f7.cu"}},
        "state": {"state": "finished"},
        "document": {"document": None},
    }[change]
    path.write_text(json.dumps({**document, **replaced}))
    executor = Counting()
    bench.migrate(executor, resume=True)
    assert executor.done == ["f7.cu"]


@pytest.mark.parametrize("kept", ["", "-wal", "-shm"])
def test_a_journal_that_was_lost_is_made_from_the_results(kept: str, bench: Bench) -> None:
    """Also where what stood beside it is left alone, of a journal that is gone."""
    bench.migrate(Counting(), resume=False)
    whole = bench.ported()
    journal = bench.run_folder / "journal.sqlite"
    journal.unlink()
    if kept:
        journal.with_name(journal.name + kept).write_bytes(b"left over" * 100)
    executor = Counting()
    bench.migrate(executor, resume=True)
    assert executor.done == []
    assert bench.ported() == whole


def test_a_journal_with_its_log_left_over_is_gone_on_with(bench: Bench, tmp_path: Path) -> None:
    """As after a kill: the log holds what the journal does not have yet."""
    copies: list[Path] = []

    def copy_at_the_sixth(unit: Unit) -> None:
        if unit.name == "f5.cu":
            copies.append(tmp_path / "copy")
            shutil.copytree(bench.base, copies[0])

    bench.migrate(Counting(copy_at_the_sixth), resume=False)
    whole = bench.ported()
    assert list(copies[0].glob("runs/*/journal.sqlite-wal"))
    shutil.rmtree(bench.base)
    copies[0].rename(bench.base)
    executor = Counting()
    bench.migrate(executor, resume=True)
    assert bench.ported() == whole
    assert "f5.cu" in executor.done
    assert len(executor.done) < FILES


@pytest.mark.parametrize("data", [b"", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_journal_that_is_damaged_is_told_or_made_anew(data: bytes, bench: Bench) -> None:
    bench.migrate(Counting(), resume=False)
    whole = bench.ported()
    for path in bench.run_folder.glob("journal.sqlite*"):
        path.unlink()
    (bench.run_folder / "journal.sqlite").write_bytes(data)
    executor = Counting()
    if data:
        with pytest.raises(InputError, match="the journal cannot be used") as raised:
            bench.migrate(executor, resume=True)
        assert "move it away" in raised.value.hint
        (bench.run_folder / "journal.sqlite").unlink()
    bench.migrate(executor, resume=True)
    assert (executor.done, bench.ported()) == ([], whole)


def test_a_journal_of_another_version_is_told(bench: Bench) -> None:
    bench.migrate(Counting(), resume=False)
    with sqlite3.connect(bench.run_folder / "journal.sqlite") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(InputError, match="another version of porter wrote it"):
        bench.migrate(Counting(), resume=True)


def test_a_run_that_is_deleted_while_it_works_is_an_error_and_writes_no_port(bench: Bench) -> None:
    def delete(unit: Unit) -> None:
        if unit.name == "f6.cu":
            shutil.rmtree(bench.run_folder)

    with pytest.raises(InputError, match="the folder of the run is gone"):
        bench.migrate(Counting(delete), resume=False)
    assert not bench.out.exists()
    assert list(bench.base.glob("runs/*")) == []


def test_results_that_vanish_while_it_works_are_no_smaller_port(bench: Bench) -> None:
    def delete(unit: Unit) -> None:
        if unit.name == "f6.cu":
            shutil.rmtree(bench.run_folder / "units")

    with pytest.raises(InputError, match="is gone or damaged") as raised:
        bench.migrate(Counting(delete), resume=False)
    assert "--resume" in raised.value.hint
    assert not bench.out.exists()
    bench.migrate(Counting(), resume=True)
    assert len(bench.ported()) == FILES


def test_contents_that_are_damaged_while_it_works_are_not_written(bench: Bench) -> None:
    def damage(unit: Unit) -> None:
        if unit.name == "f9.cu":
            next((bench.run_folder / "objects").rglob("*/*")).write_bytes(b"F")

    with pytest.raises(InputError, match="is damaged"):
        bench.migrate(Counting(damage), resume=False)
    assert not bench.out.exists()
    assert sorted(path.name for path in bench.out.parent.iterdir()) == [".porter", "tree"]
    bench.migrate(Counting(), resume=True)
    assert bench.ported()["f0.cu"] == b"F0.CU"


def test_what_a_kill_left_of_the_port_is_replaced(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a kill would leave it: nothing is tidied up, and the next port is whole and alone."""
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", lambda *_, **__: None)
        patch.setattr(Path, "rename", killed)
        with pytest.raises(KeyboardInterrupt):
            bench.migrate(Counting(), resume=False)
    (left,) = bench.out.parent.glob(".porter-*")
    (left / "f0.cu").unlink()
    (left / "more.cu").write_text("")
    bench.migrate(Counting(), resume=True)
    assert len(bench.ported()) == FILES
    assert not left.exists()


def test_a_file_that_may_not_be_read_is_left_out_and_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever tests may be allowed to read everything."""
    secret = bench.root / "data" / "secret"
    secret.parent.mkdir()
    secret.write_text("x")
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != secret)
    tree = whole_tree(bench.root)
    with opened(MigrationRequest(tree.root, Target.HIP), tree, bench.base, resume=False) as migration:
        migration.run(Counting(), lambda _: None)
        port = port_of(migration.journal, migration.results)
        assert write_tree(tree, port, bench.out) == ["data/secret"]
    assert len(bench.ported()) == FILES


def killed(*_: object) -> None:
    raise KeyboardInterrupt
