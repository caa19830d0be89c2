"""A tiled product as `tl.dot`."""

from __future__ import annotations

import dataclasses

from porter.analysis.walk import root_variable, walk
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.assign import assign_variable
from porter.tile.context import Binding, Context
from porter.tile.idioms import Dot
from porter.tile.integers import value_of
from porter.tile.product_sizes import has_instruction, narrow

_STEP = "BLOCK_K"
_STEPS = (_STEP, "BLOCK_N")
_BOTH = frozenset({"x", "y"})


def lower_dot(ctx: Context, node: Dot) -> None:
    if ctx.layout.all_axes != _BOTH:
        raise Declined("TIL056", f"a matrix product in a block of {ctx.layout.block}", node.span)
    factors = _factors(node)
    left = _operand(ctx, node, factors[0], "x", "[None, :]")
    right = _operand(ctx, node, factors[1], "y", "[:, None]")
    target = ctx.bindings[node.target]
    accumulator = ir.Name(target.name, target.type)
    assign_variable(ctx, node.target, _product(ctx, node, left, right, accumulator), node.comments)


def name_steps(kernel: ir.TileKernel) -> ir.TileKernel:
    """The loops over k in steps of `BLOCK_K`, and over keys in steps of `BLOCK_N`, by its name."""
    for parameter in kernel.parameters:
        if parameter.name in _STEPS and parameter.value is not None:
            name, size = parameter.name, parameter.value
            kernel = dataclasses.replace(kernel, body=tuple(_in_steps(s, name, size) for s in kernel.body))
    return kernel


def _in_steps(statement: ir.Stmt, step_name: str, size: int) -> ir.Stmt:
    match statement:
        case ir.ForRange(step=ir.Literal(value) as step, body=body) if value == size:
            used = {name for s in body for expr in ir.own_expressions(s) for name in ir.names_in(expr)}
            if step_name in used:
                name = ir.Name(step_name, step.type, weak=True)
                return dataclasses.replace(statement, step=name)
    return ir.with_bodies(statement, lambda body: tuple(_in_steps(s, step_name, size) for s in body))


def _factors(node: Dot) -> tuple[kir.Expr, kir.Expr]:
    """Both in the narrow type that they are loaded in, if they share one: `tl.dot` multiplies exactly."""
    narrowed = narrow(node.left), narrow(node.right)
    alike = narrowed[0].type == narrowed[1].type and has_instruction(node)
    return narrowed if alike else (node.left, node.right)


def _operand(ctx: Context, node: Dot, expr: kir.Expr, stands_for: str, subscript: str) -> ir.Expr:
    """The operand with `k` along the axis that the other operand's threads have."""
    k = ctx.constexpr(_STEP, node.extent)
    type_ = ir.TileType(kir.INT32, frozenset({stands_for}))
    index = ctx.let(node.k.name, ir.Suffix(arange(k), subscript, type_))
    ctx.bindings[node.k] = Binding(index.name, index.type)
    with ctx.masks.restricted(_BOTH - {stands_for}):
        value = value_of(ctx, expr)
    return named_tile(ctx, expr, value)


def _is_load(ctx: Context, value: ir.Name) -> bool:
    """Whether the name was given to the load just now: a tile has a better one."""
    last = ctx.block[-1] if ctx.block else None
    return isinstance(last, ir.Let) and last.target == value.name


def named_tile(ctx: Context, expr: kir.Expr, value: ir.Expr) -> ir.Expr:
    """`a_tile`, after the one buffer that it is loaded from."""
    if isinstance(value, ir.Name) and not _is_load(ctx, value):
        return value
    buffers = {
        buffer.name
        for node in walk(expr)
        if isinstance(node, kir.Index) and (buffer := root_variable(node)) is not None
    }
    stem = f"{buffers.pop()}_tile" if len(buffers) == 1 else "tile"
    return ctx.let(stem, value)


def arange(k: ir.Name) -> ir.Expr:
    return ir.Invoke("tl.arange", (ir.Text("0"), k), ir.TileType(kir.INT32))


def _product(ctx: Context, node: Dot, left: ir.Expr, right: ir.Expr, accumulator: ir.Expr) -> ir.Expr:
    result = ir.TileType(node.element, _BOTH)
    if has_instruction(node) and left.type.dtype == right.type.dtype:
        return ir.Invoke("tl.dot", (left, right, accumulator), result, precision(ctx, left.type.dtype))
    wide = ir.Infix(
        "*", ir.Suffix(left, "[:, :, None]", result), ir.Suffix(right, "[None, :, :]", result), result
    )
    total = ir.Invoke("tl.sum", (wide,), result, (("axis", ir.Text("1")),))
    return c.binary("+", accumulator, total, node.element)


def precision(ctx: Context, dtype: kir.Scalar) -> tuple[tuple[str, ir.Expr], ...]:
    """The keywords of a `tl.dot` of factors of this type."""
    if dtype == kir.FLOAT32:
        return (("input_precision", ir.Text('"tf32"' if ctx.allow_tf32 else '"ieee"')),)
    return (("out_dtype", ir.Text("tl.int32")),) if not c.is_float(dtype) else ()
