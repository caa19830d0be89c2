"""Captures on a GPU: the rewriting, and the header run on the simulator against the simulator's capture."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from porter.harness.device_capture.build import INCLUDE_DIRECTORY, DeviceProgram, build_for_capture
from porter.harness.device_capture.rewrite import rewrite
from porter.harness.tensors import TensorFile
from porter.harness.toolchains.nvcc import find_nvcc
from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).parent / "programs" / "device_capture.cu"
SCHEMA = json.loads((ROOT / "docs" / "capture.schema.json").read_text())
Event = dict[str, Any]


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        ("k<<<1, 2>>>(a);", "PORTER_CAPTURE_LAUNCH(::porter_capture::configuration(1, 2), k)(a);"),
        (
            "ns::k<f<int>, 4>\n  <<<g, dim3(8, 8), s>>>(a)",
            "PORTER_CAPTURE_LAUNCH(::porter_capture::configuration(\ng, dim3(8, 8), s), ns::k<f<int>, 4>)(a)",
        ),
        ("CHECK(cudaMalloc(&p, 4));", "CHECK(::porter_capture::cudaMalloc(&p, 4));"),
        ("::cudaFree(p);", "::porter_capture::cudaFree(p);"),
        ("return ::cudaFree(p);", "return ::porter_capture::cudaFree(p);"),
        (
            "cudaLaunchKernel((void*)k<float>, g, b, a)",
            'PORTER_CAPTURE_ARRAY_LAUNCH(false, "k<float>")(k<float>, g, b, a)',
        ),
        ("__constant__ float w[3];", "__constant__ float w[3]; PORTER_CAPTURE_SYMBOL(w, false)"),
    ],
)
def test_what_is_redirected(text: str, rewritten: str) -> None:
    assert rewrite("", text.encode()).data.decode() == rewritten


@pytest.mark.parametrize(
    "text",
    [
        "// k<<<1, 2>>>(a)\n",
        '"cudaMalloc";',
        "mine::cudaMalloc(&p, 4);",
        "pool.cudaFree(p); pool->cudaFree(p);",
        "extern __constant__ float w[3];",
        "int x = a << b >> 1;",
        "cudaMemset(p, 0, 4); cudaMemcpyToSymbol(w, h, 4);",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert rewrite("", text.encode()).data.decode() == text


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The program captured by the header on the simulator's CUDA, and by the simulator itself."""
    root = tmp_path_factory.mktemp("capture")
    text = b'#include "porter_capture/porter_capture.h"\n' + rewrite("", PROGRAM.read_bytes()).data
    (root / "rewritten.cu").write_bytes(text)
    by_header, by_simulator = root / "header", root / "simulator"
    by_header.mkdir()
    by_simulator.mkdir()
    program = build_program([root / "rewritten.cu"], face=Face.CUDA, include_dirs=[INCLUDE_DIRECTORY])
    environment = {"PORTER_DEVICE_CAPTURE": str(by_header)}
    assert run_program(program, environment=environment, threads=1).returncode == 0
    plain = build_program([PROGRAM], face=Face.CUDA)
    assert run_program(plain, capture_dir=by_simulator, threads=1).returncode == 0
    return by_header, by_simulator


def _events(directory: Path) -> list[Event]:
    return [json.loads(line) for line in (directory / "events.jsonl").read_text().splitlines()]


# Where the two runs differ by nature: the text that was compiled, and what only one of them knows.
_OWN = (
    "file",
    "callee",
    "line",
    "function",
    "template_arguments",
    "device",
    "compute_capability",
    "cuda_runtime",
)


def _comparable(event: Event) -> Event:
    """Structs without their bytes, which hold addresses and padding."""
    kept = {k: v for k, v in event.items() if k not in _OWN}
    if "arguments" in kept:
        plain = [{**a, "bytes": ""} if a["kind"] == "struct" else a for a in kept["arguments"]]
        kept["arguments"] = plain
    return kept


def test_both_captures_are_the_same(captures: tuple[Path, Path]) -> None:
    left, right = (
        [
            _comparable(event)
            for event in _events(directory)
            if not (event["event"] == "allocation" and event["kind"] == "symbol")
        ]
        for directory in captures
    )
    assert left == right
    tensors = [e["tensors"] for e in left if "tensors" in e]
    assert len(tensors) == 6 + 1 + 2 + 1
    for name in tensors:
        files = [TensorFile(directory / name) for directory in captures]
        assert {k: v.values.tobytes() for k, v in files[0].items()} == {
            k: v.values.tobytes() for k, v in files[1].items()
        }


def test_every_event_has_its_schema(captures: tuple[Path, Path]) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for directory in captures:
        events = _events(directory)
        for event in events:
            validator.validate(event)
        kinds = {e["event"] for e in events}
        assert kinds == {"program", "allocation", "free", "launch", "transfer", "exit"}


def test_an_event_that_breaks_the_schema_is_seen() -> None:
    launch = {"event": "launch", "index": 0, "kernel": "k", "grid": [1, 1]}
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(launch)


def test_launches_say_which_kernel_they_mean(captures: tuple[Path, Path]) -> None:
    launches = [e for e in _events(captures[1]) if e["event"] == "launch"]
    named = [(e["kernel"], e["function"], e["template_arguments"]) for e in launches]
    assert named == [
        ("scale", "first::scale", []),
        ("scale", "second::scale", []),
        ("step", "second::step<float, 5>", ["float", "5"]),
        ("affine", "", []),
        ("untouched", "untouched", []),
        ("scale", "first::scale", []),
    ]
    written = [e for e in _events(captures[0]) if e["event"] == "launch"][2]
    assert written["template_arguments"] == ["float", "(3 > 2) ? 5 : 0"]


@pytest.mark.slow
@pytest.mark.skipif(find_nvcc() is None, reason="no nvcc")
def test_nvcc_compiles_the_rewritten_program(tmp_path: Path) -> None:
    build_for_capture(DeviceProgram((PROGRAM,), arch="sm_90"), tmp_path / "program")
    assert (tmp_path / "program").stat().st_size > 0
