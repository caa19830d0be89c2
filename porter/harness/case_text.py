"""A case that was made smaller, as text: `normal; argument 3 = 5; grid 1,1,1; block 64,1,1`.

First the name of the case it comes from, then what differs from it. A report prints it, `--case` takes it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from porter.harness.cases import Case

_SEPARATOR = "; "
_ARGUMENT = re.compile(r"argument (\d+) = (\d+)")
_SHAPE = re.compile(r"(grid|block) (\d+),(\d+),(\d+)")


def base_kind(text: str) -> str:
    """The case that the others are made of."""
    return text.split(_SEPARATOR)[0]


def described(case: Case, origin: Case) -> Case:
    """`case` under the name that says how it differs from `origin`."""
    changes = [
        f"argument {position} = {value}"
        for position, value in sorted(case.scalars.items())
        if origin.scalars.get(position) != value
    ]
    if case.grid is not None and case.grid != origin.grid:
        changes.append("grid " + ",".join(map(str, case.grid)))
    if case.block is not None and case.block != origin.block:
        changes.append("block " + ",".join(map(str, case.block)))
    return replace(case, kind=_SEPARATOR.join([origin.kind, *changes]))


def changed(origin: Case, text: str) -> Case:
    """`origin` with the changes of `text`; what is no change is left out."""
    case = replace(origin, kind=text)
    for part in text.split(_SEPARATOR)[1:]:
        if found := _ARGUMENT.fullmatch(part):
            case = replace(case, scalars={**case.scalars, int(found[1]): int(found[2])})
        elif found := _SHAPE.fullmatch(part):
            sides = (int(found[2]), int(found[3]), int(found[4]))
            case = replace(case, grid=sides) if found[1] == "grid" else replace(case, block=sides)
    return case
