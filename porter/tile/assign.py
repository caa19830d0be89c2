"""Variables that change: one width and shape for life, and assignments that only active threads see."""

from __future__ import annotations

from porter.analysis.terms import neutral
from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.api import Declined
from porter.tile.context import Binding, Context
from porter.tile.integers import settled
from porter.tile.memory import broadcast


def comment(ctx: Context, comments: tuple[str, ...]) -> None:
    if comments:
        ctx.emit(ir.Comment(comments))


def bind_mutable(ctx: Context, variable: kir.Variable) -> Binding:
    """A variable that changes has one shape and one width throughout."""
    axes = ctx.uniformity.variables.get(variable, ir.UNIFORM)
    if isinstance(variable.type, kir.Pointer):
        dtype, root = ctx.pointer_targets[variable]
        binding = Binding(_name_of(ctx, variable), ir.TileType(dtype, axes, root))
    else:
        dtype = held(variable)
        weak = not axes and dtype in c.WEAK
        binding = Binding(_name_of(ctx, variable), ir.TileType(dtype, axes), weak)
    ctx.note_number(binding.name, None)
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
            shape = ctx.shape(binding.type.axes)
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
    ctx.emit(ir.Let(binding.name, _merged(mask, value, old), comments))


def _merged(mask: ir.Expr, value: ir.Expr, old: ir.Name) -> ir.Expr:
    """The old value where the mask is off; `old op x` takes a neutral `x` there, which reads better."""
    match value:
        case ir.Infix(op, ir.Name(name), right) if (
            name == old.name and (rest := _rest(op, right)) is not None
        ):
            return ir.Infix(op, old, c.select(mask, right, rest, right.type.dtype), old.type)
        case ir.Infix("+" | "*" | "|" | "^" as op, left, ir.Name(name)) if name == old.name:
            rest = _rest(op, left)
            if rest is not None:
                return ir.Infix(op, old, c.select(mask, left, rest, left.type.dtype), old.type)
        case ir.Invoke("tl.maximum" | "tl.minimum" as function, (ir.Name(name), right)) if name == old.name:
            rest = c.literal(
                neutral("max" if function == "tl.maximum" else "min", old.type.dtype), old.type.dtype
            )
            picked = c.select(mask, right, rest, right.type.dtype)
            return ir.Invoke(function, (old, picked), old.type)
    return ir.Invoke("tl.where", (mask, value, old), old.type)


def _rest(op: str, operand: ir.Expr) -> ir.Expr | None:
    """What leaves the other side of `op` as it is."""
    value = {"+": 0, "-": 0, "|": 0, "^": 0, "*": 1}.get(op)
    dtype = operand.type.dtype
    if value is None or dtype == kir.BOOL or operand.type.pointer:
        return None
    return c.literal(float(value) if c.is_float(dtype) else value, dtype)


def _bind_once(ctx: Context, variable: kir.Variable, value: ir.Expr, comments: tuple[str, ...]) -> None:
    name = _name_of(ctx, variable)
    value = c.named(value)
    ctx.emit(ir.Let(name, value, comments))
    ctx.note_number(name, value)
    ctx.bindings[variable] = Binding(name, value.type, ir.is_weak(value))


def _name_of(ctx: Context, variable: kir.Variable) -> str:
    """The source's name: that of the variable which takes the value over, or of the version before."""
    older = ctx.bindings.get(ctx.versions[variable]) if variable in ctx.versions else None
    if older is not None and not _is_held(ctx, older.name, ctx.versions[variable]):
        ctx.values = {e: n for e, n in ctx.values.items() if older.name not in ir.names_in(e)}
        return older.name
    return ctx.names.fresh(ctx.aliases.get(variable, variable).name)


def _is_held(ctx: Context, name: str, owner: kir.Variable) -> bool:
    """Whether something else still means the value that `name` has."""
    aliased = any(b.name == name for v, b in ctx.bindings.items() if v is not owner)
    in_masks = any(name in ir.names_in(term.condition) for term in ctx.masks.terms())
    return aliased or in_masks or name in ctx.prologue or owner.storage is kir.Storage.PARAMETER
