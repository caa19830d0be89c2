"""Measures a port's buffer against the truth, and merges many such measurements into one Comparison."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from porter.core.outcome import CaseError, Comparison, FailingCase, Mismatch
from porter.harness.dtypes import Array, Doubles, ElementType, Layout, ulp_distance
from porter.harness.tolerance import UNSTABLE, Mask, Order, Truth, fallback_bound, scale_of

MAX_MISMATCHES = 8


@dataclass(frozen=True)
class CaseOrigin:
    """The case a difference was seen in; see `FailingCase` for the fields."""

    kind: str
    launch: int
    grid: tuple[int, int, int]
    arguments: tuple[int, ...]
    block: tuple[int, int, int]

    @property
    def size(self) -> tuple[int, int, int]:
        """Smaller cases are easier to look into: fewer blocks, then smaller arguments, then fewer threads."""
        return math.prod(self.grid), sum(self.arguments), math.prod(self.block)


@dataclass(frozen=True)
class Difference:
    """One buffer of one case. Errors are against the original; `versus_reference` as in `Comparison`."""

    n_elements: int
    n_mismatch: int
    max_ulp: float
    max_abs: float
    max_rel: float
    mismatches: tuple[Mismatch, ...] = ()
    versus_reference: float | None = None
    origin: CaseOrigin | None = None
    case: str = ""


def compare_buffer(truth: Truth, actual: Array, case: str) -> Difference:
    """`actual` has the truth's element type. A buffer of another length is wrong in every element."""
    return replace(_compared(truth, actual, case), case=case)


def _compared(truth: Truth, actual: Array, case: str) -> Difference:
    expected = truth.expected
    if len(actual) != len(expected):
        missing = Mismatch(truth.buffer, min(len(actual), len(expected)), len(expected), len(actual), case)
        return Difference(len(expected), max(len(expected), 1), np.inf, np.inf, np.inf, (missing,))
    if truth.order is Order.PERMUTED:
        expected, actual = np.sort(expected), np.sort(actual)
    if expected.tobytes() == actual.tobytes():
        return Difference(len(expected), 0, 0.0, 0.0, 0.0, (), _share_of(truth, expected))
    if truth.dtype.is_float:
        return _compare_floats(truth, expected, actual, case)
    if truth.layout is not None and truth.order is not Order.PERMUTED:
        return _compare_structs(truth, truth.layout, actual, case)
    return _compare_exactly(truth, expected, actual, case)


def _share_of(truth: Truth, expected: Array) -> float | None:
    """Equal to the original in every bit: its error is the original's."""
    return 1.0 if truth.reference is not None and truth.own_error > 0 and len(expected) else None


def _compare_structs(truth: Truth, layout: Layout, actual: Array, case: str) -> Difference:
    """Number by number, each by its type and held to the original's; padding and a rest are left out.

    Places are told in bytes from the start of the buffer.
    """
    size = layout.size_bytes
    count = len(actual) // size
    rows = [bytes_[: count * size].view(np.uint8).reshape(count, size) for bytes_ in (truth.expected, actual)]
    found = []
    for offset, dtype in layout.numbers:
        parts = (np.ascontiguousarray(r[:, offset : offset + dtype.size_bytes]).ravel() for r in rows)
        expected, own = (part.view(dtype.storage) for part in parts)
        member = Truth(truth.buffer, dtype, expected, None, _bound_of_member(expected, dtype), 0.0)
        found.append(_placed(compare_buffer(member, own, case), offset, size))
    return Difference(
        n_elements=sum(d.n_elements for d in found),
        n_mismatch=sum(d.n_mismatch for d in found),
        max_ulp=max(d.max_ulp for d in found),
        max_abs=max(d.max_abs for d in found),
        max_rel=max(d.max_rel for d in found),
        mismatches=tuple(sorted((m for d in found for m in d.mismatches), key=lambda m: m.index)),
    )


def _bound_of_member(expected: Array, dtype: ElementType) -> Doubles:
    """Of each number's own magnitude, or the usual one: a few that nobody set may be as large as can be."""
    magnitudes = np.abs(dtype.to_double(expected))
    magnitudes[~np.isfinite(magnitudes)] = 0.0
    used = magnitudes[magnitudes > 0]
    usual = float(np.median(used)) if used.size else 0.0
    return fallback_bound(np.ones(1), dtype, len(expected)) * np.maximum(magnitudes, usual)


def _placed(difference: Difference, offset: int, size: int) -> Difference:
    moved = tuple(replace(m, index=m.index * size + offset) for m in difference.mismatches)
    return replace(difference, mismatches=moved)


def _compare_exactly(truth: Truth, expected: Array, actual: Array, case: str) -> Difference:
    wrong = expected != actual
    left, right = expected.astype(np.float64), actual.astype(np.float64)
    distance = np.abs(left - right)
    return Difference(
        n_elements=len(expected),
        n_mismatch=int(wrong.sum()),
        max_ulp=float(distance.max(initial=0.0)),
        max_abs=float(distance.max(initial=0.0)),
        max_rel=_max_relative(distance, left),
        mismatches=_first_mismatches(truth, expected, actual, wrong, case),
    )


