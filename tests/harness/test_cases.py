"""Replay cases: which there are, that they are deterministic, and what the plan says of them."""

from pathlib import Path

import numpy as np
import pytest

from porter.harness.capture import Launch
from porter.harness.cases import CaseOptions, drawn_sizes, interesting_sizes, make_cases, shrink_grid
from porter.harness.dtypes import BF16, BOOL, F32, I32, U8, ElementType
from porter.harness.fills import FLOAT_KINDS, INTEGER_KINDS, SENTINEL, Fill
from porter.harness.launches import base_name, cases_per_launch, select_launches
from porter.harness.plan import build_inputs, plan_line
from porter.harness.regions import buffers_of, uniform_type
from tests.harness.captures import (
    allocation,
    integer,
    launch_of,
    pointer,
    single,
    write_bytes,
)

ALL = CaseOptions(max_cases=1000)


def _saxpy(grid: tuple[int, int, int] = (16, 1, 1), tensors: Path | None = None) -> Launch:
    return launch_of(
        pointer("const float*", 1),
        pointer("float*", 2),
        single(2.0),
        integer(1000),
        grid=grid,
        tensors=tensors,
    )


SAXPY_MEMORY = {**allocation(1, 4000), **allocation(2, 4000)}


class TestFills:
    captured = np.array([3, 1, 4, 1, 5, 9, 2, 6] * 16, dtype=np.int32)

    @pytest.mark.parametrize("kind", [*FLOAT_KINDS, SENTINEL])
    @pytest.mark.parametrize("dtype", [F32, BF16])
    def test_same_seed_same_bytes(self, kind: str, dtype: ElementType) -> None:
        like = np.zeros(300, dtype=dtype.storage)
        first, second = (Fill(kind, 7).values(dtype, like) for _ in range(2))
        assert first.tobytes() == second.tobytes()
        assert first.dtype == like.dtype

    def test_another_seed_other_values(self) -> None:
        like = np.zeros(300, dtype=np.float32)
        assert Fill("normal", 1).values(F32, like).tobytes() != Fill("normal", 2).values(F32, like).tobytes()

    def test_only_the_nonfinite_kind_has_nan_and_it_always_has(self) -> None:
        for kind in FLOAT_KINDS:
            finite = np.isfinite(Fill(kind, 3).values(F32, np.zeros(1000, dtype=np.float32)))
            assert finite.all() == (kind != "nonfinite")
            assert finite.mean() > 0.9
        assert not np.isfinite(Fill("nonfinite", 3).values(F32, np.zeros(1, dtype=np.float32))).all()

    def test_integers_in_range_stay_within_the_captured_values(self) -> None:
        values = Fill("in_range", 1).values(I32, self.captured)
        assert (values.min(), values.max()) == (1, 9)
        assert values.tobytes() != self.captured.tobytes()

    def test_integers_around_the_range_leave_it_on_both_sides_within_the_type(self) -> None:
        values = Fill("around_range", 1).values(I32, self.captured)
        assert (values.min(), values.max()) == (1 - 9, 9 + 9)
        small = np.array([0, 200], dtype=np.uint8).repeat(4000)
        values = Fill("around_range", 1).values(U8, small)
        assert (values.min(), values.max()) == (0, 255)

    def test_extremes(self) -> None:
        values = Fill("extremes", 1).values(I32, self.captured)
        assert values.min() == -(2**31)
        assert values.max() == 2**31 - 1

    def test_booleans_stay_booleans(self) -> None:
        for kind in (*INTEGER_KINDS, SENTINEL):
            assert set(Fill(kind, 1).values(BOOL, np.zeros(64, dtype=np.uint8))) <= {0, 1}

    def test_an_empty_buffer(self) -> None:
        assert len(Fill("nonfinite", 1).values(F32, np.zeros(0, dtype=np.float32))) == 0
        assert len(Fill("extremes", 1).values(U8, np.zeros(0, dtype=np.uint8))) == 0

    def test_unknown_kinds_are_errors(self) -> None:
        for dtype in (F32, I32):
            with pytest.raises(ValueError, match="unknown kind of fill"):
                Fill("other", 1).values(dtype, np.zeros(4, dtype=dtype.storage))


