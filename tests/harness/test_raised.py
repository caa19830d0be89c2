"""Sizes above the captured ones: which cases there are, what they start from, and why there are none."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from porter.harness.capture import Launch, ReplayRecord, ScalarArgument, read_capture
from porter.harness.cases import Case, CaseOptions, make_cases
from porter.harness.fills import continued
from porter.harness.plan import CaseInputs, build_inputs, plan_line, resized
from porter.harness.raised import Raised, not_raised, raised_cases
from porter.harness.regions import buffers_of
from porter.harness.size_relations import relate
from porter.harness.truths import NOT_CHECKED, JudgedCase, OriginalRuns, Planned, judge_cases, whole_grid
from tests.harness.captures import (
    PROGRAM,
    allocation,
    integer,
    launch_of,
    pointer,
    write_bytes,
    write_events,
)

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


def test_they_have_an_allowance_of_their_own_and_keep_their_grid() -> None:
    launch, memory = _launch(6400, 100), {**allocation(1, 4 * 6401), **allocation(2, 4 * 6400)}
    buffers = buffers_of(launch, memory)
    raised = raised_cases(launch, buffers, relate([launch], memory), ALL).cases
    for limit, kept in ((4, 1), (8, 2), (16, 3)):
        options = CaseOptions(max_cases=limit)
        within = make_cases(launch, buffers, frozenset(), options)
        cases = make_cases(launch, buffers, frozenset(), options, raised)
        assert len(within) == limit
        assert cases[:limit] == within
        assert [c.kind for c in cases[limit:]] == [c.kind for c in raised[:kept]]
    cases = make_cases(launch, buffers, frozenset(), ALL, raised)
    grids = {c.kind: c.grid for c in cases}
    assert grids["argument 2 = 65"] == (16, 1, 1)
    assert grids["larger argument 2 = 6465"] == (102, 1, 1)
    by_kind = {c.kind: c for c in cases}
    assert whole_grid(by_kind["argument 2 = 65"], launch) is None
    assert whole_grid(by_kind["larger argument 2 = 6465"], launch) == (103, 1, 1)


def test_without_memory_checks_there_are_none() -> None:
    launch, memory = _launch(1000, 16), {**allocation(1, 4004), **allocation(2, 4000)}
    why = "the original is not run with memory checks"
    found = raised_cases(launch, buffers_of(launch, memory), relate([launch], memory), ALL, why)
    assert found == Raised((), {"argument 2": why})


def test_a_run_with_memory_checks_that_fails_costs_them(tmp_path: Path) -> None:
    """Every other run of the original ends well; lowered sizes need no more."""
    lowered, raised = Case("low", 0, "argument 2 = 65"), Case("high", 0, "larger", raises="argument 2")
    planned = [Planned(case, _launch(1000, 16), (), CaseInputs({})) for case in (lowered, raised)]
    names = ("low", "high", "high-whole")
    for name in names:
        write_bytes(tmp_path / f"replay-{name}.safetensors")
    replays = tuple(ReplayRecord(name, 0, "ok", "") for name in names)
    capture = replace(read_capture(write_events(tmp_path, PROGRAM)), replays=replays)
    verdicts = judge_cases(planned, OriginalRuns(capture, 0, None, None))
    assert [c.planned.case for c in verdicts.cases] == [lowered]
    assert verdicts.dropped == {f"{NOT_CHECKED}, which larger sizes need": 1}
    told = not_raised([Raised((raised,), {})], planned, verdicts.cases, NOT_CHECKED)
    assert told == (f"argument 2 was not raised: {NOT_CHECKED}",)
    checked = judge_cases(planned, OriginalRuns(capture, 0, capture, None))
    assert [c.planned.case for c in checked.cases] == [lowered, raised]


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


def _planned(*cases: Case) -> list[Planned]:
    return [Planned(case, _launch(1000, 16), (), CaseInputs({})) for case in cases]


def _judged(planned: list[Planned]) -> list[JudgedCase]:
    return [JudgedCase(p, (), True) for p in planned]


def test_what_was_not_raised_is_said() -> None:
    nothing = ("no size was raised: no integer argument or side of the grid is one",)
    assert not_raised((), (), ()) == nothing
    assert not_raised([Raised((), {})], _planned(Case("", 0, "captured")), ()) == nothing
    reasons = {"argument 2": "buffer a0: its length follows from no integer argument"}
    told = not_raised([Raised((), reasons)], (), ())
    assert told == (f"argument 2 was not raised: {reasons['argument 2']}",)


def test_sizes_that_the_limit_cuts_off_and_those_without_a_measure_are_said() -> None:
    sizes = ("argument 1", "argument 2", "argument 3", "grid.x")
    first, second, third, grid = (Case("", 0, f"larger {size}", raises=size) for size in sizes)
    every = [Raised((first, second, third), {"grid.x": "what it needs is too large"}), Raised((grid,), {})]
    planned = _planned(first, second)
    assert not_raised(every, planned, _judged(planned[:1])) == (
        "grid.x was not raised: no case left in the limit",
        "argument 2 was not raised: the original gives no measure there",
        "argument 3 was not raised: no case left in the limit",
    )
    assert not_raised(every, [], []) == (
        "grid.x was not raised: no case left in the limit",
        *(f"{size} was not raised: no case left in the limit" for size in sizes[:3]),
    )
    planned = _planned(first, second, third, grid)
    assert not_raised(every, planned, _judged(planned)) == ()


@pytest.mark.parametrize(("type_", "n"), [("unsigned", 0xD2253531), ("int", 0x7FFFFFFF)])
def test_a_number_that_its_type_cannot_hold_is_no_size(type_: str, n: int) -> None:
    argument = ScalarArgument(type_, n.to_bytes(4, "little"))
    launch = launch_of(pointer("int*", 1), integer(100), argument, grid=(2, 1, 1))
    memory = allocation(1, 400)
    relations = relate([launch], memory)
    for drawn in (False, True):
        options = CaseOptions(max_cases=1000, drawn=drawn)
        for case in raised_cases(launch, buffers_of(launch, memory), relations, options).cases:
            plan_line(case, launch, Path())
            assert case.scalars.get(2, n) < 1 << (31 + (type_ == "unsigned"))
