"""A value of all threads of a block: one term for all, or one a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from porter.analysis.effects.terms import Term

Value: TypeAlias = Term | list[Term]

Guard: TypeAlias = frozenset[Term]
"""The conditions under which a thread comes here, beyond those that are known."""

Active: TypeAlias = list[Guard | None]
"""The guard of each thread; None for one that is not here."""


def of_thread(value: Value, thread: int) -> Term:
    return value if isinstance(value, int) else value[thread]


def threadwise(rule: Callable[..., Term], operands: Sequence[Value]) -> Value:
    """`rule` of the operands' terms, computed once for each combination that occurs."""
    if all(isinstance(o, int) for o in operands):
        return rule(*operands)
    threads = len(next(o for o in operands if not isinstance(o, int)))
    columns = [[o] * threads if isinstance(o, int) else o for o in operands]
    known: dict[tuple[Term, ...], Term] = {}
    out = []
    for row in zip(*columns, strict=True):
        if row not in known:
            known[row] = rule(*row)
        out.append(known[row])
    return out


def blend(active: Active, new: Value, old: Value) -> Value:
    """`new` in the threads that are here, `old` in the others."""
    if all(guard is not None for guard in active):
        return new
    return [of_thread(new if g is not None else old, t) for t, g in enumerate(active)]


def restricted(active: Active, keep: Callable[[int], bool]) -> Active:
    return [g if g is not None and keep(t) else None for t, g in enumerate(active)]


def anyone(active: Active) -> bool:
    return any(g is not None for g in active)


def here(active: Active) -> list[int]:
    return [t for t, g in enumerate(active) if g is not None]
