"""Which values differ between the threads of a block, and along which axes.

A value that is the same in all threads has the empty set. An assignment under divergent control makes
its variable divergent when the variable outlives that control: threads that skipped the assignment
still hold the old value. Assumes structured control flow: no `Break`, `Continue` or `Return` inside
branches or loops that anything after depends on, except guards at the top level of the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from porter.analysis.walk import Node, changed_variable, children, is_expression, walk
from porter.cuda import kir

Axes: TypeAlias = frozenset[str]
UNIFORM: Axes = frozenset()


@dataclass(frozen=True)
class AxisModel:
    """What the analysis has to be told: the axes of builtins, of calls, and of collective statements.

    `builtin` and `call` give the axes of an expression that the operands do not explain (thread indices,
    atomics, shuffles); `collective` the variables an extension statement writes, with their axes.
    """

    builtin: Callable[[kir.Builtin], Axes]
    call: Callable[[kir.Call, Axes], Axes]
    collective: Callable[[kir.Extension, Callable[[kir.Expr], Axes]], Mapping[kir.Variable, Axes]]
    everything: Axes


@dataclass
class Uniformity:
    """The result: axes of every variable, and of any expression over them."""

    model: AxisModel
    variables: dict[kir.Variable, Axes] = field(default_factory=dict)

    def axes(self, expr: Node) -> Axes:
        if isinstance(expr, kir.Builtin):
            return self.model.builtin(expr)
        if isinstance(expr, kir.VarRef):
            return self.variables.get(expr.variable, UNIFORM)
        below: Axes = UNIFORM.union(*(self.axes(child) for child in children(expr)))
        return self.model.call(expr, below) if isinstance(expr, kir.Call) else below


@dataclass
class _Analysis:
    result: Uniformity
    control: list[Axes] = field(default_factory=list)
    depth: dict[kir.Variable, int] = field(default_factory=dict)
    changed: bool = False

    def statements(self, body: tuple[kir.Stmt, ...]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: kir.Stmt) -> None:
        match node:
            case kir.Declare(variable, value):
                self.depth[variable] = len(self.control)
                self.widen(variable, self.result.axes(value) if value is not None else UNIFORM)
            case kir.Assign(target, value):
                self.assign(target, value)
            case kir.If(condition, then, otherwise):
                self.under(condition, then)
                self.under(condition, otherwise)
            case kir.For(init, condition, step, body):
                self.loop(condition, init, (*body, *step))
            case kir.While(condition, body):
                self.loop(condition, (), body)
            case kir.Extension():
                self.extension(node)
            case _:
                pass

    def loop(self, condition: kir.Expr, init: tuple[kir.Stmt, ...], body: tuple[kir.Stmt, ...]) -> None:
        # What `init` declares dies with the loop, so threads that left cannot see that others changed it:
        # its variables count as declared under the loop's control.
        self.control.append(self.result.axes(condition))
        self.statements(init)
        self.statements(body)
        self.control[-1] |= self.result.axes(condition)
        self.control.pop()

    def under(self, condition: kir.Expr, body: tuple[kir.Stmt, ...]) -> None:
        self.control.append(self.result.axes(condition))
        self.statements(body)
        self.control.pop()

    def assign(self, target: kir.Lvalue, value: kir.Expr) -> None:
        variable = changed_variable(target)
        if variable is None or (
            variable.storage is not kir.Storage.LOCAL and variable.storage is not kir.Storage.PARAMETER
        ):
            return
        self.widen(variable, self.result.axes(value) | self.result.axes(target) | self.since(variable))

    def since(self, variable: kir.Variable) -> Axes:
        """The divergence of the control entered since the variable was declared."""
        return UNIFORM.union(*self.control[self.depth.get(variable, 0) :])

    def extension(self, node: kir.Extension) -> None:
        for variable, axes in self.result.model.collective(node, self.result.axes).items():
            self.widen(variable, axes | self.since(variable))
        for child in children(node):
            if not is_expression(child):
                self.statement(child)

    def widen(self, variable: kir.Variable, axes: Axes) -> None:
        before = self.result.variables.get(variable, UNIFORM)
        if not axes <= before:
            self.result.variables[variable] = before | axes
            self.changed = True


def analyse_uniformity(kernel: kir.Kernel, model: AxisModel) -> Uniformity:
    """The least fixed point over the kernel's body. The sets only grow, so it ends."""
    result = Uniformity(model)
    while True:
        analysis = _Analysis(result)
        analysis.statements(kernel.body)
        if not analysis.changed:
            return result


def divergent_barriers(kernel: kir.Kernel, uniformity: Uniformity) -> tuple[kir.Barrier, ...]:
    """Block barriers that stand under control which differs between threads: undefined in CUDA."""
    found: list[kir.Barrier] = []
    for node in walk(kernel.body):
        if isinstance(node, (kir.If, kir.For, kir.While)) and uniformity.axes(node.condition):
            found += [n for n in walk(node) if isinstance(n, kir.Barrier) and n.scope == "block"]
    return tuple(found)
