"""`--map KERNEL=FUNCTION`, as several commands take it."""

from __future__ import annotations

from collections.abc import Sequence

from porter.core.errors import InputError


def parse_mapping(pairs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Raises InputError for what is no pair."""
    split = [tuple(pair.split("=", 1)) for pair in pairs]
    wrong = [pair for pair, parts in zip(pairs, split, strict=True) if len(parts) != 2 or not all(parts)]
    if wrong:
        raise InputError(f"--map {wrong[0]}: KERNEL=FUNCTION is expected")
    return tuple((name, function) for name, function in split)
