"""Removes early exits from a statement list: `return` of an inlined function, `break` of a `switch`.

The exit becomes an assignment; what would have been skipped goes into the other branch where that is
possible, else behind a flag.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    Assign,
    Break,
    Const,
    Continue,
    Declare,
    For,
    If,
    Return,
    Stmt,
    Storage,
    Unary,
    Variable,
    VarRef,
    While,
)
from porter.cuda.kir_walk import blocks


@dataclass(frozen=True)
class Exits:
    """What counts as an exit, and the statements that take its place."""

    is_exit: Callable[[Stmt], bool]
    on_exit: Callable[[Stmt], tuple[Stmt, ...]]
    enters_loops: bool


@dataclass
class _Flag:
    """Declared only when some exit needs it."""

    variable: Variable
    used: bool = False

    def read(self, span: Span) -> VarRef:
        self.used = True
        return VarRef(self.variable, BOOL, span)


def structure_exits(body: tuple[Stmt, ...], exits: Exits, flag_name: str, span: Span) -> tuple[Stmt, ...]:
    """`body` without exits: control leaves only at its end."""
    flag = _Flag(Variable(flag_name, BOOL, Storage.LOCAL, span))
    structured = _structured(body, exits, flag)
    if not flag.used:
        return structured
    return (Declare(flag.variable, Const(False, BOOL, span), span), *structured)


def return_exits(result: Variable | None) -> Exits:
    """Exits of an inlined function whose value goes to `result`."""

    def on_exit(statement: Stmt) -> tuple[Stmt, ...]:
        assert isinstance(statement, Return)
        if result is None or statement.value is None:
            return ()
        return (Assign(VarRef(result, result.type, statement.span), statement.value, statement.span),)

    return Exits(lambda s: isinstance(s, Return), on_exit, enters_loops=True)


def break_exits() -> Exits:
    """The `break`s of a `switch`: those of loops inside it are not meant."""
    return Exits(lambda s: isinstance(s, Break), lambda _: (), enters_loops=False)


def has_exit(body: tuple[Stmt, ...], exits: Exits) -> bool:
    return any(exits.is_exit(s) or _inside(s, exits) for s in body)


def _inside(statement: Stmt, exits: Exits) -> bool:
    if isinstance(statement, (For, While)) and not exits.enters_loops:
        return False
    return any(has_exit(block, exits) for block in blocks(statement))


def _always_leaves(body: tuple[Stmt, ...], exits: Exits) -> bool:
    if not body:
        return False
    last = body[-1]
    if exits.is_exit(last) or isinstance(last, (Continue, Break, Return)):
        return True
    if isinstance(last, If):
        return _always_leaves(last.then, exits) and _always_leaves(last.otherwise, exits)
    return False


def _structured(body: tuple[Stmt, ...], exits: Exits, flag: _Flag) -> tuple[Stmt, ...]:
    out: list[Stmt] = []
    for position, statement in enumerate(body):
        if exits.is_exit(statement):
            return (*out, *exits.on_exit(statement))
        if not _inside(statement, exits):
            out.append(statement)
            continue
        rest = body[position + 1 :]
        return (*out, *_around(statement, rest, exits, flag))
    return tuple(out)


def _around(statement: Stmt, rest: tuple[Stmt, ...], exits: Exits, flag: _Flag) -> tuple[Stmt, ...]:
    """`statement`, which has an exit inside, and what follows it."""
    if isinstance(statement, If):
        return _around_if(statement, rest, exits, flag)
    assert isinstance(statement, (For, While))
    loop = replace(statement, body=_flagged(statement.body, exits, flag, in_loop=True))
    return (loop, *_unless_left(rest, exits, flag, statement.span))


def _around_if(statement: If, rest: tuple[Stmt, ...], exits: Exits, flag: _Flag) -> tuple[Stmt, ...]:
    then, otherwise = statement.then, statement.otherwise
    if _always_leaves(then, exits):
        joined = _structured((*otherwise, *rest), exits, flag)
        return (replace(statement, then=_structured(then, exits, flag), otherwise=joined),)
    if otherwise and _always_leaves(otherwise, exits):
        joined = _structured((*then, *rest), exits, flag)
        return (replace(statement, then=joined, otherwise=_structured(otherwise, exits, flag)),)
    if not rest:
        return (
            replace(
                statement,
                then=_structured(then, exits, flag),
                otherwise=_structured(otherwise, exits, flag),
            ),
        )
    marked = replace(
        statement,
        then=_flagged(then, exits, flag, in_loop=False),
        otherwise=_flagged(otherwise, exits, flag, in_loop=False),
    )
    return (marked, *_unless_left(rest, exits, flag, statement.span))


def _unless_left(rest: tuple[Stmt, ...], exits: Exits, flag: _Flag, span: Span) -> tuple[Stmt, ...]:
    if not rest:
        return ()
    condition = Unary("!", flag.read(span), BOOL, span)
    return (If(condition, _structured(rest, exits, flag), (), span),)


def _flagged(body: tuple[Stmt, ...], exits: Exits, flag: _Flag, *, in_loop: bool) -> tuple[Stmt, ...]:
    """`body` whose exits also set the flag (and leave the loop they are in)."""
    out: list[Stmt] = []
    for position, statement in enumerate(body):
        if exits.is_exit(statement):
            return (*out, *exits.on_exit(statement), *_set(flag, statement.span, in_loop))
        if not _inside(statement, exits):
            out.append(statement)
            continue
        out += _flagged_inside(statement, body[position + 1 :], exits, flag, in_loop)
        return tuple(out)
    return tuple(out)


def _set(flag: _Flag, span: Span, in_loop: bool) -> tuple[Stmt, ...]:
    mark = Assign(flag.read(span), Const(True, BOOL, span), span)
    return (mark, Break(span)) if in_loop else (mark,)


def _flagged_inside(
    statement: Stmt, rest: tuple[Stmt, ...], exits: Exits, flag: _Flag, in_loop: bool
) -> tuple[Stmt, ...]:
    if isinstance(statement, If):
        marked: Stmt = replace(
            statement,
            then=_flagged(statement.then, exits, flag, in_loop=in_loop),
            otherwise=_flagged(statement.otherwise, exits, flag, in_loop=in_loop),
        )
    else:
        assert isinstance(statement, (For, While))
        marked = replace(statement, body=_flagged(statement.body, exits, flag, in_loop=True))
    if in_loop:
        leave = (
            ()
            if isinstance(statement, If)
            else (If(flag.read(statement.span), (Break(statement.span),), (), statement.span),)
        )
        return (marked, *leave, *_flagged(rest, exits, flag, in_loop=True))
    if not rest:
        return (marked,)
    condition = Unary("!", flag.read(statement.span), BOOL, statement.span)
    return (marked, If(condition, _flagged(rest, exits, flag, in_loop=False), (), statement.span))
