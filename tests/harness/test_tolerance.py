"""The tolerance: what a port may differ by, and what it may not."""

from collections.abc import Sequence

import numpy as np
import pytest

from porter.harness.compare import Difference, compare_buffer, merge
from porter.harness.dtypes import BOOL, F16, F32, F64, I32, I64, Array, Doubles, ElementType
from porter.harness.tolerance import NOT_POOLED, NoTruth, Order, Pooled, Truth, classify_order, make_truth

N = 4096


def _truth(
    runs: Array | Sequence[Array],
    reference: Doubles | None,
    dtype: ElementType = F32,
    *,
    pooled: Pooled = NOT_POOLED,
) -> Truth:
    arrays = [runs] if isinstance(runs, np.ndarray) else list(runs)
    order = classify_order(arrays, dtype)
    truth = make_truth("out", dtype, arrays, reference, order, reduction_length=1 << 20, pooled=pooled)
    assert isinstance(truth, Truth)
    return truth


def _check(truth: Truth, actual: Array) -> Difference:
    return compare_buffer(truth, actual, "captured")


def _sums(dtype: str, parts: int = 64) -> tuple[Doubles, Array, Array]:
    """Row sums: exact, added one by one (less accurate), and pairwise (more accurate)."""
    rows = np.random.default_rng(3).standard_normal((N, parts)).astype(dtype)
    one_by_one = np.zeros(N, dtype=dtype)
    for column in rows.T:
        one_by_one += column
    pairwise = rows
    while pairwise.shape[1] > 1:
        pairwise = (pairwise[:, ::2] + pairwise[:, 1::2]).astype(dtype)
    return rows.astype(np.float64).sum(axis=1), one_by_one, pairwise[:, 0]


def test_a_port_more_accurate_than_the_original_passes_though_it_differs_by_many_ulp() -> None:
    reference, original, better = _sums("float32")
    found = _check(_truth(original, reference), better)
    assert found.n_mismatch == 0
    assert found.max_ulp > 100
    assert found.versus_reference is not None
    assert found.versus_reference < 1


def test_a_port_as_accurate_as_the_original_passes() -> None:
    reference, less, more = _sums("float32")
    assert _check(_truth(more, reference), more.copy()).n_mismatch == 0
    assert _check(_truth(more, reference), (reference + 1e-7).astype(np.float32)).n_mismatch == 0
    assert _check(_truth(less, reference), less[::1].copy()).n_mismatch == 0


@pytest.mark.parametrize(("times", "passes"), [(1.0, True), (3.0, True), (6.0, False), (-6.0, False)])
def test_a_small_factor_of_the_originals_own_error(times: float, passes: bool) -> None:
    """Pins the factor: errors here are a hundred ulp, far above the floor."""
    reference = np.linspace(1.0, 2.0, N)
    original = (reference + 1e-5).astype(np.float32)
    port = (reference + times * 1e-5).astype(np.float32)
    assert (_check(_truth(original, reference), port).n_mismatch == 0) == passes


def test_untouched_elements_measure_nothing() -> None:
    """A size case writes a few elements; the many that stay exact must not tighten their bound."""
    reference = np.full(N, 0.2)
    reference[:20] = np.linspace(1.0, 8.0, 20)
    original = reference.astype(np.float32)
    reference = original.astype(np.float64)
    reference[:20] += 1e-6
    reference[20] += 1e-9
    port = original.copy()
    port[20] += np.float32(2e-6)
    assert _check(_truth(original, reference), port).n_mismatch == 0


@pytest.mark.parametrize("relative", [1e-3, -1e-3, 1e-4])
def test_a_relative_error_of_a_thousandth_fails(relative: float) -> None:
    reference, original, _ = _sums("float32")
    wrong = (original * (1 + relative)).astype(np.float32)
    found = _check(_truth(original, reference), wrong)
    assert found.n_mismatch > N // 2
    assert found.mismatches[0].buffer == "out"


def test_one_wrong_element_among_thousands_fails_with_its_index() -> None:
    reference, original, better = _sums("float32")
    better = better.copy()
    better[1234] += np.float32(0.01)
    found = _check(_truth(original, reference), better)
    assert [m.index for m in found.mismatches] == [1234]
    assert found.mismatches[0].expected == pytest.approx(float(original[1234]))


