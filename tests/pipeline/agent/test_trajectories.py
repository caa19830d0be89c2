"""Conversations about what the compilers decline, as they were held by letter: the recorded answers are built
and compared anew. Those that were rejected then are rejected again, for what they were rejected for."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from porter.agent.budget import Budget, Ledger
from porter.agent.models.replay import ReplayModel
from porter.core.outcome import Ported, Producer, Target
from porter.pipeline.agent.agent import Agent
from porter.pipeline.port import port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory

HERE = Path(__file__).parents[1]
TRAJECTORIES = HERE / "trajectories"
REJECTED = {
    "gradient_lookup": "'tex2D<float, nullptr>' is unavailable",
    "log_binomials": "expected 0.0, got -6.0396",
    "wmma_bias_relu": "expected 0.24430370330810547, got 0.244302",
}
LEFT = ("divide",)
"""Kernels that only device code launches: no run has a case of them, and they are not asked for."""
QUICK = ("gradient_lookup-with-tools",)
SOURCES = {source.stem: source for source in sorted(HERE.glob("agent_sources/*/*.cu"))}
NAMES = sorted(path.name.removesuffix(".traj.json") for path in TRAJECTORIES.glob("*.traj.json"))


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in NAMES]
)
def test_what_was_answered_is_judged_the_same(name: str, tmp_path: Path) -> None:
    recorded = TRAJECTORIES / f"{name}.traj.json"
    source = SOURCES[name.partition("-")[0]]
    own = tmp_path / source.name
    shutil.copy(source, own)
    run = RunDirectory.create(tmp_path / ".porter", "translate", b"")
    request = PortRequest(own, Target(source.parent.name))
    result = port(request, run, agent=Agent((ReplayModel(recorded),), Ledger(Budget())))
    (unit,) = (u for u in result.report.units if u.outcome.kernel not in LEFT)
    assert isinstance(unit.outcome, Ported)
    assert unit.outcome.producer is Producer.AGENT
    assert any("unseen_cases" in evidence.details for evidence in unit.outcome.evidence)
    said = json.loads(next(tmp_path.rglob("*.traj.json")).read_text("utf-8"))["messages"]
    told = [r["text"] for m in said[1:] if m["role"] == "user" for r in (m, *m["results"])]
    answers = json.loads(recorded.read_text("utf-8"))["messages"]
    assert sum(m["role"] == "assistant" for m in said) == sum(m["role"] == "assistant" for m in answers)
    rejected = [text for text in told if "The candidate was rejected" in text]
    assert len(rejected) == (name in REJECTED)
    assert all(REJECTED[name] in text for text in rejected)


def test_every_source_has_its_conversation() -> None:
    assert {name.partition("-")[0] for name in NAMES} == set(SOURCES)
