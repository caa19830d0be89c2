"""The order of the idiom-raising passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from porter.cuda.kir import Kernel
from porter.tile.drop_staging import drop_staging
from porter.tile.idioms import Raising
from porter.tile.inline_functions import inline_functions
from porter.tile.raise_collectives import raise_collectives

Pass: TypeAlias = Callable[[Kernel], Raising]


def raise_idioms(kernel: Kernel, block: tuple[int, int, int]) -> Raising:
    """`kernel` for thread blocks of shape `block`, with every idiom raised that could be proved.

    The result is only valid for this block shape. When nothing was raised the kernel comes back as it was,
    device functions not inlined.
    """
    passes: tuple[Pass, ...] = (
        inline_functions,  # before everything: fragments end at calls
        lambda k: raise_collectives(k, block),
        drop_staging,  # last: needs to see which arrays are still read
    )
    result = Raising(kernel)
    for run in passes:
        step = run(result.kernel)
        result = Raising(step.kernel, (*result.raised, *step.raised), (*result.declined, *step.declined))
    return result if result.raised else Raising(kernel, (), result.declined)
