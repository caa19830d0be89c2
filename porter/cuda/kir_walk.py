"""Walks KIR: the operands of an expression, the expressions and blocks of a statement, all of a body."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import TypeGuard, cast, get_args

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
    Extension,
    For,
    If,
    Index,
    Kernel,
    MakeVector,
    Member,
    Return,
    Select,
    Stmt,
    Type,
    Unary,
    Variable,
    VarRef,
    While,
)

_EXPRESSIONS = get_args(Expr)


def is_expression(value: object) -> TypeGuard[Expr]:
    return isinstance(value, _EXPRESSIONS)


def extension_fields(statement: Extension) -> dict[str, object]:
    """What a later stage's statement consists of, by its dataclass fields; a tuple is a block."""
    fields = dataclasses.fields(statement)  # type: ignore[arg-type]
    return {f.name: getattr(statement, f.name) for f in fields if f.name not in ("span", "comments")}


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
    if isinstance(statement, Extension):
        return tuple(value for value in extension_fields(statement).values() if is_expression(value))
    return ()


def blocks(statement: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """The statement lists inside a statement."""
    if isinstance(statement, If):
        return (statement.then, statement.otherwise)
    if isinstance(statement, For):
        return (statement.init, statement.body, statement.step)
    if isinstance(statement, While):
        return (statement.body,)
    if isinstance(statement, Extension):
        parts = extension_fields(statement).values()
        return tuple(cast("tuple[Stmt, ...]", value) for value in parts if isinstance(value, tuple))
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


def kernel_types(kernel: Kernel) -> Iterator[Type]:
    """The type of every variable, expression and function of a kernel."""
    yield from (v.type for v in (*kernel.globals, *kernel.parameters))
    for function in kernel.functions.values():
        yield from (function.returns, *(v.type for v in function.parameters))
    for body in (kernel.body, *(f.body for f in kernel.functions.values())):
        yield from (v.type for statement in statements(body) for v in declared_variables(statement))
        yield from (expr.type for expr in expressions(body))


def declared_variables(statement: Stmt) -> tuple[Variable, ...]:
    """The variables that a statement names outside its expressions."""
    if isinstance(statement, Declare):
        return (statement.variable,)
    if isinstance(statement, Extension):
        return tuple(v for v in extension_fields(statement).values() if isinstance(v, Variable))
    return ()
