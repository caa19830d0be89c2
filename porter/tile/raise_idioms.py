"""The order of the idiom-raising passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from porter.analysis.expressions import own_expressions, statements
from porter.analysis.walk import walk
from porter.analysis.warp_collectives import NAMES
from porter.cuda.kir import (
    SHARED_STORAGE,
    Call,
    Declare,
    Kernel,
    Storage,
    VarRef,
)
from porter.tile.drop_barriers import drop_barriers
from porter.tile.drop_staging import drop_staging
from porter.tile.idioms import NoMatch, Raising
from porter.tile.inline_functions import inline_functions
from porter.tile.kept_patterns import COLLECTIVE, HISTOGRAM, TILE, kept_patterns
from porter.tile.name_parameters import name_parameters
from porter.tile.raise_collectives import raise_collectives
from porter.tile.raise_direct_loads import raise_direct_loads
from porter.tile.raise_dot import raise_dot
from porter.tile.raise_histogram import raise_histogram
from porter.tile.raise_votes import raise_votes
from porter.tile.resolve_shared import resolve_shared
from porter.tile.unused_functions import without_unused_functions

Pass: TypeAlias = Callable[[Kernel], Raising]


def raise_idioms(kernel: Kernel, block: tuple[int, int, int]) -> Raising:
    """`kernel` for thread blocks of shape `block`, with every idiom raised that could be proved.

    The result is only valid for this block shape. When nothing was raised the kernel comes back as it was,
    device functions not inlined.
    """
    passes: tuple[tuple[str, Pass], ...] = (
        ("", inline_functions),  # before everything: fragments end at calls
        ("", name_parameters),
        ("", resolve_shared),  # after inlining: pointer parameters are pointers with one definition then
        (COLLECTIVE, lambda k: raise_collectives(k, block)),
        (COLLECTIVE, lambda k: raise_votes(k, block)),  # after: a ballot in a fragment is part of its fold
        (HISTOGRAM, lambda k: raise_histogram(k, block)),
        (TILE, lambda k: raise_direct_loads(k, block)),  # after: a reduction's array is no tile any more
        (TILE, lambda k: raise_dot(k, block)),  # needs direct loads
        ("", drop_staging),  # after all raising: needs to see which arrays are still read
        ("", drop_barriers),  # last: barriers serve shared arrays
    )
    overlap = _overlapping(kernel)
    if overlap is not None:
        return Raising(kernel, (), (overlap,), kept_patterns(without_unused_functions(kernel), (overlap,)))
    result = Raising(kernel)
    for code, run in passes:
        step = run(result.kernel)
        declined = tuple(replace(reason, code=code) for reason in step.declined)
        result = Raising(step.kernel, (*result.raised, *step.raised), (*result.declined, *declined))
    worked_on = without_unused_functions(result.kernel)
    declined = tuple(dict.fromkeys(result.declined)) if is_cooperative(worked_on) else ()
    raised = worked_on if result.raised else kernel
    return Raising(raised, result.raised, declined, kept_patterns(worked_on, declined))


def _overlapping(kernel: Kernel) -> NoMatch | None:
    """Two names for dynamic shared memory are one memory: no pass may take them for two arrays."""
    bodies = (kernel.body, *(function.body for function in kernel.functions.values()))
    arrays = {
        s.variable
        for body in bodies
        for s in statements(body)
        if isinstance(s, Declare) and s.variable.storage is Storage.DYNAMIC_SHARED
    }
    if len(arrays) < 2:
        return None
    return NoMatch("dynamic shared memory has several names", max(v.span for v in arrays))


def is_cooperative(kernel: Kernel) -> bool:
    """Are shuffles, votes or shared memory left? If not, what a pass declined another one has raised."""
    return any(
        (isinstance(e, Call) and e.name in NAMES)
        or (isinstance(e, VarRef) and e.variable.storage in SHARED_STORAGE)
        for s in statements(kernel.body)
        for expr in own_expressions(s)
        for e in walk(expr)
    )
