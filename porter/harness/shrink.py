"""Makes a failing case smaller as long as it fails: fewer blocks, smaller integers, fewer threads.

Original and port run together on every smaller case, and a case on which the original is no judge does not
count. Only the buffer that was wrong in the beginning is looked at.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from porter.core.outcome import Mismatch
from porter.harness.capture import ScalarArgument
from porter.harness.case_text import described
from porter.harness.cases import Case, Grid
from porter.harness.truths import Planned, origin_of

# A HIP kernel may rely on a whole wavefront.
SMALLEST_BLOCK = 64
SMALL_SIZES = (1, 2, 3, 7, 31, 33, 63, 65, 127, 129)
MOST_CANDIDATES = 16
MOST_ROUNDS = 4


@dataclass(frozen=True)
class Failure:
    """A case on which the port is wrong and its first wrong element. `variant` counts the orders of threads
    (or programs); 0 is the plain one.
    """

    planned: Planned
    first: Mismatch
    variant: int = 0


Attempt: TypeAlias = Callable[[Sequence[Planned]], Sequence[Failure]]
"""Those of some cases on which the port is wrong."""


def shrink(start: Failure, attempt: Attempt, deadline: float) -> Failure:
    """The smallest failure found before `deadline` (of time.monotonic); `start` where none is smaller."""
    smallest = start
    tried: set[str] = set()
    for smaller_cases in (_smaller_integers, _smaller_grids, _smaller_integers, _smaller_blocks):
        for _ in range(MOST_ROUNDS):
            cases = [
                p for p in _named(smaller_cases(smallest.planned), start.planned) if p.case.kind not in tried
            ]
            if not cases or time.monotonic() >= deadline:
                break
            tried.update(p.case.kind for p in cases)
            failing = [f for f in attempt(cases) if f.first.buffer == start.first.buffer]
            if not failing:
                break
            smallest = min(failing, key=lambda f: origin_of(f.planned).size)
    return smallest


def _named(cases: Iterable[Case], start: Planned) -> list[Planned]:
    """The smallest first, each under a name of its own."""
    planned = [replace(start, case=described(case, start.case)) for case in cases]
    planned.sort(key=lambda p: origin_of(p).size)
    return [
        replace(p, case=replace(p.case, name=f"{start.case.name}-m{k:02d}"))
        for k, p in enumerate(planned[:MOST_CANDIDATES])
    ]


def _smaller_grids(planned: Planned) -> Iterator[Case]:
    """One block, two, a quarter and half of those there are."""
    grid = planned.case.grid or planned.launch.grid
    half = _half(grid)
    for smaller in dict.fromkeys(((1, 1, 1), (2, 1, 1), _half(half), half)):
        if math.prod(smaller) < math.prod(grid):
            yield replace(planned.case, grid=smaller)


def _half(sides: Grid) -> Grid:
    longest = sides.index(max(sides))
    halved = [(side + 1) // 2 if k == longest else side for k, side in enumerate(sides)]
    return halved[0], halved[1], halved[2]


def _smaller_integers(planned: Planned) -> Iterator[Case]:
    """One integer argument at a time: around warps, and half of what it is."""
    for position, argument in enumerate(planned.launch.arguments):
        if not isinstance(argument, ScalarArgument) or argument.dtype is None:
            continue
        if argument.dtype.kind not in ("int", "uint"):
            continue
        value = planned.case.scalars.get(position, argument.value() or 0)
        for target in dict.fromkeys((*SMALL_SIZES, int(value) // 2)):
            if 0 < target < value:
                yield replace(planned.case, scalars={**planned.case.scalars, position: target})


def _smaller_blocks(planned: Planned) -> Iterator[Case]:
    block = planned.case.block or planned.launch.block
    half = _half(block)
    if math.prod(half) >= SMALLEST_BLOCK and math.prod(half) * 2 == math.prod(block):
        yield replace(planned.case, block=half)
