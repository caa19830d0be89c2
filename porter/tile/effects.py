"""Calls with an effect: atomics, shuffles, votes. Each stands alone on the right of a statement."""

from __future__ import annotations

from porter.cuda import kir
from porter.cuda.kir_effects import is_effect_call
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.addresses import address_at
from porter.tile.api import Declined
from porter.tile.context import Context
from porter.tile.dropped_calls import DROPPED
from porter.tile.element_types import storage_type
from porter.tile.groups import groups_of, reduce_groups, strong
from porter.tile.integers import value_of
from porter.tile.match_lanes import lower_match
from porter.tile.memory import broadcast, widened
from porter.tile.reductions import reduce_value
from porter.tile.warps import BLOCK_VOTES, SHUFFLES, VOTES, lower_block_vote, lower_shuffle, lower_vote

_ATOMICS = {
    "atomicAdd": "tl.atomic_add", "atomicSub": "tl.atomic_add", "atomicMin": "tl.atomic_min",
    "atomicMax": "tl.atomic_max", "atomicAnd": "tl.atomic_and", "atomicOr": "tl.atomic_or",
    "atomicXor": "tl.atomic_xor", "atomicExch": "tl.atomic_xchg",
}  # fmt: skip
_COMBINED = {
    "atomicAdd": "+", "atomicSub": "+", "atomicMin": "min", "atomicMax": "max",
    "atomicAnd": "&", "atomicOr": "|", "atomicXor": "^",
}  # fmt: skip


def is_effect(call: kir.Call) -> bool:
    return is_effect_call(call.name)


def lower_effect(ctx: Context, call: kir.Call, *, used: bool) -> ir.Expr:
    """The value of the call; with `used` False it is emitted as a statement of its own."""
    name = call.name.removesuffix("_block").removesuffix("_system")
    if name in DROPPED:
        return _dropped(ctx, call)
    if name == "atomicCAS":
        result = _compare_and_swap(ctx, call)
    elif name in _COMBINED and not used and (summed := _summed(ctx, call, name)) is not None:
        result = summed
    elif name in _ATOMICS:
        result = _atomic(ctx, call, name)
    elif name in SHUFFLES:
        return lower_shuffle(ctx, call)
    elif name in VOTES:
        return lower_vote(ctx, call)
    elif name == "__match_any_sync":
        return lower_match(ctx, call)
    elif name in BLOCK_VOTES:
        return lower_block_vote(ctx, call)
    else:
        hint = "measure around the launch instead" if name.startswith("clock") else ""
        raise Declined("TIL052", f"`{call.name}` has no equivalent in Triton", call.span, hint)
    if not used:
        ctx.emit(ir.Do(result))
    return result


def _dropped(ctx: Context, call: kir.Call) -> ir.Expr:
    ctx.emit(ir.Comment((f"`{call.name}` of the original is left out here.",)))
    return c.literal(0, kir.INT32)


def _atomic(ctx: Context, call: kir.Call, name: str) -> ir.Expr:
    """One atomic for each active thread, or one for all along axes where a single thread acts."""
    place = address_at(ctx, call.arguments[0])
    value = c.convert(value_of(ctx, call.arguments[1]), place.element)
    if name == "atomicSub":
        value = ir.Prefix("-", strong(value), value.type)
    pointer, mask = _once_per_thread(ctx, place.pointer, value)
    if value.type.axes:
        value = broadcast(ctx, value, pointer.type.axes)
    keywords = (("mask", mask),) if mask is not None else ()
    return ir.Invoke(
        _ATOMICS[name], (pointer, value), ir.TileType(place.element, pointer.type.axes), keywords
    )


def _summed(ctx: Context, call: kir.Call, name: str) -> ir.Expr | None:
    """Operations of several threads on one place, whose old values nobody looks at, as one of the program.

    They may be carried out in any order, so that the threads' values may be combined first.
    """
    place = address_at(ctx, call.arguments[0])
    if place.pointer.type.axes or any(term.single for term in ctx.masks.terms()):
        return None
    value = c.convert(value_of(ctx, call.arguments[1]), place.element)
    if name == "atomicSub":
        value = ir.Prefix("-", strong(value), value.type)
    total = _total(ctx, value, _COMBINED[name], place.element, call)
    mask = ctx.masks.projected(ir.UNIFORM)
    keywords = (("mask", mask),) if mask is not None else ()
    return ir.Invoke(_ATOMICS[name], (place.pointer, total), ir.TileType(place.element), keywords)


