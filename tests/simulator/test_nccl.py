"""NCCL between the ranks of one process, and several simulated devices."""

from __future__ import annotations

from tests.simulator.conftest import line_of, run


def test_operations_and_devices() -> None:
    result = run("nccl.cu", environment={"PORTER_SIM_DEVICES": "3"})
    assert (result.stdout.decode(), result.returncode) == ("all passed\n", 0)
    (error,) = result.errors
    assert (error.code, error.line) == ("SIM001", line_of("nccl.cu", "past"))


def test_rccl() -> None:
    result = run("rccl.hip")
    assert (result.stdout.decode(), result.returncode, result.errors) == ("4\n", 0, ())
