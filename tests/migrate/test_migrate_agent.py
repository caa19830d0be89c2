"""`porter migrate --agent`: one budget for all workers, nothing paid twice after a kill, no key anywhere."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agent.model_server import Fail, ModelServer, Say, Step, model_server
from tests.migrate.conftest import WriteTree
from tests.migrate.test_migrate import document

KEY = "sk-porter-sentinel-51c3"
PROGRAM = """\
#include <cstdio>
__global__ void {name}(unsigned* x) {{
  unsigned r;
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(x[threadIdx.x]));
  x[threadIdx.x] = r + {number};
}}
int main() {{
  unsigned host[32], *x;
  for (int i = 0; i < 32; ++i) host[i] = i + 1;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  {name}<<<1, 32>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  printf("%u\\n", host[0]);
}}
"""
# Groups of 32 lanes stay what they are in a wavefront of 64.
PORT = """\
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void {name}(unsigned* x) {{
  unsigned r = x[threadIdx.x];
  for (int step = 16; step; step /= 2) r += __shfl_xor(r, step, 32);
  x[threadIdx.x] = r + {number};
}}
int main() {{
  unsigned host[32], *x;
  for (int i = 0; i < 32; ++i) host[i] = i + 1;
  (void)hipMalloc(&x, sizeof host);
  (void)hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice);
  {name}<<<1, 32>>>(x);
  (void)hipMemcpy(host, x, sizeof host, hipMemcpyDeviceToHost);
  printf("%u\\n", host[0]);
}}
"""


def tree(count: int) -> dict[str, str]:
    return {f"src/k{i}.cu": PROGRAM.format(name=f"total{i}", number=i) for i in range(count)}


def answer(body: dict[str, Any]) -> Step:
    found = re.search(r"total(\d+)", json.dumps(body))
    assert found
    port = PORT.format(name=found[0], number=found[1])
    return Say(f"```cpp\n{port}```\n", usage=(1000, 100, 0, 0))


def trajectories(folder: Path) -> list[Path]:
    """Of all migrations in `folder`: a folder for each file that a model was asked about."""
    return list(folder.glob(".porter/runs/*/agent/*/*.traj.json"))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        running.answer = answer
        yield running


class Migrate:
    """The command. Answers are kept by the server's address, which no other test has."""

    def __init__(self, where: Path, server: ModelServer) -> None:
        self.where = where
        self.environment = {
            **os.environ,
            "OPENAI_API_KEY": KEY,
            "PYTHONPATH": os.getcwd(),
        }
        self.agent = ("--agent", "openai:m", "--base-url", server.base_url("openai"), "--price", "1:10")

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "porter", "migrate", "tree", "--target", "hip", "-o", "out"]
        return subprocess.Popen(
            [*command, *self.agent, *arguments],
            cwd=self.where,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __call__(self, *arguments: str, seconds: float = 280) -> subprocess.CompletedProcess[str]:
        process = self.start(*arguments)
        out, err = process.communicate(timeout=seconds)
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@pytest.fixture
def migrate(tmp_path: Path, server: ModelServer) -> Migrate:
    return Migrate(tmp_path, server)


def test_what_is_declined_is_asked_and_its_cost_told(
    migrate: Migrate, server: ModelServer, write_tree: WriteTree, tmp_path: Path
) -> None:
    write_tree(tree(2))
    done = migrate("--json", "-j", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    found = document(done.stdout)
    assert found["kernels"] == {"ported": 2}
    assert found["models"]["conversations"] == 2
    assert found["models"]["accepted"] == 2
    assert found["models"]["kernels_taken"] == 2
    cost = found["models"]["cost"]
    assert (cost["requests"], cost["input_tokens"], cost["output_tokens"]) == (2, 2000, 200)
    assert cost["cost_usd"] == pytest.approx(2 * (1000 * 1 + 100 * 10) / 1e6)
    assert "__shfl_xor" in (tmp_path / "out/src/k1.cu").read_text()
    assert len(trajectories(tmp_path)) == 2
    assert set(server.keys) == {f"Bearer {KEY}"}
    for path in (p for p in tmp_path.rglob("*") if p.is_file()):
        assert KEY.encode() not in path.read_bytes(), path


def test_workers_share_the_budget_and_more_of_it_goes_on(
    migrate: Migrate, server: ModelServer, write_tree: WriteTree
) -> None:
    """The first answer takes more than all of it, and while it is awaited the others are not asked."""
    write_tree(tree(3))
    done = migrate("--json", "-j", "3", "--budget-tokens", "1000")
    assert done.returncode == 1
    found = document(done.stdout)
    assert len(server.asked) == found["models"]["cost"]["requests"] == 1
    assert found["kernels"] == {"ported": 1, "declined": 2}
    (migrate.where / "out").rename(migrate.where / "first")

    more = migrate("--json", "-j", "3", "--budget-tokens", "100000", "--resume")
    assert more.returncode == 0, more.stdout
    assert len(server.asked) == 3
    assert document(more.stdout)["models"]["cost"]["requests"] == 3


def test_what_was_spent_before_counts_when_it_is_gone_on_with(
    migrate: Migrate, server: ModelServer, write_tree: WriteTree
) -> None:
    write_tree(tree(2))
    migrate("-j", "1", "--budget-tokens", "1000")
    assert len(server.asked) == 1
    (migrate.where / "out").rename(migrate.where / "first")
    again = migrate("--json", "-j", "1", "--budget-tokens", "1000", "--resume")
    assert len(server.asked) == 1
    assert document(again.stdout)["models"]["cost"]["requests"] == 1


@pytest.mark.slow
def test_a_killed_migration_asks_nothing_again(
    migrate: Migrate, server: ModelServer, write_tree: WriteTree, tmp_path: Path
) -> None:
    """20 kernels, each ported in two requests, four at a time, and killed with its workers on the way."""

    def in_two_steps(body: dict[str, Any]) -> Step:
        time.sleep(0.2)
        again = any(m["role"] == "assistant" for m in body["messages"])
        return answer(body) if again else Say("Let me think.", usage=(500, 50, 0, 0))

    server.answer = in_two_steps
    write_tree(tree(20))
    process = migrate.start("-j", "4")
    deadline = time.monotonic() + 400
    while len(trajectories(tmp_path)) < 6 and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    before = len(server.asked)
    answered = {turn for path in trajectories(tmp_path) for turn in answers_in(path)}
    assert 6 <= len(answered) <= before < 40

    done = migrate("--json", "-j", "4", "--resume", seconds=900)
    assert done.returncode == 0, done.stderr
    found = document(done.stdout)
    assert found["kernels"] == {"ported": 20}
    turns = [turn_of(body) for body in server.asked]
    assert len(set(turns)) == 40
    assert not answered & set(turns[before:])
    assert len(turns) - 40 <= 4  # those that were on their way at the kill
    cost = found["models"]["cost"]
    assert 40 - 4 <= cost["requests"] <= 40
    assert found["models"]["conversations"] == found["models"]["accepted"] == 20


def turn_of(body: dict[str, Any]) -> tuple[str, int]:
    """The kernel that is asked about, and how many answers there were before."""
    found = re.search(r"total\d+", json.dumps(body))
    assert found
    return found[0], sum(m["role"] == "assistant" for m in body["messages"])


def answers_in(trajectory: Path) -> list[tuple[str, int]]:
    messages = json.loads(trajectory.read_text())["messages"]
    count = sum(m["role"] == "assistant" for m in messages)
    return [(trajectory.name.partition("-")[0], number) for number in range(count)]


def test_a_key_that_is_missing_is_told_before_any_work(tmp_path: Path, write_tree: WriteTree) -> None:
    write_tree(tree(1))
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}
    for command in (["migrate", "tree", "-o", "out"], ["translate", "tree/src/k0.cu", "-o", "k0.hip"]):
        done = subprocess.run(
            [sys.executable, "-m", "porter", *command, "--target", "hip", "--agent", "anthropic"],
            cwd=tmp_path,
            env={
                **environment,
                "PYTHONPATH": os.getcwd(),
                "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
            },
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 2
        assert "ANTHROPIC_API_KEY is not set" in done.stderr
    assert not (tmp_path / ".porter").exists()


def test_the_plan_bounds_what_may_be_asked(
    migrate: Migrate, server: ModelServer, write_tree: WriteTree
) -> None:
    write_tree(tree(3))
    command = [sys.executable, "-m", "porter", "migrate", "tree", "--target", "hip", "--plan"]
    done = subprocess.run(
        [*command, *migrate.agent, "--budget-usd", "2"],
        cwd=migrate.where, env=migrate.environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0
    assert "models: up to 3 kernels, 1 conversation each of up to 6 requests; at most $" in done.stderr
    assert "budget: 2,000,000 tokens and $2.00" in done.stderr
    assert server.asked == []


def test_a_server_that_refuses_leaves_the_rest_as_it_is(
    migrate: Migrate, server: ModelServer, write_tree: WriteTree
) -> None:
    write_tree(tree(1))
    server.answer = lambda _body: Fail(401, {"error": {"message": "no such key"}})
    done = migrate("--json")
    assert done.returncode == 1
    found = document(done.stdout)
    assert found["kernels"] == {"declined": 1}
    assert found["models"]["accepted"] == 0
