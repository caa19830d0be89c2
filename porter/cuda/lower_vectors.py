"""Operators on CUDA's packed 16-bit pairs, which act element by element."""

from __future__ import annotations

from collections.abc import Callable

from porter.core.span import Span
from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor
from porter.cuda.kir import Expr, MakeVector, Member, Vector
from porter.cuda.lower_context import Lowering
from porter.cuda.lower_expr import member


def elementwise(
    ctx: Lowering, type_: Vector, operands: list[Expr], at: Cursor, combine: Callable[[list[Expr]], Expr]
) -> Expr:
    """`combine` on the x's, the y's …; operands that are long are computed once."""
    held = [v if isinstance(v, (MakeVector, Member)) else ctx.freeze(v, "packed") for v in operands]
    lanes = [[member(ctx, v, axis, at) for v in held] for axis in "xyzw"[: type_.lanes]]
    return MakeVector(tuple(combine(lane) for lane in lanes), type_, ctx.span(at))


def vector_operator(ctx: Lowering, callee: Cursor, arguments: list[Cursor], cursor: Cursor) -> Expr:
    """`a + b`, `a += b` on `__half2` and `__nv_bfloat162`."""
    op = callee.spelling.removeprefix("operator")
    span = ctx.span(cursor)
    if op.endswith("=") and op not in ("==", "!=", "<=", ">="):
        place = ctx.freeze_place(ctx.lvalue(arguments[0]), "target")
        value = _combined(ctx, op[:-1], place, ctx.value(arguments[1]), cursor, span)
        ctx.assign(place, value, span)
        return place
    return _combined(ctx, op, ctx.value(arguments[0]), ctx.value(arguments[1]), cursor, span)


def _combined(ctx: Lowering, op: str, left: Expr, right: Expr, cursor: Cursor, span: Span) -> Expr:
    type_ = left.type
    if not isinstance(type_, Vector):
        raise ctx.decline("TIL015", f"`operator{op}` on {type_}", cursor)
    element = type_.element
    return elementwise(
        ctx, type_, [left, right], cursor, lambda lane: build.binary(op, lane[0], lane[1], element, span)
    )
