"""`porter mcp` as an assistant sees it: the SDK's own client over standard input and output."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters, stdio_client

CUDA = """\
#include <cuda_runtime.h>
__global__ void twice(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.f * x[i];
}
int main() {
  const int n = 200;
  float *x, *y;
  cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4);
  cudaMemset(x, 0, n * 4); cudaMemset(y, 0, n * 4);
  twice<<<(n + 63) / 64, 64>>>(x, y, n);
  cudaDeviceSynchronize();
  return 0;
}
"""
HIP = CUDA.replace("cuda", "hip").replace("hip_runtime.h", "hip/hip_runtime.h")
TOOLS = {"translate", "verify", "inspect", "check", "explain", "select"}

Talk = Callable[[Client], Awaitable[Any]]


def talk(root: Path, conversation: Talk, *options: str) -> Any:
    """What a conversation with a fresh server gives."""
    command = ["-m", "porter", "mcp", "--root", str(root), *options]
    server = StdioServerParameters(
        command=sys.executable, args=command, cwd=str(root.parent), env=dict(os.environ)
    )

    async def main() -> Any:
        with anyio.fail_after(280):
            async with Client(stdio_client(server)) as client:
                return await conversation(client)

    return anyio.run(main)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "k.cu").write_text(CUDA)
    (folder / "right.hip").write_text(HIP)
    (folder / "wrong.hip").write_text(HIP.replace("2.f", "3.f"))
    (tmp_path / "outside.cu").write_text(CUDA)
    (folder / "link.cu").symlink_to(tmp_path / "outside.cu")
    return folder


def test_what_needs_no_compiler(root: Path) -> None:
    async def conversation(client: Client) -> tuple[Any, ...]:
        listed = await client.list_tools()
        call = client.call_tool
        return (
            listed,
            await call("explain", {"code": "WAV001"}),
            await call("explain", {"code": "NOPE"}),
            await call("check", {"paths": ["k.cu"]}),
            await call("translate", {"path": "k.cu", "target": "hip", "check": False, "output": "k.hip"}),
            await call("translate", {"path": "k.cu", "target": "hip", "check": False, "output": "k.hip"}),
            await call("translate", {"path": "../outside.cu", "target": "hip"}),
            await call("translate", {"path": "link.cu", "target": "hip"}),
            await call("translate", {"path": "k.cu", "target": "metal"}),
            await call("inspect", {"path": "/etc/passwd"}),
            await call("verify", {"original": "k.cu", "port": "missing.hip"}),
        )

    listed, page, unknown, checked, ported, again, *refused = talk(root, conversation)
    assert {tool.name for tool in listed.tools} == TOOLS
    assert all(tool.description and tool.input_schema["type"] == "object" for tool in listed.tools)
    assert page.structured_content["code"] == "WAV001"
    assert unknown.is_error
    assert "no finding has the code" in unknown.content[0].text
    assert checked.structured_content["exit_code"] in (0, 1)
    assert "hipMalloc" in ported.structured_content["port"]
    assert ported.structured_content["written"] == "k.hip"
    assert "hipMalloc" in (root / "k.hip").read_text()
    assert again.is_error
    assert "overwrite" in again.content[0].text
    assert all(answer.is_error for answer in refused)
    assert all("outside of the server's folder" in refused[k].content[0].text for k in (0, 1, 3))
    assert not (root.parent / ".porter").exists()


@pytest.mark.slow
def test_what_builds_and_compares(root: Path) -> None:
    async def conversation(client: Client) -> tuple[Any, ...]:
        call = client.call_tool
        return (
            await call("verify", {"original": "k.cu", "port": "right.hip"}),
            await call("verify", {"original": "k.cu", "port": "wrong.hip"}),
            await call("inspect", {"path": "k.cu"}),
            await call("select", {"original": "k.cu", "ports": ["wrong.hip", "right.hip"]}),
            await call("translate", {"path": "k.cu", "target": "hip"}),
        )

    right, wrong, inspected, selected, ported = (a.structured_content for a in talk(root, conversation))
    assert right["exit_code"] == 0
    assert wrong["exit_code"] == 1
    assert [k["name"] for k in inspected["kernels"]] == ["twice"]
    assert selected["selected"] == "right.hip"
    assert [p["verified"] for p in selected["ports"]] == [False, True]
    assert ported["exit_code"] == 0
    assert "hipMalloc" in ported["port"]


def test_a_call_that_takes_too_long_is_stopped_and_the_server_goes_on(root: Path) -> None:
    (root / "endless.cu").write_text(CUDA.replace("return 0;", "while (true) {} return 0;"))

    async def conversation(client: Client) -> tuple[Any, Any]:
        slow = await client.call_tool("translate", {"path": "endless.cu", "target": "hip"})
        with anyio.move_on_after(0.5):
            await client.call_tool("translate", {"path": "endless.cu", "target": "hip"})
        return slow, await client.list_tools()

    slow, listed = talk(root, conversation, "--timeout", "3")
    assert slow.is_error
    assert "longer than 3 s" in slow.content[0].text
    assert {tool.name for tool in listed.tools} == TOOLS
