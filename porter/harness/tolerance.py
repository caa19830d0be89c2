"""How close a port must come, from the original's own error. No magic constant stands for all kernels.

The reference is the original compiled with `float` as `double`, on the same inputs. Where it exists, an
element of the port may be `FACTOR` times as far from it as the original was on elements of similar
magnitude, plus `FLOOR_ULPS` units in the last place of that element. Similar magnitude means: same binade,
widened upward, then downward, until `MIN_SAMPLES` errors are seen, because a lucky zero is no measurement.
A buffer smaller than that (a single sum) also counts what the original's error was in its other cases,
relative to the scale of their inputs: the upper quartile, and no more than `POOLED_CAP_EPS` epsilons.

Without a better reference (double kernels, structs, a program that does not build in double) the port is
held to the original itself within `8 · eps · min(sqrt(L), 16)` of the buffer's largest value, where L is the
longest possible reduction (the largest input); `4 · eps` for 16-bit types. This is the usual probabilistic
bound for summing L terms in another order (Higham, Accuracy and Stability, §4.2), capped, since kernels sum
in trees.

Where the original writes the same elements in any order, both are sorted and compared place by place, within
`PERMUTED_ULPS` epsilons of each element.

Integers and booleans are exact. NaN and infinities must stand where the original has them, or where the
original overflowed and the reference did not, agree with the reference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from porter.harness.dtypes import Array, Doubles, ElementType, Layout

FACTOR = 4.0
FLOOR_ULPS = 4.0
MIN_SAMPLES = 32
POOLED_CAP_EPS = 64.0
PERMUTED_ULPS = 16.0
LONGEST_GROWTH = 16.0
UNSTABLE = 2.0**-7
UNSTABLE_SHARE = 0.01
_LOWEST_BINADE = -1075
Mask = npt.NDArray[np.bool_]


class Order(Enum):
    """How the original's output depends on the order in which threads run."""

    FIXED = "fixed"
    REASSOCIATED = "sums in another order"
    PERMUTED = "same elements, another order"
    RACY = "depends on the schedule"


@dataclass(frozen=True)
class Truth:
    """What a buffer must hold after a case. `bound` is the allowed absolute error, element by element.

    `reference` is what the error is measured against; `expected` the original's output at 32 lanes.
    The bound of a PERMUTED buffer is that of its sorted elements. `own_error` is the original's largest
    error against the reference, 0 where there is no better one. With a `layout` the bytes are structs, whose
    numbers are compared each by its type.
    """

    buffer: str
    dtype: ElementType
    expected: Array
    reference: Doubles | None
    bound: Doubles | float
    own_error: float
    order: Order = Order.FIXED
    layout: Layout | None = None


@dataclass(frozen=True)
class NoTruth:
    """Why a case says nothing about a port: the original itself is at fault there."""

    buffer: str
    reason: str


def scale_of(values: Doubles) -> float:
    """The largest finite magnitude, 0 for none."""
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max()) if finite.size else 0.0


def classify_order(runs: Sequence[Array], dtype: ElementType) -> Order:
    """Compares the original's outputs under several schedules; the first run is the plain one."""
    first = runs[0]
    others = [run for run in runs[1:] if run.tobytes() != first.tobytes()]
    if not others:
        return Order.FIXED
    if dtype.is_float and all(_reassociated(first, other, dtype) for other in others):
        return Order.REASSOCIATED
    ordered = np.sort(first).tobytes()
    if all(np.sort(other).tobytes() == ordered for other in others):
        return Order.PERMUTED
    return Order.RACY


def _reassociated(first: Array, other: Array, dtype: ElementType) -> bool:
    a, b = dtype.to_double(first), dtype.to_double(other)
    if not np.array_equal(np.isfinite(a), np.isfinite(b)):
        return False
    finite = np.isfinite(a)
    bound = fallback_bound(a, dtype, a.size * 64)
    return bool(np.all(np.abs(a[finite] - b[finite]) <= bound))


def fallback_bound(values: Doubles, dtype: ElementType, reduction_length: int) -> float:
    """Absolute bound without a reference; see the module's docstring. 0 for integers."""
    if not dtype.is_float:
        return 0.0
    if dtype.size_bytes == 2:
        return 4.0 * dtype.epsilon * scale_of(values)
    growth = min(math.sqrt(max(reduction_length, 1)), LONGEST_GROWTH)
    return 8.0 * dtype.epsilon * growth * scale_of(values)


def own_errors(runs: Sequence[Array], reference: Doubles, dtype: ElementType) -> Doubles:
    """The largest error of any run of the original, element by element; 0 where either is not finite."""
    worst = np.zeros(len(reference))
    for run in runs:
        with np.errstate(invalid="ignore", over="ignore"):
            error = np.abs(dtype.to_double(run) - reference)
        np.maximum(worst, np.where(np.isfinite(error), error, 0.0), out=worst)
    return worst


@dataclass(frozen=True)
class Pooled:
    """The original's error over all cases of a buffer, relative to the inputs, and the scale of these."""

    relative_error: float = 0.0
    data_scale: float = 0.0


