"""Walks and rebuilds kernel IR generically, including the idiom nodes that later layers add to it.

A node is any dataclass that carries a `span` and is no variable. Nothing here knows the node classes one
by one, so that a new node needs no entry here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast, get_args

from porter.cuda import kir

Node = Any
T = TypeVar("T")
EXPRESSIONS: tuple[type, ...] = get_args(kir.Expr)


_FIELD_NAMES: dict[type, tuple[str, ...]] = {}


def _field_names(cls: type) -> tuple[str, ...]:
    if cls not in _FIELD_NAMES:
        _FIELD_NAMES[cls] = tuple(f.name for f in dataclasses.fields(cls))
    return _FIELD_NAMES[cls]


_NODE_CLASSES: dict[type, bool] = {}


def is_node(value: object) -> bool:
    cls = type(value)
    known = _NODE_CLASSES.get(cls)
    if known is None:
        nameless = not issubclass(cls, (kir.Variable, kir.Function, kir.Kernel))
        known = dataclasses.is_dataclass(cls) and "span" in _field_names(cls) and nameless
        _NODE_CLASSES[cls] = known
    return known


def is_expression(node: Node) -> bool:
    return isinstance(node, EXPRESSIONS)


def children(node: Node) -> Iterator[Node]:
    """The direct sub-nodes in evaluation order of their fields."""
    for name in _field_names(type(node)):
        value = getattr(node, name)
        if type(value) is tuple:
            for item in value:
                if is_node(item):
                    yield item
        elif is_node(value):
            yield value


def walk(root: Node | tuple[Node, ...]) -> Iterator[Node]:
    """Every node under `root` (a node or a tuple of nodes), parents first."""
    if isinstance(root, tuple):
        for node in root:
            yield from walk(node)
        return
    yield root
    for child in children(root):
        yield from walk(child)


def rewrite(root: T, change: Callable[[Node], Node]) -> T:
    """Rebuilds `root` (a node or a tuple of nodes) bottom-up with `change` applied to every expression."""
    if isinstance(root, tuple):
        return cast(T, tuple(rewrite(node, change) for node in root))
    rebuilt = _rebuild(root, change)
    return cast(T, change(rebuilt)) if is_expression(rebuilt) else rebuilt


def mapped_children(node: T, change: Callable[[Node], Node]) -> T:
    """`node` with `change` applied to each of its direct sub-nodes."""
    fields: dict[str, Node] = {}
    for name in _field_names(type(node)):
        value = getattr(node, name)
        if is_node(value):
            fields[name] = change(value)
        elif isinstance(value, tuple) and any(is_node(item) for item in value):
            fields[name] = tuple(change(item) if is_node(item) else item for item in value)
    return cast(T, dataclasses.replace(cast(Any, node), **fields)) if fields else node


def _rebuild(node: T, change: Callable[[Node], Node]) -> T:
    fields: dict[str, Node] = {}
    for name in _field_names(type(node)):
        value = getattr(node, name)
        if is_node(value) or (isinstance(value, tuple) and any(is_node(item) for item in value)):
            new = rewrite(value, change)
            if _differs(new, value) if isinstance(value, tuple) else new is not value:
                fields[name] = new
    return cast(T, dataclasses.replace(cast(Any, node), **fields)) if fields else node


def _differs(new: tuple[Node, ...], old: tuple[Node, ...]) -> bool:
    return len(new) != len(old) or any(a is not b for a, b in zip(new, old, strict=True))


def assigned_variables(root: Node | tuple[Node, ...]) -> set[kir.Variable]:
    """Variables that an assignment under `root` may change, in whole or in part."""
    return {
        variable
        for node in walk(root)
        if isinstance(node, kir.Assign) and (variable := changed_variable(node.target)) is not None
    }


def changeable_variables(root: Node | tuple[Node, ...]) -> set[kir.Variable]:
    """Variables that code under `root` assigns, or whose address it takes and may hand on."""
    addressed = {
        variable
        for node in walk(root)
        if isinstance(node, kir.AddressOf) and (variable := changed_variable(node.lvalue)) is not None
    }
    return assigned_variables(root) | addressed


def mentioned_variables(root: Node | tuple[Node, ...]) -> set[kir.Variable]:
    """Variables that stand anywhere under `root`: read, changed or declared."""
    fields = (value for node in walk(root) for value in vars(node).values())
    return {value for value in fields if isinstance(value, kir.Variable)}


def changed_variable(target: Node) -> kir.Variable | None:
    """The variable whose own value an assignment changes; None for memory behind a pointer."""
    while isinstance(target, (kir.Index, kir.Member)):
        if isinstance(target, kir.Index) and isinstance(target.base.type, kir.Pointer):
            return None
        target = target.base
    return target.variable if isinstance(target, kir.VarRef) else None


def root_variable(lvalue: Node) -> kir.Variable | None:
    """The variable at the root of `a`, `a[i]`, `a.x`; None when the root is a computed pointer."""
    while isinstance(lvalue, (kir.Index, kir.Member)):
        lvalue = lvalue.base
    return lvalue.variable if isinstance(lvalue, kir.VarRef) else None


def definitions(body: tuple[Node, ...]) -> dict[kir.Variable, kir.Expr]:
    """Variables with one definition, their initialiser: these can be looked through."""
    changed = assigned_variables(body)
    addressed = {root_variable(node.lvalue) for node in walk(body) if isinstance(node, kir.AddressOf)}
    return {
        node.variable: node.value
        for node in walk(body)
        if isinstance(node, kir.Declare)
        and node.value is not None
        and node.variable not in changed
        and node.variable not in addressed
    }


def reads(root: Node | tuple[Node, ...]) -> set[kir.Variable]:
    return {node.variable for node in walk(root) if isinstance(node, kir.VarRef)}
