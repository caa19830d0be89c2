"""CUDA's intrinsics under their canonical names; each entry of the tables is one family."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from porter.core.span import Span
from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor, Kind, evaluate
from porter.cuda.kir import (
    BOOL,
    UINT32,
    Assign,
    Barrier,
    Call,
    Const,
    Expr,
    Pointer,
    Scalar,
    Select,
    Type,
    Void,
)
from porter.cuda.lower_context import Lowering
from porter.cuda.warp import FULL_MASK, WARP_SIZE


@dataclass(frozen=True)
class IntrinsicCall:
    """A call of something porter's headers declare."""

    ctx: Lowering
    name: str
    arguments: list[Cursor]
    cursor: Cursor

    @property
    def span(self) -> Span:
        return self.ctx.span(self.cursor)

    @property
    def type(self) -> Type:
        return self.ctx.type_of(self.cursor.type, self.cursor)

    def value(self, position: int) -> Expr:
        return self.ctx.value(self.arguments[position])

    def values(self) -> list[Expr]:
        return [self.ctx.value(a) for a in self.arguments]


Intrinsic = Callable[[IntrinsicCall], Expr]
_INTRINSICS: dict[str, Intrinsic] = {}
_STD: dict[str, Intrinsic] = {}


def intrinsic(*names: str) -> Callable[[Intrinsic], Intrinsic]:
    def register(function: Intrinsic) -> Intrinsic:
        _INTRINSICS.update(dict.fromkeys(names, function))
        return function

    return register


def std_function(*names: str) -> Callable[[Intrinsic], Intrinsic]:
    """Functions of namespace std whose meaning differs from CUDA's of that name."""

    def register(function: Intrinsic) -> Intrinsic:
        _STD.update(dict.fromkeys(names, function))
        return function

    return register


def intrinsic_named(name: str, *, in_std: bool) -> Intrinsic | None:
    return _STD.get(name) if in_std else _INTRINSICS.get(name)


def nothing(span: Span) -> Expr:
    return Const(0, Void(), span)


# --- barriers ---

_BARRIERS = {
    "__syncthreads": "block",
    "__syncwarp": "warp",
    "__threadfence": "fence",
    "__threadfence_block": "fence",
    "__threadfence_system": "fence",
}


@intrinsic(*_BARRIERS)
def lower_barrier(call: IntrinsicCall) -> Expr:
    call.ctx.emit(Barrier(_BARRIERS[call.name], call.span))
    return nothing(call.span)


# --- warp collectives ---

_TEMPORARY_NAMES = {
    "__shfl_sync": "shuffled",
    "__shfl_up_sync": "shuffled",
    "__shfl_down_sync": "shuffled",
    "__shfl_xor_sync": "shuffled",
    "__ballot_sync": "ballot",
    "__any_sync": "any_lane",
    "__all_sync": "all_lanes",
    "__activemask": "active",
    "__match_any_sync": "matching",
    "__syncthreads_and": "all_threads",
    "__syncthreads_or": "any_thread",
    "__syncthreads_count": "n_threads",
}


def temporary_name(name: str) -> str:
    if name.startswith("atomic"):
        return "old_value"
    return _TEMPORARY_NAMES.get(name, name.strip("_").replace("_sync", ""))


@intrinsic("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync")
def lower_shuffle(call: IntrinsicCall) -> Expr:
    """Always four arguments: mask, value, lane, width."""
    return shuffle(call.ctx, call.name, call.values(), call.type, call.span)


@intrinsic("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor")
def lower_legacy_shuffle(call: IntrinsicCall) -> Expr:
    mask = build.int_constant(FULL_MASK, call.span, UINT32)
    return shuffle(call.ctx, f"{call.name}_sync", [mask, *call.values()], call.type, call.span)


def shuffle(ctx: Lowering, name: str, arguments: list[Expr], type_: Type, span: Span) -> Expr:
    if len(arguments) == 3:
        arguments = [*arguments, build.int_constant(WARP_SIZE, span)]
    return ctx.effect_call(Call(name, tuple(arguments), type_, span), temporary_name(name))


@intrinsic("__ballot", "__any", "__all")
def lower_legacy_vote(call: IntrinsicCall) -> Expr:
    mask = build.int_constant(FULL_MASK, call.span, UINT32)
    name = f"{call.name}_sync"
    vote = Call(name, (mask, *call.values()), call.type, call.span)
    return call.ctx.effect_call(vote, temporary_name(name))


@intrinsic(
    "__ballot_sync", "__any_sync", "__all_sync", "__uni_sync", "__activemask", "__match_any_sync",
    "__syncthreads_and", "__syncthreads_or", "__syncthreads_count",
    "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync",
    "__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync", "__trap", "clock", "clock64", "__nanosleep",
)  # fmt: skip
def lower_effect(call: IntrinsicCall) -> Expr:
    effect = Call(call.name, tuple(call.values()), call.type, call.span)
    return call.ctx.effect_call(effect, temporary_name(call.name))


