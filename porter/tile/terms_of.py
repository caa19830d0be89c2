"""A divergent condition as mask terms: named once, with what is known about how many threads satisfy it."""

from __future__ import annotations

from collections.abc import Mapping

from porter.analysis.expressions import variables, without_index_casts
from porter.analysis.ranges import INT32_MAX, is_integer
from porter.analysis.walk import walk
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.context import Context
from porter.tile.counted import split_uniform
from porter.tile.expressions import condition
from porter.tile.mask_names import name_for
from porter.tile.masks import TRUE, Term


def terms_of(ctx: Context, expr: kir.Expr, *, both: bool) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """The terms of the condition and (with `both`) those of its opposite."""
    parts = _conjuncts(ctx, expr)
    lowered = [condition(ctx, part) for part in parts]
    if both and len(parts) > 1:
        whole = _named(ctx, _joined(lowered), expr)
        return (Term(whole),), (Term(c.negate(whole)),)
    if both and isinstance(lowered[0], ir.Infix) and _only_leaves_used(lowered[0]):
        opposite = _named(ctx, c.negate(lowered[0]), expr)
        first = _first(ctx, parts[0], _OPPOSITES)
        return (Term(_as_opposite(opposite), *_facts(ctx, parts[0])),), (Term(opposite, first=first),)
    terms = tuple(
        Term(_named(ctx, value, part), *_facts(ctx, part), first=_first(ctx, part, _BELOW))
        for value, part in zip(lowered, parts, strict=True)
    )
    negated = tuple(Term(c.negate(term.condition)) for term in terms) if both else ()
    return terms, negated


_BELOW = {"<": "<", "<=": "<=", "==": "=="}
_OPPOSITES = {">=": "<", ">": "<="}


def _first(ctx: Context, expr: kir.Expr, ops: Mapping[str, str]) -> ir.Expr | None:
    """`start < bound` for `start + thread < bound`, whose start and bound all threads share.

    The start is a multiple of a power of two, so that `start + thread` does not wrap within a block.
    """
    if not isinstance(expr, kir.Binary) or expr.op not in ops or ctx.axes(expr.right):
        return None
    if _facts(ctx, expr)[1] and _holds_for_first(expr):
        return TRUE
    if expr.op == "==":
        return None
    start, own = split_uniform(ctx, expr.left)
    if start is None or own is None or not isinstance(without_index_casts(own), kir.Builtin):
        return None
    if not thread_axes(ctx, own) or not _is_block_start(ctx, start) or _loads(ctx, expr.right):
        return None
    if (variables(start) | variables(expr.right)) & ctx.mutable:
        return None  # it may have another value where the mask is needed
    left = start if start.type == expr.left.type else kir.Cast(start, expr.left.type, expr.span)
    return condition(ctx, kir.Binary(ops[expr.op], left, expr.right, kir.BOOL, expr.span))


def _holds_for_first(expr: kir.Binary) -> bool:
    """`thread < bound` and `thread == 0`, given that some thread satisfies them."""
    right = without_index_casts(expr.right)
    return expr.op == "<" or (expr.op == "==" and isinstance(right, kir.Const) and right.value == 0)


def _is_block_start(ctx: Context, expr: kir.Expr) -> bool:
    """`blockIdx.x * size` with a power of two for a size."""
    product = without_index_casts(expr)
    if not isinstance(product, kir.Binary) or product.op != "*":
        return False
    sides = [without_index_casts(side) for side in (product.left, product.right)]
    blocks = [side for side in sides if isinstance(side, kir.Builtin) and side.name == "blockIdx"]
    sizes = [side for side in sides if side not in blocks]
    if len(blocks) != 1 or len(sizes) != 1:
        return False
    size = ctx.ranges.of(sizes[0])
    return size.low == size.high and size.low > 0 and size.low & (size.low - 1) == 0


def _only_leaves_used(value: ir.Infix) -> bool:
    """A guard `i >= n` reads better as the mask `i < n` of what stays."""
    return value.op in (">=", ">") and not c.is_float(value.left.type.dtype)


def _as_opposite(name: ir.Expr) -> ir.Expr:
    return ir.Prefix("~" if name.type.axes else "not", name, name.type)


