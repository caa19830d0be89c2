"""`porter runs` and `porter status`: what is told of runs that work, ended, were killed, or are damaged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from referencing import Registry, Resource

from porter.cli.main import run as porter
from porter.core.run_record import RunState
from porter.migrate.repository.journal import JOURNAL, Journal
from porter.migrate.repository.units import Kind, State, Unit
from porter.migrate.runs.listing import run_folders, run_record
from porter.migrate.runs.status import run_status
from porter.pipeline.run_directory import RunDirectory
from porter.report.runs_text import duration

DOCS = Path(__file__).resolve().parents[3] / "docs"
RUNS = json.loads((DOCS / "runs.schema.json").read_text())
STATUS = json.loads((DOCS / "status.schema.json").read_text())
KNOWN = Registry().with_resource("porter-runs-1", Resource.from_contents(RUNS))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / ".porter"


def translated(base: Path, **totals: int) -> RunDirectory:
    run = RunDirectory.create(base, "translate", b"", subject="k.cu", target="hip")
    run.unit("k.cu-hip").finish(json.dumps({"totals": totals}))
    return run


def migrated(base: Path, ended: int, units: int) -> RunDirectory:
    run = RunDirectory.create(base, "migrate", b"", subject="/tree", target="hip")
    journal = Journal(run.path / JOURNAL)
    planned = [Unit(k, f"{k}.cu", Kind.KERNELS, "key") for k in range(units)]
    journal.plan(planned)
    journal.working()
    for unit in planned[:ended]:
        journal.finished(unit, State.PORTED if unit.number else State.OPEN, 2.0)
    journal.close()
    return run


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert porter(list(arguments)) == 0
    return capsys.readouterr().out


def checked(text: str, schema: object) -> dict[str, object]:
    document = json.loads(text)
    jsonschema.Draft202012Validator(schema, registry=KNOWN).validate(document)  # type: ignore[arg-type]
    assert isinstance(document, dict)
    return document


def test_a_run_is_in_use_while_its_owner_lives(here: Path) -> None:
    run = translated(here, ported=2, failed=1, partial=0)
    path = run.path
    record = run_record(path)
    assert record is not None
    assert (record.state, record.result) == (RunState.RUNNING, {"failed": 1, "ported": 2})
    del run
    record = run_record(path)
    assert record is not None
    assert record.state is RunState.FINISHED
    assert (record.command, record.subject, record.target) == ("translate", "k.cu", "hip")
    sizes = [len((path / n).read_bytes()) for n in ("run.json", "units/k.cu-hip/result.json")]
    assert record.size_bytes == sum(sizes)


def test_a_unit_without_a_result_makes_a_run_incomplete(here: Path) -> None:
    run = translated(here, ported=1)
    run.unit("other.cu-hip")
    path = run.path
    del run
    record = run_record(path)
    assert record is not None
    assert (record.state, record.result) == (RunState.INCOMPLETE, {"ported": 1})


def test_a_killed_process_leaves_an_incomplete_run(here: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path\n"
        "from porter.pipeline.run_directory import RunDirectory\n"
        "run = RunDirectory.create(Path(sys.argv[1]), 'translate', b''); run.unit('u')\n"
        "print(run.path, flush=True); os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, here], capture_output=True, text=True, check=False)
    record = run_record(Path(done.stdout.strip()))
    assert record is not None
    assert record.state is RunState.INCOMPLETE


@pytest.mark.parametrize("name", ["run.json", JOURNAL])
@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"\xff" * 4096, None])
def test_what_is_damaged_is_told_and_hides_no_other_run(
    name: str, data: bytes | None, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = migrated(here, 1, 1).path
    good = translated(here, ported=1).path
    for left in path.glob(f"{name}*"):
        left.unlink()
    if data is not None:
        (path / name).write_bytes(data)
    runs = checked(printed(capsys, "runs", "--json"), RUNS)["runs"]
    assert isinstance(runs, list)
    states = {run["name"]: run["state"] for run in runs}
    assert states == {path.name: "damaged", good.name: "finished"}


def test_counts_rate_and_the_last_files_of_a_migration(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = migrated(here, 3, 5)
    found = checked(printed(capsys, "status", "--json"), STATUS)
    assert found["files"] == {"kernels": {"open": 1, "ported": 2, "waiting": 2}}
    assert (found["total"], found["waiting"]) == (5, 2)
    assert found["working"]["pid"] == os.getpid()  # type: ignore[index]
    assert [file["name"] for file in found["last"]] == ["2.cu", "1.cu", "0.cu"]  # type: ignore[attr-defined]
    rate, left = found["per_minute"], found["seconds_left"]
    assert isinstance(rate, float)
    assert isinstance(left, float)
    assert left == pytest.approx(2 / rate * 60)
    text = printed(capsys, "status")
    assert "running since" in text
    assert f"process {os.getpid()}" in text
    assert "3 of 5 files" in text
    del run
    found = checked(printed(capsys, "status", "--json"), STATUS)
    assert (found["run"]["state"], found["seconds_left"]) == ("incomplete", None)  # type: ignore[index]
    assert "--resume goes on" in printed(capsys, "status")


def test_the_run_under_way_comes_before_the_last_and_a_beginning_names_one(here: Path) -> None:
    first = migrated(here, 1, 2)
    second = translated(here, ported=1).path
    assert run_status(here).run.name == first.path.name
    assert run_status(here, second.name).run.command == "translate"
    assert run_status(here, second.name[:20]).run.name == second.name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("status",), "nothing was run here"),
        (("status", "2026"), "no run is called 2026"),
    ],
)
def test_a_run_that_is_not_there(
    arguments: tuple[str, ...], message: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not here.exists()
    assert porter(list(arguments)) == 2
    assert message in capsys.readouterr().err


def test_two_runs_with_the_same_beginning(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    translated(here)
    translated(here)
    assert porter(["status", "2"]) == 2
    assert "2 runs begin with 2" in capsys.readouterr().err


def test_a_look_changes_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also of a journal whose owner was killed, with its log beside it."""
    path = migrated(here, 1, 2).path
    before = (path / JOURNAL).read_bytes()
    printed(capsys, "status")
    printed(capsys, "runs")
    assert (path / JOURNAL).read_bytes() == before


