"""A second copy of statements, with local variables of its own."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from porter.analysis.walk import Node, is_expression, is_node, rewrite, walk
from porter.cuda import kir


def fresh_copy(body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
    """`body` over new variables in place of those it declares; shared ones are one a block and stay."""
    own = [n.variable for n in walk(body) if isinstance(n, kir.Declare)]
    names = {v: dataclasses.replace(v) for v in own if v.storage is kir.Storage.LOCAL}
    return over_variables(body, names)


def over_variables(
    body: tuple[kir.Stmt, ...], names: Mapping[kir.Variable, kir.Variable]
) -> tuple[kir.Stmt, ...]:
    """The statements over other variables: reads, targets and declarations."""

    def reference(node: Node) -> Node:
        if isinstance(node, kir.VarRef) and node.variable in names:
            return dataclasses.replace(node, variable=names[node.variable])
        return node

    return tuple(_declarations(rewrite(statement, reference), names) for statement in body)


def _declarations(node: Node, names: Mapping[kir.Variable, kir.Variable]) -> Node:
    """Variables that stand in statements themselves, such as declared ones."""
    fields: dict[str, object] = {}
    for info in dataclasses.fields(node):
        value = getattr(node, info.name)
        if isinstance(value, kir.Variable) and value in names:
            fields[info.name] = names[value]
        elif isinstance(value, tuple) and any(is_node(n) and not is_expression(n) for n in value):
            fields[info.name] = tuple(_declarations(n, names) for n in value)
    return dataclasses.replace(node, **fields) if fields else node
