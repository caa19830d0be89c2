"""Loops in the form that can be counted: `while` with a step of its own, and steps that double or halve.

`int i = first; while (i < n) { …; i += step; }` is `for (int i = first; i < n; i += step)` where nothing
else reads or changes `i`. `for (int d = 16; d > 0; d /= 2)` takes five rounds: it becomes
`for (int step = 0; step < 5; ++step)` with `d = 16 >> step`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, cast

from porter.analysis.expressions import without_index_casts
from porter.analysis.ranges import is_integer
from porter.analysis.walk import changeable_variables, mentioned_variables, walk
from porter.cuda import kir
from porter.cuda.kir_effects import is_effect_call
from porter.tile.structure_exits import contains

_MOST_ROUNDS = 16
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "!=": lambda a, b: a != b,
}  # fmt: skip


def count_loops(kernel: kir.Kernel) -> kir.Kernel:
    """The same kernel; must run before exits are removed, because `continue` skips the step of a `while`."""
    return dataclasses.replace(kernel, body=_block(kernel.body))


def _block(body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
    out = [_inside(statement) for statement in body]
    for position in range(len(out) - 1, -1, -1):
        counted = _with_counter(out, position)
        if counted is not None:
            declared, loop = counted
            out[position] = loop
            del out[declared]
            return _block(tuple(out))
    return tuple(_by_rounds(statement) for statement in out)


def _inside(statement: kir.Stmt) -> kir.Stmt:
    names = [name for name in ("then", "otherwise", "body") if getattr(statement, name, ())]
    new = {name: _block(getattr(statement, name)) for name in names}
    return cast(kir.Stmt, dataclasses.replace(cast(Any, statement), **new)) if new else statement


def _with_counter(block: list[kir.Stmt], position: int) -> tuple[int, kir.For] | None:
    """Where the counter of the loop at `position` is declared, and the loop that declares it itself."""
    loop = _stepping(block[position])
    if loop is None:
        return None
    counter = cast(kir.VarRef, cast(kir.Assign, loop.step[0]).target).variable
    for at in range(position - 1, -1, -1):
        statement = block[at]
        if isinstance(statement, kir.Declare) and statement.variable is counter:
            elsewhere = (*block[at + 1 : position], *block[position + 1 :])
            if statement.value is None or not _may_move(statement.value, tuple(block[at + 1 : position])):
                return None
            if counter in mentioned_variables(elsewhere) or counter in changeable_variables(loop.body):
                return None
            comments = (*statement.comments, *loop.comments)
            declared = dataclasses.replace(statement, comments=())
            return at, dataclasses.replace(loop, init=(declared,), comments=comments)
    return None


def _stepping(statement: kir.Stmt) -> kir.For | None:
    """A loop without a variable of its own whose last act is to step one."""
    match statement:
        case kir.For(init=(), step=(kir.Assign(target=kir.VarRef(variable=counter)),)):
            loop = statement
        case kir.While(do_while=False, body=(*body, kir.Assign(target=kir.VarRef(variable=counter)) as step)):
            if contains(tuple(body), (kir.Continue,)):
                return None
            loop = kir.For((), statement.condition, (step,), tuple(body), statement.span, statement.comments)
        case _:
            return None
    return loop if _is_compared(loop.condition, counter) else None


def _is_compared(condition: kir.Expr, counter: kir.Variable) -> bool:
    if not isinstance(condition, kir.Binary) or condition.op not in _COMPARE:
        return False
    return any(
        isinstance(side, kir.VarRef) and side.variable is counter
        for side in map(without_index_casts, (condition.left, condition.right))
    )


def _may_move(value: kir.Expr, over: tuple[kir.Stmt, ...]) -> bool:
    """Whether `value` is the same after the statements `over` as before them."""
    plain = all(isinstance(statement, (kir.Declare, kir.Assign)) for statement in over)
    nodes = list(walk(value))
    reads = any(isinstance(n, (kir.Index, kir.CallFunction, kir.AddressOf)) for n in nodes)
    effects = any(isinstance(n, kir.Call) and is_effect_call(n.name) for n in (*nodes, *walk(over)))
    used = {n.variable for n in nodes if isinstance(n, kir.VarRef)}
    own = all(v.storage in (kir.Storage.LOCAL, kir.Storage.PARAMETER) for v in used)
    return not over or (plain and own and not reads and not effects and not used & changeable_variables(over))


def _by_rounds(statement: kir.Stmt) -> kir.Stmt:
    """A loop whose counter doubles or halves, few times and as often for every thread."""
    match statement:
        case kir.For(
            init=(kir.Declare(variable=counter, value=first),),
            step=(kir.Assign(target=kir.VarRef(variable=stepped), value=following),),
        ) if stepped is counter and first is not None and is_integer(counter.type):
            start = _constant(first)
            if start is None or counter in changeable_variables(statement.body):
                return statement
            values = _values(counter, start, statement.condition, following)
            for op, shifted in _SHIFTS.items():
                if len(values) > 1 and values == [shifted(start, k) for k in range(len(values))]:
                    return _in_rounds(statement, counter, start, op, len(values))
    return statement


_SHIFTS: dict[str, Callable[[int, int], int]] = {"<<": lambda a, k: a << k, ">>": lambda a, k: a >> k}


def _values(counter: kir.Variable, first: int, condition: kir.Expr, following: kir.Expr) -> list[int]:
    """What the counter is in each round; none where that is not known, or too many rounds."""
    values: list[int] = []
    value: int | None = first
    while value is not None and 0 <= value < 1 << 30 and len(values) <= _MOST_ROUNDS:
        holds = _compared(condition, counter, value)
        if holds is None:
            return []
        if not holds:
            return values
        values.append(value)
        value = _following(following, counter, value)
    return []


def _compared(condition: kir.Expr, counter: kir.Variable, value: int) -> bool | None:
    if not isinstance(condition, kir.Binary) or condition.op not in _COMPARE:
        return None
    sides = [value if _is(side, counter) else _constant(side) for side in (condition.left, condition.right)]
    left, right = sides
    return None if left is None or right is None else _COMPARE[condition.op](left, right)


def _following(step: kir.Expr, counter: kir.Variable, value: int) -> int | None:
    step = without_index_casts(step)
    if not isinstance(step, kir.Binary) or not _is(step.left, counter):
        return None
    by = _constant(step.right)
    match step.op, by:
        case "*", 2:
            return value * 2
        case "/", 2:
            return value // 2
        case "<<", 1:
            return value << 1
        case ">>", 1:
            return value >> 1
    return None


def _in_rounds(loop: kir.For, counter: kir.Variable, first: int, op: str, rounds: int) -> kir.For:
    span = loop.span
    step = kir.Variable("step", kir.INT32, kir.Storage.LOCAL, counter.span)
    here = kir.VarRef(step, kir.INT32, span)
    shifted: kir.Expr = kir.Binary(op, kir.Const(first, kir.INT32, span), here, kir.INT32, span)
    value = shifted if counter.type == kir.INT32 else kir.Cast(shifted, counter.type, span)
    return kir.For(
        (kir.Declare(step, kir.Const(0, kir.INT32, span), span),),
        kir.Binary("<", here, kir.Const(rounds, kir.INT32, span), kir.BOOL, span),
        (kir.Assign(here, kir.Binary("+", here, kir.Const(1, kir.INT32, span), kir.INT32, span), span),),
        (kir.Declare(counter, value, span), *loop.body),
        span,
        loop.comments,
    )


def _is(expr: kir.Expr, variable: kir.Variable) -> bool:
    plain = without_index_casts(expr)
    return isinstance(plain, kir.VarRef) and plain.variable is variable


def _constant(expr: kir.Expr) -> int | None:
    plain = without_index_casts(expr)
    if isinstance(plain, kir.Const) and isinstance(plain.value, int) and not isinstance(plain.value, bool):
        return plain.value
    return None
