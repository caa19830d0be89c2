"""The parts of an index: its summands, and the size of a block where a number stands for it.

Casts between integers that hold every index are looked through.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.analysis.expressions import without_index_casts
from porter.cuda import kir


def summands(expr: kir.Expr) -> Iterator[kir.Expr]:
    """What is added up to `expr`, from left to right, without casts between the sums."""
    plain = without_index_casts(expr)
    if isinstance(plain, kir.Binary) and plain.op == "+":
        yield from summands(plain.left)
        yield from summands(plain.right)
    else:
        yield plain


def with_block_size(expr: kir.Expr, axis: str) -> kir.Expr:
    """`blockDim` along `axis` in the type of `expr` for a constant, which the caller knows to be that size;
    any other expression as it is."""
    plain = without_index_casts(expr)
    if not isinstance(plain, kir.Const):
        return expr
    size = kir.Builtin("blockDim", axis, kir.UINT32, expr.span)
    return size if expr.type == kir.UINT32 else kir.Cast(size, expr.type, expr.span)