def _total(ctx: Context, value: ir.Expr, op: str, element: kir.Scalar, call: kir.Call) -> ir.Expr:
    """`op` over the values of the active threads; a number of them where each counts 1."""
    active = ctx.masks.full()
    everyone = groups_of(ctx, None, call.span)
    counts = isinstance(value, ir.Literal) and value.value == 1 and op == "+" and element.kind != "float"
    if counts and active is not None and active.type.axes == ctx.layout.all_axes:
        ones = ir.Convert(active, ir.TileType(kir.INT32, active.type.axes))
        return c.convert(reduce_groups(ctx, ones, everyone, _sum), element)
    return reduce_value(ctx, broadcast(ctx, value, ctx.layout.all_axes), op, element, everyone, None)


def _sum(tensor: ir.Expr, keywords: tuple[tuple[str, ir.Expr], ...]) -> ir.Expr:
    return ir.Invoke("tl.sum", (tensor,), ir.TileType(kir.INT32), keywords)


def _once_per_thread(ctx: Context, pointer: ir.Expr, value: ir.Expr) -> tuple[ir.Expr, ir.Expr | None]:
    """The pointer over every axis along which more than one thread acts, and the mask for that shape."""
    single = ir.UNIFORM.union(*(term.single for term in ctx.masks.terms()))
    axes = (ctx.layout.all_axes - single) | pointer.type.axes | value.type.axes
    return widened(ctx, pointer, axes), ctx.masks.projected(axes)


def _compare_and_swap(ctx: Context, call: kir.Call) -> ir.Expr:
    """`tl.atomic_cas` has no mask: an inactive thread swaps the buffer's first element for what it is.

    That is an atomic operation which changes nothing, so no other thread can tell.
    """
    place = address_at(ctx, call.arguments[0])
    expected, desired = (c.convert(value_of(ctx, a), place.element) for a in call.arguments[1:3])
    pointer, mask = _once_per_thread(ctx, place.pointer, desired)
    axes = pointer.type.axes | expected.type.axes | desired.type.axes
    pointer = widened(ctx, pointer, axes)
    arguments = [broadcast(ctx, value, axes) if axes else strong(value) for value in (expected, desired)]
    if mask is not None:
        pointer = _where_active(mask, pointer, _start_of_buffer(ctx, pointer, call))
        zero = c.literal(0, place.element)
        arguments = [c.select(mask, value, zero, place.element) for value in arguments]
    return ir.Invoke("tl.atomic_cas", (pointer, *arguments), ir.TileType(place.element, axes))


def _where_active(mask: ir.Expr, pointer: ir.Expr, other: ir.Expr) -> ir.Expr:
    axes = mask.type.axes | pointer.type.axes
    return ir.Invoke(
        "tl.where", (mask, pointer, other), ir.TileType(pointer.type.dtype, axes, pointer.type.pointer)
    )


def _start_of_buffer(ctx: Context, pointer: ir.Expr, call: kir.Call) -> ir.Expr:
    """A place that exists whatever the thread."""
    name = pointer.type.pointer
    known = {b.name: b.type.dtype for b in ctx.bindings.values() if b.type.pointer == b.name}
    known |= {b.base: storage_type(b.element) for b in ctx.buffers.values()}
    if name not in known:
        raise Declined(
            "TIL050",
            "`atomicCAS` by some of the threads, through a pointer into one of several buffers",
            call.span,
            "swap through the buffer itself, or let all threads take part",
        )
    start = ir.Name(name, ir.TileType(known[name], pointer=name))
    if known[name] == pointer.type.dtype:
        return start
    return ir.Convert(start, ir.TileType(pointer.type.dtype, pointer=name))
