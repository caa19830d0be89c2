"""The ladder with a model, built and compared for real: its port counts only if it passes the same checks."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from porter.agent.budget import Budget, Ledger
from porter.agent.protocols import Reply, Request, Usage
from porter.core.outcome import Declined, Ported, Producer, Target
from porter.pipeline.agent.agent import Agent
from porter.pipeline.agent.strategy import Strategy
from porter.pipeline.port import PortResult, port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory

CUDA = """\
#include <cuda_runtime.h>
__global__ void axpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void lane(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(v));
  if (i < n) out[i] = v;
}
__global__ void idle(int* out) { int v; asm volatile("mov.u32 %0, %%laneid;" : "=r"(v)); out[0] = v; }
int main() {
  const int n = 300;
  float *x, *y;
  int* o;
  cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4); cudaMalloc(&o, n * 4);
  cudaMemset(x, 0, n * 4); cudaMemset(y, 0, n * 4); cudaMemset(o, 0, n * 4);
  axpy<<<(n + 127) / 128, 128>>>(2.f, x, y, n);
  lane<<<(n + 127) / 128, 128>>>(o, n);
  cudaDeviceSynchronize();
  return 0;
}
"""

LANE = """\
import torch
import triton
import triton.language as tl


@triton.jit
def lane_kernel(out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, (tl.arange(0, BLOCK) % WIDTH).to(tl.int32), mask=i < n)


def lane(out, n, *, grid):
    lane_kernel[grid](out, n, BLOCK=128)
"""
RIGHT, WRONG = LANE.replace("WIDTH", "32"), LANE.replace("WIDTH", "64")


@dataclass
class Scripted:
    """Answers in the order of the script, whatever is asked."""

    answers: list[str]
    name: str = "scripted"
    asked: list[Request] = field(default_factory=list)

    def most_cost_usd(self, request: Request) -> float | None:
        return 0.0

    def respond(self, request: Request) -> Reply:
        self.asked.append(request)
        text = self.answers[len(self.asked) - 1]
        return Reply(f"I verified it.\n```\n{text}```\n", Usage(1000, 50), cost_usd=0.125)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "k.cu"
    path.write_text(CUDA)
    return path


def ported(source: Path, target: Target, agent: Agent) -> PortResult:
    run = RunDirectory.create(source.parent / ".porter", "translate", b"")
    return port(PortRequest(source, target, also=()), run, agent=agent)


@pytest.mark.slow
def test_what_the_compiler_declined_is_asked_for_and_stands_beside_the_rest(source: Path) -> None:
    model = Scripted([WRONG, RIGHT])
    result = ported(source, Target.TRITON, Agent((model,), Ledger(Budget(steps=3))))
    outcomes = {u.outcome.kernel: u.outcome for u in result.report.units}
    axpy, lane = outcomes["axpy"], outcomes["lane"]
    assert isinstance(axpy, Ported)
    assert isinstance(lane, Ported)
    assert (axpy.producer, lane.producer) == (Producer.COMPILER, Producer.AGENT)
    assert isinstance(outcomes["idle"], Declined)
    assert b"def axpy(" in result.draft.text
    assert b"def lane(" in result.draft.text

    first, second = (request.messages[-1].text for request in model.asked)
    assert "TIL008" in first
    mismatch = re.search(r"out\[(\d+)\]: expected (\d+), got (\d+)", second)
    assert mismatch is not None
    index, expected, actual = map(int, mismatch.groups())
    assert (expected, actual) == (index % 32, index % 128 % 64)
    assert str(source.parent) not in first + second

    asked = result.report.asked
    assert asked is not None
    assert asked.cost.requests == 2
    assert asked.cost.cost_usd == 0.25
    assert {work.kernels: len(work.conversations) for work in asked.work} == {("lane",): 1, ("idle",): 0}
    (lane_work,) = (work for work in asked.work if work.conversations)
    assert lane_work.taken is Producer.AGENT
    trajectory = json.loads(Path(lane_work.conversations[0].trajectory).read_text())
    assert [m["role"] for m in trajectory["messages"]] == ["user", "assistant", "user", "assistant"]

    again = ported(source, Target.TRITON, Agent((Scripted([]),), Ledger(Budget(steps=3))))
    assert again.draft.text == result.draft.text
    assert again.report.asked is not None
    assert again.report.asked.cost == asked.cost


@pytest.mark.slow
def test_where_the_model_writes_all_nothing_of_the_compiler_stays(source: Path) -> None:
    model = Scripted([])
    agent = Agent((model,), Ledger(Budget(steps=0)), Strategy.AGENT)
    result = ported(source, Target.TRITON, agent)
    assert [u.status for u in result.report.units] == ["declined"] * 3
    assert {f.code for u in result.report.units for f in u.outcome.findings} == {"VER020"}
    assert result.draft.text == b""
