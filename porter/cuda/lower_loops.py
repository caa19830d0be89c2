"""`for`, `while` and `do`; a condition with an effect moves into the body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor, Kind, children
from porter.cuda.kir import BOOL, Assign, Break, Const, Continue, Declare, Expr, For, If, Stmt, While
from porter.cuda.kir_walk import blocks
from porter.cuda.lower_context import Lowering, statement


@statement(Kind.FOR_STMT)
def run_for(ctx: Lowering, cursor: Cursor) -> None:
    comments, span = ctx.comments(cursor), ctx.span(cursor)
    *head, body_cursor = children(cursor)
    declared = [c for c in head if c.kind == Kind.VAR_DECL]
    init_cursor, condition_cursor, step_cursor = for_parts(
        ctx, cursor, [c for c in head if c not in declared]
    )
    init = _bare(ctx.body(init_cursor)) if init_cursor is not None else ()
    test, condition = _condition(ctx, condition_cursor, cursor, declared)
    step = _bare(ctx.body(step_cursor)) if step_cursor is not None else ()
    body = (*test, *ctx.body(body_cursor))
    ctx.emit(For(init, condition, step, body, span, comments))


def _bare(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The comments of a loop's line are the loop's, not those of its parts."""
    return tuple(replace(s, comments=()) if isinstance(s, (Declare, Assign)) else s for s in body)


def _condition(
    ctx: Lowering, cursor: Cursor | None, loop: Cursor, declared: Sequence[Cursor] = ()
) -> tuple[tuple[Stmt, ...], Expr]:
    """The loop's condition; where it declares or has an effect, a test at the beginning of the body."""
    if cursor is None:
        return (), build.constant(True, BOOL, ctx.span(loop))
    with ctx.block() as effects:
        for declaration in declared:
            ctx.run(declaration)
        condition = build.cast(ctx.value(cursor), BOOL)
    if not effects:
        return (), condition
    span = ctx.span(cursor)
    leave = If(build.logical_not(condition, span), (Break(span),), (), span)
    return (*effects, leave), Const(True, BOOL, span)


def for_parts(
    ctx: Lowering, cursor: Cursor, head: list[Cursor]
) -> tuple[Cursor | None, Cursor | None, Cursor | None]:
    """Init, condition and step: libclang leaves out empty ones, so the semicolons tell them apart."""
    if len(head) == 3:
        return head[0], head[1], head[2]
    first, second = _semicolons(ctx, cursor)
    parts: list[Cursor | None] = [None, None, None]
    for child in head:
        start = child.extent.start.offset
        parts[0 if start < first else 1 if start < second else 2] = child
    return parts[0], parts[1], parts[2]


def _semicolons(ctx: Lowering, cursor: Cursor) -> tuple[int, int]:
    start = cursor.extent.start
    text = ctx.unit.source_of(start.file.name).text if start.file else ""
    found: list[int] = []
    depth = 0
    for position in range(text.find("(", start.offset), cursor.extent.end.offset):
        character = text[position]
        depth += (character in "([{") - (character in ")]}")
        if character == ";" and depth == 1:
            found.append(position)
        if depth == 0 or len(found) == 2:
            break
    if len(found) != 2:
        raise ctx.decline("TIL016", "the parts of this `for` cannot be told apart", cursor)
    return found[0], found[1]


@statement(Kind.WHILE_STMT)
def run_while(ctx: Lowering, cursor: Cursor) -> None:
    comments, span = ctx.comments(cursor), ctx.span(cursor)
    *declarations, condition_cursor, body_cursor = children(cursor)
    test, condition = _condition(ctx, condition_cursor, cursor, declarations)
    ctx.emit(While(condition, (*test, *ctx.body(body_cursor)), span, False, comments))


@statement(Kind.DO_STMT)
def run_do(ctx: Lowering, cursor: Cursor) -> None:
    comments, span = ctx.comments(cursor), ctx.span(cursor)
    body_cursor, condition_cursor = children(cursor)
    body = ctx.body(body_cursor)
    test, condition = _condition(ctx, condition_cursor, cursor)
    if isinstance(condition, Const) and not condition.value and not continues(body) and not _breaks(body):
        for inner in body:
            ctx.emit(inner)
        return
    if test:
        body = _with_test_at_continues(body, lambda: _condition(ctx, condition_cursor, cursor)[0])
    ctx.emit(While(condition, (*body, *test), span, not test, comments))


def _with_test_at_continues(body: tuple[Stmt, ...], test: Callable[[], tuple[Stmt, ...]]) -> tuple[Stmt, ...]:
    """A `continue` of a `do` loop goes to its condition: the test, with its own names, in front of each."""
    found: list[Stmt] = []
    for inner in body:
        match inner:
            case Continue():
                found += [*test(), inner]
            case If(then=then, otherwise=otherwise):
                sides = (_with_test_at_continues(side, test) for side in (then, otherwise))
                found.append(replace(inner, then=next(sides), otherwise=next(sides)))
            case _:
                found.append(inner)
    return tuple(found)


def continues(body: tuple[Stmt, ...]) -> bool:
    """Whether a `continue` belongs to the loop that `body` is the body of."""
    return _leaves(body, Continue)


def _breaks(body: tuple[Stmt, ...]) -> bool:
    return _leaves(body, Break)


def _leaves(body: tuple[Stmt, ...], kind: type[Stmt]) -> bool:
    for inner in body:
        if isinstance(inner, kind):
            return True
        if isinstance(inner, If) and any(_leaves(block, kind) for block in blocks(inner)):
            return True
    return False
