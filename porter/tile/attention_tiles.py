"""One tile of keys of an attention, as a Triton author writes it: two `tl.dot` and a running softmax.

The tile's keys stand along the axis of the rows where keys and values are loaded, `[BLOCK_N, columns]`, and
along that of the columns in the scores, `[rows, BLOCK_N]`.
"""

from __future__ import annotations

import math

from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.assign import assign_variable
from porter.tile.context import Binding, Context
from porter.tile.dots import arange, named_tile, precision
from porter.tile.expressions import condition
from porter.tile.idioms import Attend
from porter.tile.integers import value_of
from porter.tile.product_sizes import narrow
from porter.tile.product_steps import reads_any

_BOTH = frozenset({"x", "y"})
_ROWS = frozenset({"y"})
_STEP = "BLOCK_N"


def lower_attend(ctx: Context, node: Attend) -> None:
    if ctx.layout.all_axes != _BOTH:
        raise Declined("TIL056", f"an attention in a block of {ctx.layout.block}", node.span)
    down = _keys_along(ctx, node, "y", "[:, None]")
    left, keys = _factors(ctx, node)
    ctx.bindings[node.key] = down
    with ctx.masks.restricted(frozenset({"x"})):
        key_tile = named_tile(ctx, keys, value_of(ctx, keys))
    scores = _scores(ctx, node, left, key_tile)
    _attend(ctx, node, scores, down)


def _keys_along(ctx: Context, node: Attend, axis: str, subscript: str) -> Binding:
    """The numbers of the keys in the tile, down its rows or along its columns."""
    size = ctx.constexpr(_STEP, node.extent)
    type_ = ir.TileType(kir.INT32, frozenset({axis}))
    index = ctx.let(node.key.name, ir.Suffix(arange(size), subscript, type_))
    return Binding(index.name, index.type)


def _factors(ctx: Context, node: Attend) -> tuple[ir.Expr, kir.Expr]:
    """The keys as they are loaded, if the query has that type: `tl.dot` multiplies exactly."""
    query, keys = value_of(ctx, node.query), narrow(node.keys)
    return query, keys if keys.type == query.type.dtype else node.keys


def _scores(ctx: Context, node: Attend, query: ir.Expr, keys: ir.Expr) -> ir.Expr:
    """`[rows, BLOCK_N]`, `-inf` where a score does not exist."""
    tile = ir.TileType(node.element, _BOTH)
    transposed = ir.Invoke("tl.trans", (keys,), keys.type)
    dot = ctx.let("scores", ir.Invoke("tl.dot", (query, transposed), tile, precision(ctx, keys.type.dtype)))
    ctx.bindings[node.dot] = Binding(dot.name, dot.type)
    scores: ir.Expr = dot
    if any(reads_any(e, {node.key}) for e in (node.score, node.exists) if e is not None):
        ctx.bindings[node.key] = _keys_along(ctx, node, "x", "[None, :]")
    with ctx.masks.restricted(frozenset()):
        if not isinstance(node.score, kir.VarRef):
            scores = value_of(ctx, node.score)
        if node.exists is not None:
            exists = condition(ctx, node.exists)
            scores = c.select(exists, scores, c.literal(-math.inf, node.element), node.element)
    return scores if isinstance(scores, ir.Name) else _again(ctx, dot, scores)


def _again(ctx: Context, name: ir.Name, value: ir.Expr) -> ir.Name:
    """The same name for the next value."""
    ctx.emit(ir.Let(name.name, value))
    return name


def _attend(ctx: Context, node: Attend, scores: ir.Expr, down: Binding) -> None:
    maximum, total, accumulator = (_value(ctx, v) for v in (node.maximum, node.total, node.accumulator))
    rows, tile = ir.TileType(node.element, _ROWS), ir.TileType(node.element, _BOTH)
    largest = ctx.let("new_" + maximum.name, ir.Invoke("tl.maximum", (maximum, _row("tl.max", scores)), rows))
    reference: ir.Expr = largest
    if node.may_be_empty:
        lowest = c.literal(-math.inf, node.element)
        none = c.compare("==", largest, lowest)
        reference = ctx.let("reference", c.select(none, c.literal(0.0, node.element), largest, node.element))
    correction = ctx.let("alpha", _exponential(ctx, node, maximum, reference, rows))
    weights = ctx.let("weights", _exponential(ctx, node, scores, reference, tile))
    with ctx.masks.restricted(frozenset({"x"})):
        ctx.bindings[node.key] = down
        values = named_tile(ctx, node.values, value_of(ctx, node.values))
    sums = c.binary(
        "+", c.binary("*", total, correction, node.element), _row("tl.sum", weights), node.element
    )
    assign_variable(ctx, node.total, sums)
    rescaled = c.binary("*", accumulator, correction, node.element)
    call = ir.Invoke("tl.dot", (weights, values, rescaled), tile, precision(ctx, node.element))
    assign_variable(ctx, node.accumulator, call)
    assign_variable(ctx, node.maximum, largest, node.comments)


def _exponential(
    ctx: Context, node: Attend, value: ir.Expr, reference: ir.Expr, type_: ir.TileType
) -> ir.Expr:
    difference = c.binary("-", value, reference, node.element)
    if node.scale is not None:
        difference = c.binary("*", difference, value_of(ctx, node.scale), node.element)
    return ir.Invoke("tl.exp", (difference,), type_)


def _row(function: str, value: ir.Expr) -> ir.Expr:
    keywords = (("axis", ir.Text("1")), ("keep_dims", ir.Text("True")))
    return ir.Invoke(function, (value,), ir.TileType(value.type.dtype, _ROWS), keywords)


def _value(ctx: Context, variable: kir.Variable) -> ir.Name:
    binding = ctx.bindings[variable]
    return ir.Name(binding.name, binding.type)
