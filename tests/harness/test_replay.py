"""Captures that an NVIDIA H200 made (CUDA 13.0), replayed here; and by wrong programs and ports."""

import json
from pathlib import Path

import jsonschema
import pytest

from porter.core.errors import InputError
from porter.harness.capture import read_capture
from porter.harness.capture_command import CaptureRequest, capture_program, read_manifest
from porter.harness.captured_judge import judge_capture
from porter.harness.judge import Unfit
from porter.harness.replay import Agreement, Replayed, named, parameter_names, replay_capture
from porter.harness.verdict import CouldNotRun, Mismatched, Passed, VerifyOptions
from porter.harness.verify import verify_hip

ROOT = Path(__file__).parents[2]
DATA = Path(__file__).parent / "data"
SCHEMA = json.loads((ROOT / "docs" / "capture.schema.json").read_text())
OPTIONS = VerifyOptions(check_memory=False)


def fixture(name: str) -> Path:
    return ROOT / "fixtures" / "cuda_kernels" / name / "kernel.cu"


@pytest.mark.parametrize("name", ["stencil_1d", "threadfence_reduction"])
def test_gpu_captures_keep_to_the_schema(name: str) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for line in (DATA / name / "events.jsonl").read_text().splitlines():
        validator.validate(json.loads(line))
    manifest = {"$ref": "#/$defs/manifest", "$defs": SCHEMA["$defs"]}
    jsonschema.validate(json.loads((DATA / name / "capture.json").read_text()), manifest)
    assert read_manifest(DATA / name).on == "cuda"
    assert read_capture(DATA / name).device == "NVIDIA H200"


@pytest.fixture(scope="module")
def stencil() -> Replayed:
    return replay_capture(DATA / "stencil_1d", fixture("stencil_1d"), OPTIONS)


def test_a_float_capture_replays_within_the_tolerance(stencil: Replayed) -> None:
    """The GPU contracts a*b+c, the simulator does not: the last places of the sums differ, nothing else."""
    assert stencil.referenced
    assert stencil.agrees
    first, second, third = (named(x, parameter_names(fixture("stencil_1d"))) for x in stencil.launches)
    assert {b.buffer: b.agreement for b in first.buffers} == {
        "signal": Agreement.EQUAL,
        "out": Agreement.EQUAL,
        "g:coefficients": Agreement.EQUAL,
    }
    assert {b.buffer: b.agreement for b in second.buffers} == {
        "signal": Agreement.EQUAL,
        "out": Agreement.WITHIN,
        "g:coefficients": Agreement.EQUAL,
    }
    assert third.buffers == ()
    assert third.reason == "its memory was not recorded"


def test_a_double_capture_with_a_device_counter_replays_to_the_bit() -> None:
    found = replay_capture(DATA / "threadfence_reduction", fixture("threadfence_reduction"), OPTIONS)
    recorded = [x for x in found.launches if x.buffers]
    assert [x.index for x in recorded] == [2, 3]
    assert {b.agreement for x in recorded for b in x.buffers} == {Agreement.EQUAL}


def _changed(tmp_path: Path, old: str, new: str, name: str = "changed.cu") -> Path:
    text = fixture("stencil_1d").read_text()
    assert old in text
    changed = tmp_path / name
    changed.write_text(text.replace(old, new))
    return changed


def test_a_program_that_computes_something_else_differs(tmp_path: Path) -> None:
    wrong = _changed(tmp_path, "sum += coefficients", "sum -= coefficients")
    found = replay_capture(DATA / "stencil_1d", wrong, OPTIONS)
    assert not found.agrees
    out = found.launches[1].buffers[1]
    assert (out.buffer, out.agreement) == ("a1", Agreement.DIFFERS)
    assert out.first is not None


def test_ports_are_verified_against_the_gpu(tmp_path: Path) -> None:
    """Not one number of the original's comes from the simulator, but for the tolerance."""
    found = judge_capture(DATA / "stencil_1d", fixture("stencil_1d"), OPTIONS)
    assert not isinstance(found, Unfit)
    port = tmp_path / "port.hip"
    text = (
        fixture("stencil_1d")
        .read_text()
        .replace("cuda_runtime.h", "hip/hip_runtime.h")
        .replace("cuda", "hip")
    )
    port.write_text(text)
    verdict = verify_hip(fixture("stencil_1d"), port, OPTIONS, found.judged).of("stencil_1d")
    assert isinstance(verdict, Passed), verdict
    assert verdict.evidence[0].details["captured_on"] == "NVIDIA H200"
    port.write_text(text.replace("sum += coefficients", "sum -= coefficients"))
    verdict = verify_hip(fixture("stencil_1d"), port, OPTIONS, found.judged).of("stencil_1d")
    assert isinstance(verdict, Mismatched), verdict
    port.write_text(text.replace("stencil_1d", "renamed"))
    assert isinstance(
        verify_hip(fixture("stencil_1d"), port, OPTIONS, found.judged).of("stencil_1d"), CouldNotRun
    )


def test_without_the_program_the_capture_alone_judges() -> None:
    found = judge_capture(DATA / "threadfence_reduction", None, OPTIONS)
    assert not isinstance(found, Unfit)
    (kernel,) = found.judged.kernels
    assert len(kernel.cases) == 2
    assert found.simulated.reason == "no program was given"
    assert all(t.reference is None for case in kernel.cases for t in case.truths)


def test_a_capture_made_here_replays_equal(tmp_path: Path) -> None:
    folder = tmp_path / "capture"
    folder.mkdir()
    captured = capture_program(CaptureRequest((fixture("stencil_1d"),), limit_bytes=20_000), folder)
    assert (captured.launches, captured.truncated, captured.exit_code) == (3, 1, 0)
    found = replay_capture(folder, fixture("stencil_1d"), OPTIONS)
    assert {b.agreement for x in found.launches for b in x.buffers} == {Agreement.EQUAL}


def test_what_is_no_capture(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no capture here"):
        replay_capture(tmp_path, fixture("stencil_1d"), OPTIONS)
    with pytest.raises(InputError, match="no such file"):
        replay_capture(DATA / "stencil_1d", tmp_path / "absent.cu", OPTIONS)
    (tmp_path / "capture.json").write_text("{")
    with pytest.raises(InputError, match="damaged"):
        read_manifest(tmp_path)
