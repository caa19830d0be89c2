"""Variables that change: one width and shape for life, and assignments that only active threads see."""

from __future__ import annotations

from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.context import Binding, Context
from porter.tile.expressions import settled
from porter.tile.memory import broadcast

_WEAK_SCALARS = (kir.INT32, kir.FLOAT32, kir.BOOL)


def comment(ctx: Context, comments: tuple[str, ...]) -> None:
    if comments:
        ctx.emit(ir.Comment(comments))


def bind_mutable(ctx: Context, variable: kir.Variable) -> Binding:
    """A variable that changes has one shape and one width throughout."""
    axes = ctx.uniformity.variables.get(variable, ir.UNIFORM)
    if isinstance(variable.type, kir.Pointer):
        dtype, root = ctx.pointer_targets[variable]
        binding = Binding(ctx.names.fresh(variable.name), ir.TileType(dtype, axes, root))
    else:
        dtype = held(variable)
        weak = not axes and dtype in _WEAK_SCALARS
        binding = Binding(ctx.names.fresh(variable.name), ir.TileType(dtype, axes), weak)
    ctx.bindings[variable] = binding
    return binding


def held(variable: kir.Variable) -> kir.Scalar:
    """The element type of a variable that lives in registers."""
    if not isinstance(variable.type, kir.Scalar):
        raise Declined("TIL051", f"`{variable.name}` of type `{variable.type}`", variable.span)
    return variable.type


def shaped(ctx: Context, value: ir.Expr, binding: Binding) -> ir.Expr:
    """The value in the type and shape of the variable, so that loops and branches can carry it."""
    if binding.type.pointer:
        return broadcast(ctx, value, binding.type.axes)
    value = settled(ctx, c.convert(value, binding.type.dtype))
    if binding.type.axes:
        if isinstance(value, ir.Literal) and value.value == 0 and binding.type.dtype != kir.BOOL:
            shape = ir.Text(ctx.layout.shape(binding.type.axes))
            return ir.Invoke("tl.zeros", (shape, ir.Text(ctx.dtype_text(binding.type.dtype))), binding.type)
        return broadcast(ctx, value, binding.type.axes)
    if ir.is_weak(value) and not binding.weak:
        return ir.Convert(value, binding.type)
    return value


def assign_variable(
    ctx: Context, variable: kir.Variable, value: ir.Expr, comments: tuple[str, ...] = ()
) -> None:
    """Only the active threads see the new value, if others can still see the old one."""
    binding = ctx.bindings.get(variable)
    if binding is None and variable not in ctx.mutable:
        _bind_once(ctx, variable, value, comments)
        return
    if binding is None:
        ctx.depth.setdefault(variable, ctx.masks.depth)
        binding = bind_mutable(ctx, variable)
    mask = ctx.masks.since(ctx.depth.get(variable, 0))
    if mask is None:
        ctx.emit(ir.Let(binding.name, shaped(ctx, value, binding), comments))
        return
    old = ir.Name(binding.name, binding.type)
    if not binding.type.pointer:
        value = settled(ctx, c.convert(value, binding.type.dtype))
    merged = ir.Invoke("tl.where", (mask, value, old), binding.type)
    ctx.emit(ir.Let(binding.name, merged, comments))


def _bind_once(ctx: Context, variable: kir.Variable, value: ir.Expr, comments: tuple[str, ...]) -> None:
    name = ctx.names.fresh(variable.name)
    ctx.emit(ir.Let(name, value, comments))
    ctx.bindings[variable] = Binding(name, value.type, ir.is_weak(value))
