"""A warp primitive of CUB without its number of threads.

What it finds: `cub::WarpReduce<T>` and `cub::WarpScan<T>` with one template argument.

Why it matters: the argument that is left out is the warp's size: 32 in CUB, 64 in hipCUB on CDNA. Results and
temporary storage are then those of groups twice as large.

What porter does: writes 32. The fix does the same to the source, which means the same on NVIDIA.

Example: `cub::WarpReduce<float>` becomes `cub::WarpReduce<float, 32>`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.core.diagnostic import Diagnostic, Severity
from porter.core.edit import Edit
from porter.cuda.tokens import Token, matching_angle
from porter.cuda.translation_unit import TranslationUnit
from porter.rules.registry import rule

_PRIMITIVES = frozenset(("WarpReduce", "WarpScan"))


@rule("LIB005", "warp-primitive-width", answered=True, fixable=True)
def warp_primitive_width(unit: TranslationUnit) -> Iterator[Diagnostic]:
    if _PRIMITIVES.isdisjoint(unit.words) or "cub" not in unit.words:
        return
    tokens = unit.tokenized.code
    for i in range(2, len(tokens) - 1):
        if tokens[i].text not in _PRIMITIVES or tokens[i - 2].text != "cub" or tokens[i + 1].text != "<":
            continue
        close = matching_angle(tokens, i + 1)
        end = _end_of_one_argument(tokens, i + 1, close) if close is not None else None
        if end is None:
            continue
        message = f"cub::{tokens[i].text} without a number of threads is over 64 lanes in hipCUB"
        fix = (Edit(end, end, b", 32", "the warp's 32 lanes"),)
        span = unit.span_of(tokens[i])
        yield Diagnostic("LIB005", Severity.NOTE, message, span, "name the number of threads: 32", fix)


def _end_of_one_argument(tokens: tuple[Token, ...], open_: int, close: int) -> int | None:
    """The byte of the `>` that ends a template list of one argument; None for a list of another length."""
    depth = 0
    for i in range(open_, close):
        text = tokens[i].text
        depth += {"<": 1, "(": 1, ")": -1}.get(text, 0) - (len(text) if set(text) == {">"} else 0)
        if text == "..." or (text == "," and depth == 1):
            return None
    return tokens[close].start + depth - 1  # of `>>` the one that closes this list
