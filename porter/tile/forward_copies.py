"""Drops the copies that splitting aggregates leaves: `x_payload_0 = packed_payload_0` becomes one variable.

Only for variables that have one value for all of their life: declared without one and assigned once on the
same level before anything reads them, or declared with it. Nothing about their value is assumed.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass, field

from porter.analysis.walk import Node, rewrite, root_variable, walk
from porter.cuda import kir
from porter.tile.rename_variables import rename_variables


def forward_copies(body: tuple[kir.Stmt, ...], parts: frozenset[kir.Variable]) -> tuple[kir.Stmt, ...]:
    """The body with copies between `parts`, the elements of split arrays, made one variable."""
    assigned = Counter(root_variable(n.target) for n in walk(body) if isinstance(n, kir.Assign))
    joiner = _Joiner({p for p in parts if assigned[p] == 1 and not _is_addressed(p, body)})
    body = joiner.block(body)
    assigned.subtract(joiner.joined)
    stable = {p for p in parts if not assigned[p]}
    renamed = _copies(body, stable)
    body = rewrite(body, lambda node: _renamed(node, renamed))
    names = _shortest_names(renamed)
    return tuple(rename_variables(s, names) for s in _without(body, renamed))


def _is_addressed(variable: kir.Variable, body: tuple[kir.Stmt, ...]) -> bool:
    return any(isinstance(n, kir.AddressOf) and root_variable(n.lvalue) is variable for n in walk(body))


@dataclass
class _Joiner:
    """Moves the declaration of a variable to its only assignment, where both are in one block."""

    candidates: set[kir.Variable]
    joined: list[kir.Variable] = field(default_factory=list)

    def block(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        places = {
            s.target.variable: k
            for k, s in enumerate(body)
            if isinstance(s, kir.Assign) and isinstance(s.target, kir.VarRef)
        }
        moved = {
            s.variable: k
            for k, s in enumerate(body)
            if isinstance(s, kir.Declare)
            and (s.value is None or isinstance(s.value, kir.Const))
            and s.variable in self.candidates
            and s.variable in places
            and not any(_mentions(inner, s.variable) for inner in body[k + 1 : places[s.variable]])
            and not _mentions(body[places[s.variable]].value, s.variable)  # type: ignore[union-attr]
        }
        self.joined += moved
        out: list[kir.Stmt] = []
        for k, statement in enumerate(body):
            if k in moved.values():
                continue
            target = statement.target if isinstance(statement, kir.Assign) else None
            if isinstance(target, kir.VarRef) and target.variable in moved:
                assert isinstance(statement, kir.Assign)
                out.append(kir.Declare(target.variable, statement.value, statement.span, statement.comments))
            else:
                out.append(self.inside(statement))
        return tuple(out)

    def inside(self, node: kir.Stmt) -> kir.Stmt:
        if isinstance(node, kir.If):
            return dataclasses.replace(node, then=self.block(node.then), otherwise=self.block(node.otherwise))
        if isinstance(node, (kir.For, kir.While)):
            return dataclasses.replace(node, body=self.block(node.body))
        return node


def _mentions(node: Node, variable: kir.Variable) -> bool:
    return any(isinstance(n, (kir.VarRef, kir.Declare)) and n.variable is variable for n in walk(node))


def _copies(body: tuple[kir.Stmt, ...], stable: set[kir.Variable]) -> dict[kir.Variable, kir.Variable]:
    """Each variable that is a copy of another one, with the first of the chain."""
    found: dict[kir.Variable, kir.Variable] = {}
    for node in walk(body):
        if isinstance(node, kir.Declare) and node.variable in stable and isinstance(node.value, kir.VarRef):
            source = node.value.variable
            if source in stable and source.type == node.variable.type:
                found[node.variable] = found.get(source, source)
    return found


def _renamed(node: Node, renamed: dict[kir.Variable, kir.Variable]) -> Node:
    if isinstance(node, kir.VarRef) and node.variable in renamed:
        return dataclasses.replace(node, variable=renamed[node.variable])
    return node


def _without(body: tuple[kir.Stmt, ...], gone: dict[kir.Variable, kir.Variable]) -> tuple[kir.Stmt, ...]:
    out: list[kir.Stmt] = []
    for s in body:
        if isinstance(s, kir.Declare) and s.variable in gone:
            continue
        if isinstance(s, kir.If):
            then, otherwise = _without(s.then, gone), _without(s.otherwise, gone)
            s = dataclasses.replace(s, then=then, otherwise=otherwise)
        elif isinstance(s, (kir.For, kir.While)):
            s = dataclasses.replace(s, body=_without(s.body, gone))
        out.append(s)
    return tuple(out)


def _shortest_names(renamed: dict[kir.Variable, kir.Variable]) -> dict[kir.Variable, kir.Variable]:
    """Of the names that one value had the shortest; of equally short ones the first."""
    names: dict[kir.Variable, list[str]] = {}
    for copy, first in renamed.items():
        names.setdefault(first, [first.name]).append(copy.name)
    return {
        first: dataclasses.replace(first, name=min(of, key=len))
        for first, of in names.items()
        if min(of, key=len) != first.name
    }
