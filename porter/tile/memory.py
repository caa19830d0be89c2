"""Loads and stores with the masks that keep inactive threads from touching memory."""

from __future__ import annotations

from dataclasses import dataclass

from porter.cuda import kir
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.context import Context
from porter.tile.names import loaded_value


@dataclass(frozen=True)
class Address:
    """`pointer` points at the element, which C sees as `element`.

    `stem` and `hint` are the source's words for the buffer and the place in it. `in_bounds`: the element
    exists whatever thread asks for it, active or not, so reading it needs no mask but that of the padding.
    """

    pointer: ir.Expr
    element: kir.Scalar
    hint: str = ""
    in_bounds: bool = False
    stem: str = ""


def load(ctx: Context, place: Address, expr: kir.Expr) -> ir.Expr:
    """The value at `place` where the thread is active; elsewhere it is unspecified and never used."""
    del expr
    axes = place.pointer.type.axes
    mask = ctx.masks.padding(axes) if place.in_bounds else _mask_over(ctx, axes)
    keywords = (("mask", mask),) if mask is not None else ()
    call = ir.Invoke("tl.load", (place.pointer,), ir.TileType(place.pointer.type.dtype, axes), keywords)
    if ctx.inline_loads:
        return as_value(call, place.element)
    if call not in ctx.loads:
        ctx.loads[call] = ctx.let(_load_name(ctx, place), call)
    return as_value(ctx.loads[call], place.element)


def spread(ctx: Context, condition: ir.Expr, axes: ir.Axes) -> ir.Expr:
    """A condition of the whole block as a mask over `axes`; Triton's interpreter does not make one itself."""
    shape, truth = ctx.shape(axes), ir.TileType(kir.BOOL, axes)
    everywhere = ir.Invoke("tl.full", (shape, ir.Text("True"), ir.Text("tl.int1")), truth)
    return ir.Invoke("tl.where", (condition, everywhere, c.literal(False, kir.BOOL)), truth)


def _mask_over(ctx: Context, axes: ir.Axes) -> ir.Expr | None:
    mask = ctx.masks.projected(axes)
    return spread(ctx, mask, axes) if mask is not None and axes and not mask.type.axes else mask


def as_value(loaded: ir.Expr, element: kir.Scalar) -> ir.Expr:
    """What was read, as C sees it: a `bool` byte becomes a condition."""
    return c.convert(loaded, kir.BOOL) if element == kir.BOOL else loaded


def _load_name(ctx: Context, place: Address) -> str:
    if ctx.wanted_name:
        wanted, ctx.wanted_name = ctx.wanted_name, ""
        return wanted
    stem = place.stem or loaded_value(place.pointer.type.pointer or "value")
    return f"{stem}_{place.hint}" if stem in ctx.names.taken and place.hint else stem


def store(ctx: Context, place: Address, value: ir.Expr, comments: tuple[str, ...]) -> None:
    """Writes where the thread is active. Along axes that neither address nor value knows, once."""
    value = as_stored(value, place)
    axes = place.pointer.type.axes | value.type.axes
    mask = _mask_over(ctx, axes)
    pointer = widened(ctx, place.pointer, axes)
    keywords = (("mask", mask),) if mask is not None else ()
    call = ir.Invoke("tl.store", (pointer, value), ir.TileType(place.element, axes), keywords)
    ctx.emit(ir.Do(call, comments))


def as_stored(value: ir.Expr, place: Address) -> ir.Expr:
    if place.element == kir.BOOL:
        return c.convert(c.convert(value, kir.BOOL), kir.Scalar("int", 8))
    return c.convert(value, place.element)


def widened(ctx: Context, pointer: ir.Expr, axes: ir.Axes) -> ir.Expr:
    """The pointer with a copy for each thread along `axes`: a tensor of values needs a tensor of places."""
    if axes <= pointer.type.axes:
        return pointer
    shape = ctx.shape(axes | pointer.type.axes)
    type_ = ir.TileType(pointer.type.dtype, axes | pointer.type.axes, pointer.type.pointer)
    return ir.Invoke("tl.broadcast_to", (pointer, shape), type_)


def broadcast(ctx: Context, value: ir.Expr, axes: ir.Axes) -> ir.Expr:
    """The value with exactly the shape of `axes`."""
    if axes <= value.type.axes:
        return value
    shape = ctx.shape(axes)
    type_ = ir.TileType(value.type.dtype, axes, value.type.pointer)
    if not value.type.axes and value.type.dtype == kir.BOOL and not isinstance(value, ir.Literal):
        return spread(ctx, value, axes)
    if not value.type.axes and not value.type.pointer:
        dtype = ir.Text(ctx.dtype_text(value.type.dtype))
        return ir.Invoke("tl.full", (shape, value, dtype), type_)
    return ir.Invoke("tl.broadcast_to", (value, shape), type_)
