"""A run that is killed is gone on with: nothing that a model has answered is asked again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from porter.agent.trajectory import recorded_answers
from tests.pipeline.agent.killed_run import KERNELS
from tests.pipeline.agent.scripted import write_program

ROOT = Path(__file__).parents[3]


def run(source: Path, log: Path, kill_at: int, workers: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.pipeline.agent.killed_run", str(source), str(log)]
    return subprocess.run(
        [*command, str(kill_at), str(workers)], cwd=ROOT, capture_output=True, text=True, timeout=300
    )


def lines(log: Path, what: str) -> list[str]:
    return [line.removeprefix(f"{what} ") for line in log.read_text().splitlines() if line.startswith(what)]


def saved(folder: Path) -> set[str]:
    """The answers in the trajectories, as `kernel turn`."""
    found = set()
    for path in (folder / ".porter" / "agent").glob("*.traj.json"):
        kernel = path.name.split("-")[0]
        found |= {f"{kernel} {turn}" for turn in range(len(recorded_answers(path)))}
    return found


@pytest.mark.parametrize("workers", [1, 4])
def test_nothing_is_asked_twice_after_a_kill(workers: int, tmp_path: Path) -> None:
    source = write_program(tmp_path, KERNELS)
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    killed = run(source, first, 14, workers)
    assert killed.returncode == -signal.SIGKILL
    answered = lines(first, "answered")
    before = saved(tmp_path)
    assert len(answered) >= 13 - workers
    assert before <= set(answered)
    # With several at once, an answer may come in the instant of the kill.
    assert len(before) >= len(answered) - (workers - 1)

    finished = run(source, second, 0, workers)
    assert finished.returncode == 0, finished.stderr
    asked = lines(second, "asked")
    everything = {f"{kernel} {turn}" for kernel in KERNELS for turn in (0, 1)}
    assert sorted(asked) == sorted(everything - before)

    report = json.loads(finished.stdout)
    assert {u["outcome"] for u in report["units"]} == {"ported"}
    assert {u["produced_by"] for u in report["units"]} == {"agent"}
    cost = report["agent"]["cost"]
    assert (cost["requests"], cost["usd"]) == (40, 40 * 0.125)

    again = run(source, third, 0, workers)
    assert again.returncode == 0, again.stderr
    assert not third.exists()
    assert json.loads(again.stdout)["agent"]["cost"] == cost