@intrinsic("__match_all_sync")
def lower_match_all(call: IntrinsicCall) -> Expr:
    """All lanes of the mask hold one value where the lanes that hold a lane's own are all of them."""
    ctx, span = call.ctx, call.span
    mask = ctx.freeze(call.value(0), "mask")
    match = Call("__match_any_sync", (mask, call.value(1)), UINT32, span)
    matching = ctx.effect_call(match, temporary_name("__match_any_sync"))
    same = ctx.freeze(build.compare("==", matching, build.cast(mask, UINT32), span), "all_match")
    place = build.index(call.value(2), build.int_constant(0, span), span)
    ctx.emit(Assign(place, build.cast(same, place.type), span))  # type: ignore[arg-type]
    return Select(same, matching, build.int_constant(0, span, UINT32), UINT32, span)


# --- atomics, output ---

_ATOMICS = ("Add", "Sub", "Exch", "Min", "Max", "And", "Or", "Xor", "Inc", "Dec", "CAS")


@intrinsic(*(f"atomic{op}{scope}" for op in _ATOMICS for scope in ("", "_block", "_system")))
def lower_atomic(call: IntrinsicCall) -> Expr:
    name = call.name.removesuffix("_block").removesuffix("_system")
    return call.ctx.effect_call(Call(name, tuple(call.values()), call.type, call.span), temporary_name(name))


@intrinsic("printf")
def lower_printf(call: IntrinsicCall) -> Expr:
    """The values printed; the format is text and has no place in the IR."""
    printed = [v for v in (_printed(call, a) for a in call.arguments[1:]) if v is not None]
    return call.ctx.effect_call(Call("printf", tuple(printed), Void(), call.span), "printed")


def _printed(call: IntrinsicCall, argument: Cursor) -> Expr | None:
    is_text = "char *" in argument.type.spelling or argument.kind == Kind.STRING_LITERAL
    return None if is_text else call.ctx.value(argument)


@intrinsic("__assert_fail")
def lower_assertion_failure(call: IntrinsicCall) -> Expr:
    never = Const(False, BOOL, call.span)
    return call.ctx.effect_call(Call("assert", (never,), Void(), call.span), "failed")


# --- cached loads and stores ---


@intrinsic("__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv")
def lower_cached_load(call: IntrinsicCall) -> Expr:
    return build.index(call.value(0), build.int_constant(0, call.span), call.span)


@intrinsic("__stwb", "__stcg", "__stcs", "__stwt")
def lower_cached_store(call: IntrinsicCall) -> Expr:
    pointer, value = call.values()
    place = build.index(pointer, build.int_constant(0, call.span), call.span)
    assert not isinstance(place, Const)
    call.ctx.emit(Assign(place, value, call.span))  # type: ignore[arg-type]
    return nothing(call.span)


# --- min and max ---


@intrinsic("min", "max", "umin", "umax")
def lower_extremum(call: IntrinsicCall) -> Expr:
    """CUDA's overloads: `fmin` on floats, `min` on ints."""
    return extremum(call, call.name.removeprefix("u"))


def extremum(call: IntrinsicCall, name: str) -> Expr:
    type_ = call.type
    values = tuple(build.cast(v, type_) for v in call.values())
    canonical_name = f"f{name}" if is_float(type_) else name
    return Call(canonical_name, values, type_, call.span)


def is_float(type_: Type) -> bool:
    return isinstance(type_, Scalar) and type_.kind in ("float", "bfloat")


@intrinsic("__builtin_nanf", "__builtin_nan", "__builtin_inff", "__builtin_inf")
def lower_special_value(call: IntrinsicCall) -> Expr:
    value = evaluate(call.cursor)
    return build.constant(float("nan") if value is None else value, call.type, call.span)


@intrinsic("__builtin_assume_aligned", "__builtin_expect")
def lower_annotated(call: IntrinsicCall) -> Expr:
    """A hint to the compiler around a value."""
    return build.cast(call.value(0), call.type)


@intrinsic("__builtin_assume", "__builtin_unreachable", "__brkpt", "__prof_trigger")
def lower_hint(call: IntrinsicCall) -> Expr:
    return nothing(call.span)


@intrinsic("malloc", "free")
def refuse_allocation(call: IntrinsicCall) -> Expr:
    raise call.ctx.decline("TIL014", "memory is allocated inside the kernel", call.cursor)


@intrinsic("memset")
def refuse_memory(call: IntrinsicCall) -> Expr:
    raise call.ctx.decline("TIL011", f"`{call.name}` in device code", call.cursor)


def pointee(value: Expr) -> Type:
    return value.type.pointee if isinstance(value.type, Pointer) else value.type