class TestCases:
    def test_the_captured_case_comes_first_and_names_are_unique(self) -> None:
        launch = _saxpy()
        cases = make_cases(launch, buffers_of(launch, SAXPY_MEMORY), frozenset({"a1"}), ALL)
        assert cases[0].kind == "captured"
        assert not cases[0].fills
        assert len({c.name for c in cases}) == len(cases)
        assert all(" " not in c.name for c in cases)

    def test_every_kind_is_there(self) -> None:
        launch = launch_of(*_saxpy().arguments, pointer("int*", 3))
        buffers = buffers_of(launch, {**SAXPY_MEMORY, **allocation(3, 64)})
        kinds = {c.kind for c in make_cases(launch, buffers, frozenset({"a1"}), ALL)}
        assert set(FLOAT_KINDS) <= kinds
        assert {"sentinel in outputs", "other scalars", "integers in range", "integers extremes"} <= kinds
        assert {"argument 3 = 1", "argument 3 = 33", "argument 3 = 65", "argument 3 = 997"} <= kinds

    def test_only_written_buffers_get_the_sentinel(self) -> None:
        launch = _saxpy()
        cases = make_cases(launch, buffers_of(launch, SAXPY_MEMORY), frozenset({"a1"}), ALL)
        (case,) = [c for c in cases if c.kind == "sentinel in outputs"]
        assert set(case.fills) == {"a1"}

    def test_integer_buffers_keep_their_values_in_float_cases(self) -> None:
        launch = launch_of(pointer("int*", 1), pointer("float*", 2))
        cases = make_cases(launch, buffers_of(launch, SAXPY_MEMORY), frozenset({"a1"}), ALL)
        assert all(set(c.fills) <= {"a1"} for c in cases if c.kind in FLOAT_KINDS)

    def test_sizes_are_only_lowered(self) -> None:
        launch = launch_of(pointer("float*", 1), integer(40), integer(1), integer(-5))
        cases = make_cases(launch, buffers_of(launch, allocation(1, 4096)), frozenset(), ALL)
        changed = [c.scalars for c in cases if c.scalars]
        assert all(set(s) == {1} and s[1] < 40 for s in changed)
        assert {s[1] for s in changed} == {33, 32, 31, 7, 1}

    def test_float_scalars_are_varied(self) -> None:
        launch = _saxpy()
        cases = make_cases(launch, buffers_of(launch, SAXPY_MEMORY), frozenset(), ALL)
        (case,) = [c for c in cases if c.kind == "other scalars"]
        assert case.scalars[2] != 2.0
        assert 1.0 <= case.scalars[2] < 4.0

    def test_large_grids_shrink_except_for_two_cases(self) -> None:
        launch = _saxpy(grid=(4000, 1, 1))
        cases = make_cases(launch, buffers_of(launch, SAXPY_MEMORY), frozenset(), ALL)
        whole = [c.kind for c in cases if c.grid is None]
        assert whole == ["captured", "normal, full grid"]
        assert {c.grid for c in cases if c.grid is not None} == {(16, 1, 1)}

    def test_grids_can_be_left_alone(self) -> None:
        launch = _saxpy(grid=(4000, 1, 1))
        options = CaseOptions(max_cases=1000, max_blocks=None)
        assert all(
            c.grid is None for c in make_cases(launch, buffers_of(launch, SAXPY_MEMORY), frozenset(), options)
        )

    def test_the_limit_keeps_data_and_sizes(self) -> None:
        launch = _saxpy()
        cases = make_cases(
            launch, buffers_of(launch, SAXPY_MEMORY), frozenset({"a1"}), CaseOptions(max_cases=8)
        )
        assert len(cases) == 8
        assert any(3 in c.scalars for c in cases)
        assert any(c.kind == "normal" for c in cases)

    def test_the_same_options_give_the_same_cases(self) -> None:
        launch, buffers = _saxpy(), buffers_of(_saxpy(), SAXPY_MEMORY)
        assert make_cases(launch, buffers, frozenset(), ALL) == make_cases(launch, buffers, frozenset(), ALL)
        other = make_cases(launch, buffers, frozenset(), CaseOptions(seed=1, max_cases=1000))
        assert make_cases(launch, buffers, frozenset(), ALL) != other


