"""Whole programs that check themselves, at both lane counts and under permuted schedules."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.simulator.build import build_program
from porter.simulator.options import Face
from porter.simulator.run import run_program
from tests.simulator.conftest import build, line_of, run


@pytest.mark.parametrize("lanes", [32, 64])
@pytest.mark.parametrize("seed", [None, 5])
def test_kernels(lanes: int, seed: int | None) -> None:
    result = run("kernels.cu", lanes=lanes, schedule_seed=seed)
    assert (result.returncode, result.stdout) == (0, b"all passed\n")


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_warp_functions(seed: int | None) -> None:
    result = run("warps.cu", schedule_seed=seed)
    assert (result.returncode, result.stdout, result.errors) == (0, b"all passed\n", ())


@pytest.mark.parametrize("seed", [None, 3])
def test_hip_wavefront(seed: int | None) -> None:
    result = run("wavefront.hip", schedule_seed=seed)
    assert (result.returncode, result.stdout, result.errors) == (0, b"all passed\n", ())


def test_lanes_wait_for_one_that_steps_aside() -> None:
    result = run("compaction.hip")
    assert (result.returncode, result.stdout, result.errors) == (0, b"0 wrong\n", ())


def test_hip_mask_must_equal_the_active_lanes() -> None:
    result = run("wavefront.hip", ["wrong"])
    assert result.returncode == 5
    (error,) = result.errors
    assert (error.code, error.kernel, error.line) == (
        "SIM004",
        "wrong_mask",
        line_of("wavefront.hip", "wrong mask"),
    )


@pytest.mark.parametrize(
    ("letter", "code", "mark", "status"),
    [
        ("a", "SIM001", "out of bounds", "cudaErrorIllegalAddress"),
        ("c", "SIM003", "divergent barrier", "cudaSuccess"),
        ("d", "SIM002", "deadlock", "cudaErrorLaunchFailure"),
        ("e", "SIM005", "not named", "cudaErrorLaunchFailure"),
        ("f", "SIM007", "assertion", "cudaErrorAssert"),
        ("g", "SIM001", "freed", "cudaErrorIllegalAddress"),
        ("j", "SIM015", "division", "cudaErrorLaunchFailure"),
        ("k", "SIM010", "launch", "cudaErrorInvalidConfiguration"),
        ("l", "SIM001", "past shared", "cudaErrorIllegalAddress"),
        ("m", "SIM008", "trap", "cudaErrorLaunchFailure"),
        ("n", "SIM010", "too much shared", "cudaErrorInvalidValue"),
        ("o", "SIM013", "launch bounds", "cudaErrorLaunchOutOfResources"),
    ],
)
def test_fault_is_reported_at_its_line(letter: str, code: str, mark: str, status: str) -> None:
    result = run("faults.cu", [letter])
    assert result.stdout.decode().strip() == status
    (error,) = result.errors
    assert (error.code, error.line) == (code, line_of("faults.cu", mark))
    assert error.file.endswith("faults.cu")
    assert code in result.stderr.decode()


def test_fault_names_block_and_thread() -> None:
    (error,) = run("faults.cu", ["a"]).errors
    assert (error.kernel, error.block, error.thread) == ("past_the_end", (3, 0, 0), (255, 0, 0))


def test_a_refused_launch_names_no_thread_and_is_settled_when_the_program_asks(tmp_path: Path) -> None:
    program = tmp_path / "refused.cu"
    program.write_text(
        "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n"
        "int main(int argc, char **) {\n"
        "  int *a;\n  cudaMalloc(&a, 4096);\n  k<<<1, 32>>>(a);\n  cudaDeviceSynchronize();\n"
        "  k<<<0, 32>>>(a);\n"
        "  if (argc > 1 && cudaGetLastError() != cudaErrorInvalidConfiguration) return 2;\n"
        "  void *arguments[] = {&a};\n"
        "  dim3 many(4096);\n"
        "  if (argc > 2 && cudaLaunchKernel((void *)k, 1, many, arguments, 0, 0) == 0) return 3;\n}\n"
    )
    built = build_program([program], face=Face.CUDA)
    (error,) = run_program(built).errors
    assert (error.line, error.kernel, error.block, error.thread, error.settled) == (7, "k", None, None, False)
    assert "thread" not in str(error)
    (error,) = run_program(built, ["asks"]).errors
    assert error.settled
    assert [e.settled for e in run_program(built, ["asks", "twice"]).errors] == [True, True]


def test_write_before_a_buffer() -> None:
    (error,) = run("faults.cu", ["b"]).errors
    assert (error.code, error.kernel, error.line) == (
        "SIM009",
        "before_the_start",
        line_of("faults.cu", "before the start"),
    )
    assert "byte -4 of allocation 3" in error.message


def test_write_into_the_slack_names_its_thread() -> None:
    (error,) = run("faults.cu", ["q"]).errors
    assert (error.code, error.block, error.thread) == ("SIM009", (1, 0, 0), (30, 0, 0))
    assert error.line == line_of("faults.cu", "into the slack")


def test_stack_overflow() -> None:
    (error,) = run("faults.cu", ["h"]).errors
    assert (error.code, error.kernel) == ("SIM011", "deep")


def test_uninitialised_shared_memory_shows() -> None:
    assert run("faults.cu", ["i"]).stdout.startswith(b"1 nan\n")


def test_schedule_shows_a_missing_barrier() -> None:
    assert run("race.cu").returncode == 0
    assert any(run("race.cu", schedule_seed=seed).returncode for seed in (1, 2, 3))


def test_result_does_not_depend_on_the_workers() -> None:
    program = build("kernels.cu")
    for threads in (1, 3):
        assert run_program(program, threads=threads).returncode == 0


@pytest.mark.parametrize("seed", [None, 5])
def test_groups_within_a_warp(seed: int | None) -> None:
    result = run("rows.cu", schedule_seed=seed)
    assert (result.returncode, result.stdout) == (0, b"all passed\n")
