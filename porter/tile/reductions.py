"""Reductions and scans of a tensor over groups of threads."""

from __future__ import annotations

from collections.abc import Callable

from porter.analysis.terms import neutral
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.context import Context
from porter.tile.groups import Groups, active_value, along_groups, lane_in_group, reduce_groups

_BUILT_IN = {"+": "tl.sum", "min": "tl.min", "max": "tl.max", "^": "tl.xor_sum"}
_COMBINE = {
    "+": "add",
    "*": "multiply",
    "min": "minimum",
    "max": "maximum",
    "&": "and",
    "|": "or",
    "^": "xor",
}

Reducer = Callable[[ir.Expr, tuple[tuple[str, ir.Expr], ...]], ir.Expr]


def reduce_value(
    ctx: Context, value: ir.Expr, op: str, dtype: kir.Scalar, groups: Groups, valid: ir.Expr | None
) -> ir.Expr:
    """`op` over the contributing threads of each group; the same in every lane."""
    wide = carrier(dtype)
    contributed = active_value(ctx, c.convert(value, wide), _neutral(op, dtype, wide), valid)
    result = reduce_groups(ctx, contributed, groups, _reducer(ctx, op, wide))
    return c.convert(result, dtype)


def scan_value(
    ctx: Context,
    value: ir.Expr,
    op: str,
    dtype: kir.Scalar,
    groups: Groups,
    valid: ir.Expr | None,
    *,
    inclusive: bool,
) -> ir.Expr:
    """`op` over the contributing threads of the group up to this one."""
    wide = carrier(dtype)
    start = _neutral(op, dtype, wide)
    contributed = active_value(ctx, c.convert(value, wide), start, valid)

    def scan(tensor: ir.Expr, axis: int) -> ir.Expr:
        name = _combiner(ctx, op)
        return ir.Invoke("tl.associative_scan", (tensor, ir.Text(str(axis)), ir.Text(name)), tensor.type)

    if op == "+" and not inclusive and dtype.kind in ("int", "uint"):
        named = ctx.let("contribution", contributed)
        return c.convert(c.binary("-", along_groups(ctx, named, groups, scan), named, wide), dtype)
    result = along_groups(ctx, contributed, groups, scan)
    return c.convert(result if inclusive else _shifted(ctx, result, start, groups), dtype)


def _shifted(ctx: Context, value: ir.Expr, start: ir.Expr, groups: Groups) -> ir.Expr:
    """Each lane takes its left neighbour's value, the first lane the neutral element."""
    lane = lane_in_group(ctx, groups)
    before = c.binary("-", lane, c.literal(1, kir.INT32), kir.INT32)
    first = c.compare("==", lane, c.literal(0, kir.INT32))
    source = c.select(first, c.literal(0, kir.INT32), before, kir.INT32)

    def shift(tensor: ir.Expr, axis: int) -> ir.Expr:
        from porter.tile.groups import to_groups
        from porter.tile.memory import broadcast

        index = to_groups(ctx, broadcast(ctx, source, tensor.type.axes), groups)
        return ir.Invoke("tl.gather", (tensor, index, ir.Text(str(axis))), tensor.type)

    return c.select(first, start, along_groups(ctx, value, groups, shift), value.type.dtype)


def carrier(dtype: kir.Scalar) -> kir.Scalar:
    """The type a reduction computes in: Triton has no arithmetic on conditions, and poor one on bfloat16."""
    if dtype == kir.BOOL:
        return kir.INT32
    return kir.FLOAT32 if dtype == kir.BFLOAT16 else dtype


def _neutral(op: str, dtype: kir.Scalar, wide: kir.Scalar) -> ir.Expr:
    value = neutral(op, dtype)
    return c.literal(float(value) if c.is_float(wide) else int(value), wide)


def _reducer(ctx: Context, op: str, dtype: kir.Scalar) -> Reducer:
    def reduce(tensor: ir.Expr, keywords: tuple[tuple[str, ir.Expr], ...]) -> ir.Expr:
        result = ir.TileType(dtype, tensor.type.axes)
        if op in _BUILT_IN:
            return ir.Invoke(_BUILT_IN[op], (tensor,), result, keywords)
        axis = keywords or (("axis", ir.Text("None")),)
        combine = ("combine_fn", ir.Text(_combiner(ctx, op)))
        return ir.Invoke("tl.reduce", (tensor,), result, (axis[0], combine, *axis[1:]))

    return reduce


def _combiner(ctx: Context, op: str) -> str:
    ctx.functions.add(f"combine_{_COMBINE[op]}")
    return f"_combine_{_COMBINE[op]}"
