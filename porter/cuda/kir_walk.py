"""Walks and rewrites KIR: children of an expression, every expression of a statement, mapping bottom-up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from porter.cuda.kir import (
    AddressOf,
    Assign,
    Binary,
    Bitcast,
    Call,
    CallFunction,
    Cast,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Index,
    MakeVector,
    Member,
    Return,
    Select,
    Stmt,
    Unary,
    Variable,
    VarRef,
    While,
)


def operands(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands of an expression, left to right."""
    if isinstance(expr, (Unary, Cast, Bitcast)):
        return (expr.operand,)
    if isinstance(expr, Binary):
        return (expr.left, expr.right)
    if isinstance(expr, Select):
        return (expr.condition, expr.if_true, expr.if_false)
    if isinstance(expr, Index):
        return (expr.base, expr.index)
    if isinstance(expr, Member):
        return (expr.base,)
    if isinstance(expr, AddressOf):
        return (expr.lvalue,)
    if isinstance(expr, MakeVector):
        return expr.elements
    if isinstance(expr, (Call, CallFunction)):
        return expr.arguments
    return ()


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """`expr` and everything inside it, outermost first."""
    yield expr
    for operand in operands(expr):
        yield from subexpressions(operand)


def map_expression(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Rebuilds `expr` with `change` applied to every node, innermost first."""
    return change(_with_operands(expr, tuple(map_expression(o, change) for o in operands(expr))))


_E = TypeVar("_E", bound=Expr)


def map_operands(expr: _E, change: Callable[[Expr], Expr]) -> _E:
    """Rebuilds one node with `change` applied to its direct operands, left to right."""
    rebuilt = _with_operands(expr, tuple(change(o) for o in operands(expr)))
    assert type(rebuilt) is type(expr)
    return rebuilt


def _with_operands(expr: Expr, new: tuple[Expr, ...]) -> Expr:
    if all(a is b for a, b in zip(new, operands(expr), strict=True)):
        return expr
    if isinstance(expr, (Unary, Cast, Bitcast)):
        return replace(expr, operand=new[0])
    if isinstance(expr, Binary):
        return replace(expr, left=new[0], right=new[1])
    if isinstance(expr, Select):
        return replace(expr, condition=new[0], if_true=new[1], if_false=new[2])
    if isinstance(expr, Index):
        return replace(expr, base=new[0], index=new[1])
    if isinstance(expr, Member):
        return replace(expr, base=new[0])
    if isinstance(expr, AddressOf):
        return _new_address(expr, new[0])
    if isinstance(expr, MakeVector):
        return replace(expr, elements=new)
    assert isinstance(expr, (Call, CallFunction))
    return replace(expr, arguments=new)


def _new_address(expr: AddressOf, place: Expr) -> Expr:
    assert isinstance(place, (VarRef, Index, Member))
    return replace(expr, lvalue=place)


def statement_expressions(statement: Stmt) -> tuple[Expr, ...]:
    """The expressions a statement holds itself, without those of its blocks."""
    if isinstance(statement, (Declare, Return)):
        return () if statement.value is None else (statement.value,)
    if isinstance(statement, Assign):
        return (statement.target, statement.value)
    if isinstance(statement, Evaluate):
        return (statement.call,)
    if isinstance(statement, (If, For, While)):
        return (statement.condition,)
    return ()


def blocks(statement: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """The statement lists inside a statement."""
    if isinstance(statement, If):
        return (statement.then, statement.otherwise)
    if isinstance(statement, For):
        return (statement.init, statement.body, statement.step)
    if isinstance(statement, While):
        return (statement.body,)
    return ()


def statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """Every statement, nested ones included, in source order."""
    for statement in body:
        yield statement
        for block in blocks(statement):
            yield from statements(block)


def expressions(body: Iterable[Stmt]) -> Iterator[Expr]:
    """Every expression node of every statement."""
    for statement in statements(body):
        for expr in statement_expressions(statement):
            yield from subexpressions(expr)


def variables(body: Iterable[Stmt]) -> Iterator[Variable]:
    for expr in expressions(body):
        if isinstance(expr, VarRef):
            yield expr.variable


def map_statements(body: Iterable[Stmt], change: Callable[[Expr], Expr]) -> tuple[Stmt, ...]:
    """Applies `map_expression` to every expression of every statement."""
    return tuple(_mapped(s, change) for s in body)


def _mapped(statement: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    def go(expr: Expr) -> Expr:
        return map_expression(expr, change)

    def inner(block: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return map_statements(block, change)

    if isinstance(statement, (Declare, Return)):
        return statement if statement.value is None else replace(statement, value=go(statement.value))
    if isinstance(statement, Assign):
        target = go(statement.target)
        assert isinstance(target, (VarRef, Index, Member))
        return replace(statement, target=target, value=go(statement.value))
    if isinstance(statement, Evaluate):
        call = go(statement.call)
        assert isinstance(call, (Call, CallFunction))
        return replace(statement, call=call)
    if isinstance(statement, If):
        return replace(
            statement,
            condition=go(statement.condition),
            then=inner(statement.then),
            otherwise=inner(statement.otherwise),
        )
    if isinstance(statement, For):
        return replace(
            statement,
            init=inner(statement.init),
            condition=go(statement.condition),
            step=inner(statement.step),
            body=inner(statement.body),
        )
    if isinstance(statement, While):
        return replace(statement, condition=go(statement.condition), body=inner(statement.body))
    return statement
