"""Removes `break`, `continue` and `return` in favour of conditions, so that only branches and loops remain.

Triton has neither `break` nor `continue`, and a thread that leaves early is a mask. A guard at the top
level (`if (i >= n) return;`) stays: the vectoriser turns it into the mask of all that follows.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from porter.analysis.walk import walk
from porter.core.span import Span
from porter.cuda import kir

_EXITS = (kir.Break, kir.Continue, kir.Return)


def structure_exits(kernel: kir.Kernel) -> kir.Kernel:
    """The same kernel without exits, apart from guards at the top level of its body."""
    return dataclasses.replace(kernel, body=_Structurer().top_level(kernel.body))


def contains(node: kir.Stmt | tuple[kir.Stmt, ...], kinds: tuple[type, ...]) -> bool:
    """Whether an exit of `kinds` under `node` leaves what `node` stands in, and not a loop inside it."""
    if isinstance(node, tuple):
        return any(contains(statement, kinds) for statement in node)
    if isinstance(node, kinds):
        return True
    if isinstance(node, kir.If):
        return contains(node.then, kinds) or contains(node.otherwise, kinds)
    if isinstance(node, (kir.For, kir.While)):
        return kir.Return in kinds and any(isinstance(inner, kir.Return) for inner in walk(node))
    return False


@dataclass
class _Flags:
    """The flags of the innermost loop, made when an exit first needs one."""

    left: kir.Variable | None = None
    skipped: kir.Variable | None = None


@dataclass
class _Structurer:
    returned: kir.Variable | None = None
    loops: list[_Flags] = field(default_factory=list)

    def top_level(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        body = _without_final_return(body)
        result = self.sequence(body, guards=True)
        if self.returned is None:
            return result
        return (_declare(self.returned), *result)

    def sequence(self, body: tuple[kir.Stmt, ...], *, guards: bool = False) -> tuple[kir.Stmt, ...]:
        """Statements in order; what follows a possible exit runs only where nothing was left."""
        out: list[kir.Stmt] = []
        for position, statement in enumerate(body):
            rest = body[position + 1 :]
            if isinstance(statement, _EXITS):
                out.append(self.exit(statement))
                return tuple(out)
            if not contains(statement, _EXITS):
                out.append(self.inside(statement))
                continue
            if guards and _is_guard(statement):
                assert isinstance(statement, kir.If)
                then = self.sequence(statement.then[:-1])
                out.append(dataclasses.replace(statement, then=(*then, statement.then[-1])))
                continue
            return (*out, *self.split(statement, rest))
        return tuple(out)

    def split(self, statement: kir.Stmt, rest: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        """A statement some of whose threads leave, and what the others go on with."""
        if isinstance(statement, kir.If) and _always_leaves(statement.then):
            otherwise = self.sequence((*statement.otherwise, *rest))
            return (dataclasses.replace(statement, then=self.sequence(statement.then), otherwise=otherwise),)
        if isinstance(statement, kir.If) and _always_leaves(statement.otherwise):
            then = self.sequence((*statement.then, *rest))
            otherwise = self.sequence(statement.otherwise)
            return (dataclasses.replace(statement, then=then, otherwise=otherwise),)
        changed = self.inside(statement)
        if not rest:
            return (changed,)
        guard = self.nothing_left(statement)
        return (changed, kir.If(guard, self.sequence(rest), (), rest[0].span))

    def inside(self, statement: kir.Stmt) -> kir.Stmt:
        match statement:
            case kir.If(_, then, otherwise):
                return dataclasses.replace(
                    statement, then=self.sequence(then), otherwise=self.sequence(otherwise)
                )
            case kir.For():
                return self.for_loop(statement)
            case kir.While():
                return self.while_loop(statement)
            case _:
                return statement

    def exit(self, statement: kir.Stmt) -> kir.Stmt:
        if isinstance(statement, kir.Return):
            self.returned = self.returned or _flag("returned", statement.span)
            return _raise(self.returned, statement.span)
        flags = self.loops[-1]
        if isinstance(statement, kir.Break):
            flags.left = flags.left or _flag("done", statement.span)
            return _raise(flags.left, statement.span)
        flags.skipped = flags.skipped or _flag("skipped", statement.span)
        return _raise(flags.skipped, statement.span)

    def nothing_left(self, statement: kir.Stmt) -> kir.Expr:
        """The condition that no exit inside `statement` was taken."""
        flags: list[kir.Variable | None] = []
        if contains(statement, (kir.Return,)):
            flags.append(self.returned)
        if self.loops and contains(statement, (kir.Break,)):
            flags.append(self.loops[-1].left)
        if self.loops and contains(statement, (kir.Continue,)):
            flags.append(self.loops[-1].skipped)
        conditions = [_not(flag, statement.span) for flag in flags if flag is not None]
        return _all(conditions)

    def for_loop(self, loop: kir.For) -> kir.Stmt:
        self.loops.append(_Flags())
        body = self.sequence(loop.body)
        flags = self.loops.pop()
        declared = any(isinstance(statement, kir.Declare) for statement in loop.init)
        left = self.leavers(loop.body, flags, loop.span)
        if left and not declared:
            # The loop variable outlives the loop: a thread that left must not step it.
            body = (*body, kir.If(_all(left), loop.step, (), loop.span))
            loop = dataclasses.replace(loop, step=())
        body = _with_skip(flags, body)
        condition = _all([*left, loop.condition])
        init = (*_declarations(flags.left), *loop.init)
        return dataclasses.replace(loop, init=init, condition=condition, body=body)

    def while_loop(self, loop: kir.While) -> kir.Stmt:
        self.loops.append(_Flags())
        body = self.sequence(loop.body)
        flags = self.loops.pop()
        left = self.leavers(loop.body, flags, loop.span)
        body = _with_skip(flags, body)
        changed = dataclasses.replace(loop, condition=_all([*left, loop.condition]), body=body)
        if flags.left is None:
            return changed
        if loop.do_while:
            return kir.If(
                kir.Const(True, kir.BOOL, loop.span), (_declare(flags.left), changed), (), loop.span
            )
        return kir.For((_declare(flags.left),), changed.condition, (), body, loop.span, loop.comments)

    def leavers(self, body: tuple[kir.Stmt, ...], flags: _Flags, span: Span) -> list[kir.Expr]:
        """`!done`, `!returned`: what the loop's condition needs besides its own."""
        left: list[kir.Expr] = []
        if self.returned is not None and contains(body, (kir.Return,)):
            left.append(_not(self.returned, span))
        if flags.left is not None:
            left.append(_not(flags.left, span))
        return left


