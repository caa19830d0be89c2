"""Cycles are looked for rarely, and found all the same."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from porter.core.garbage import collect_rarely


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


class Knot:
    """Names itself."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_loaded_is_not_looked_at_again() -> None:
    collect_rarely()
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold()[0] > 700


def test_cycles_made_later_go() -> None:
    collect_rarely()
    knot = weakref.ref(Knot())
    kept = [[] for _ in range(2 * gc.get_threshold()[0])]  # type: list[list[int]]
    assert knot() is None
    assert kept
