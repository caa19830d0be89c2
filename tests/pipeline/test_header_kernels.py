"""A program's kernels in headers of its own are proved with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.core.outcome import Declined, Failed, Outcome, Partial, Ported, Target
from porter.core.span import SourceText
from porter.cuda.translation_unit import read_translation_unit
from porter.pipeline.header_kernels import with_header_kernels
from porter.pipeline.inspect import InspectRequest, inspect
from porter.pipeline.port import port
from porter.pipeline.request import PortRequest
from porter.pipeline.run_directory import RunDirectory
from porter.pipeline.verify_port import verify_port

HEADER = """\
#pragma once
template <class T> __global__ void scale(T* y, T a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] *= a;
}
template <class T> __global__ void shift(T* y, T a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a;
}
__global__ void of_others(int* y) { y[threadIdx.x] = 1; }
inline void launch_shift(float* y, float a, int n) { shift<<<(n + 63) / 64, 64>>>(y, a, n); }
inline void launch_others(int* y) { of_others<<<1, 64>>>(y); }
"""
PROGRAM = """\
#include <cuda_runtime.h>
#include "kernels.cuh"
int main(int argc, char**) {
  const int n = 500;
  float* y;
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));
  if (argc > 5) { scale<<<8, 64>>>(y, 2.0f, n); }
  launch_shift(y, 3.0f, n);
  cudaDeviceSynchronize();
}
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("kernels.cuh").write_text(HEADER)
    Path("main.cu").write_text(PROGRAM)
    return Path("main.cu")


def reached(program: Path) -> set[str]:
    unit = with_header_kernels(read_translation_unit(SourceText.read(program)), (program.parent,))
    return {kernel.name for kernel in unit.header_kernels}


def outcomes(program: Path, target: Target) -> dict[str, Outcome]:
    result = port(PortRequest(program, target), RunDirectory.create(Path("run"), "translate", b""))
    return {unit.outcome.kernel: unit.outcome for unit in result.report.units}


def test_what_its_functions_may_launch_is_the_programs(program: Path) -> None:
    assert reached(program) == {"scale", "shift"}


def test_a_kernel_of_the_file_hides_one_of_a_header(program: Path) -> None:
    program.write_text(PROGRAM + "__global__ void scale(float* y) { *y = 1; }\n")
    assert reached(program) == {"shift"}


def test_headers_that_include_themselves_by_ever_longer_names_end(program: Path) -> None:
    Path("sub").mkdir()
    Path("kernels.cuh").write_text(HEADER.replace("#pragma once", '#include "sub/../kernels.cuh"'))
    assert reached(program) == {"scale", "shift"}


@pytest.mark.parametrize(
    ("target", "evidence"),
    [(Target.HIP, "simulated"), pytest.param(Target.TRITON, "interpreted", marks=pytest.mark.slow)],
)
def test_they_are_ported_and_the_others_are_not_told_of(program: Path, target: Target, evidence: str) -> None:
    found = outcomes(program, target)
    assert set(found) == {"scale", "shift"}
    assert isinstance(found["shift"], Ported)
    assert evidence in {e.kind for e in found["shift"].evidence}
    assert not isinstance(found["scale"], Ported)  # the run does not come to its launch


def test_one_that_cannot_be_ported_is_declined(program: Path) -> None:
    sum_up = 'asm volatile("redux.sync.add.u32 %0, %0, 0xffffffff;" : "+r"(n));'
    Path("kernels.cuh").write_text(HEADER.replace("if (i < n) y[i] += a;", f"if (i < n) y[i] += a; {sum_up}"))
    found = outcomes(program, Target.HIP)
    assert isinstance(found["shift"], Declined)
    assert found["shift"].findings[0].span.path == "kernels.cuh"


def test_a_wrong_port_of_a_header_fails(program: Path) -> None:
    result = port(PortRequest(program, Target.HIP), RunDirectory.create(Path("run"), "translate", b""))
    Path("port").mkdir()
    for name, data in result.draft.headers.items():
        Path("port", name).write_bytes(data.replace(b"y[i] += a", b"y[i] -= a"))
    Path("port", "main.hip").write_bytes(result.draft.text)
    verified = verify_port(
        PortRequest(program, Target.HIP),
        Path("port", "main.hip"),
        RunDirectory.create(Path("run2"), "translate", b""),
    )
    (shift,) = (u.outcome for u in verified.report.units if u.outcome.kernel == "shift")
    assert isinstance(shift, Failed)
    assert shift.comparison is not None
    assert shift.comparison.first_mismatches[0].buffer == "y"


def test_a_program_that_is_no_judge_has_them_too(program: Path) -> None:
    program.write_text(PROGRAM.replace("cudaDeviceSynchronize();", "cudaDeviceSynchronize(); return 3;"))
    found = outcomes(program, Target.HIP)
    assert {name: type(outcome) for name, outcome in found.items()} == {"scale": Partial, "shift": Partial}


@pytest.mark.slow
def test_a_program_that_is_none_of_cuda_by_its_own_text(program: Path) -> None:
    program.write_text('#include "kernels.cuh"\nvoid f(float* y) { launch_shift(y, 3.0f, 500); }\n')
    assert set(outcomes(program, Target.HIP)) == {"shift"}


def test_text_that_is_not_understood_is_no_end_where_a_header_has_the_kernels(program: Path) -> None:
    program.write_text(PROGRAM.replace("int main", "auto f = [=]__device__(int i) { return i; };\nint main"))
    assert "shift" in outcomes(program, Target.HIP)


def test_headers_in_folders_keep_their_folders_in_place(program: Path, tmp_path: Path) -> None:
    Path("include/own").mkdir(parents=True)
    Path("kernels.cuh").rename("include/own/kernels.cuh")
    program.write_text(PROGRAM.replace('"kernels.cuh"', "<own/kernels.cuh>"))
    request = PortRequest(program, Target.HIP, include_dirs=(Path("include"),), in_place=True)
    found = port(request, RunDirectory.create(tmp_path / ".porter", "test", b"")).report.units
    assert {u.outcome.kernel for u in found} >= {"shift"}
    assert all(isinstance(u.outcome, Ported) for u in found if u.outcome.kernel == "shift")


def test_inspect_shows_the_headers_text(program: Path) -> None:
    found = inspect(InspectRequest(program, compile=False))
    (shift,) = (kernel for kernel in found.kernels if kernel.name == "shift")
    assert shift.span.path == "kernels.cuh"
    assert shift.accesses is not None
    assert {found.written(a.span) for a in shift.accesses.global_accesses} == {"y[i]"}
    assert all(found.place(a.span).startswith("kernels.cuh:8:") for a in shift.accesses.global_accesses)
