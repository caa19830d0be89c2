"""Raises the inner loop of a matrix multiply to `Dot`, once its tiles are direct loads.

`for (k = 0; k < K; ++k) acc += left * right;` where `left` depends on k and threadIdx.y only and `right` on k
and threadIdx.x only. The sum over k is reassociated, nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, cast

from porter.analysis.expressions import bodies, definitions, substitute, variables
from porter.analysis.linear_form import Normaliser
from porter.analysis.reaching import is_repeatable
from porter.analysis.thread_varying import thread_varying
from porter.analysis.walk import walk
from porter.core.span import Span
from porter.cuda.kir import (
    INT32,
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    Index,
    Kernel,
    Scalar,
    Stmt,
    Storage,
    Variable,
    VarRef,
)
from porter.tile.idioms import Dot, NoMatch, Raising


def raise_dot(kernel: Kernel, block: tuple[int, int, int]) -> Raising:
    """The kernel with its tile products as `Dot`; needs a two-dimensional block."""
    if block[2] != 1 or block[0] < 2 or block[1] < 2:
        return Raising(kernel)
    raiser = _Raiser(kernel, block)
    body = raiser.block_of(kernel.body)
    return Raising(replace(kernel, body=body), tuple(raiser.raised), tuple(raiser.declined))


@dataclass(frozen=True)
class _Product:
    """`target += left * right` in a loop of `extent` rounds of `counter`."""

    target: VarRef
    left: Expr
    right: Expr
    counter: Variable
    extent: int


@dataclass
class _Raiser:
    kernel: Kernel
    block: tuple[int, int, int]
    raised: list[tuple[str, Span]] = field(default_factory=list)
    declined: list[NoMatch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.definitions = definitions(self.kernel.body)
        self.varying = thread_varying(self.kernel.body)

    def block_of(self, block: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(self._statement(stmt) for stmt in block)

    def _statement(self, stmt: Stmt) -> Stmt:
        product = _product(stmt) if isinstance(stmt, For) else None
        if product is not None:
            return self._dot(stmt, product)
        present = bodies(stmt)
        names = [n for n in ("then", "otherwise", "body") if getattr(stmt, n, ()) in present and present]
        new = {n: self.block_of(getattr(stmt, n)) for n in names if getattr(stmt, n, ())}
        return cast(Stmt, replace(cast(Any, stmt), **new)) if new else stmt

    def _dot(self, stmt: Stmt, product: _Product) -> Stmt:
        left, right = self._expanded(product.left), self._expanded(product.right)
        axes = [self._axes(left), self._axes(right)]
        if axes == [{"x"}, {"y"}]:
            left, right, axes = right, left, axes[::-1]
        if axes != [{"y"}, {"x"}]:
            if (axes != [set(), set()] and {"y"} in axes) or {"x"} in axes:
                self.declined.append(NoMatch("the factors are no row and column of the block", stmt.span))
            return stmt
        if not all(_uses(e, product.counter) and has_load(e) for e in (left, right)):
            return stmt
        k = Variable(product.counter.name, INT32, Storage.LOCAL, product.counter.span)
        reference = VarRef(k, INT32, stmt.span)
        left, right = (substitute(e, {product.counter: reference}) for e in (left, right))
        self.raised.append((f"tile product -> dot over {product.extent}", stmt.span))
        element = product.target.type
        assert isinstance(element, Scalar)
        comments = getattr(stmt, "comments", ())
        return Dot(product.target.variable, left, right, k, product.extent, element, stmt.span, comments)

    def _expanded(self, expr: Expr) -> Expr:
        """Thread-dependent variables replaced by what they are, as far as that is arithmetic."""
        for _ in range(16):
            known = {
                v: self.definitions[v]
                for v in variables(expr) & self.varying
                if v in self.definitions and is_repeatable(self.definitions[v])
            }
            if not known:
                break
            expr = substitute(expr, known)
        return Normaliser(self.block).normal(expr)

    def _axes(self, expr: Expr) -> set[str]:
        """The thread axes an expression depends on; "?" where it depends on more than thread numbers."""
        axes = {e.axis for e in walk(expr) if isinstance(e, Builtin) and e.name == "threadIdx"}
        return axes | ({"?"} if variables(expr) & self.varying else set())


def _product(loop: For) -> _Product | None:
    match loop:
        case For(
            init=(Declare(variable=counter, value=Const(value=0)),),
            condition=Binary(op="<", left=bounded, right=Const(value=extent)),
            step=(Assign(target=VarRef(variable=stepped), value=Binary(op="+", right=Const(value=1))),),
            body=(Assign(target=VarRef() as target, value=value),),
        ) if stepped is counter and _reference_to(bounded, counter) and int(extent) > 0:
            factors = _factors(value, target.variable)
        case _:
            return None
    if factors is None or not isinstance(target.type, Scalar) or target.type.kind not in ("float", "bfloat"):
        return None
    left, right = factors
    used = variables(left) | variables(right)
    if target.variable in used or counter.type != INT32:
        return None
    return _Product(target, left, right, counter, int(extent))


def _factors(value: Expr, target: Variable) -> tuple[Expr, Expr] | None:
    """`a` and `b` of `target + a * b` and of `fma(a, b, target)`."""
    match value:
        case Binary(op="+", left=VarRef(variable=v), right=Binary(op="*", left=a, right=b)) if v is target:
            return a, b
        case Binary(op="+", left=Binary(op="*", left=a, right=b), right=VarRef(variable=v)) if v is target:
            return a, b
        case Call(name="fma" | "fmaf" | "__fmaf_rn", arguments=(a, b, VarRef(variable=v))) if v is target:
            return a, b
        case _:
            return None


def _reference_to(expr: Expr, variable: Variable) -> bool:
    while isinstance(expr, Cast):
        expr = expr.operand
    return isinstance(expr, VarRef) and expr.variable is variable


def _uses(expr: Expr, variable: Variable) -> bool:
    return variable in variables(expr)


def has_load(expr: Expr) -> bool:
    return any(isinstance(e, Index) for e in walk(expr))
