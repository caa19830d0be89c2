"""Calls with an effect: atomics, shuffles, votes. Each stands alone on the right of a statement."""

from __future__ import annotations

from porter.cuda import kir
from porter.cuda.kir_effects import is_effect_call
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.addresses import address_at
from porter.tile.api import Declined
from porter.tile.context import Context
from porter.tile.groups import strong
from porter.tile.integers import value_of
from porter.tile.memory import broadcast, widened
from porter.tile.warps import BLOCK_VOTES, SHUFFLES, VOTES, lower_block_vote, lower_shuffle, lower_vote

_ATOMICS = {
    "atomicAdd": "tl.atomic_add", "atomicSub": "tl.atomic_add", "atomicMin": "tl.atomic_min",
    "atomicMax": "tl.atomic_max", "atomicAnd": "tl.atomic_and", "atomicOr": "tl.atomic_or",
    "atomicXor": "tl.atomic_xor", "atomicExch": "tl.atomic_xchg",
}  # fmt: skip
_DROPPED = frozenset({"printf", "assert", "__nanosleep", "__trap"})


def is_effect(call: kir.Call) -> bool:
    return is_effect_call(call.name)


def lower_effect(ctx: Context, call: kir.Call, *, used: bool) -> ir.Expr:
    """The value of the call; with `used` False it is emitted as a statement of its own."""
    name = call.name.removesuffix("_block").removesuffix("_system")
    if name in _DROPPED:
        return _dropped(ctx, call)
    if name == "atomicCAS":
        result = _compare_and_swap(ctx, call)
    elif name in _ATOMICS:
        result = _atomic(ctx, call, name)
    elif name in SHUFFLES:
        return lower_shuffle(ctx, call)
    elif name in VOTES:
        return lower_vote(ctx, call)
    elif name in BLOCK_VOTES:
        return lower_block_vote(ctx, call)
    else:
        raise Declined("TIL052", f"`{call.name}` has no equivalent in Triton", call.span)
    if not used:
        ctx.emit(ir.Do(result))
    return result


def _dropped(ctx: Context, call: kir.Call) -> ir.Expr:
    ctx.notes.append(f"`{call.name}` of the original (line {call.span.line}) is left out.")
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


def _once_per_thread(ctx: Context, pointer: ir.Expr, value: ir.Expr) -> tuple[ir.Expr, ir.Expr | None]:
    """The pointer over every axis along which more than one thread acts, and the mask for that shape."""
    single = ir.UNIFORM.union(*(term.single for term in ctx.masks.terms()))
    axes = (ctx.layout.all_axes - single) | pointer.type.axes | value.type.axes
    return widened(ctx, pointer, axes), ctx.masks.projected(axes)


def _compare_and_swap(ctx: Context, call: kir.Call) -> ir.Expr:
    """`tl.atomic_cas` has no mask: it is only right where every thread acts."""
    place = address_at(ctx, call.arguments[0])
    expected, desired = (c.convert(value_of(ctx, a), place.element) for a in call.arguments[1:3])
    pointer, mask = _once_per_thread(ctx, place.pointer, desired)
    axes = pointer.type.axes | expected.type.axes | desired.type.axes
    if mask is not None:
        if axes:
            raise Declined(
                "TIL050",
                "`atomicCAS` by some of the threads: Triton's compare-and-swap takes no mask",
                call.span,
                "use an atomic that Triton masks (add, min, max, exchange), or let all threads take part",
            )
        raise Declined("TIL050", "`atomicCAS` under a condition that differs between threads", call.span)
    pointer = widened(ctx, pointer, axes)
    arguments = tuple(broadcast(ctx, value, axes) if axes else strong(value) for value in (expected, desired))
    return ir.Invoke("tl.atomic_cas", (pointer, *arguments), ir.TileType(place.element, axes))
