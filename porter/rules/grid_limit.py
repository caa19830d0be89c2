"""A grid of more threads than AMD can launch.

What it finds: launches whose constant grid and block come to 2³² threads or more.

Why it matters: HIP launches fewer than 2³² threads in each dimension, where CUDA counts blocks.

What porter does: keeps the launch and reports it.

Example: `k<<<1 << 23, 1024>>>` is 2³³ threads: let each thread do several elements in a loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_LIMIT = 1 << 32


@rule("LCH006", "grid-limit")
def grid_limit(unit: TranslationUnit) -> Iterator[Diagnostic]:
    for launch in unit.launches:
        if launch.grid_dim is None or launch.block_dim is None:
            continue
        threads = max(g * b for g, b in zip(launch.grid_dim, launch.block_dim, strict=True))
        if threads >= _LIMIT:
            message = f"{threads} threads in one dimension of the grid; HIP launches fewer than {_LIMIT}"
            hint = "use a smaller grid, and a loop over its stride"
            yield Diagnostic("LCH006", Severity.ERROR, message, launch.span, hint)