def reference_bound(errors: Doubles, reference: Doubles, dtype: ElementType, pooled: Pooled) -> Doubles:
    """The allowed error, element by element; `pooled` matters for buffers below `MIN_SAMPLES` elements."""
    binades = _binades(reference)
    bound = FACTOR * _error_of_binade(errors, binades)[binades - _LOWEST_BINADE]
    bound += FLOOR_ULPS * np.ldexp(dtype.epsilon, np.maximum(binades, _smallest_binade(dtype)))
    if np.count_nonzero(errors) < MIN_SAMPLES:
        cap = POOLED_CAP_EPS * dtype.epsilon * max(scale_of(reference), pooled.data_scale)
        bound = np.maximum(bound, FACTOR * min(pooled.relative_error * pooled.data_scale, cap))
    return bound


def _smallest_binade(dtype: ElementType) -> int:
    return int(math.frexp(dtype.smallest_normal)[1]) - 1


def _binades(values: Doubles) -> npt.NDArray[np.int64]:
    """floor(log2 |x|), with zero and non-finite values in the lowest binade."""
    usable = np.isfinite(values) & (values != 0)
    exponents = np.frexp(np.where(usable, values, 1.0))[1].astype(np.int64) - 1
    return np.where(usable, exponents, _LOWEST_BINADE)


def _error_of_binade(errors: Doubles, binades: npt.NDArray[np.int64]) -> Doubles:
    """Largest error per binade, each widened until it rests on enough elements."""
    slots = binades - _LOWEST_BINADE
    size = 1024 - _LOWEST_BINADE + 1
    counts = np.bincount(slots[errors > 0], minlength=size)  # untouched elements measure nothing
    occupied = np.flatnonzero(np.bincount(slots, minlength=size))
    worst = np.zeros(size)
    np.maximum.at(worst, slots, errors)
    result = worst.copy()
    for position, slot in enumerate(occupied):
        seen = int(counts[slot])
        for neighbour in (*occupied[position + 1 :], *occupied[:position][::-1]):
            if seen >= MIN_SAMPLES:
                break
            result[slot] = max(result[slot], worst[neighbour])
            seen += int(counts[neighbour])
    return result


NOT_POOLED = Pooled()


def make_truth(
    buffer: str,
    dtype: ElementType,
    runs: Sequence[Array],
    reference: Doubles | None,
    order: Order,
    *,
    reduction_length: int,
    pooled: Pooled = NOT_POOLED,
    extreme: bool = False,
) -> Truth | NoTruth:
    """The truth of one buffer from the original's runs (one per schedule) and the reference, if any.

    With `extreme` inputs and no reference, an original that leaves the range of its type says nothing: where
    it does so depends on the order of its operations.
    """
    if order is Order.RACY:
        return NoTruth(buffer, "the original's output depends on the order in which threads run")
    expected = runs[0]
    if not dtype.is_float:
        return Truth(buffer, dtype, expected, None, 0.0, 0.0, order)
    if order is Order.PERMUTED:
        magnitudes = np.abs(dtype.to_double(np.sort(expected)))
        return Truth(buffer, dtype, expected, None, PERMUTED_ULPS * dtype.epsilon * magnitudes, 0.0, order)
    if reference is None or len(reference) != len(expected):
        values = dtype.to_double(expected)
        if extreme and not np.isfinite(values).all():
            return NoTruth(buffer, "the original leaves the range of its type")
        bound = fallback_bound(values, dtype, reduction_length)
        return Truth(buffer, dtype, expected, None, bound, 0.0, order)
    return _referenced_truth(buffer, dtype, runs, reference, order, pooled)


def _referenced_truth(
    buffer: str, dtype: ElementType, runs: Sequence[Array], reference: Doubles, order: Order, pooled: Pooled
) -> Truth | NoTruth:
    errors = own_errors(runs, reference, dtype)
    scale = scale_of(reference)
    unstable = (errors > UNSTABLE * scale) | _overflows_elsewhere(runs, reference, dtype)
    if unstable.mean() > UNSTABLE_SHARE:
        return NoTruth(buffer, "the original misses its own double-precision reference")
    stable = np.where(unstable, 0.0, errors)
    bound = reference_bound(stable, reference, dtype, pooled)
    return Truth(buffer, dtype, runs[0], reference, bound, float(stable.max(initial=0.0)), order)


def _overflows_elsewhere(runs: Sequence[Array], reference: Doubles, dtype: ElementType) -> Mask:
    """Where a run left the type's range though the result is within it, or the reverse."""
    with np.errstate(invalid="ignore"):
        fits = np.isfinite(reference) & (np.abs(reference) <= dtype.largest)
    differs = np.zeros(len(reference), dtype=np.bool_)
    for run in runs:
        differs |= np.isfinite(dtype.to_double(run)) != fits
    return differs


def stable_own_error(runs: Sequence[Array], reference: Doubles, dtype: ElementType) -> float:
    """The original's largest error, elements that took another branch left out; what `Pooled` collects."""
    errors = own_errors(runs, reference, dtype)
    return float(errors[errors <= UNSTABLE * scale_of(reference)].max(initial=0.0))
