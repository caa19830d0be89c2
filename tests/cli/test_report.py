"""`porter report`: runs of both kinds, in all formats, and what is no run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.migrate.trees import PROJECT

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migration, then a translation."""
    where = tmp_path_factory.mktemp("runs")
    for name, text in PROJECT.items():
        path = where / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    for arguments in (
        ["migrate", "tree", "--target", "hip", "--no-check", "-o", "out", "-j", "1"],
        ["translate", "tree/src/app.cu", "--target", "hip", "--no-check", "-o", "app.hip"],
    ):
        command = [sys.executable, "-m", "porter", *arguments]
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
    return where


@pytest.fixture
def porter(where: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "porter", "report", *arguments]
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=60)
        assert "Traceback" not in done.stderr
        return done

    return run


def migration(where: Path) -> str:
    (record,) = where.glob(".porter/runs/*/migration.json")
    return record.parent.name


def test_the_last_run_is_meant_without_a_name(porter: Run) -> None:
    done = porter("--format", "json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["root"] == "tree/src/app.cu"
    assert found["kernels"] == {"partial": 1}


def test_a_migration_by_its_name_and_by_its_folder(porter: Run, where: Path) -> None:
    name = migration(where)
    by_name, by_folder = porter(name, "--format", "json"), porter(f".porter/runs/{name}", "--format", "json")
    assert by_name.stdout == by_folder.stdout
    found = json.loads(by_name.stdout)
    assert found["files"]["build"]
    assert found["root"] == str(where / "tree")


@pytest.mark.parametrize("kind", ["text", "markdown", "sarif", "junit", "json"])
def test_every_format_comes_to_the_terminal_and_to_a_file(kind: str, porter: Run, where: Path) -> None:
    name = migration(where)
    shown = porter(name, "--format", kind)
    assert shown.returncode == 0
    assert shown.stdout
    assert porter(name, "--format", kind, "-o", f"report.{kind}").returncode == 0
    assert (where / f"report.{kind}").read_text().split() == shown.stdout.split()


def test_the_page_is_written_whole(porter: Run, where: Path) -> None:
    done = porter(migration(where), "--html", "page.html")
    assert done.returncode == 0
    assert "wrote page.html" in done.stderr
    text = (where / "page.html").read_text()
    assert text.startswith("<!doctype html>")
    assert "src/app.cu" in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_page_is_served_here_only(where: Path, sent: signal.Signals) -> None:
    command = [sys.executable, "-m", "porter", "report", "--serve"]
    with subprocess.Popen(command, cwd=where, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert answer.read().startswith(b"<!doctype html>")
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{address}.porter/runs/", timeout=20)
        process.send_signal(sent)
        try:
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()


def test_a_file_that_changed_is_not_compared_with_the_port(porter: Run, where: Path) -> None:
    source = where / "tree" / "src" / "app.cu"
    before = source.read_text()
    source.write_text(before + "// more\n")
    try:
        assert porter(migration(where), "--html", "changed.html").returncode == 0
    finally:
        source.write_text(before)
    page = (where / "changed.html").read_text()
    assert '"changed":true' in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "no run of porter"),
        (["--html", "x.html", "--serve"], "give one of them"),
        (["--html", "no/such/folder/x.html"], "cannot be written"),
    ],
)
def test_what_cannot_be(arguments: list[str], message: str, porter: Run) -> None:
    done = porter(*arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_no_run_at_all_and_a_run_without_a_result(tmp_path: Path) -> None:
    def report() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "porter", "report"]
        environment = {**os.environ, "PYTHONPATH": os.getcwd()}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
        )

    done = report()
    assert (done.returncode, "there is no run here" in done.stderr) == (2, True)
    folder = tmp_path / ".porter" / "runs" / "20260101-000000-aaaaaaaa"
    folder.mkdir(parents=True)
    (folder / "run.json").write_text("{}")
    done = report()
    assert (done.returncode, "has no result" in done.stderr) == (2, True)
    (folder / "run.json").write_text("no json")
    done = report()
    assert (done.returncode, "cannot be read" in done.stderr) == (2, True)
