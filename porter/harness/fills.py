"""What a replayed case puts into a buffer: the same kind, seed and size give the same bytes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from porter.harness.dtypes import BOOL, Array, Doubles, ElementType

# The most telling first: what does not fit a limit on cases falls away from the end.
FLOAT_KINDS = ("normal", "nonfinite", "equal", "large", "tiny", "zeros", "mixed", "few_values")
INTEGER_KINDS = ("in_range", "around_range", "one_value", "extremes")
SENTINEL = "sentinel"
PATTERN = "pattern"


@dataclass(frozen=True)
class Fill:
    """`kind` is one of the names above; `seed` starts its generator."""

    kind: str
    seed: int

    def values(self, dtype: ElementType, captured: Array) -> Array:
        """Elements for a buffer of `dtype` whose captured contents are `captured` (kept in its shape)."""
        generator = np.random.default_rng(self.seed)
        if self.kind == SENTINEL:
            return sentinel(dtype, len(captured))
        if self.kind == PATTERN:
            return pattern(dtype, len(captured))
        if dtype.is_float:
            return dtype.from_double(_floats(self.kind, generator, len(captured), dtype))
        return _integers(self.kind, generator, captured, dtype)


def pattern(dtype: ElementType, n: int) -> Array:
    """A formula that a generated module can repeat in torch: exact in every type, small, not monotonic."""
    steps = np.arange(n, dtype=np.int64) * 37 % 101
    if dtype.is_float:
        return dtype.from_double((steps - 50) / 16.0)
    return (steps % 2 if dtype is BOOL else steps).astype(dtype.storage)


def continued(values: Array, n: int) -> Array:
    """`values` and more of their like, `n` in all: repeated, and where they only rise, rising as before.

    Offsets of rows or segments stay in order that way.
    """
    if not len(values) or n <= len(values):
        return np.resize(values, n)
    steps = np.diff(values.astype(np.int64)) if values.dtype.kind in "iu" else np.zeros(0)
    if not len(steps) or steps.min() < 0 or not steps.any():
        return np.resize(values, n)
    further = values[-1].astype(np.int64) + np.cumsum(np.resize(steps, n - len(values)))
    return np.concatenate([values, further.astype(values.dtype)])


def sentinel(dtype: ElementType, n: int) -> Array:
    """A value no kernel is likely to compute, finite so that accumulating into it still says something."""
    if dtype.is_float:
        return dtype.from_double(np.full(n, -1234.5625))
    if dtype is BOOL:
        return np.ones(n, dtype=dtype.storage)
    return np.full(n, 0x5A, dtype=dtype.storage)


def _floats(kind: str, generator: np.random.Generator, n: int, dtype: ElementType) -> Doubles:
    normal = generator.standard_normal(n)
    # Squares and sums of a few thousand terms of the large and tiny kinds stay in range.
    decades = np.log2(dtype.largest) / 3.0
    match kind:
        case "normal":
            return normal
        case "equal":
            return np.full(n, 0.75)
        case "zeros":
            return np.zeros(n)
        case "large":
            return np.asarray(normal * 2.0**decades)
        case "tiny":
            return np.asarray(normal * 2.0**-decades)
        case "mixed":
            return np.asarray(normal * np.exp2(generator.uniform(-decades, decades, n)))
        case "nonfinite":
            return _sprinkle(normal, generator)
        case "few_values":
            return generator.integers(-2, 3, n).astype(np.float64)
    raise ValueError(f"unknown kind of fill {kind!r}")


def _sprinkle(values: Doubles, generator: np.random.Generator) -> Doubles:
    """About one element in 64 becomes NaN, +Inf or -Inf, at least one of a buffer."""
    share = max(1, len(values) // 64) if len(values) else 0
    places = generator.choice(len(values), size=share, replace=False) if share else np.zeros(0, dtype=int)
    result = values.copy()
    result[places] = generator.choice([np.nan, np.inf, -np.inf], size=share)
    return result


def _integers(kind: str, generator: np.random.Generator, captured: Array, dtype: ElementType) -> Array:
    n = len(captured)
    if dtype is BOOL:
        return generator.integers(0, 2, n).astype(dtype.storage)
    if not n:
        return captured
    low, high = captured.min(), captured.max()
    match kind:
        case "in_range":
            return generator.integers(low, high, n, dtype=captured.dtype, endpoint=True)
        case "around_range":
            # Where a kernel guards its indices, both sides of the guard; elsewhere the original itself fails.
            limits, width = np.iinfo(captured.dtype), int(high) - int(low) + 1
            below, above = max(int(low) - width, limits.min), min(int(high) + width, limits.max)
            return generator.integers(below, above, n, dtype=captured.dtype, endpoint=True)
        case "one_value":
            return np.full(n, captured[n // 2], dtype=captured.dtype)
        case "extremes":
            limits = np.iinfo(captured.dtype)
            choices = np.array([limits.min, limits.max, 0, 1, limits.max - 1], dtype=captured.dtype)
            return generator.choice(choices, n)
    raise ValueError(f"unknown kind of fill {kind!r}")
