"""`atomicInc` and `atomicDec`, which Triton lacks, as compare-and-swap loops.

`old = atomicInc(p, n)` becomes: read `old`; try to swap it for what comes after it, until nobody was faster.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from porter.core.span import Span
from porter.cuda import kir

_Next = Callable[[kir.Expr, kir.Expr, Span], kir.Expr]


def expand_atomics(kernel: kir.Kernel) -> kir.Kernel:
    """The kernel without the atomics that count in a circle. Assumes that no device function is left."""
    return dataclasses.replace(kernel, body=_block(kernel.body))


def _block(body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
    return tuple(new for statement in body for new in _statement(statement))


def _statement(node: kir.Stmt) -> Iterator[kir.Stmt]:
    match node:
        case kir.Evaluate(kir.Call(name) as call) if name in _CIRCULAR:
            yield from _loop(call, _old_value(call), _CIRCULAR[name])
        case kir.Declare(variable, kir.Call(name) as call) if name in _CIRCULAR:
            yield from _loop(call, variable, _CIRCULAR[name])
        case kir.Assign(target, kir.Call(name) as call) if name in _CIRCULAR:
            old = _old_value(call)
            yield from _loop(call, old, _CIRCULAR[name])
            yield kir.Assign(target, kir.VarRef(old, old.type, node.span), node.span, node.comments)
        case kir.If():
            then, otherwise = _block(node.then), _block(node.otherwise)
            yield dataclasses.replace(node, then=then, otherwise=otherwise)
        case kir.For() | kir.While():
            yield dataclasses.replace(node, body=_block(node.body))
        case _:
            yield node


def _old_value(call: kir.Call) -> kir.Variable:
    return kir.Variable("old_value", call.type, kir.Storage.LOCAL, call.span)


def _loop(call: kir.Call, old: kir.Variable, after: _Next) -> Iterator[kir.Stmt]:
    span, type_ = call.span, call.type
    pointer, limit = call.arguments
    place = kir.Variable("counter", pointer.type, kir.Storage.LOCAL, span)
    bound = kir.Variable("limit", type_, kir.Storage.LOCAL, span)
    assumed = kir.Variable("assumed", type_, kir.Storage.LOCAL, span)
    at, value, expected = (kir.VarRef(v, v.type, span) for v in (place, old, assumed))
    yield kir.Declare(place, pointer, span)
    yield kir.Declare(bound, limit, span)
    yield kir.Declare(old, kir.Index(at, kir.Const(0, kir.INT32, span), type_, span), span)
    yield kir.Declare(assumed, None, span)
    new = after(expected, kir.VarRef(bound, type_, span), span)
    swap = kir.Call("atomicCAS", (at, expected, new), type_, span)
    body = (kir.Assign(expected, value, span), kir.Assign(value, swap, span))
    yield kir.While(kir.Binary("!=", value, expected, kir.BOOL, span), body, span, do_while=True)


def _after(old: kir.Expr, limit: kir.Expr, span: Span) -> kir.Expr:
    """`old >= limit ? 0 : old + 1`"""
    assert isinstance(old.type, kir.Scalar)
    zero, one = (kir.Const(n, old.type, span) for n in (0, 1))
    at_end = kir.Binary(">=", old, limit, kir.BOOL, span)
    return kir.Select(at_end, zero, kir.Binary("+", old, one, old.type, span), old.type, span)


def _before(old: kir.Expr, limit: kir.Expr, span: Span) -> kir.Expr:
    """`old == 0 || old > limit ? limit : old - 1`"""
    assert isinstance(old.type, kir.Scalar)
    zero, one = (kir.Const(n, old.type, span) for n in (0, 1))
    at_start = kir.Binary("==", old, zero, kir.BOOL, span)
    beyond = kir.Binary(">", old, limit, kir.BOOL, span)
    wraps = kir.Binary("||", at_start, beyond, kir.BOOL, span)
    return kir.Select(wraps, limit, kir.Binary("-", old, one, old.type, span), old.type, span)


_CIRCULAR: dict[str, _Next] = {"atomicInc": _after, "atomicDec": _before}
