"""Drops comments that explained a barrier or a shared array that raising made superfluous."""

from __future__ import annotations

import dataclasses

from porter.analysis.walk import Node, is_expression, is_node, walk
from porter.cuda import kir


def drop_stale_comments(raised: kir.Kernel, original: kir.Kernel) -> kir.Kernel:
    """`raised` without the comments of the original's barriers and shared arrays that it no longer has."""
    stale = _comments(original) - _comments(raised)
    if not stale:
        return raised
    return dataclasses.replace(raised, body=tuple(_without(s, stale) for s in raised.body))


def _comments(kernel: kir.Kernel) -> set[str]:
    bodies = (kernel.body, *(function.body for function in kernel.functions.values()))
    return {
        line
        for body in bodies
        for node in walk(body)
        if isinstance(node, kir.Barrier)
        or (isinstance(node, kir.Declare) and node.variable.storage in kir.SHARED_STORAGE)
        for line in node.comments
    }


def _without(node: Node, stale: set[str]) -> Node:
    fields: dict[str, object] = {}
    for info in dataclasses.fields(node):
        value = getattr(node, info.name)
        if info.name == "comments":
            fields["comments"] = tuple(line for line in value if line not in stale)
        elif isinstance(value, tuple) and any(is_node(n) and not is_expression(n) for n in value):
            fields[info.name] = tuple(_without(n, stale) for n in value)
    return dataclasses.replace(node, **fields) if fields else node
