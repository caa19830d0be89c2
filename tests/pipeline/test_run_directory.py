import json
import os
import time
from pathlib import Path

import pytest

from porter.core.cache_limit import SAFE_SECONDS
from porter.pipeline import run_directory
from porter.pipeline.run_directory import RunDirectory


def test_a_run_has_its_own_folder_even_in_the_same_second(tmp_path: Path) -> None:
    runs = {RunDirectory.create(tmp_path, "translate", b"k.cu").path for _ in range(3)}
    assert len(runs) == 3
    assert all(json.loads((run / "run.json").read_text())["command"] == "translate" for run in runs)


def test_runs_are_ignored_by_git(tmp_path: Path) -> None:
    RunDirectory.create(tmp_path, "translate", b"")
    assert (tmp_path / ".gitignore").read_text() == "*\n"


def test_stage_files_and_the_result(tmp_path: Path) -> None:
    unit = RunDirectory.create(tmp_path, "translate", b"").unit("/a/b/kernel.cu-hip")
    assert unit.write("50-candidate.hip", "text").read_text() == "text"
    unit.finish("{}")
    assert sorted(p.name for p in unit.path.iterdir()) == ["50-candidate.hip", "result.json"]


def test_events_are_one_json_object_a_line(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path, "translate", b"")
    run.event("read", source="k.cu")
    run.event("finished", source="k.cu", totals={"ported": 1})
    lines = [json.loads(line) for line in (run.path / "events.jsonl").read_text().splitlines()]
    assert [line["stage"] for line in lines] == ["read", "finished"]


def test_the_same_candidate_of_two_runs_has_one_path(tmp_path: Path) -> None:
    first, second = (RunDirectory.create(tmp_path, "translate", b"x").unit("u") for _ in range(2))
    files = {"50-candidate.hip": b"port", "own.hip.h": b"header"}
    paths = [unit.write_candidate("50-candidate.hip", files) for unit in (first, second)]
    assert paths[0] == paths[1]
    assert (paths[0].parent / "own.hip.h").read_bytes() == b"header"
    assert (second.path / "50-candidate.hip").read_bytes() == b"port"
    other = second.write_candidate("50-candidate.hip", {**files, "own.hip.h": b"another"})
    assert other != paths[0]


def test_old_candidates_go_and_the_last_ones_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_directory, "KEPT_CANDIDATES", 2)
    unit = RunDirectory.create(tmp_path, "translate", b"").unit("u")
    folders = [unit.write_candidate("port", {"port": bytes([k])}).parent for k in range(4)]
    for age, folder in enumerate(folders):
        os.utime(folder, (0, time.time() - SAFE_SECONDS - 10 * age - 10))
    RunDirectory.create(tmp_path, "translate", b"")
    assert [folder.exists() for folder in folders] == [True, True, False, False]


def test_candidates_of_a_run_under_way_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_directory, "KEPT_CANDIDATES", 0)
    unit = RunDirectory.create(tmp_path, "translate", b"").unit("u")
    path = unit.write_candidate("port", {"port": b"x"})
    os.utime(path.parent, (0, time.time() - SAFE_SECONDS - 10))
    unit.write_candidate("port", {"port": b"x"})
    RunDirectory.create(tmp_path, "translate", b"")
    assert path.read_bytes() == b"x"
