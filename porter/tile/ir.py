"""Tile IR: what one Triton program computes, close to the text that is printed.

A value is a scalar or a tensor over the threads of the block. Its `axes` are the thread axes along which it
differs (empty: a scalar); the shape is the layout's size along those axes and 1 along the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from porter.cuda.kir import Scalar

Axes: TypeAlias = frozenset[str]
UNIFORM: Axes = frozenset()


@dataclass(frozen=True)
class TileType:
    """`pointer` names the parameter or scratch buffer a pointer value points into; empty for no pointer."""

    dtype: Scalar
    axes: Axes = UNIFORM
    pointer: str = ""


# --- expressions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Literal:
    value: int | float | bool
    type: TileType


@dataclass(frozen=True)
class Name:
    """`weak`: a Python number in some execution mode, so it has no methods and no fixed width."""

    name: str
    type: TileType
    weak: bool = False


@dataclass(frozen=True)
class Prefix:
    op: str
    operand: Expr
    type: TileType


@dataclass(frozen=True)
class Infix:
    op: str
    left: Expr
    right: Expr
    type: TileType


@dataclass(frozen=True)
class Invoke:
    """A call of a function of `tl` or of the module; `keywords` are printed after the arguments."""

    function: str
    arguments: tuple[Expr, ...]
    type: TileType
    keywords: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True)
class Convert:
    """A conversion to `type.dtype`, of the value or (with `bitcast`) of the bits."""

    operand: Expr
    type: TileType
    bitcast: bool = False


@dataclass(frozen=True)
class Suffix:
    """`operand` followed by an indexing such as `[:, None]`."""

    operand: Expr
    text: str
    type: TileType


@dataclass(frozen=True)
class Text:
    """Something that is no value of the kernel: a shape, a dtype, a keyword's constant."""

    text: str
    type: TileType = field(default_factory=lambda: TileType(Scalar("int", 32)))


Expr: TypeAlias = Literal | Name | Prefix | Infix | Invoke | Convert | Suffix | Text


def is_weak(expr: Expr) -> bool:
    """Whether some execution mode may hold this value as a Python number or a constexpr.

    Interpreted, Python's own `not` gives a bool of Python, and `and` and `or` hand on what they are given.
    """
    if isinstance(expr, Literal):
        return True
    if isinstance(expr, Name):
        return expr.weak
    if isinstance(expr, Prefix):
        return expr.op == "not" or is_weak(expr.operand)
    if isinstance(expr, Infix):
        sides = is_weak(expr.left), is_weak(expr.right)
        return any(sides) if expr.op in ("and", "or") else all(sides)
    return False


def operands(expr: Expr) -> tuple[Expr, ...]:
    if isinstance(expr, (Prefix, Convert, Suffix)):
        return (expr.operand,)
    if isinstance(expr, Infix):
        return (expr.left, expr.right)
    if isinstance(expr, Invoke):
        return (*expr.arguments, *(value for _, value in expr.keywords))
    return ()


def with_operands(expr: Expr, new: tuple[Expr, ...]) -> Expr:
    """`expr` with its `operands` replaced, in the same order."""
    if isinstance(expr, (Prefix, Convert, Suffix)):
        return replace(expr, operand=new[0])
    if isinstance(expr, Infix):
        return replace(expr, left=new[0], right=new[1])
    if isinstance(expr, Invoke):
        count = len(expr.arguments)
        keywords = tuple((key, value) for (key, _), value in zip(expr.keywords, new[count:], strict=True))
        return replace(expr, arguments=new[:count], keywords=keywords)
    return expr


# --- statements ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Let:
    target: str
    value: Expr
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Do:
    """An expression for its effect: a store, an atomic, a barrier."""

    value: Expr
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class IfElse:
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()
    comments: tuple[str, ...] = ()


WHOLE = 0


@dataclass(frozen=True)
class ForRange:
    """`unroll` rounds are compiled as one; all of them for WHOLE, which needs literals for its range."""

    variable: str
    start: Expr
    stop: Expr
    step: Expr
    body: tuple[Stmt, ...]
    comments: tuple[str, ...] = ()
    unroll: int = 1


@dataclass(frozen=True)
class WhileLoop:
    condition: Expr
    body: tuple[Stmt, ...]
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comment:
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Leave:
    """`return` from the program; only at the top level of a kernel."""


Stmt: TypeAlias = Let | Do | IfElse | ForRange | WhileLoop | Comment | Leave


def bodies(statement: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """The blocks inside a statement."""
    match statement:
        case IfElse(_, then, otherwise):
            return (then, otherwise)
        case ForRange() | WhileLoop():
            return (statement.body,)
        case _:
            return ()


def all_statements(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """Every statement, outer ones first."""
    for statement in body:
        yield statement
        for inner in bodies(statement):
            yield from all_statements(inner)


def own_expressions(statement: Stmt) -> tuple[Expr, ...]:
    """The expressions a statement holds itself, without those of its blocks."""
    match statement:
        case Let(_, value) | Do(value):
            return (value,)
        case IfElse(condition) | WhileLoop(condition):
            return (condition,)
        case ForRange(_, start, stop, step):
            return (start, stop, step)
        case _:
            return ()


def with_bodies(statement: Stmt, change: Callable[[tuple[Stmt, ...]], tuple[Stmt, ...]]) -> Stmt:
    """The statement with its blocks changed."""
    if isinstance(statement, IfElse):
        return replace(statement, then=change(statement.then), otherwise=change(statement.otherwise))
    if isinstance(statement, (ForRange, WhileLoop)):
        return replace(statement, body=change(statement.body))
    return statement


def map_expr(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Rebuilds an expression bottom-up."""
    inner = operands(expr)
    if inner:
        expr = with_operands(expr, tuple(map_expr(operand, change) for operand in inner))
    return change(expr)


def map_expressions(statement: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    """The statement, and those in its blocks, with every expression rebuilt."""
    match statement:
        case Let(_, value) | Do(value):
            return replace(statement, value=map_expr(value, change))
        case IfElse(condition) | WhileLoop(condition):
            statement = replace(statement, condition=map_expr(condition, change))
        case ForRange(_, start, stop, step):
            statement = replace(
                statement,
                start=map_expr(start, change),
                stop=map_expr(stop, change),
                step=map_expr(step, change),
            )
        case _:
            return statement
    return with_bodies(statement, lambda body: tuple(map_expressions(s, change) for s in body))


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and all its operands."""
    yield expr
    for operand in operands(expr):
        yield from walk(operand)


def names_in(expr: Expr) -> list[str]:
    """The names an expression reads, as often as it does; those in shapes included."""
    if isinstance(expr, Name):
        return [expr.name]
    if isinstance(expr, Text):
        return expr.text.replace("(", " ").replace(")", " ").replace(",", " ").split()
    return [name for operand in operands(expr) for name in names_in(operand)]


@dataclass(frozen=True)
class Parameter:
    """`role`: "pointer", "scalar", "scratch" or "constexpr"; `value` is the constexpr's."""

    name: str
    role: str
    dtype: Scalar | None = None
    value: int | None = None


@dataclass(frozen=True)
class TileKernel:
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    comments: tuple[str, ...] = ()
