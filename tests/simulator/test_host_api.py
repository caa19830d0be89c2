"""The runtime API by family: each program checks itself, under CUDA's and HIP's names where both have it."""

from __future__ import annotations

import pytest

from tests.simulator.conftest import line_of, run


@pytest.mark.parametrize("name", ["textures.cu", "textures.hip", "graphs.cu", "graphs.hip"])
def test_family(name: str) -> None:
    result = run(name)
    assert (result.stdout.decode(), result.returncode, result.errors) == ("all passed\n", 0, ())


@pytest.mark.parametrize("seed", [None, 3])
def test_launches_from_device_code(seed: int | None) -> None:
    result = run("nested.cu", schedule_seed=seed)
    assert (result.stdout.decode(), result.returncode, result.errors) == ("all passed\n", 0, ())


def test_a_fault_of_a_child_ends_its_parent() -> None:
    result = run("nested.cu", ["fault"])
    assert result.returncode == 5
    assert [error.code for error in result.errors] == ["SIM001"]
    assert result.errors[0].line == line_of("nested.cu", "the child's fault")


def test_what_is_cuda_s_alone() -> None:
    result = run("host.cu")
    assert (result.stdout.decode(), result.returncode, result.errors) == ("all passed\n", 0, ())


def test_modules_and_run_time_compilation_are_refused_where_they_are_asked_for() -> None:
    result = run("host.cu", ["modules"])
    assert result.returncode == 5
    found = [(error.code, error.kernel, error.line) for error in result.errors]
    assert found == [
        ("SIM033", "cuModuleLoad", line_of("host.cu", "a module")),
        ("SIM033", "nvrtcCreateProgram", line_of("host.cu", "a program")),
    ]
