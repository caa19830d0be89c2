"""A barrier of all blocks of a grid.

What it finds: `this_grid()` and `this_multi_grid()` of cooperative groups, in device code; one finding a
function.

Why it matters: all blocks must be resident at once. How many fit is another number on another GPU: a grid
that is sized by constants, or by the number of multiprocessors of an NVIDIA GPU, does not launch.

What porter does: keeps the barrier and the cooperative launch.

Example: size the grid with `cudaOccupancyMaxActiveBlocksPerMultiprocessor` times the number of
multiprocessors.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_GRIDS = frozenset(("this_grid", "this_multi_grid"))


@rule("SYN004", "grid-barrier", answered=True)
def grid_barrier(unit: TranslationUnit) -> Iterator[Diagnostic]:
    seen: set[int] = set()
    tokens = unit.tokenized.code
    for i, token in enumerate(tokens[:-1] if not _GRIDS.isdisjoint(unit.words) else ()):
        function = unit.function_at(token.start)
        if token.text not in _GRIDS or tokens[i + 1].text != "(" or function is None:
            continue
        if function.kind.on_device and function.span.start not in seen:
            seen.add(function.span.start)
            message = f"{function.name} needs all blocks at once; how many fit differs by GPU"
            hint = "size the grid by the occupancy that the runtime reports"
            yield Diagnostic("SYN004", Severity.NOTE, message, unit.span_of(token), hint)
