"""Two texts beside each other, as rows: only what differs and a few lines around it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 3
MOST_ROWS = 1500
_MOST_LINES = 6000
"""Longer texts take difflib minutes."""
_LONGEST = 400

Row = tuple[str, int, str, int, str]
"""A kind (`=`, `-`, `+`, `~` for changed, `…` for lines left out before these), then number and text of each
side; 0 and "" where a side has no line."""


@dataclass(frozen=True)
class SideBySide:
    """`cut` says why there is no more, or nothing at all; empty where it is whole."""

    rows: tuple[Row, ...]
    added: int
    removed: int
    cut: str = ""


def side_by_side(before: bytes, after: bytes, wanted: Collection[int] = ()) -> SideBySide:
    """`wanted` are lines of `before`, counted from 1, that are shown although nothing changed there."""
    left, right = _lines(before), _lines(after)
    if max(len(left), len(right)) > _MOST_LINES:
        return SideBySide((), 0, 0, f"more than {_MOST_LINES} lines: compare the files")
    opcodes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    changed = [(i1, i2) for kind, i1, i2, _, _ in opcodes if kind != "equal"]
    shown = {i for i1, i2 in changed for i in range(i1 - CONTEXT, i2 + CONTEXT)}
    shown |= {line - 1 + near for line in wanted for near in range(-CONTEXT, CONTEXT + 1)}
    rows = list(_rows(opcodes, left, right, shown))
    added = sum(j2 - j1 for kind, _, _, j1, j2 in opcodes if kind != "equal")
    removed = sum(i2 - i1 for i1, i2 in changed)
    cut = f"{len(rows) - MOST_ROWS} further lines: compare the files" if len(rows) > MOST_ROWS else ""
    return SideBySide(tuple(rows[:MOST_ROWS]), added, removed, cut)


def _rows(
    opcodes: Sequence[tuple[str, int, int, int, int]], left: list[str], right: list[str], shown: set[int]
) -> Iterator[Row]:
    """A run of lines that are left out is one row, with the first line that follows it."""
    skipped = True
    for kind, i1, i2, j1, j2 in opcodes:
        for i, j in zip(range(i1, i2), range(j1, j2), strict=False) if kind == "equal" else ():
            if i not in shown:
                skipped = True
                continue
            if skipped:
                yield "…", i + 1, "", j + 1, ""
            skipped = False
            yield "=", i + 1, left[i], j + 1, right[j]
        if kind != "equal":
            if skipped:
                yield "…", i1 + 1, "", j1 + 1, ""
            skipped = False
            yield from _changed(left, right, (i1, i2), (j1, j2))


def _changed(
    left: list[str], right: list[str], ours: tuple[int, int], theirs: tuple[int, int]
) -> Iterator[Row]:
    (i, i_end), (j, j_end) = ours, theirs
    while i < i_end or j < j_end:
        has_left, has_right = i < i_end, j < j_end
        kind = "~" if has_left and has_right else "-" if has_left else "+"
        yield (
            kind,
            i + 1 if has_left else 0,
            left[i] if has_left else "",
            j + 1 if has_right else 0,
            right[j] if has_right else "",
        )
        i, j = i + has_left, j + has_right


def _lines(data: bytes) -> list[str]:
    text = data.decode("utf-8", "backslashreplace")
    return [line[:_LONGEST] + ("…" if len(line) > _LONGEST else "") for line in text.splitlines()]
