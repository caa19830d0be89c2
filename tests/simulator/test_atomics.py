"""Atomics of every type and scope, libcu++'s barriers and pipelines, asynchronous copies."""

from __future__ import annotations

import pytest

from tests.simulator.conftest import line_of, run


@pytest.mark.parametrize("seed", [None, 1])
def test_atomics_barriers_and_pipelines(seed: int | None) -> None:
    result = run("atomics.cu", schedule_seed=seed)
    assert (result.returncode, result.stdout, result.errors) == (0, b"all passed\n", ())


def test_more_arrivals_than_expected_are_reported() -> None:
    (error,) = run("atomics.cu", ["too many"]).errors
    assert (error.code, error.line) == ("SIM042", line_of("atomics.cu", "too many"))