def _without_final_return(body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
    return body[:-1] if body and isinstance(body[-1], kir.Return) else body


def _is_guard(statement: kir.Stmt) -> bool:
    """`if (c) { …; return; }` whose only exit is the final `return`."""
    return (
        isinstance(statement, kir.If)
        and not statement.otherwise
        and bool(statement.then)
        and isinstance(statement.then[-1], kir.Return)
        and not contains(statement.then[:-1], _EXITS)
    )


def _always_leaves(body: tuple[kir.Stmt, ...]) -> bool:
    return bool(body) and isinstance(body[-1], _EXITS) and not contains(body[:-1], _EXITS)


def _with_skip(flags: _Flags, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
    return (*_declarations(flags.skipped), *body)


def _declarations(flag: kir.Variable | None) -> tuple[kir.Stmt, ...]:
    return () if flag is None else (_declare(flag),)


def _declare(flag: kir.Variable) -> kir.Stmt:
    return kir.Declare(flag, kir.Const(False, kir.BOOL, flag.span), flag.span)


def _flag(name: str, span: Span) -> kir.Variable:
    return kir.Variable(name, kir.BOOL, kir.Storage.LOCAL, span)


def _raise(flag: kir.Variable, span: Span) -> kir.Stmt:
    return kir.Assign(kir.VarRef(flag, kir.BOOL, span), kir.Const(True, kir.BOOL, span), span)


def _not(flag: kir.Variable, span: Span) -> kir.Expr:
    return kir.Unary("!", kir.VarRef(flag, kir.BOOL, span), kir.BOOL, span)


def _all(conditions: list[kir.Expr]) -> kir.Expr:
    result = conditions[0]
    for condition in conditions[1:]:
        result = kir.Binary("&&", result, condition, kir.BOOL, condition.span)
    return result
