"""A statement over other variables: reads, targets, declarations, and the fields of idiom nodes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from porter.analysis.walk import Node, is_expression, is_node, rewrite
from porter.cuda import kir

Names = Mapping[kir.Variable, kir.Variable]


def rename_variables(node: Node, names: Names) -> Node:
    """`node`, a statement or an expression, with each variable in `names` replaced wherever it stands."""
    return _fields(rewrite(node, lambda n: _reference(n, names)), names)


def _reference(node: Node, names: Names) -> Node:
    if isinstance(node, kir.VarRef) and node.variable in names:
        return dataclasses.replace(node, variable=names[node.variable])
    return node


def _fields(node: Node, names: Names) -> Node:
    """Variables that stand in statements themselves, such as declared ones."""
    fields: dict[str, object] = {}
    for info in dataclasses.fields(node):
        value = getattr(node, info.name)
        if isinstance(value, kir.Variable) and value in names:
            fields[info.name] = names[value]
        elif isinstance(value, tuple) and any(is_node(n) and not is_expression(n) for n in value):
            fields[info.name] = tuple(_fields(n, names) for n in value)
    return dataclasses.replace(node, **fields) if fields else node