def _compare_floats(truth: Truth, expected: Array, actual: Array, case: str) -> Difference:
    dtype = truth.dtype
    wanted, got = dtype.to_double(expected), dtype.to_double(actual)
    good = _acceptable(truth, wanted, got, dtype)
    both = np.isfinite(wanted) & np.isfinite(got)
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.abs(got - wanted)
    ulps = ulp_distance(actual, expected, dtype)
    return Difference(
        n_elements=len(expected),
        n_mismatch=int((~good).sum()),
        max_ulp=float(ulps[both].max(initial=0.0)) if good.all() else float(ulps.max(initial=0.0)),
        max_abs=float(distance[both].max(initial=0.0)),
        max_rel=_max_relative(distance[both], wanted[both]),
        mismatches=_first_mismatches(truth, expected, actual, ~good, case),
        versus_reference=_versus_reference(truth, got),
    )


def _acceptable(truth: Truth, wanted: Doubles, got: Doubles, dtype: ElementType) -> Mask:
    """Same NaN or same infinity as the original, or within the bound of the reference."""
    same_special = (np.isnan(wanted) & np.isnan(got)) | (np.isinf(wanted) & (wanted == got))
    reference = wanted if truth.reference is None else truth.reference
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.abs(got - reference) <= truth.bound
        if truth.reference is not None:
            close |= _unstable_but_equal(truth, wanted, got, dtype)
    return np.asarray(same_special | (close & np.isfinite(got)))


def _unstable_but_equal(truth: Truth, wanted: Doubles, got: Doubles, dtype: ElementType) -> Mask:
    """Where the original itself leaves the reference (a branch went another way), its value is right."""
    assert truth.reference is not None
    unstable = np.abs(wanted - truth.reference) > UNSTABLE * scale_of(truth.reference)
    unstable |= ~np.isfinite(truth.reference)
    near = np.abs(got - wanted) <= np.maximum(truth.bound, 4.0 * dtype.epsilon * np.abs(wanted))
    return np.asarray(unstable & near & np.isfinite(wanted))


def _versus_reference(truth: Truth, got: Doubles) -> float | None:
    """The port's largest error against the reference over the original's; None without either."""
    if truth.reference is None or truth.own_error == 0.0:
        return None
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(got - truth.reference)
    return float(error[np.isfinite(error)].max(initial=0.0)) / truth.own_error


def _max_relative(distance: Doubles, wanted: Doubles) -> float:
    usable = wanted != 0
    return float((distance[usable] / np.abs(wanted[usable])).max(initial=0.0))


def _first_mismatches(
    truth: Truth, expected: Array, actual: Array, wrong: Mask, case: str
) -> tuple[Mismatch, ...]:
    places = np.flatnonzero(wrong)[:MAX_MISMATCHES]
    return tuple(
        Mismatch(truth.buffer, int(i), _number(expected, i, truth), _number(actual, i, truth), case)
        for i in places
    )


def _number(values: Array, index: int, truth: Truth) -> float | int:
    if truth.dtype.is_float:
        return float(truth.dtype.to_double(values[index : index + 1])[0])
    return int(values[index])


def merge(differences: Iterable[Difference], *, cases: int, seed: int) -> Comparison:
    """One Comparison over all buffers of all cases; the first mismatches are kept."""
    found = list(differences)
    ratios = [d.versus_reference for d in found if d.versus_reference is not None]
    mismatches = [m for d in found for m in d.mismatches]
    return Comparison(
        cases=cases,
        n_elements=sum(d.n_elements for d in found),
        n_mismatch=sum(d.n_mismatch for d in found),
        max_ulp=max((d.max_ulp for d in found), default=0.0),
        max_abs=max((d.max_abs for d in found), default=0.0),
        max_rel=max((d.max_rel for d in found), default=0.0),
        first_mismatches=tuple(mismatches[:MAX_MISMATCHES]),
        worst_vs_reference=max(ratios, default=None),
        seed=seed,
        smallest_failing=_smallest(found),
        by_case=tuple(_by_case(found)),
    )


def _by_case(found: list[Difference]) -> Iterator[CaseError]:
    """In the order in which the kinds of cases came; the other thread orders of a kind count with it."""
    kinds: dict[str, list[Difference]] = {}
    for difference in found:
        kinds.setdefault(difference.case.partition(", schedule")[0], []).append(difference)
    for kind, own in kinds.items():
        yield CaseError(
            kind,
            sum(d.n_elements for d in own),
            sum(d.n_mismatch for d in own),
            max(d.max_ulp for d in own),
            max(d.max_rel for d in own),
        )


def _smallest(found: list[Difference]) -> FailingCase | None:
    failing = [(d.origin.size, n) for n, d in enumerate(found) if d.origin and d.mismatches]
    if not failing:
        return None
    chosen = found[min(failing)[1]]
    assert chosen.origin is not None
    origin = chosen.origin
    return failing_case(origin, chosen.mismatches[0])


def failing_case(origin: CaseOrigin, first: Mismatch) -> FailingCase:
    """The case as a report names it."""
    return FailingCase(origin.kind, origin.launch, origin.grid, origin.arguments, first, origin.block)
