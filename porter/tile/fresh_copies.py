"""A second copy of statements, with local variables of its own."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from porter.analysis.walk import walk
from porter.cuda import kir
from porter.tile.rename_variables import rename_variables


def fresh_copy(body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
    """`body` over new variables in place of those it declares; shared ones are one a block and stay."""
    own = [n.variable for n in walk(body) if isinstance(n, kir.Declare)]
    names = {v: dataclasses.replace(v) for v in own if v.storage is kir.Storage.LOCAL}
    return over_variables(body, names)


def over_variables(
    body: tuple[kir.Stmt, ...], names: Mapping[kir.Variable, kir.Variable]
) -> tuple[kir.Stmt, ...]:
    """The statements over other variables: reads, targets and declarations."""
    return tuple(rename_variables(statement, names) for statement in body)
