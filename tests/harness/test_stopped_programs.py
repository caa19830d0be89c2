"""Programs that are not run to their end: what they launched until then is what ports are judged by."""

from dataclasses import replace
from pathlib import Path

import pytest

import porter.harness.judge
import porter.harness.programs
from porter.harness.judge import Judged, Unfit, judge_original
from porter.harness.programs import Build, Ran, build, run
from porter.harness.verdict import Mismatched, NoVerdict, Passed, ProgramNotRun, VerifyOptions
from porter.harness.verify import verify_hip

# Two sizes with a check, then the same launch without end: what a benchmark does.
BENCHMARK = """
#include <cstdio>
#include <cuda_runtime.h>
__global__ void scale(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
__global__ void after(float *y) { y[threadIdx.x] += 1.0f; }
int main() {
  const int n = 3000;
  float host[n], *x, *y;
  for (int i = 0; i < n; ++i) host[i] = i % 17 - 8;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  for (int block = 64; block <= 128; block *= 2) scale<<<(n + block - 1) / block, block>>>(x, y, 2.0f, n);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  REPEATED
  after<<<1, 64>>>(y);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""
ENDLESS = "for (;;) scale<<<(n + 127) / 128, 128>>>(x, y, 2.0f, n);"
OPTIONS = VerifyOptions(max_cases=6, check_memory=False, shrink_seconds=0.0)


@pytest.fixture(autouse=True)
def _short_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(porter.harness.programs, "REPEATING_SECONDS", 1)


def _source(tmp_path: Path, repeated: str) -> Path:
    path = tmp_path / "benchmark.cu"
    path.write_text(BENCHMARK.replace("REPEATED", repeated))
    return path


def _port(tmp_path: Path, source: Path, *changes: tuple[str, str]) -> Path:
    text = source.read_text().replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cuda", "hip")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = tmp_path / "port.hip"
    path.write_text(text)
    return path


def test_a_benchmark_is_judged_by_its_first_launches(tmp_path: Path) -> None:
    source = _source(tmp_path, ENDLESS)
    judged = judge_original(source, OPTIONS)
    assert isinstance(judged, Judged)
    assert judged.capture.stopped
    assert judged.capture.exit_code is None
    assert "its launches repeat" in judged.stopped
    assert judged.stop_at == 2
    right = verify_hip(source, _port(tmp_path, source), OPTIONS, judged)
    assert isinstance(right.of("scale"), Passed)
    assert right.program == ProgramNotRun(judged.stopped)
    assert right.of("after") == NoVerdict("after", f"{judged.stopped}, none of them of this kernel")
    wrong = _port(tmp_path, source, ("a * x[i]", "a + x[i]"))
    assert isinstance(verify_hip(source, wrong, OPTIONS, judged).of("scale"), Mismatched)


def test_a_port_that_launches_less_before_it_is_stopped_is_not_called_wrong(tmp_path: Path) -> None:
    source = _source(tmp_path, ENDLESS)
    judged = judge_original(source, OPTIONS)
    assert isinstance(judged, Judged)
    more = _port(tmp_path, source, ("for (int block", "after<<<1, 64>>>(y);\n  for (int block"))
    verdict = verify_hip(source, more, OPTIONS, judged).of("scale")
    assert isinstance(verdict, NoVerdict)
    assert "stopped" in verdict.reason


def test_a_program_that_ends_in_time_is_run_to_its_end(tmp_path: Path) -> None:
    source = _source(tmp_path, ENDLESS.replace("(;;)", "(int k = 0; k < 40; ++k)"))
    judged = judge_original(source, OPTIONS)
    assert isinstance(judged, Judged)
    assert (judged.stopped, judged.stop_at) == ("", None)
    assert judged.capture.exit_code == 0


def test_launches_that_change_do_not_repeat(tmp_path: Path) -> None:
    changing = "for (int k = 0;; ++k) { scale<<<24, 128>>>(x, y, float(k), n); usleep(1000); }"
    source = _source(tmp_path, changing)
    source.write_text("#include <unistd.h>\n" + source.read_text())
    judged = judge_original(source, replace(OPTIONS, wall_seconds=1.0))
    assert isinstance(judged, Judged)
    assert not judged.capture.stopped
    assert "does not end within the time limit" in judged.stopped


def test_a_program_does_not_launch_without_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(porter.harness.judge, "MOST_LAUNCHES", 50)
    judged = judge_original(
        _source(tmp_path, "for (float k = 0;; ++k) scale<<<24, 128>>>(x, y, k, n);"), OPTIONS
    )
    assert isinstance(judged, Judged)
    assert judged.stopped.endswith("it was stopped after 50 launches")


def test_a_program_that_hangs_before_it_launches_is_no_measure(tmp_path: Path) -> None:
    source = _source(tmp_path, "")
    source.write_text(source.read_text().replace("const int n = 3000;", "for (;;);\n  const int n = 3000;"))
    judged = judge_original(source, replace(OPTIONS, wall_seconds=2.0))
    assert isinstance(judged, Unfit)
    assert judged.says_nothing


def test_a_replayed_program_ends_after_its_last_case(tmp_path: Path) -> None:
    source = _source(tmp_path, ENDLESS)
    judged = judge_original(source, OPTIONS)
    assert isinstance(judged, Judged)
    (kernel,) = judged.kernels
    case = kernel.cases[0].planned
    plan = tmp_path / "plan"
    plan.write_text(f"case one {case.launch.index} {_inputs(judged, case.case.name)}\n")
    built = build(source, OPTIONS)
    assert isinstance(built, Build)
    ran = run(built, replace(OPTIONS, wall_seconds=20.0), tmp_path / "replay", plan=plan)
    assert isinstance(ran, Ran)
    assert not ran.timed_out
    assert [(r.case, r.status) for r in ran.capture.replays] == [("one", "ok")]


def _inputs(judged: Judged, case: str) -> Path:
    return Path(judged.workspace.name) / "inputs" / f"{case}.safetensors"