def _joined(values: list[ir.Expr]) -> ir.Expr:
    result = values[0]
    for value in values[1:]:
        result = c.logical("&", result, value)
    return result


def _conjuncts(ctx: Context, expr: kir.Expr) -> tuple[kir.Expr, ...]:
    """Splits off `tid == 0`-like parts of `a && b`, which say that one thread acts for all."""
    if isinstance(expr, kir.Binary) and expr.op == "&&" and not _loads(ctx, expr):
        sides = (*_conjuncts(ctx, expr.left), *_conjuncts(ctx, expr.right))
        if any(_facts(ctx, side)[0] for side in sides):
            return sides
    return (expr,)


def _loads(ctx: Context, expr: kir.Expr) -> bool:
    return any(
        isinstance(node, kir.Index) or (isinstance(node, kir.VarRef) and node.variable in ctx.buffers)
        for node in walk(expr)
    )


def _named(ctx: Context, value: ir.Expr, source: kir.Expr) -> ir.Expr:
    if isinstance(value, ir.Name) and not value.weak and not _changes(ctx, value.name):
        return value
    return ctx.same(name_for(value, source), value)


def _changes(ctx: Context, name: str) -> bool:
    return any(binding.name == name and variable in ctx.mutable for variable, binding in ctx.bindings.items())


def _facts(ctx: Context, expr: kir.Expr) -> tuple[ir.Axes, bool]:
    """(axes along which exactly one thread satisfies it, whether some thread always does)."""
    if not isinstance(expr, kir.Binary) or expr.op not in ("==", "<"):
        return ir.UNIFORM, False
    axes = thread_axes(ctx, expr.left)
    if not axes or ctx.axes(expr.right):
        return ir.UNIFORM, False
    bound = ctx.ranges.of(expr.right)
    if expr.op == "<":
        return ir.UNIFORM, bound.low >= 1
    in_range = bound.low >= 0 and bound.high <= min(ctx.ranges.of(expr.left).high, INT32_MAX)
    return (axes, True) if in_range else (ir.UNIFORM, False)


def thread_axes(ctx: Context, expr: kir.Expr) -> ir.Axes:
    """The axes that `expr` numbers one by one: all of them for `threadIdx.x` of a one-dimensional block."""
    while True:
        if isinstance(expr, kir.Cast) and _keeps(ctx, expr):
            expr = expr.operand
        elif isinstance(expr, kir.VarRef) and expr.variable in ctx.ranges.definitions:
            expr = ctx.ranges.definitions[expr.variable]
        else:
            break
    if not isinstance(expr, kir.Builtin):
        return _linear_axes(ctx, expr)
    if expr.name == "threadIdx":
        return ctx.layout.thread_axes(expr.axis)
    return {"warpIdx": frozenset({"warp"}), "laneIdx": frozenset({"lane"})}.get(expr.name, ir.UNIFORM) & (
        ctx.layout.all_axes
    )


def _keeps(ctx: Context, cast: kir.Cast) -> bool:
    """Whether every value of the operand is there after the cast: 512 threads have two numbers in a byte."""
    if not isinstance(cast.type, kir.Scalar) or not is_integer(cast.type):
        return False
    bits = cast.type.bits - (cast.type.kind == "int")
    return cast.type.bits >= 32 or ctx.ranges.of(cast.operand).within(0, (1 << bits) - 1)


def _linear_axes(ctx: Context, expr: kir.Expr) -> ir.Axes:
    """`threadIdx.y * blockDim.x + threadIdx.x` numbers the whole block."""
    names = {(n.name, n.axis) for n in walk(expr) if isinstance(n, kir.Builtin) and n.name == "threadIdx"}
    used = {axis for _, axis in names}
    top = ctx.ranges.of(expr)
    full = used == set(ctx.layout.all_axes) and ctx.layout.group is None
    if full and top.low == 0 and top.high == ctx.layout.threads - 1 and not _loads(ctx, expr):
        return ctx.layout.all_axes if isinstance(expr, kir.Binary) and expr.op == "+" else ir.UNIFORM
    return ir.UNIFORM
