"""`porter clean` deletes what was named, says what it freed, and never what is in use or not porter's."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from porter.cli.main import run as porter
from porter.core.cache_limit import SAFE_SECONDS
from porter.core.errors import InputError
from porter.migrate.runs.clean import seconds_of
from porter.pipeline.run_directory import RunDirectory
from porter.pipeline.run_lock import in_use, unused


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path / "cache"))
    return tmp_path / ".porter"


def begun(base: Path, days_ago: float) -> Path:
    """A run that ended, with 1000 bytes in it."""
    path = RunDirectory.create(base, "translate", b"").path
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(time.time() - days_ago * 86400))
    path = path.rename(path.with_name(f"{stamp}-{path.name[-8:]}"))
    (path / "units" / "data").write_bytes(b"x" * 1000)
    return path


def left(base: Path) -> set[str]:
    return {path.name for path in (base / "runs").iterdir()}


def test_by_age_and_by_number(here: Path) -> None:
    old, middle, new = (begun(here, days) for days in (9, 5, 0))
    assert porter(["clean", "--older-than", "7d"]) == 0
    assert left(here) == {middle.name, new.name}
    assert porter(["clean", "--older-than", "1d", "--keep", "2"]) == 0
    assert left(here) == {middle.name, new.name}
    assert porter(["clean", "--keep", "1"]) == 0
    assert left(here) == {new.name}
    assert not old.exists()


def test_all_with_the_candidates_and_not_the_answers(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun(here, 0)
    for name in ("candidates/c", "agent/a"):
        (here / name).mkdir(parents=True)
    assert porter(["clean", "--all"]) == 0
    assert left(here) == set()
    assert sorted(path.name for path in here.iterdir()) == [".gitignore", "agent", "runs"]
    assert "freed 1.1 kB" in capsys.readouterr().out


def test_a_dry_run_deletes_nothing_and_says_the_same_size(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = begun(here, 0)
    assert porter(["clean", "--all", "--dry-run"]) == 0
    told = capsys.readouterr().out
    assert f"would delete .porter/runs/{path.name}" in told
    assert path.is_dir()
    assert porter(["clean", "--all"]) == 0
    assert capsys.readouterr().out == told.replace("would delete", "deleted").replace("would free", "freed")


def test_a_run_in_use_stays_and_the_candidates_with_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = begun(here, 1)
    busy = RunDirectory.create(here, "translate", b"")
    (here / "candidates").mkdir()
    assert porter(["clean", "--all"]) == 1
    assert "it is in use" in capsys.readouterr().err
    assert left(here) == {busy.path.name}
    assert not other.exists()
    assert (here / "candidates").is_dir()


def test_links_are_neither_followed_nor_deleted(here: Path, tmp_path: Path) -> None:
    path = begun(here, 1)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").touch()
    (path / "units" / "link").symlink_to(outside)
    (here / "runs" / "20260101-000000-00000000").symlink_to(outside)
    (here / "runs" / "notes").mkdir()
    (here / "candidates").symlink_to(outside)
    assert porter(["clean", "--all"]) == 0
    assert (outside / "precious").exists()
    assert left(here) == {"20260101-000000-00000000", "notes"}
    assert (here / "candidates").is_symlink()


def test_who_begins_to_use_a_run_that_is_being_deleted_is_told(here: Path) -> None:
    path = begun(here, 0)
    with unused(path) as free:
        assert free
        path_gone = pytest.raises(InputError, match="is being deleted")
        with path_gone, in_use(path):
            pass
    with in_use(path), unused(path) as free:
        assert not free


def test_who_looks_for_a_moment_holds_nobody_up(here: Path) -> None:
    path = begun(here, 0)
    entered = threading.Event()
    with unused(path):
        waiting = threading.Thread(target=lambda: _use(path, entered))
        waiting.start()
        assert not entered.wait(0.1)
    waiting.join()
    assert entered.is_set()


def _use(path: Path, entered: threading.Event) -> None:
    with in_use(path):
        entered.set()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "nothing is named"),
        (("--all", "--keep", "3"), "--all goes with neither"),
        (("--older-than", "7"), "a time like 7d"),
        (("--older-than", "-7d"), "a time like 7d"),
        (("--keep", "-1"), "--keep"),
    ],
)
def test_what_cannot_be_meant_deletes_nothing(
    arguments: tuple[str, ...], message: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = begun(here, 100)
    assert porter(["clean", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert path.is_dir()


def test_the_cache_but_not_what_was_just_used(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = here.parent / "cache" / "hip-builds"
    for name, hours in (("old", 1), ("new", -1)):
        entry = folder / name / "0.hsaco"
        entry.parent.mkdir(parents=True)
        entry.write_bytes(b"x" * 2000)
        os.utime(entry, (0, time.time() - SAFE_SECONDS - hours * 3600))
    path = begun(here, 100)
    assert porter(["clean", "--cache", "--dry-run"]) == 0
    assert (folder / "old").exists()
    assert porter(["clean", "--cache"]) == 0
    told = capsys.readouterr()
    assert "freed 2.0 kB" in told.out
    assert "kept 2.0 kB of the cache" in told.err
    assert {entry.name for entry in folder.iterdir()} == {"new"}
    assert path.is_dir()


@pytest.mark.parametrize(
    ("text", "seconds"), [("30m", 1800), ("12h", 43200), ("7d", 604800), ("1.5w", 907200)]
)
def test_times(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds
