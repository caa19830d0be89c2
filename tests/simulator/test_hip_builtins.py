"""AMD's builtins: matrix instructions in their documented layouts, atomics with an order and a scope."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simulator.conftest import line_of, run

PROGRAM = "matrix_instructions.hip"


@pytest.mark.parametrize("kind", ["0", "1", "2"], ids=["half", "double", "bytes"])
def test_a_matrix_instruction_multiplies(kind: str) -> None:
    i = np.arange(256)
    a, b = (i * 7 % 23 - 11).reshape(16, 16), (i * 5 % 19 - 9).reshape(16, 16)
    result = run(PROGRAM, [kind])
    assert result.returncode == 0, result.stderr
    assert np.array_equal(np.array(result.stdout.split(), dtype=float).reshape(16, 16), a @ b + 1)


def test_all_lanes_have_to_be_active() -> None:
    result = run(PROGRAM, ["3"])
    (error,) = result.errors
    assert (error.code, error.line) == ("SIM042", line_of(PROGRAM, "inactive lanes"))


def test_atomics_with_an_order_and_a_scope() -> None:
    result = run(PROGRAM, ["4"])
    assert result.returncode == 0, result.stderr
    values = np.arange(1, 65)
    expected = [values.sum(), -values.sum(), 64, -64]
    expected += [np.bitwise_or.reduce(values), np.bitwise_xor.reduce(values), 64 * 3, 42, 5, 32]
    assert [float(word) for word in result.stdout.split()[:10]] == expected