def test_small_elements_are_held_to_their_own_magnitude() -> None:
    """A softmax row spans decades: flushing its small probabilities to zero must not pass."""
    logits = np.random.default_rng(1).standard_normal(N) * 6
    reference = np.exp(logits - logits.max())
    original = reference.astype(np.float32)
    flushed = np.where(original < 1e-6, np.float32(0), original)
    assert _check(_truth(original, reference), flushed).n_mismatch == int((original < 1e-6).sum())
    assert _check(_truth(original, reference), original * np.float32(1 + 2**-23)).n_mismatch == 0


def test_cancellation_is_measured_on_elements_of_similar_size() -> None:
    """An element near zero that the original hit by luck does not bind the port to that luck."""
    reference, original, better = _sums("float32")
    original = original.copy()
    nearest = int(np.abs(reference).argmin())
    original[nearest] = np.float32(reference[nearest])
    assert _check(_truth(original, reference), better).n_mismatch == 0


def test_a_single_sum_is_held_to_the_error_seen_in_other_cases() -> None:
    """One element is too few to measure an error on: the other cases' error counts too, up to a cap."""
    reference = np.array([1000.0])
    original = np.array([1000.0], dtype=np.float32)
    port = np.array([1000.0 * (1 + 2e-6)], dtype=np.float32)
    assert _check(_truth(original, reference), port).n_mismatch == 1
    assert _check(_truth(original, reference, pooled=Pooled(3e-4, 4.0)), port).n_mismatch == 0
    coarse = np.array([1001.0], dtype=np.float32)
    assert _check(_truth(original, reference, pooled=Pooled(1.0, 4.0)), coarse).n_mismatch == 1


def test_the_largest_element_is_not_bound_by_its_own_luck() -> None:
    """Nothing lies above it, so its bound rests on the elements below."""
    reference, original, better = _sums("float32")
    largest = int(np.abs(reference).argmax())
    original, better = original.copy(), better.copy()
    original[largest] = np.float32(reference[largest])
    better[largest] = np.float32(reference[largest] + 5e-6)
    assert _check(_truth(original[:64], reference[:64]), better[:64]).n_mismatch == 0
    assert _check(_truth(original, reference), better).n_mismatch == 0


def test_an_original_that_misses_its_reference_gives_no_truth() -> None:
    reference, original, _ = _sums("float32")
    result = make_truth("out", F32, [original * 2], reference, Order.FIXED, reduction_length=1)
    assert result == NoTruth("out", "the original misses its own double-precision reference")


def test_a_few_branches_that_go_the_other_way_in_double_do_not_spoil_the_buffer() -> None:
    reference = np.linspace(1.0, 2.0, N)
    original = reference.astype(np.float32)
    original[7] = 0.0  # The branch was taken in float and not in double.
    truth = _truth(original, reference)
    as_original, as_reference = original.copy(), reference.astype(np.float32)
    assert _check(truth, as_original).n_mismatch == 0
    assert _check(truth, as_reference).n_mismatch == 0
    neither = original.copy()
    neither[7] = 0.5
    assert [m.index for m in _check(truth, neither).mismatches] == [7]


def test_nan_and_infinity_must_stand_where_the_original_has_them() -> None:
    reference = np.ones(N)
    reference[[3, 4, 5]] = [np.nan, np.inf, -np.inf]
    original = reference.astype(np.float32)
    truth = _truth(original, reference)
    assert _check(truth, original.copy()).n_mismatch == 0
    for index, value in ((3, 1.0), (4, np.nan), (4, -np.inf), (5, 0.0), (9, np.nan), (9, np.inf)):
        port = original.copy()
        port[index] = value
        assert [m.index for m in _check(truth, port).mismatches] == [index]


def test_where_only_the_original_overflows_the_reference_may_be_met() -> None:
    reference = np.full(N, 1e30)
    original = reference.astype(np.float32)
    original[5] = np.inf
    truth = _truth(original, reference)
    assert _check(truth, reference.astype(np.float32)).n_mismatch == 0
    wrong = original.copy()
    wrong[5] = 2e30
    assert _check(truth, wrong).n_mismatch == 1


def test_an_original_that_overflows_on_the_way_gives_no_truth() -> None:
    """Products in another order overflow elsewhere: such inputs say nothing."""
    reference = np.geomspace(1e-3, 1e3, N)
    original = reference.astype(np.float32)
    original[::50] = np.nan
    assert isinstance(make_truth("out", F32, [original], reference, Order.FIXED, reduction_length=1), NoTruth)
    doubles = original.astype(np.float64)
    for extreme, kind in ((True, NoTruth), (False, Truth)):
        result = make_truth("out", F64, [doubles], None, Order.FIXED, reduction_length=1, extreme=extreme)
        assert isinstance(result, kind)


