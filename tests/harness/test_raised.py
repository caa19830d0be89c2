"""Sizes above the captured ones: which cases there are, what they start from, and why there are none."""

from pathlib import Path

import numpy as np
import pytest

from porter.harness.capture import Launch
from porter.harness.cases import CaseOptions, make_cases
from porter.harness.fills import continued
from porter.harness.plan import build_inputs, plan_line, resized
from porter.harness.raised import Raised, not_raised, raised_cases
from porter.harness.regions import buffers_of
from porter.harness.size_relations import relate
from porter.harness.truths import whole_grid
from tests.harness.captures import allocation, integer, launch_of, pointer, write_bytes

ALL = CaseOptions(max_cases=1000)


def _launch(n: int, blocks: int, index: int = 0) -> Launch:
    return launch_of(
        pointer("const int*", 1), pointer("float*", 2), integer(n), grid=(blocks, 1, 1), index=index
    )


def _raised(n: int, blocks: int, also: Launch | None = None) -> Raised:
    launch = _launch(n, blocks)
    memory = {**allocation(1, 4 * n + 4), **allocation(2, 4 * n)}
    relations = relate([launch, *([also] if also else [])], memory)
    return raised_cases(launch, buffers_of(launch, memory), relations, ALL)


def test_by_one_by_a_block_and_to_twice_as_much() -> None:
    cases = _raised(1000, 16).cases
    assert [c.kind for c in cases] == [f"larger argument 2 = {n}" for n in (1001, 1065, 2001)]
    assert [c.grid for c in cases] == [None, (17, 1, 1), (32, 1, 1)]
    assert [dict(c.lengths) for c in cases] == [{"a0": n + 1, "a1": n} for n in (1001, 1065, 2001)]
    assert [c.scalars for c in cases] == [{2: n} for n in (1001, 1065, 2001)]
    assert set(cases[0].fills) == {"a1"}


def test_the_grid_is_told_by_launches_that_differ() -> None:
    assert not any(c.grid_told for c in _raised(1000, 16).cases)
    assert all(c.grid_told for c in _raised(1000, 16, _launch(64, 1, index=1)).cases)


def test_too_large_a_grid_is_left_alone() -> None:
    found = _raised(64 * 4096, 4096)
    assert not found.cases
    assert found.reasons == {"argument 2": "what it needs is too large"}


def test_they_take_turns_with_the_lowered_sizes_and_keep_their_grid() -> None:
    launch, memory = _launch(6400, 100), {**allocation(1, 4 * 6401), **allocation(2, 4 * 6400)}
    buffers = buffers_of(launch, memory)
    raised = raised_cases(launch, buffers, relate([launch], memory), ALL)
    cases = make_cases(launch, buffers, frozenset(), ALL, raised.cases)
    kinds = [c.kind for c in cases if "argument" in c.kind]
    assert kinds[:4] == [
        "argument 2 = 65",
        "larger argument 2 = 6401",
        "argument 2 = 33",
        "larger argument 2 = 6465",
    ]
    grids = {c.kind: c.grid for c in cases}
    assert grids["argument 2 = 65"] == (13, 1, 1)
    assert grids["larger argument 2 = 6465"] == (102, 1, 1)
    assert whole_grid(cases[kinds.index("argument 2 = 65")], launch) is None
    assert whole_grid(next(c for c in cases if c.grid == (102, 1, 1)), launch) == (103, 1, 1)


def test_the_inputs_go_on_as_they_were_captured(tmp_path: Path) -> None:
    path = tmp_path / "launch.safetensors"
    offsets = np.array([0, 2, 2, 5, 6], dtype=np.int32)
    after = {"1__after": offsets, "2__after": np.zeros(4, np.float32)}
    write_bytes(path, **{"1__before": offsets, "2__before": np.zeros(4, np.float32)}, **after)
    launch = launch_of(pointer("const int*", 1), pointer("float*", 2), integer(4), tensors=path)
    memory = {**allocation(1, 20), **allocation(2, 16)}
    buffers = buffers_of(launch, memory)
    case = raised_cases(launch, buffers, relate([launch], memory), ALL).cases[-1]
    own = resized(buffers, case)
    assert [b.n_elements for b in own] == [10, 9]
    tensors = build_inputs(case, launch, own).tensors
    assert tensors["a0"].values.tolist() == [0, 2, 2, 5, 6, 8, 8, 11, 12, 14]
    assert len(tensors["a1"].values) == 9
    assert len(np.unique(tensors["a1"].values)) == 9
    assert " resized=a0,a1" in plan_line(case, launch, tmp_path)


@pytest.mark.parametrize(
    ("values", "more"),
    [
        ([3, 1, 4], [3, 1, 4, 3, 1]),
        ([7, 7, 7], [7, 7, 7, 7, 7]),
        ([0, 10, 30], [0, 10, 30, 40, 60]),
        ([5], [5, 5, 5, 5, 5]),
        ([], [0, 0, 0, 0, 0]),
    ],
)
def test_continued(values: list[int], more: list[int]) -> None:
    assert continued(np.array(values, dtype=np.int32), 5).tolist() == more


def test_what_was_not_raised_is_said() -> None:
    assert not_raised({}, (), ()) == ("no size was raised: no integer argument or side of the grid is one",)
    reasons = {"argument 2": "buffer a0: its length follows from no integer argument"}
    assert not_raised(reasons, (), ()) == (f"argument 2 was not raised: {reasons['argument 2']}",)
