"""Structural equality and substitution over KIR, and what a statement reads and writes.

Assumes KIR's invariants (pure expressions). Nothing here depends on spans: two expressions with equal
`key` compute the same value wherever both are evaluated.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, cast

from porter.analysis.walk import children, is_expression, walk
from porter.cuda.kir import (
    AddressOf,
    Assign,
    Binary,
    Bitcast,
    Builtin,
    Call,
    CallFunction,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    Index,
    Lvalue,
    MakeVector,
    Member,
    Pointer,
    Return,
    Scalar,
    Select,
    Stmt,
    Unary,
    Variable,
    VarRef,
)

Key: TypeAlias = tuple[object, ...]
Rule: TypeAlias = Callable[[Expr], Expr | None]


def key(expr: Expr) -> Key:
    """Equal for expressions that differ in spans only; variables count by identity."""
    parts = tuple(key(child) for child in children(expr))
    match expr:
        case Const(value=value, type=type_):
            return ("Const", repr(value), str(type_))
        case VarRef(variable=variable):
            return ("VarRef", variable)
        case Builtin(name=name, axis=axis):
            return ("Builtin", name, axis)
        case Unary(op=op) | Binary(op=op):
            return (type(expr).__name__, op, *parts)
        case Cast(type=type_) | Bitcast(type=type_) | MakeVector(type=type_):
            return (type(expr).__name__, str(type_), *parts)
        case Member(field=field):
            return ("Member", field, *parts)
        case Call(name=name) | CallFunction(function=name):
            return (type(expr).__name__, name, *parts)
        case _:
            return (type(expr).__name__, *parts)


def with_children(expr: Expr, new: tuple[Expr, ...]) -> Expr:
    """`expr` with other operands; `new` has as many as `walk.children(expr)` gives, in that order."""
    pending = iter(new)
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(expr):
        value = getattr(expr, field.name)
        if isinstance(value, tuple):
            changes[field.name] = tuple(next(pending) for _ in value)
        elif is_expression(value):
            changes[field.name] = next(pending)
    return dataclasses.replace(expr, **changes) if changes else expr


def transform(expr: Expr, rule: Rule) -> Expr:
    """Replaces the outermost nodes for which `rule` gives an expression; the rest is rebuilt around them."""
    replaced = rule(expr)
    if replaced is not None:
        return replaced
    old = tuple(children(expr))
    new = tuple(transform(child, rule) for child in old)
    return expr if all(a is b for a, b in zip(old, new, strict=True)) else with_children(expr, new)


def substitute(expr: Expr, values: Mapping[Variable, Expr]) -> Expr:
    """Every read of a variable in `values` replaced by its expression."""
    return transform(expr, lambda e: values.get(e.variable) if isinstance(e, VarRef) else None)


def variables(expr: Expr) -> set[Variable]:
    return {e.variable for e in walk(expr) if isinstance(e, VarRef)}


def root(lvalue: Expr) -> Expr:
    """What an lvalue or an address is based on: `a` of `&a[i].x`, the pointer of `p[i]` and of `p + i`."""
    while True:
        match lvalue:
            case Index(base=inner) | Member(base=inner) | AddressOf(lvalue=inner):
                lvalue = inner
            case Cast(operand=inner) | Bitcast(operand=inner):
                lvalue = inner
            case Binary(op="+" | "-", left=inner):
                lvalue = inner
            case _:
                return lvalue


def keeps_value(cast: Cast) -> bool:
    """Whether a conversion keeps every value that an index has: integers, and no bits are lost.

    Between signed and unsigned of one width the bits stay, and an index is in the range of both.
    """
    to, given = cast.type, cast.operand.type
    if isinstance(to, Pointer) or isinstance(given, Pointer):
        return isinstance(to, Pointer) and isinstance(given, Pointer)
    if not isinstance(to, Scalar) or not isinstance(given, Scalar):
        return False
    return _is_whole(given) and to.kind in ("int", "uint") and to.bits >= given.bits


def _is_whole(type_: Scalar) -> bool:
    return type_.kind in ("int", "uint", "bool")


def without_casts(expr: Expr) -> Expr:
    """The value below conversions that keep it."""
    while isinstance(expr, Cast) and keeps_value(expr):
        expr = expr.operand
    return expr


def without_index_casts(expr: Expr) -> Expr:
    """Without casts to integers of at least 32 bits, which keep every index and every thread's number."""
    while isinstance(expr, Cast) and isinstance(expr.type, Scalar) and _holds_indices(expr.type):
        expr = expr.operand
    return expr


def _holds_indices(type_: Scalar) -> bool:
    return type_.kind in ("int", "uint") and type_.bits >= 32


