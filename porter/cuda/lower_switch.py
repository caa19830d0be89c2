"""`switch` as a chain of `If`s; a case that falls through has the next one's statements after its own."""

from __future__ import annotations

from dataclasses import dataclass, field

from porter.core.span import Span
from porter.cuda import kir_build as build
from porter.cuda.clang_cursor import Cursor, Kind, children
from porter.cuda.kir import BOOL, Binary, Break, Continue, Expr, If, Return, Stmt
from porter.cuda.lower_context import Lowering, statement
from porter.cuda.structure_exits import break_exits, has_exit, structure_exits

_MAX_REPEATED_STATEMENTS = 64


@dataclass
class _Case:
    """Labels that share a body; `values` without None for `default`."""

    values: list[Cursor] = field(default_factory=list)
    is_default: bool = False
    body: list[Cursor] = field(default_factory=list)


@statement(Kind.SWITCH_STMT)
def run_switch(ctx: Lowering, cursor: Cursor) -> None:
    comments, span = ctx.comments(cursor), ctx.span(cursor)
    *head, body = children(cursor)
    for declaration in head[:-1]:
        ctx.run(declaration)
    selector = ctx.freeze(ctx.value(head[-1]), "selector")
    cases = _cases(ctx, body)
    chain = _chain(ctx, selector, cases, span)
    for position, inner in enumerate(chain):
        if position == 0 and isinstance(inner, If):
            inner = If(inner.condition, inner.then, inner.otherwise, inner.span, comments)
        ctx.emit(inner)


def _cases(ctx: Lowering, body: Cursor) -> list[_Case]:
    cases: list[_Case] = []
    for child in children(body) if body.kind == Kind.COMPOUND_STMT else [body]:
        if child.kind in (Kind.CASE_STMT, Kind.DEFAULT_STMT):
            cases.append(_labelled(child))
        elif cases:
            cases[-1].body.append(child)
        else:
            raise ctx.decline("TIL013", "a statement before the first `case`", child)
    return cases


def _labelled(label: Cursor) -> _Case:
    """`case 1: case 2: first statement` nests; its labels are gathered into one case."""
    case = _Case()
    while label.kind in (Kind.CASE_STMT, Kind.DEFAULT_STMT):
        parts = children(label)
        if label.kind == Kind.CASE_STMT:
            case.values.append(parts[0])
        else:
            case.is_default = True
        label = parts[-1]
    case.body.append(label)
    return case


def _chain(ctx: Lowering, selector: Expr, cases: list[_Case], span: Span) -> tuple[Stmt, ...]:
    """The `If`s from the last case to the first; `default` is what is left, wherever it stands."""
    default = next((i for i, case in enumerate(cases) if case.is_default), None)
    chain = _case_body(ctx, cases, default, span) if default is not None else ()
    for position in reversed(range(len(cases))):
        case = cases[position]
        if case.is_default or not case.values:
            continue
        condition = _matches(ctx, selector, case)
        chain = (If(condition, _case_body(ctx, cases, position, span), chain, ctx.span(case.values[0])),)
    return chain


def _matches(ctx: Lowering, selector: Expr, case: _Case) -> Expr:
    tests = [
        build.compare("==", selector, build.cast(ctx.value(v), selector.type), ctx.span(v))
        for v in case.values
    ]
    condition = tests[0]
    for test in tests[1:]:
        condition = Binary("||", condition, test, BOOL, condition.span)
    return condition


def _case_body(ctx: Lowering, cases: list[_Case], first: int, span: Span) -> tuple[Stmt, ...]:
    """What runs from a label on: its own statements and those it falls into, up to the `break`."""
    with ctx.block() as lowered:
        for case in cases[first:]:
            for cursor in case.body:
                ctx.run(cursor)
            if (lowered and isinstance(lowered[-1], Break)) or _ends(lowered):
                break
    if len(lowered) > _MAX_REPEATED_STATEMENTS:
        raise ctx.decline("TIL013", "a long case falls through into others", cases[first].body[0])
    body = tuple(lowered)
    exits = break_exits()
    return structure_exits(body, exits, "left_switch", span) if has_exit(body, exits) else body


def _ends(lowered: list[Stmt]) -> bool:
    """The case returns or continues, so nothing falls through."""
    return bool(lowered) and isinstance(lowered[-1], (Return, Continue))
