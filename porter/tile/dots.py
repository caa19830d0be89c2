"""A tiled product as `tl.dot`."""

from __future__ import annotations

from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.assign import assign_variable
from porter.tile.context import Binding, Context
from porter.tile.idioms import Dot
from porter.tile.integers import value_of

_SMALLEST = 16
_BOTH = frozenset({"x", "y"})


def lower_dot(ctx: Context, node: Dot) -> None:
    if ctx.layout.all_axes != _BOTH:
        raise Declined("TIL056", f"a matrix product in a block of {ctx.layout.block}", node.span)
    left = _operand(ctx, node, node.left, "x", "[None, :]")
    right = _operand(ctx, node, node.right, "y", "[:, None]")
    target = ctx.bindings[node.target]
    accumulator = ir.Name(target.name, target.type)
    assign_variable(ctx, node.target, _product(ctx, node, left, right, accumulator), node.comments)


def _operand(ctx: Context, node: Dot, expr: kir.Expr, stands_for: str, subscript: str) -> ir.Expr:
    """The operand with `k` along the axis that the other operand's threads have."""
    k = ctx.constexpr("BLOCK_K", node.extent)
    type_ = ir.TileType(kir.INT32, frozenset({stands_for}))
    index = ctx.let(node.k.name, ir.Suffix(_arange(k), subscript, type_))
    ctx.bindings[node.k] = Binding(index.name, index.type)
    with ctx.masks.restricted(_BOTH - {stands_for}):
        value = value_of(ctx, expr)
    return value if isinstance(value, ir.Name) else ctx.let("tile", value)


def _arange(k: ir.Name) -> ir.Expr:
    return ir.Invoke("tl.arange", (ir.Text("0"), k), ir.TileType(kir.INT32))


def _product(ctx: Context, node: Dot, left: ir.Expr, right: ir.Expr, accumulator: ir.Expr) -> ir.Expr:
    result = ir.TileType(node.element, _BOTH)
    extents = (ctx.layout.axis("y").padded, ctx.layout.axis("x").padded, node.extent)
    if min(extents) >= _SMALLEST and node.element == kir.FLOAT32:
        precision = ir.Text('"tf32"' if ctx.allow_tf32 else '"ieee"')
        return ir.Invoke("tl.dot", (left, right, accumulator), result, (("input_precision", precision),))
    wide = ir.Infix(
        "*", ir.Suffix(left, "[:, :, None]", result), ir.Suffix(right, "[None, :, :]", result), result
    )
    total = ir.Invoke("tl.sum", (wide,), result, (("axis", ir.Text("1")),))
    return c.binary("+", accumulator, total, node.element)
