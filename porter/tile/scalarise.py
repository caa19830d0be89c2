"""Splits vectors and structs into scalar variables, and shared arrays of them into an array a component.

Also parameters: a struct passed by value becomes one parameter a component. What points to memory stays:
a member of it is an address.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from porter.analysis.walk import Node, is_expression, is_node, rewrite, root_variable, walk
from porter.cuda import kir
from porter.tile.api import Declined
from porter.tile.components import Path, Split, component, is_aggregate, paths_of, row_type, split
from porter.tile.simplify import simplified


def scalarise(kernel: kir.Kernel) -> kir.Kernel:
    """The kernel without variables or parameters of a vector or struct type."""
    scalariser = _Scalariser()
    parameters = tuple(part for p in kernel.parameters for part in scalariser.parameter(p))
    scalariser.find(kernel.body)
    if not scalariser.splits and not _has_aggregates(kernel.body):
        return kernel
    body = scalariser.block(kernel.body)
    for node in walk(body):
        if isinstance(node, kir.Member) and isinstance(node.base.type, kir.Array):
            raise Declined("TIL051", "an array of structs inside of a struct in memory", node.span)
    return dataclasses.replace(kernel, parameters=parameters, body=body)


def _has_aggregates(body: tuple[kir.Stmt, ...]) -> bool:
    return any(is_aggregate(node.type) for node in walk(body) if is_expression(node))


@dataclass
class _Scalariser:
    splits: dict[kir.Variable, Split] = field(default_factory=dict)

    def parameter(self, variable: kir.Variable) -> tuple[kir.Variable, ...]:
        if not is_aggregate(variable.type):
            return (variable,)
        self.splits[variable] = split(variable, variable.type)
        return tuple(self.splits[variable].parts.values())

    def find(self, body: tuple[kir.Stmt, ...]) -> None:
        """The local and shared variables to split; what is seen as another type stays one piece of memory."""
        whole = _addressed_whole(body)
        for node in walk(body):
            if not isinstance(node, (kir.Declare, kir.VarRef)) or node.variable in self.splits:
                continue
            type_ = node.variable.type
            element = type_.element if isinstance(type_, kir.Array) else type_
            local_array = isinstance(type_, kir.Array) and node.variable.storage is kir.Storage.LOCAL
            splittable = node.variable.storage in (*kir.SHARED_STORAGE, kir.Storage.LOCAL) or local_array
            if splittable and is_aggregate(element) and node.variable not in whole:
                self.splits[node.variable] = split(node.variable, element)

    def block(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        return tuple(new for statement in body for new in self.statement(statement))

    def statement(self, node: kir.Stmt) -> tuple[kir.Stmt, ...]:
        if isinstance(node, kir.Declare) and node.variable in self.splits:
            return self.declare(node)
        if isinstance(node, kir.Assign) and is_aggregate(node.target.type):
            return self.assign(node)
        return (self.rebuilt(node),)

    def declare(self, node: kir.Declare) -> tuple[kir.Stmt, ...]:
        parts = self.splits[node.variable].parts
        out: list[kir.Stmt] = []
        for path, variable in parts.items():
            value = None
            if node.value is not None:
                value = self.expression(component(node.value, path, variable.type))
            comments = node.comments if not out else ()
            out.append(kir.Declare(variable, value, node.span, comments))
        return tuple(out)

    def assign(self, node: kir.Assign) -> tuple[kir.Stmt, ...]:
        """Component by component; through temporaries where a later one still needs an old value."""
        values = [
            (path, leaf, self.expression(component(node.value, path, leaf)))
            for path, leaf in paths_of(node.target.type)
        ]
        out: list[kir.Stmt] = []
        if self._overlaps(node):
            named = []
            for path, leaf, value in values:
                new = kir.Variable(f"new_{path[-1]}", leaf, kir.Storage.LOCAL, node.span)
                out.append(kir.Declare(new, value, node.span))
                named.append((path, leaf, kir.VarRef(new, leaf, node.span)))
            values = list(named)
        for position, (path, leaf, value) in enumerate(values):
            target = self.expression(component(node.target, path, leaf))
            assert isinstance(target, (kir.VarRef, kir.Index, kir.Member))
            out.append(kir.Assign(target, value, node.span, node.comments if position == 0 else ()))
        return tuple(out)

    def _overlaps(self, node: kir.Assign) -> bool:
        root = node.target
        while isinstance(root, (kir.Index, kir.Member)):
            root = root.base  # type: ignore[assignment]
        if not isinstance(root, kir.VarRef) or isinstance(node.value, (kir.VarRef, kir.Index)):
            return False
        return any(isinstance(n, kir.VarRef) and n.variable is root.variable for n in walk(node.value))

    def rebuilt(self, node: kir.Stmt) -> kir.Stmt:
        """Expressions replaced, inner blocks scalarised."""
        fields: dict[str, object] = {}
        for info in dataclasses.fields(node):  # type: ignore[arg-type]
            value = getattr(node, info.name)
            if is_expression(value):
                fields[info.name] = self.expression(value)
            elif isinstance(value, tuple) and any(is_node(n) and not is_expression(n) for n in value):
                fields[info.name] = self.block(value)
        return dataclasses.replace(node, **fields) if fields else node  # type: ignore[type-var]

    def expression(self, expr: kir.Expr) -> kir.Expr:
        return rewrite(expr, self.change)

    def change(self, node: Node) -> Node:
        if isinstance(node, kir.Member):
            return self._member(node)
        return simplified(node)

    def _member(self, node: kir.Member) -> Node:
        """A whole path into a split variable is its component; a partial one waits for the rest."""
        path: Path = ()
        base: Node = node
        indices: list[kir.Index] = []
        while isinstance(base, kir.Member | kir.Index):
            if isinstance(base, kir.Member):
                path = (base.field, *path)
            else:
                indices.append(base)
            base = base.base
        if not isinstance(base, kir.VarRef) or base.variable not in self.splits:
            return simplified(self._from_value(node))
        part = self.splits[base.variable].parts.get(path)
        if part is None:
            return node
        result: kir.Expr = kir.VarRef(part, part.type, node.span)
        for position, index in enumerate(reversed(indices)):
            last = position == len(indices) - 1
            type_ = node.type if last else row_type(result.type)
            result = kir.Index(result, index.index, type_, index.span)
        return result

    def _from_value(self, node: kir.Member) -> Node:
        if isinstance(node.base, (kir.Select, kir.MakeVector)):
            return rewrite(component(node.base, (node.field,), node.type), self.change)
        return node


def _addressed_whole(body: tuple[kir.Stmt, ...]) -> set[kir.Variable]:
    """Shared variables of which the address of an aggregate is taken, and not of a component."""
    return {
        root
        for node in walk(body)
        if isinstance(node, kir.AddressOf)
        and (is_aggregate(node.lvalue.type) or isinstance(node.lvalue.type, kir.Array))
        and (root := root_variable(node.lvalue)) is not None
        and root.storage in kir.SHARED_STORAGE
    }
