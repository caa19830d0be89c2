"""Gives a variable that is set anew on the level of its declaration a new identity from there on.

`float sum = …; loop; sum = block_sum(sum);` holds two values: a tensor, then one number for the block. Apart,
each has its own shape. Only straight-line redefinitions count: after one, nobody can see the old value.
"""

from __future__ import annotations

import dataclasses

from porter.analysis.walk import Node, root_variable, walk
from porter.cuda import kir
from porter.tile.rename_variables import rename_variables

Versions = dict[kir.Variable, kir.Variable]


def split_variables(kernel: kir.Kernel) -> tuple[kir.Kernel, Versions]:
    """The kernel, and for every new variable the one it takes over from."""
    splitter = _Splitter({}, _addressed(kernel))
    body = splitter.block(kernel.body)
    return dataclasses.replace(kernel, body=body), splitter.versions


def _addressed(kernel: kir.Kernel) -> set[kir.Variable | None]:
    return {root_variable(node.lvalue) for node in walk(kernel.body) if isinstance(node, kir.AddressOf)}


@dataclasses.dataclass
class _Splitter:
    versions: Versions
    addressed: set[kir.Variable | None]

    def block(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        out: list[kir.Stmt] = []
        declared: dict[kir.Variable, kir.Variable] = {}
        for statement in body:
            target = _defined(statement)
            origin = next((old for old, new in declared.items() if new is target or old is target), None)
            current = renamed(statement, declared)
            if origin is not None and origin not in self.addressed:
                fresh = dataclasses.replace(declared[origin])
                self.versions[fresh] = declared[origin]
                current = _with_target(current, fresh)
                declared[origin] = fresh
            out.append(self.inside(current))
            if isinstance(statement, kir.Declare) and _is_local_scalar(statement.variable):
                declared[statement.variable] = statement.variable
        return tuple(out)

    def inside(self, statement: kir.Stmt) -> kir.Stmt:
        match statement:
            case kir.If(_, then, otherwise):
                return dataclasses.replace(statement, then=self.block(then), otherwise=self.block(otherwise))
            case kir.For() | kir.While():
                return dataclasses.replace(statement, body=self.block(statement.body))
            case _:
                return statement


def _is_local_scalar(variable: kir.Variable) -> bool:
    return isinstance(variable.type, kir.Scalar) and variable.storage is kir.Storage.LOCAL


def _defined(statement: kir.Stmt) -> kir.Variable | None:
    """The variable a statement gives a whole new value."""
    if isinstance(statement, kir.Assign):
        return statement.target.variable if isinstance(statement.target, kir.VarRef) else None
    if isinstance(statement, kir.Extension) and not hasattr(statement, "k"):
        target = getattr(statement, "target", None)
        return target if isinstance(target, kir.Variable) else None
    return None


def _with_target(statement: kir.Stmt, variable: kir.Variable) -> kir.Stmt:
    if isinstance(statement, kir.Assign):
        reference = kir.VarRef(variable, variable.type, statement.target.span)
        return dataclasses.replace(statement, target=reference)
    return dataclasses.replace(statement, target=variable)  # type: ignore[type-var]


def renamed(node: Node, names: Versions) -> Node:
    """The statement over other variables, extensions' own fields included."""
    changed = {old: new for old, new in names.items() if old is not new}
    if not changed:
        return node
    return rename_variables(node, changed)
