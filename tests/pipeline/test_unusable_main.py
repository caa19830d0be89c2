"""A main() that tells nothing of its kernels is left aside; one that finds them wrong is believed."""

from __future__ import annotations

from pathlib import Path

import pytest

import porter.harness.programs
from porter.core.outcome import Failed, Outcome, Partial, Ported, Target
from porter.core.result import Report
from porter.pipeline.port import port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.pipeline.verify_port import verify_port

KERNEL = """\
__global__ void scale(float* y, const float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
"""
MAIN = """\
#include <cuda_runtime.h>
#include <cstdio>
%s
int main(int argc, char** argv) {
  %s
  float *x, *y;
  cudaMalloc(&x, 400);
  cudaMalloc(&y, 400);
  cudaMemset(x, 0, 400);
  scale<<<1, 128>>>(y, x, 2.0f, 100);
  cudaDeviceSynchronize();
  %s
}
"""
USAGE = 'if (argc < 2) { fprintf(stderr, "usage: scale FILE\\n"); return 64; }'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def ported(program: str, target: Target = Target.HIP) -> tuple[Outcome, Report]:
    Path("scale.cu").write_text(program)
    run = RunDirectory.create(Path("runs"), "translate", b"")
    report = port(PortRequest(Path("scale.cu"), target, also=()), run).report
    return report.units[0].outcome, report


def test_a_program_that_wants_arguments_has_its_kernels_proved(tmp_path: Path) -> None:
    outcome, report = ported(MAIN % (KERNEL, USAGE, ""))
    assert isinstance(outcome, Ported)
    (note,) = (f for f in (*outcome.findings, *report.findings) if f.code == "VER007")
    assert "exit code 64 (usage: scale FILE); scale was launched as grid" in note.message
    hip = next(Path("runs").rglob("*.hip")).read_bytes()
    Path("wrong.hip").write_bytes(hip.replace(b"a * x[i]", b"a + x[i]"))
    run = RunDirectory.create(Path("runs"), "verify", b"")
    verified = verify_port(PortRequest(Path("scale.cu"), Target.HIP), Path("wrong.hip"), run).report
    assert isinstance(verified.units[0].outcome, Failed)


def test_a_kernel_of_a_header_too() -> None:
    Path("scale.cuh").write_text(KERNEL)
    outcome, _ = ported(MAIN % ('#include "scale.cuh"', USAGE, ""), Target.TRITON)
    assert isinstance(outcome, Ported)


def test_a_program_that_finds_its_kernels_wrong_is_no_judge() -> None:
    outcome, report = ported(MAIN % (KERNEL, "", "return 3;"))
    assert isinstance(outcome, Partial)
    assert "own check fails" in outcome.reason
    assert not [f for f in report.findings if f.code == "VER007"]


def test_where_no_launch_can_be_inferred_the_programs_own_reason_stays() -> None:
    kernel = KERNEL.replace("float a,", "struct Factor a,").replace("a * x", "a.f * x")
    program = (MAIN % ("struct Factor { float f; };\n" + kernel, USAGE, "")).replace("2.0f", "Factor{2.0f}")
    outcome, _ = ported(program)
    assert isinstance(outcome, Partial)
    assert "before its first launch" in outcome.reason


def test_a_program_that_does_not_end_has_its_kernels_proved_at_its_first_launches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(porter.harness.programs, "REPEATING_SECONDS", 1)
    again = "for (;;) scale<<<1, 128>>>(y, x, 2.0f, 100);"
    outcome, report = ported(MAIN % (KERNEL, "", again))
    assert isinstance(outcome, Ported)
    (note,) = (f for f in (*outcome.findings, *report.findings) if f.code == "VER023")
    assert "its launches repeat, so it was stopped" in note.message
    assert note.span is not None
    assert note.span.line == 3