def test_what_is_not_committed_is_not_seen_and_holds_nobody_up(here: Path) -> None:
    run = migrated(here, 1, 2)
    journal = Journal(run.path / JOURNAL)
    database = journal._database
    database.execute("BEGIN IMMEDIATE")
    database.execute("UPDATE unit SET state = 'crashed'")
    assert run_status(here).files == {"kernels": {"open": 1, "waiting": 1}}
    database.execute("ROLLBACK")
    journal.close()


def test_links_and_foreign_folders_are_no_runs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = translated(here).path
    (here / "runs" / "mine").mkdir()
    (here / "runs" / "20260101-000000-00000000").symlink_to(path)
    assert run_folders(here) == [path]
    here.rename(here.with_name("elsewhere"))
    here.symlink_to("elsewhere")
    for command in (["runs"], ["status"], ["clean", "--all"]):
        assert porter(command) == 2
        assert "is a link" in capsys.readouterr().err
    assert (here.with_name("elsewhere") / "runs" / path.name).is_dir()


def test_names_of_any_bytes_and_markup_are_printed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    RunDirectory.create(here, "translate", b"", subject=os.fsdecode(b"caf\xe9[red]\x1b.cu"), target="hip")
    assert "caf\\xe9[red].cu" in printed(capsys, "runs")
    assert "caf\\xe9[red].cu" in printed(capsys, "status")
    checked(printed(capsys, "runs", "--json"), RUNS)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (59.4, "59 s"), (61, "1 min"), (3599, "1 h 00 min"), (7500, "2 h 05 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