@pytest.mark.parametrize(
    ("grid", "limit", "expected"),
    [
        ((10, 1, 1), 48, (10, 1, 1)),
        ((4096, 1, 1), 48, (32, 1, 1)),
        ((53, 1, 1), 16, (16, 1, 1)),
        ((64, 64, 1), 48, (4, 8, 1)),
        ((3, 3, 3), 1, (1, 1, 1)),
        ((100, 1, 1), None, (100, 1, 1)),
    ],
)
def test_shrink_grid(grid: tuple[int, int, int], limit: int | None, expected: tuple[int, int, int]) -> None:
    assert shrink_grid(grid, limit) == expected


def test_interesting_sizes() -> None:
    assert {1, 31, 32, 33, 127, 128, 129, 997} <= set(interesting_sizes(128))
    assert 0 not in interesting_sizes(1)


class TestRegions:
    def test_one_allocation_one_buffer(self) -> None:
        (buffer,) = buffers_of(launch_of(pointer("float*")), allocation(1, 40))
        assert (buffer.name, buffer.start, buffer.end, buffer.dtype, buffer.n_elements) == (
            "a0",
            0,
            40,
            F32,
            10,
        )

    def test_an_arena_is_carved_at_the_pointers(self) -> None:
        launch = launch_of(pointer("int*", 1, 16), pointer("float*", 1, 0), pointer("float*", 1, 16))
        buffers = buffers_of(launch, allocation(1, 64))
        assert [(b.name, b.start, b.end, b.dtype) for b in buffers] == [
            ("a1", 0, 16, F32),
            ("a0", 16, 64, I32),
        ]
        assert {b.tensor for b in buffers} == {"a0"}
        assert uniform_type(buffers, 1) is None

    def test_what_lies_below_a_pointer_is_compared_too(self) -> None:
        buffers = buffers_of(launch_of(pointer("float*", 1, 8)), allocation(1, 64))
        assert [(b.name, b.start, b.end) for b in buffers] == [("a0-below", 0, 8), ("a0", 8, 64)]
        assert uniform_type(buffers, 1) is F32

    def test_untyped_memory_is_bytes(self) -> None:
        (buffer,) = buffers_of(launch_of(pointer("void*")), allocation(1, 64))
        assert (buffer.dtype, buffer.typed) == (U8, False)

    def test_null_pointers_reach_nothing(self) -> None:
        assert buffers_of(launch_of(pointer("float*", None)), {}) == ()


