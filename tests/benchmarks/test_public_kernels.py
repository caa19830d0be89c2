"""The second opinion on a ported kernel: what counts as another result, and how types and rows are read."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from public_kernels import chosen
from public_kernels_again import Launch, difference, dtype_of, run_launch
from public_kernels_page import page


@pytest.mark.parametrize(
    ("spelling", "dtype"),
    [
        ("float*", "f4"),
        ("const float *__restrict__", "f4"),
        ("unsigned long int", "u8"),
        ("long int", "i8"),
        ("unsigned int*", "u4"),
        ("std::size_t", "u8"),
        ("__half*", "f2"),
    ],
)
def test_types(spelling, dtype):
    assert dtype_of(spelling) == np.dtype(dtype)


def test_a_struct_has_no_type():
    assert dtype_of("struct Params") is None


def test_integers_have_to_be_equal():
    assert difference(np.array([1, 2, 3]), np.array([1, 2, 4])) == "[2] is 4, not 3; 1 of 3"


def test_the_same_elements_in_another_order_are_equal():
    assert difference(np.array([1, 2, 3]), np.array([3, 1, 2])) == ""


def test_floats_may_differ_by_a_share_of_the_largest():
    expected = np.array([1000, 1, np.nan], np.float32)
    assert difference(expected, np.array([1000.01, 1.01, np.nan], np.float32)) == ""
    assert difference(expected, np.array([1000, 1.05, np.nan], np.float32)) != ""
    assert difference(expected, np.array([1000, 1, 0], np.float32)) != ""


def _launch(after):
    event = {
        "kernel": "twice",
        "grid": [1, 1, 1],
        "block": [4, 1, 1],
        "arguments": [
            {"kind": "pointer", "type": "int*", "allocation": 3, "offset_bytes": 4},
            {"kind": "scalar", "type": "int", "bytes": "02000000"},
        ],
        "globals": [],
    }
    before = np.arange(4, dtype=np.int32)
    return Launch(
        event, {"3/before": before.view(np.uint8), "3/after": np.array(after, np.int32).view(np.uint8)}
    )


def _twice(values, factor, *, grid):
    assert grid == (1, 1, 1)
    values *= factor


def test_a_launch_is_compared_over_whole_allocations():
    assert run_launch({"twice": _twice}, _launch([0, 2, 4, 6])) == {"status": "equal", "elements": 3}
    assert run_launch({"twice": _twice}, _launch([9, 2, 4, 6]))["status"] == "differs"
    assert run_launch({}, _launch([0, 2, 4, 6])) == {"status": "not in the module"}


def test_the_second_run_is_of_the_same_text_with_other_sizes():
    items = {item.entry.name: item for item in chosen()}
    matrix = items["matrixMul"]
    assert matrix.entry.arguments != matrix.again.arguments
    assert matrix.entry.defines == matrix.again.defines
    assert len({item.entry.repository.name for item in chosen()[:7]}) == 7


def test_a_page_counts_kernels_that_are_wrong_but_reported_right():
    class Row:
        repository, program, kernel, reason, note = "a/b", "p", "k", "", ""
        seconds, again, disagree = 1.0, 4, 1
        verdict = "verified"

    assert "**wrong but reported right: 1**" in page([Row()])
