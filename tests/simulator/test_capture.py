"""Captures and replays as docs/capture-format.md describes them."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program
from tests.simulator.conftest import build

N = 100
DATA = (np.float32(0.1) * np.arange(N, dtype=np.float32)).astype(np.float32)


def events(folder: Path, kind: str) -> list[dict[str, Any]]:
    lines = (folder / "events.jsonl").read_text().splitlines()
    return [event for event in map(json.loads, lines) if event["event"] == kind]


def expected(data: np.ndarray, factor: float) -> np.ndarray:
    return (data[10:] * np.float32(factor) * np.float32(2.0) + np.float32(0.5)).astype(np.float32)


@pytest.fixture(scope="module")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("capture")
    assert run_program(build("capture.cu"), capture_dir=folder).returncode == 0
    return folder


def test_program_and_exit(captured: Path) -> None:
    (program,) = events(captured, "program")
    assert program == {
        "event": "program",
        "format": "porter-capture-1",
        "face": "cuda",
        "lanes": 32,
        "wide": False,
    }
    assert events(captured, "exit") == [{"event": "exit", "code": 0}]


def test_launch(captured: Path) -> None:
    first, second = events(captured, "launch")
    assert (first["kernel"], first["grid"], first["block"]) == ("affine", [2, 1, 1], [64, 1, 1])
    view, factor, out = first["arguments"]
    assert (factor["type"], bytes.fromhex(factor["bytes"])) == ("float", struct.pack("<f", 3.0))
    assert (out["type"], out["const"], out["offset_bytes"]) == ("float*", False, 0)
    assert (view["type"], [(p["at"], p["offset_bytes"]) for p in view["pointers"]]) == ("View", [(8, 40)])
    assert second["arguments"][0]["const"] is True
    assert [g["name"] for g in first["globals"]] == ["gain"]


def test_tensors_of_a_launch(captured: Path) -> None:
    launch = events(captured, "launch")[0]
    tensors = load_file(captured / launch["tensors"])
    out = str(launch["arguments"][2]["allocation"])
    after = tensors[f"{out}/after"].view(np.float32)
    np.testing.assert_array_equal(after[: N - 10], expected(DATA, 3.0))
    assert np.isnan(tensors[f"{out}/before"].view(np.float32)).all()
    assert tensors[f"{launch['globals'][0]['allocation']}/before"].view(np.float32)[0] == 2.0


def test_transfer(captured: Path) -> None:
    (transfer,) = events(captured, "transfer")
    data = load_file(captured / transfer["tensors"])["data"].view(np.float32)
    assert (transfer["bytes"], transfer["after_launch"]) == (4 * N, 1)
    np.testing.assert_array_equal(data[: N - 10], expected(DATA, 3.0))


def test_limit_truncates(tmp_path: Path) -> None:
    limit = {"PORTER_CAPTURE_LIMIT": "1000"}
    assert run_program(build("capture.cu"), capture_dir=tmp_path, environment=limit).returncode == 0
    launch = events(tmp_path, "launch")[0]
    assert launch["truncated"]
    assert "tensors" not in launch


def replay(folder: Path, plan: str, *, wide: bool = False, **environment: str) -> dict[str, dict[str, Any]]:
    (folder / "plan.txt").write_text(plan)
    program = build("capture.cu", wide=wide)
    result = run_program(
        program, capture_dir=folder, replay_plan=folder / "plan.txt", environment=environment
    )
    assert result.returncode == 0
    assert not events(folder, "launch")
    return {event["case"]: event for event in events(folder, "replay")}


def test_replay_with_other_inputs(tmp_path: Path) -> None:
    data = np.linspace(-1, 1, N, dtype=np.float32)
    save_file({"a0.8": data, "a2": np.zeros(N, np.float32)}, tmp_path / "in.safetensors")
    factor = struct.pack("<f", -1.5).hex()
    inputs = tmp_path / "in.safetensors"
    plan = (
        f"case same 0 {inputs}\ncase scaled 0 {inputs} scalar=1:{factor} schedule=7\n"
        f"case short 0 {inputs} grid=1,1,1\n"
    )
    status = replay(tmp_path, plan)
    assert {case: event["status"] for case, event in status.items()} == {
        "same": "ok",
        "scaled": "ok",
        "short": "ok",
    }
    same, scaled, short = (
        load_file(tmp_path / f"replay-{c}.safetensors") for c in ("same", "scaled", "short")
    )
    np.testing.assert_array_equal(same["a2"][: N - 10], expected(data, 3.0))
    np.testing.assert_array_equal(scaled["a2"][: N - 10], expected(data, -1.5))
    np.testing.assert_array_equal(short["a2"][64:], 0)
    assert (same["a0.8"].dtype, same["g:gain"].dtype) == (np.float32, np.uint8)


REPLAYED = """
#include <cstdio>
__global__ void add(int *x, int n) { x[0] += n; }
int main() {
  int *x;
  cudaMallocManaged(&x, 4);
  *x = 0;
  for (int n = 1; n <= 3; ++n) {
    add<<<1, 1>>>(x, n);
    cudaDeviceSynchronize();
    printf("%d ", *x);
  }
}
"""


def test_a_program_goes_on_untouched_until_its_last_case(
    tmp_path: Path, program_file: Callable[[str], Path]
) -> None:
    save_file({"a0": np.full(1, 90, np.int32)}, tmp_path / "in.safetensors")
    cases = "".join(f"case at{k} {k} {tmp_path}/in.safetensors\n" for k in (0, 2))
    (tmp_path / "plan.txt").write_text(cases)
    program = build_program([program_file(REPLAYED)], face=Face.CUDA)
    assert run_program(program).stdout == b"1 3 6 "
    replayed = run_program(program, capture_dir=tmp_path, replay_plan=tmp_path / "plan.txt")
    assert (replayed.returncode, replayed.stdout) == (0, b"1 3 ")
    assert events(tmp_path, "exit") == []
    for case, value in (("at0", 91), ("at2", 93)):
        assert load_file(tmp_path / f"replay-{case}.safetensors")["a0"].view(np.int32)[0] == value


def test_replay_in_double_precision(tmp_path: Path) -> None:
    data = np.linspace(-1, 1, N, dtype=np.float32)
    save_file({"a0.8": data, "a2": np.zeros(N, np.float32)}, tmp_path / "in.safetensors")
    scalar = struct.pack("<f", 0.1).hex()
    status = replay(tmp_path, f"case c 0 {tmp_path}/in.safetensors scalar=1:{scalar}\n", wide=True)
    assert status["c"]["status"] == "ok"
    out = load_file(tmp_path / "replay-c.safetensors")
    assert out["a2"].dtype == np.float64
    wanted = data[10:].astype(np.float64) * np.float64(np.float32(0.1)) * 2.0 + 0.5
    np.testing.assert_array_equal(out["a2"][: N - 10], wanted)


@pytest.mark.parametrize("wide", [False, True])
def test_buffers_can_grow(tmp_path: Path, wide: bool) -> None:
    data = np.linspace(-1, 1, N, dtype=np.float32)
    save_file({"a0.8": data, "a2": np.ones(2 * N, np.float32)}, tmp_path / "in.safetensors")
    status = replay(tmp_path, f"case c 0 {tmp_path}/in.safetensors resized=a2\n", wide=wide)
    assert status["c"]["status"] == "ok", status["c"]["message"]
    out = load_file(tmp_path / "replay-c.safetensors")["a2"]
    assert (len(out), out.dtype) == (2 * N, np.float64 if wide else np.float32)
    np.testing.assert_allclose(out[: N - 10], expected(data, 3.0), rtol=1e-6)
    np.testing.assert_array_equal(out[N - 10 :], 1.0)


def test_replays_that_fail(tmp_path: Path) -> None:
    save_file({"a0": np.zeros(1, np.int32)}, tmp_path / "stop.safetensors")
    save_file({"a7": np.zeros(1, np.int32)}, tmp_path / "absent.safetensors")
    save_file({"a2": np.zeros(3, np.float32)}, tmp_path / "small.safetensors")
    plan = (
        f"case endless 1 {tmp_path}/stop.safetensors\ncase absent 1 {tmp_path}/absent.safetensors\n"
        f"case small 0 {tmp_path}/small.safetensors\n"
        f"case wide 0 {tmp_path}/nowhere.safetensors block=2048,1,1\n"
        f"case fixed 0 {tmp_path}/small.safetensors resized=g:gain\n"
        f"case inner 0 {tmp_path}/small.safetensors resized=a0.8\n"
    )
    status = replay(tmp_path, plan, PORTER_REPLAY_SECONDS="1")
    assert {case: event["status"] for case, event in status.items()} == {
        "endless": "timeout",
        "absent": "error",
        "small": "error",
        "wide": "error",
        "fixed": "error",
        "inner": "error",
    }
    assert status["endless"]["cpu_seconds"] >= 1.0 > status["small"]["cpu_seconds"]
    assert "a7" in status["absent"]["message"]
    assert "12 bytes" in status["small"]["message"]