def test_half_precision_has_its_own_units() -> None:
    reference, original, better = _sums("float16", 16)
    truth = _truth(original, reference, F16)
    assert _check(truth, better).n_mismatch == 0
    assert _check(truth, (better * np.float16(1.1)).astype(np.float16)).n_mismatch > N // 2


def test_doubles_have_no_better_reference_and_are_held_to_a_bound() -> None:
    _, original, better = _sums("float64")
    truth = _truth(original, None, F64)
    assert _check(truth, better).n_mismatch == 0
    assert _check(truth, better + 1e-9).n_mismatch == N


@pytest.mark.parametrize("dtype", [I32, I64, BOOL])
def test_integers_are_exact(dtype: ElementType) -> None:
    original = np.arange(100).astype(dtype.storage)
    port = original.copy()
    port[99] -= 1
    found = _check(_truth(original, None, dtype), port)
    assert (found.n_mismatch, found.max_abs) == (1, 1.0)
    assert found.mismatches[0].index == 99


def test_a_buffer_of_another_length_is_wrong() -> None:
    original = np.ones(8, dtype=np.float32)
    assert _check(_truth(original, None), original[:7]).n_mismatch == 8


class TestOrder:
    """What the original's own dependence on the schedule says about its output."""

    values = np.random.default_rng(5).standard_normal(1000).astype(np.float32)

    def test_equal_runs(self) -> None:
        assert classify_order([self.values, self.values.copy()], F32) is Order.FIXED

    def test_atomics_on_floats(self) -> None:
        other = self.values * np.float32(1 + 2e-7)
        assert classify_order([self.values, other], F32) is Order.REASSOCIATED

    def test_compaction(self) -> None:
        assert classify_order([self.values, self.values[::-1]], F32) is Order.PERMUTED
        numbers = np.arange(50, dtype=np.int32)
        assert classify_order([numbers, np.roll(numbers, 3)], I32) is Order.PERMUTED

    def test_a_race(self) -> None:
        other = self.values.copy()
        other[3] += 1
        assert classify_order([self.values, self.values, other], F32) is Order.RACY
        assert classify_order([np.zeros(3, np.int32), np.array([0, 0, 1], np.int32)], I32) is Order.RACY

    def test_one_element_of_many_is_no_permutation(self) -> None:
        """Values so dense that a sorted neighbour is within any tolerance do not hide a lost element."""
        dense = np.linspace(0.5, 0.51, 5000, dtype=np.float32)
        other = dense.copy()
        other[0] = dense[2500]
        assert classify_order([dense, other], F32) is Order.RACY

    def test_a_race_gives_no_truth(self) -> None:
        result = make_truth("out", F32, [self.values], None, Order.RACY, reduction_length=1)
        assert isinstance(result, NoTruth)
        assert "order in which threads run" in result.reason

    def test_any_order_is_accepted_where_it_is_free_and_only_there(self) -> None:
        free = _truth([self.values, self.values[::-1].copy()], None)
        fixed = _truth([self.values, self.values.copy()], None)
        rolled = np.roll(self.values, 17)
        assert _check(free, rolled).n_mismatch == 0
        assert _check(fixed, rolled).n_mismatch > 900
        twice = self.values.copy()
        twice[0] = twice[1]
        assert _check(free, twice).n_mismatch > 0


def test_merging_keeps_the_worst_and_the_first() -> None:
    truth = _truth(np.zeros(4, np.int32), None, I32)
    parts = [
        compare_buffer(truth, np.array([0, 0, 0, 0], np.int32), "captured"),
        compare_buffer(truth, np.array([0, 0, 5, 0], np.int32), "normal"),
        compare_buffer(truth, np.array([1, 0, 0, 0], np.int32), "zeros"),
    ]
    merged = merge(parts, cases=3, seed=9)
    assert (merged.n_elements, merged.n_mismatch, merged.max_abs, merged.cases, merged.seed) == (
        12,
        2,
        5.0,
        3,
        9,
    )
    assert [(m.case, m.index) for m in merged.first_mismatches] == [("normal", 2), ("zeros", 0)]
