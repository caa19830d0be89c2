"""All `extern __shared__` arrays of a kernel are one memory: the others become views of the first."""

from __future__ import annotations

import dataclasses

from porter.analysis.walk import Node, rewrite, walk
from porter.cuda import kir


def merge_dynamic_shared(kernel: kir.Kernel) -> kir.Kernel:
    """The kernel with one dynamic shared array. Assumes that no device function is left."""
    arrays = list(
        dict.fromkeys(
            node.variable
            for node in walk(kernel.body)
            if isinstance(node, (kir.Declare, kir.VarRef))
            and node.variable.storage is kir.Storage.DYNAMIC_SHARED
        )
    )
    if len(arrays) < 2:
        return kernel
    first, others = arrays[0], frozenset(arrays[1:])
    body = rewrite(kernel.body, lambda node: _as_first(node, first, others))
    return dataclasses.replace(kernel, body=_without(body, others))


def _as_first(node: Node, first: kir.Variable, others: frozenset[kir.Variable]) -> Node:
    if isinstance(node, kir.VarRef) and node.variable in others:
        base = kir.VarRef(first, first.type, node.span)
        return base if first.type == node.type else _cast_array(base, node)
    return node


def _cast_array(first: kir.VarRef, array: kir.VarRef) -> kir.Expr:
    """The start of the first array as a pointer to the other's elements."""
    assert isinstance(first.type, kir.Array)
    assert isinstance(array.type, kir.Array)
    start = kir.Index(first, kir.Const(0, kir.INT32, array.span), first.type.element, array.span)
    address = kir.AddressOf(start, kir.Pointer(first.type.element), array.span)
    return kir.Cast(address, kir.Pointer(array.type.element), array.span)


def _without(body: tuple[kir.Stmt, ...], others: frozenset[kir.Variable]) -> tuple[kir.Stmt, ...]:
    kept = (s for s in body if not (isinstance(s, kir.Declare) and s.variable in others))
    return tuple(_inner(statement, others) for statement in kept)


def _inner(statement: kir.Stmt, others: frozenset[kir.Variable]) -> kir.Stmt:
    if isinstance(statement, kir.If):
        then, otherwise = _without(statement.then, others), _without(statement.otherwise, others)
        return dataclasses.replace(statement, then=then, otherwise=otherwise)
    if isinstance(statement, (kir.For, kir.While)):
        return dataclasses.replace(statement, body=_without(statement.body, others))
    return statement
