"""Byte-exact edits: everything outside an edit stays identical."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Edit:
    """Replaces bytes `[start, end)` by `replacement`; an insertion has `start == end`."""

    start: int
    end: int
    replacement: bytes
    reason: str = ""


class OverlappingEdits(Exception):
    """Two edits claim the same byte; a defect of the pass that planned them."""


def apply_edits(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Applies non-overlapping edits; equal duplicates (one macro, many uses) count once.

    Raises OverlappingEdits when two different edits claim a byte.
    """
    ordered = sorted(set(edits))
    for left, right in itertools.pairwise(ordered):
        if right.start < left.end:
            raise OverlappingEdits(f"{left} and {right}")
    for edit in reversed(ordered):
        data = data[: edit.start] + edit.replacement + data[edit.end :]
    return data
