"""Unrolls the loops that index local aggregates, and gives their indices as constants where they are.

Registers cannot be indexed by a value: `a[k]` in a counted loop becomes `a[0]`, `a[1]`, …, also where `k`
goes through other variables (`index = k`, `j++`). What is not a constant stays as it is. Assumes that no call
of a device function is left.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field

from porter.analysis.ranges import is_integer
from porter.analysis.walk import Node, assigned_variables, rewrite, root_variable, walk
from porter.cuda import kir
from porter.tile.api import Declined
from porter.tile.fresh_copies import fresh_copy
from porter.tile.simplify import simplified

_MAX_TRIPS = 64
_MAX_STATEMENTS = 4096 * 16
_Constants = dict[kir.Variable, kir.Const]


def unroll_indexed(kernel: kir.Kernel) -> kir.Kernel:
    """The kernel with constant indices into its local arrays, vectors and structs where that can be."""
    indexed = frozenset(_indexed(kernel.body))
    if not indexed:
        return kernel
    unroller = _Unroller(indexed, frozenset(_addressed(kernel.body)))
    return dataclasses.replace(kernel, body=unroller.block(kernel.body))


def _indexed(body: tuple[kir.Stmt, ...]) -> Iterator[kir.Variable]:
    for node in walk(body):
        if isinstance(node, kir.Index) and (root := indexed_aggregate(node)) is not None:
            yield root


def indexed_aggregate(node: kir.Expr) -> kir.Variable | None:
    """The local variable that `node` is an element of: an aggregate, or a scalar seen as one."""
    through_cast = False
    while True:
        match node:
            case kir.Index(base) | kir.Member(base):
                node = base
            case kir.AddressOf(lvalue):
                node = lvalue
            case kir.Cast(operand) if isinstance(node.type, kir.Pointer):
                node, through_cast = operand, True
            case kir.Binary("+" | "-", left) if isinstance(node.type, kir.Pointer):
                node = left
            case kir.VarRef(variable) if through_cast or not isinstance(
                variable.type, (kir.Scalar, kir.Pointer)
            ):
                return variable if variable.storage is kir.Storage.LOCAL else None
            case _:
                return None


def _addressed(body: tuple[kir.Stmt, ...]) -> Iterator[kir.Variable]:
    """Scalars that something else than an assignment may change."""
    for node in walk(body):
        if isinstance(node, kir.AddressOf) and (root := root_variable(node.lvalue)) is not None:
            yield root
        if isinstance(node, kir.Extension):
            yield from (v for v in vars(node).values() if isinstance(v, kir.Variable))


@dataclass
class _Unroller:
    """Walks in the order of execution; `known` has the variables that are constants at this point."""

    indexed: frozenset[kir.Variable]
    unclear: frozenset[kir.Variable]
    known: _Constants = field(default_factory=dict)
    made: int = 0

    def block(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        return tuple(new for statement in body for new in self.statement(statement))

    def statement(self, node: kir.Stmt) -> tuple[kir.Stmt, ...]:
        match node:
            case kir.For():
                return self.loop(node)
            case kir.While():
                self.forget(assigned_variables(node))
                body = self.block(node.body)
                self.forget(assigned_variables(node))
                return (dataclasses.replace(node, condition=self.indices(node.condition), body=body),)
            case kir.If():
                return (self.branches(node),)
            case kir.Extension():
                self.forget(assigned_variables(node))
                return (node,)
            case kir.Declare(variable, value):
                return (self.defined(node, variable, value),)
            case kir.Assign(kir.VarRef(variable), value):
                return (self.defined(node, variable, value),)
            case _:
                return (self.indices(node),)

    def defined(
        self, node: kir.Declare | kir.Assign, variable: kir.Variable, value: kir.Expr | None
    ) -> kir.Stmt:
        changed: kir.Stmt = self.indices(node)
        constant = _constant_value(value, self.known) if value is not None else None
        if constant is not None and is_integer(variable.type) and variable not in self.unclear:
            self.known[variable] = constant
        else:
            self.known.pop(variable, None)
        return changed

    def forget(self, variables: set[kir.Variable]) -> None:
        for variable in variables:
            self.known.pop(variable, None)

    def branches(self, node: kir.If) -> kir.Stmt:
        condition, before = self.indices(node.condition), dict(self.known)
        then = self.block(node.then)
        after_then, self.known = self.known, before
        otherwise = self.block(node.otherwise)
        self.known = {v: c for v, c in self.known.items() if _same(after_then.get(v), c)}
        return dataclasses.replace(node, condition=condition, then=then, otherwise=otherwise)

    def loop(self, node: kir.For) -> tuple[kir.Stmt, ...]:
        trips = self.trips(node)
        if trips is not None:
            return self.unrolled(node, trips)
        init = self.block(node.init)
        self.forget(assigned_variables(node))
        condition = self.indices(node.condition)
        body = self.block(node.body)
        self.forget(assigned_variables(node))
        step = tuple(self.indices(s) for s in node.step)
        return (dataclasses.replace(node, init=init, condition=condition, body=body, step=step),)

    def trips(self, loop: kir.For) -> list[int] | None:
        if len(loop.init) != 1 or len(loop.step) != 1 or not isinstance(loop.init[0], kir.Declare):
            return None
        variable = loop.init[0].variable
        changed = assigned_variables(loop.body)
        if variable in changed or variable in self.unclear or not self.indexes(loop, variable):
            return None
        known = {v: c for v, c in self.known.items() if v not in changed and v is not variable}
        return constant_trips(_substituted((loop,), known)[0], variable)

    def indexes(self, loop: kir.For, variable: kir.Variable) -> bool:
        """Whether an index into a local aggregate depends on the variable, perhaps through others."""
        dependent = {variable} | {
            s.target.variable
            for s in loop.body
            if isinstance(s, kir.Assign) and isinstance(s.target, kir.VarRef) and is_integer(s.target.type)
        }
        for node in walk(loop.body):
            if isinstance(node, kir.Declare) and node.value is not None and _mentions(node.value, dependent):
                dependent.add(node.variable)
        return any(
            isinstance(node, kir.Index)
            and indexed_aggregate(node) in self.indexed
            and _mentions(node, dependent)
            for node in walk(loop.body)
        )

    def unrolled(self, loop: kir.For, trips: list[int]) -> tuple[kir.Stmt, ...]:
        declared = loop.init[0]
        assert isinstance(declared, kir.Declare)
        out: list[kir.Stmt] = []
        for value in trips:
            constant = kir.Const(value, declared.variable.type, loop.span)
            body = _substituted(fresh_copy(loop.body), {declared.variable: constant})
            out += self.block(body)
            self.made += sum(1 for _ in walk(body))
            if self.made > _MAX_STATEMENTS:
                raise Declined("TIL056", "a local array whose loops are too long to unroll", loop.span)
        return tuple(out)

    def indices(self, node: Node) -> Node:
        """The node with known variables replaced in what indexes a local aggregate."""
        if not self.known:
            return node

        def change(inner: Node) -> Node:
            if isinstance(inner, kir.Index) and indexed_aggregate(inner) in self.indexed:
                return _substituted(inner, self.known)
            return inner

        return rewrite(node, change)


def _same(left: kir.Const | None, right: kir.Const) -> bool:
    return left is not None and left.value == right.value and left.type == right.type


def _constant_value(value: kir.Expr, known: _Constants) -> kir.Const | None:
    result = _substituted(value, known)
    return result if isinstance(result, kir.Const) else None


def constant_trips(loop: kir.For, variable: kir.Variable) -> list[int] | None:
    """The values of the loop variable, if they are few and known."""
    first = loop.init[0].value  # type: ignore[union-attr]
    values: list[int] = []
    current = _evaluate(first, {}) if first is not None else None
    while current is not None and len(values) <= _MAX_TRIPS:
        if not _evaluate(loop.condition, {variable: current}):
            return values if _evaluate(loop.condition, {variable: current}) is not None else None
        values.append(current)
        step = loop.step[0]
        assert isinstance(step, kir.Assign)
        current = _evaluate(step.value, {variable: current})
    return None


def _evaluate(expr: kir.Expr, values: dict[kir.Variable, int]) -> int | None:
    result = _substituted(expr, {v: kir.Const(n, v.type, expr.span) for v, n in values.items()})
    return int(result.value) if isinstance(result, kir.Const) else None


def _substituted(node: Node, values: _Constants) -> Node:
    """Reads of the variables replaced; a place that is stored to, or whose address is taken, is no read."""
    return rewrite(node, lambda inner: simplified(_constant(inner, values)))


def _constant(node: Node, values: _Constants) -> Node:
    return values.get(node.variable, node) if isinstance(node, kir.VarRef) else node


def _mentions(expr: Node, variables: set[kir.Variable]) -> bool:
    return any(isinstance(node, kir.VarRef) and node.variable in variables for node in walk(expr))
