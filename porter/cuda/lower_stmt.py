"""Statements other than declarations, loops and `switch`."""

from __future__ import annotations

from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor, Kind, children
from porter.cuda.kir import BOOL, Break, Const, Continue, Expr, If, Return, Void
from porter.cuda.lower_context import Lowering, effect, expression, statement
from porter.cuda.lower_expr import lower_erased
from porter.cuda.lower_types import is_erased

_UNSUPPORTED = {
    Kind.GOTO_STMT: ("TIL005", "`goto` has no structured form"),
    Kind.INDIRECT_GOTO_STMT: ("TIL005", "`goto` has no structured form"),
    Kind.LABEL_STMT: ("TIL005", "a label is a target of `goto`"),
    Kind.CXX_TRY_STMT: ("TIL007", "exceptions do not exist on the device"),
    Kind.CXX_THROW_EXPR: ("TIL007", "exceptions do not exist on the device"),
    Kind.ASM_STMT: ("TIL008", "inline assembly has no meaning on another target"),
    Kind.CXX_NEW_EXPR: ("TIL014", "memory is allocated inside the kernel"),
    Kind.CXX_DELETE_EXPR: ("TIL014", "memory is freed inside the kernel"),
    Kind.CXX_FOR_RANGE_STMT: ("TIL016", "a range-based `for` is not supported"),
    Kind.CXX_DYNAMIC_CAST_EXPR: ("TIL006", "types are not known at run time on the device"),
}


@statement(*_UNSUPPORTED)
def refuse(ctx: Lowering, cursor: Cursor) -> None:
    code, message = _UNSUPPORTED[cursor.kind]
    raise ctx.decline(code, message, cursor)


@expression(Kind.CXX_NEW_EXPR, Kind.CXX_THROW_EXPR, Kind.CXX_DYNAMIC_CAST_EXPR)
def refuse_value(ctx: Lowering, cursor: Cursor) -> Expr:
    code, message = _UNSUPPORTED[cursor.kind]
    raise ctx.decline(code, message, cursor)


@statement(Kind.COMPOUND_STMT)
def run_compound_statement(ctx: Lowering, cursor: Cursor) -> None:
    for child in children(cursor):
        ctx.run(child)


@statement(Kind.NULL_STMT)
def run_nothing(ctx: Lowering, cursor: Cursor) -> None:
    del ctx, cursor


@effect(Kind.PAREN_EXPR)
def run_parenthesis(ctx: Lowering, cursor: Cursor) -> None:
    ctx.run(children(cursor)[0])


@effect(Kind.UNEXPOSED_EXPR, Kind.CSTYLE_CAST_EXPR, Kind.CXX_STATIC_CAST_EXPR, Kind.CXX_FUNCTIONAL_CAST_EXPR)
def run_conversion(ctx: Lowering, cursor: Cursor) -> None:
    inner = [c for c in children(cursor) if c.kind.is_expression()]
    for child in inner[-1:]:
        ctx.run(child)


@statement(Kind.UNEXPOSED_STMT)
def run_attributed(ctx: Lowering, cursor: Cursor) -> None:
    """A statement with an attribute, such as a loop under `#pragma unroll`."""
    for child in children(cursor):
        if child.kind.is_statement() or child.kind.is_expression():
            ctx.run(child)


@statement(Kind.IF_STMT)
def run_if(ctx: Lowering, cursor: Cursor) -> None:
    comments = ctx.comments(cursor)
    parts = children(cursor)
    while parts[0].kind in (Kind.DECL_STMT, Kind.VAR_DECL):
        ctx.run(parts.pop(0))
    condition = build.cast(ctx.value(parts[0]), BOOL)
    if isinstance(condition, Const):
        for chosen in parts[1:2] if condition.value else parts[2:3]:
            ctx.run(chosen)
        return
    otherwise = ctx.body(parts[2]) if len(parts) > 2 else ()
    ctx.emit(If(condition, ctx.body(parts[1]), otherwise, ctx.span(cursor), comments))


@statement(Kind.BREAK_STMT)
def run_break(ctx: Lowering, cursor: Cursor) -> None:
    ctx.emit(Break(ctx.span(cursor)))


@statement(Kind.CONTINUE_STMT)
def run_continue(ctx: Lowering, cursor: Cursor) -> None:
    ctx.emit(Continue(ctx.span(cursor)))


@statement(Kind.RETURN_STMT)
def run_return(ctx: Lowering, cursor: Cursor) -> None:
    span = ctx.span(cursor)
    inner = [c for c in children(cursor) if c.kind.is_expression()]
    value: Expr | None = None
    if inner:
        value = lower_erased(ctx, inner[0]) if is_erased(inner[0].type) else ctx.value(inner[0])
        if isinstance(value.type, Void):
            value = None
    ctx.emit(Return(value, span))