def surely_evaluates(expr: Expr, wanted: Expr) -> bool:
    """Whether evaluating `expr` evaluates its part `wanted` for certain: not in an arm of `?:`, nor on the
    right of `&&` and `||`."""
    if expr is wanted:
        return True
    parts = tuple(children(expr))
    is_choice = isinstance(expr, Select) or (isinstance(expr, Binary) and expr.op in ("&&", "||"))
    return any(surely_evaluates(part, wanted) for part in (parts[:1] if is_choice else parts))


# --- statements --------------------------------------------------------------------------------------

_BODIES = ("init", "then", "otherwise", "body", "step")


def bodies(stmt: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """The statement lists directly inside a statement, in program order (a loop's step last)."""
    return tuple(body for name in _BODIES if (body := getattr(stmt, name, ())))


def statements(block: Iterable[Stmt]) -> Iterator[Stmt]:
    """Every statement at any depth, in program order."""
    for stmt in block:
        yield stmt
        for body in bodies(stmt):
            yield from statements(body)


def own_expressions(stmt: Stmt) -> Iterator[Expr]:
    """The expressions of the statement itself, not of those nested in it; an assignment's target first."""
    for field in dataclasses.fields(cast(Any, stmt)):
        value = getattr(stmt, field.name)
        if is_expression(value):
            yield value


def reads(stmt: Stmt) -> Iterator[Expr]:
    """Expressions whose value the statement itself uses: of a target the indices and pointers."""
    match stmt:
        case Assign(target=target, value=value):
            yield from _target_reads(target)
            yield value
        case _:
            yield from own_expressions(stmt)


def _target_reads(target: Expr) -> Iterator[Expr]:
    match target:
        case VarRef():
            return
        case Index(base=base, index=index):
            if isinstance(base.type, Pointer):
                yield base
            else:
                yield from _target_reads(base)
            yield index
        case Member(base=base):
            yield from _target_reads(base)
        case _:
            yield target


def written(stmt: Stmt) -> Variable | None:
    """The variable that the statement itself changes, whole or in part; None for stores through pointers."""
    match stmt:
        case Declare(variable=variable):
            return variable
        case Assign(target=target):
            base = root(target)
            return base.variable if isinstance(base, VarRef) and not through_pointer(target) else None
        case _:
            extension_target = getattr(stmt, "target", None)
            return extension_target if isinstance(extension_target, Variable) else None


def through_pointer(lvalue: Expr) -> bool:
    """Is this memory that a pointer points to, and no part of the variable at its root?"""
    while isinstance(lvalue, Index | Member):
        if isinstance(lvalue.base.type, Pointer):
            return True
        lvalue = lvalue.base
    return not isinstance(lvalue, VarRef)


def map_reads(stmt: Stmt, rule: Rule) -> Stmt:
    """The statement with `rule` applied to every value read in it, at any depth; store targets stay."""
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(cast(Any, stmt)):
        value = getattr(stmt, field.name)
        if isinstance(stmt, Assign) and field.name == "target":
            changes["target"] = _map_target(stmt.target, rule)
        elif is_expression(value):
            changes[field.name] = transform(value, rule)
        elif field.name in _BODIES:
            changes[field.name] = tuple(map_reads(s, rule) for s in value)
    return cast(Stmt, dataclasses.replace(cast(Any, stmt), **changes)) if changes else stmt


def _map_target(target: Expr, rule: Rule) -> Lvalue:
    match target:
        case Index(base=base, index=index):
            return dataclasses.replace(target, base=_map_base(base, rule), index=transform(index, rule))
        case Member(base=base):
            return dataclasses.replace(target, base=_map_base(base, rule))
        case _:
            return cast(Lvalue, target)


def _map_base(base: Expr, rule: Rule) -> Expr:
    return _map_target(base, rule) if isinstance(base, VarRef | Index | Member) else transform(base, rule)


def definitions(body: Iterable[Stmt]) -> dict[Variable, Expr]:
    """The pure defining expression of each local that is declared with a value and never changed again."""
    everything = tuple(statements(body))
    changes = Counter(v for v in (written(s) for s in everything) if v is not None)
    addressed = {
        base.variable
        for stmt in everything
        for expr in own_expressions(stmt)
        for e in walk(expr)
        if isinstance(e, AddressOf) and isinstance(base := root(e.lvalue), VarRef)
    }
    return {
        s.variable: s.value
        for s in everything
        if isinstance(s, Declare)
        and s.value is not None
        and changes[s.variable] == 1
        and s.variable not in addressed
        and evaluates(s) is None
    }


def evaluates(stmt: Stmt) -> Call | CallFunction | None:
    """The call that is the whole of an `Evaluate` or the whole right-hand side, effects included."""
    match stmt:
        case Evaluate(call=call):
            return call
        case Declare(value=Call() | CallFunction() as value):
            return value
        case Assign(value=Call() | CallFunction() as value):
            return value
        case Return(value=Call() | CallFunction() as value):
            return value
        case _:
            return None