class TestPlan:
    def test_inputs_hold_the_whole_allocation_with_the_fill(self, tmp_path: Path) -> None:
        path = tmp_path / "launch.safetensors"
        write_bytes(
            path, **{"1__before": np.arange(4, dtype=np.int32), "1__after": np.zeros(4, dtype=np.int32)}
        )
        launch = launch_of(pointer("int*", 1, 0), pointer("float*", 1, 8), tensors=path)
        buffers = buffers_of(launch, allocation(1, 16))
        cases = make_cases(launch, buffers, frozenset({"a1"}), ALL)
        (case,) = [c for c in cases if c.kind == "equal"]
        tensor = build_inputs(case, launch, buffers).tensors["a0"]
        assert tensor.dtype is U8
        assert tensor.values[:8].view(np.int32).tolist() == [0, 1]
        assert tensor.values[8:].view(np.float32).tolist() == [0.75, 0.75]

    def test_what_was_captured_is_given_again_though_another_run_may_hold_other_numbers(
        self, tmp_path: Path
    ) -> None:
        path, x = tmp_path / "launch.safetensors", np.arange(8, dtype=np.float32)
        write_bytes(path, **{"1__before": x, "1__after": x, "2__before": -x, "2__after": x})
        launch = launch_of(pointer("const float*", 1), pointer("float*", 2), tensors=path)
        buffers = buffers_of(launch, {**allocation(1, 32), **allocation(2, 32)})
        cases = make_cases(launch, buffers, frozenset({"a1"}), ALL)
        (case,) = [c for c in cases if c.kind == "captured"]
        tensors = build_inputs(case, launch, buffers).tensors
        assert {name: t.dtype for name, t in tensors.items()} == {"a0": F32, "a1": F32}
        assert tensors["a0"].values.tobytes() == x.tobytes()
        assert tensors["a1"].values.tobytes() == (-x).tobytes()

    def test_a_line(self, tmp_path: Path) -> None:
        launch = _saxpy(grid=(4000, 1, 1))
        cases = make_cases(launch, buffers_of(launch, SAXPY_MEMORY), frozenset(), ALL)
        (case,) = [c for c in cases if c.kind == "argument 3 = 33"]
        line = plan_line(case, launch, tmp_path / "x.safetensors", name="n", schedule=5)
        assert line == f"case n 0 {tmp_path}/x.safetensors grid=16,1,1 scalar=3:21000000 schedule=5"

    def test_scalars_keep_their_type(self, tmp_path: Path) -> None:
        launch = _saxpy()
        cases = make_cases(launch, buffers_of(launch, SAXPY_MEMORY), frozenset(), ALL)
        (case,) = [c for c in cases if c.kind == "other scalars"]
        text = plan_line(case, launch, tmp_path).split("scalar=2:")[1]
        assert np.frombuffer(bytes.fromhex(text), "<f4").tolist() == [case.scalars[2]]


class TestLaunches:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [("saxpy", "saxpy"), ("void ns::scale<float, 4>(float*)", "scale"), ("scale<int>", "scale")],
    )
    def test_base_name(self, name: str, expected: str) -> None:
        assert base_name(name) == expected

    def test_different_shapes_smallest_and_largest(self, tmp_path: Path) -> None:
        path = tmp_path / "t"
        launches = [
            launch_of(pointer("float*", k), integer(k), index=k, tensors=path) for k in (1, 2, 3, 4, 4, 4)
        ]
        memory = {k: allocation(k, 100 * k)[k] for k in range(1, 5)}
        chosen = select_launches(launches, memory, 3)
        assert [x.index for x in chosen] == [1, 3, 4]

    def test_truncated_launches_are_left_out(self) -> None:
        assert select_launches([launch_of(pointer("float*"))], allocation(1, 8), 3) == []

    def test_large_launches_get_few_cases(self, tmp_path: Path) -> None:
        small, large = (launch_of(pointer("float*", k), index=k, tensors=tmp_path) for k in (1, 2))
        counts = cases_per_launch([small, large], {**allocation(1, 400), **allocation(2, 100 << 20)}, 24)
        assert counts == {1: 24, 2: 4}


@pytest.mark.parametrize("captured", [2, 3, 40, 300, 1 << 20])
def test_drawn_sizes_are_others_than_those_that_are_known(captured: int) -> None:
    known = interesting_sizes(128)
    drawn = [drawn_sizes(captured, known, str(seed)) for seed in range(50)]
    assert all(0 < size < captured and size not in known for sizes in drawn for size in sizes)
    assert drawn_sizes(captured, known, "7") == drawn[7]
    if captured >= 300:
        assert all(drawn)
        assert len(set(drawn)) > 40
