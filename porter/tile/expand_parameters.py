"""Structs with arrays that are passed by value: a parameter for each element, and a variable of the struct.

A Triton kernel takes numbers and pointers. The variable is what the body uses; a component that is no
element of an array is taken apart later (`scalarise`), as in other structs. Assumes that calls of device
functions are inlined.
"""

from __future__ import annotations

import dataclasses

from porter.analysis.walk import Node, rewrite
from porter.cuda import kir
from porter.tile.api import Declined
from porter.tile.components import fields_of, is_aggregate

_MOST_PARAMETERS = 128
"""A kernel has room for 4 KB of arguments, and nobody can read a launcher that takes so many."""


def expand_parameters(kernel: kir.Kernel) -> kir.Kernel:
    """The kernel without parameters that have arrays in them. Raises Declined."""
    parameters: list[kir.Variable] = []
    start: list[kir.Stmt] = []
    locals_: dict[kir.Variable, kir.Variable] = {}
    for parameter in kernel.parameters:
        if not _has_array(parameter.type):
            parameters.append(parameter)
            continue
        local = dataclasses.replace(parameter, storage=kir.Storage.LOCAL)
        locals_[parameter] = local
        parts: list[kir.Variable] = []
        value = _assembled(parameter, parameter.type, parameter.name, parts)
        start.append(kir.Declare(local, value, parameter.span))
        parameters += parts
    if not locals_:
        return kernel
    if len(parameters) > _MOST_PARAMETERS:
        what = f"{len(parameters)} numbers as parameters, of structs with arrays"
        raise Declined("TIL051", what, kernel.span, "pass a pointer to long arrays")

    def change(node: Node) -> Node:
        if isinstance(node, kir.VarRef) and node.variable in locals_:
            return dataclasses.replace(node, variable=locals_[node.variable])
        return node

    body = (*start, *rewrite(kernel.body, change))
    return dataclasses.replace(kernel, parameters=tuple(parameters), body=body)


def _has_array(type_: kir.Type) -> bool:
    if isinstance(type_, kir.Struct):
        return any(isinstance(inner, kir.Array) or _has_array(inner) for _, inner in type_.fields)
    return False


def _assembled(parameter: kir.Variable, type_: kir.Type, name: str, parts: list[kir.Variable]) -> kir.Expr:
    """A value of `type_` out of new parameters, one for each number and pointer, in the order of memory."""
    span = parameter.span
    if isinstance(type_, kir.Array):
        rest = type_.shape[1:]
        inner: kir.Type = kir.Array(type_.element, rest) if rest else type_.element
        named = [(f"{name}_{number}", inner) for number in range(type_.shape[0])]
    elif is_aggregate(type_):
        named = [(f"{name}_{field}", inner) for field, inner in fields_of(type_)]
    else:
        parts.append(dataclasses.replace(parameter, name=name, type=type_))
        return kir.VarRef(parts[-1], type_, span)
    elements = tuple(_assembled(parameter, inner, part, parts) for part, inner in named)
    return kir.MakeVector(elements, type_, span)
