"""Cooperative groups: what they compute, under permuted schedules too, and how misuse is reported."""

from __future__ import annotations

import pytest

from tests.simulator.conftest import line_of, run


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_groups(seed: int | None) -> None:
    result = run("groups.cu", schedule_seed=seed)
    assert (result.returncode, result.stdout, result.errors) == (0, b"all passed\n", ())


@pytest.mark.parametrize(
    ("letter", "code", "mark"),
    [("m", "SIM002", "missing"), ("c", "SIM041", "cluster"), ("g", "SIM041", "not cooperative")],
)
def test_misuse_is_reported_at_its_line(letter: str, code: str, mark: str) -> None:
    (error,) = run("groups.cu", [letter]).errors
    assert (error.code, error.line) == (code, line_of("groups.cu", mark))
