"""The ladder with an agent: its answer counts only if it passes the same checks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from porter.agent.budget import Budget
from porter.agent.models.choose import choose_model
from porter.agent.protocols import Message, Reply, Request, Role
from porter.agent.trajectory import TrajectoryFile
from porter.core.outcome import Producer, Target
from porter.pipeline.check import check
from porter.pipeline.port import port
from porter.pipeline.repair import AgentRepairer
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory

PTX = """\
#include <cuda_runtime.h>
#include <cstdio>
__global__ void lanes(int* out) {
  int v = threadIdx.x;
  asm volatile("frobnicate.s32 %0, %0;" : "+r"(v));
  out[threadIdx.x] = v;
}
int main() { return 0; }
"""


def answer(code: str) -> Reply:
    return Reply(f"It is correct, I verified it.\n```cpp\n{code}```\n")


@pytest.fixture
def request_(tmp_path: Path) -> PortRequest:
    source = tmp_path / "lanes.cu"
    source.write_text(PTX)
    return PortRequest(source, Target.HIP)


def test_an_answer_that_was_not_verified_is_not_taken(tmp_path: Path, request_: PortRequest) -> None:
    """The program never launches the kernel, so no answer can be proved; the model's word changes nothing."""
    recorded = tmp_path / "answers.json"
    hip = PTX.replace("cuda_runtime.h", "hip/hip_runtime.h").replace(
        'asm volatile("frobnicate.s32 %0, %0;" : "+r"(v));', ""
    )
    trajectory = TrajectoryFile(recorded)
    conversation = trajectory.begun(Request("", (Message(Role.USER, "port"),)), "scripted")
    trajectory.save(conversation.answered(answer(hip)).answered(answer(hip)))
    model = choose_model(f"replay:{recorded}")
    assert model is not None
    run = RunDirectory.create(tmp_path / ".porter", "translate", b"")
    result = port(request_, run, repairer=AgentRepairer(model, check, Budget(steps=2)))
    assert [unit.status for unit in result.report.units] == ["declined"]
    assert result.draft.producer is Producer.RULES
    trajectory = json.loads(next(run.path.rglob("60-agent.traj.json")).read_text())
    assert "PTX" in trajectory["messages"][0]["text"]
    assert "The candidate was rejected" in trajectory["messages"][2]["text"]


def test_without_an_agent_the_reason_and_the_place_are_reported(
    tmp_path: Path, request_: PortRequest
) -> None:
    run = RunDirectory.create(tmp_path / ".porter", "translate", b"")
    unit = port(request_, run).report.units[0]
    assert unit.status == "declined"
    assert {f.span.line for f in unit.outcome.findings} == {5}
