"""Vectors and structs as lists of scalar components, and any expression of such a type as its parts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from porter.core.span import Span
from porter.cuda import kir
from porter.tile.api import Declined

Path: TypeAlias = tuple[str, ...]


def is_aggregate(type_: kir.Type) -> bool:
    return isinstance(type_, (kir.Vector, kir.Struct))


def fields_of(type_: kir.Type) -> tuple[tuple[str, kir.Type], ...]:
    if isinstance(type_, kir.Vector):
        return tuple((name, type_.element) for name in "xyzw"[: type_.lanes])
    assert isinstance(type_, kir.Struct)
    return type_.fields


def paths_of(type_: kir.Type) -> tuple[tuple[Path, kir.Type], ...]:
    """Every component that is no aggregate itself, with the members that lead to it.

    Of an array of structs each component is an array.
    """
    if isinstance(type_, kir.Array) and is_aggregate(type_.element):
        return tuple((path, _arrayed(leaf, type_.shape)) for path, leaf in paths_of(type_.element))
    if not is_aggregate(type_):
        return (((), type_),)
    return tuple(((name, *path), leaf) for name, inner in fields_of(type_) for path, leaf in paths_of(inner))


def _arrayed(leaf: kir.Type, shape: tuple[int, ...]) -> kir.Array:
    if isinstance(leaf, kir.Array):
        return kir.Array(leaf.element, shape + leaf.shape)
    return kir.Array(leaf, shape)


@dataclass(frozen=True)
class Split:
    """The variables that take the place of `variable`, by path."""

    variable: kir.Variable
    parts: Mapping[Path, kir.Variable]


def split(variable: kir.Variable, type_: kir.Type) -> Split:
    """One variable a component of `type_`; an array variable becomes one array a component."""
    parts: dict[Path, kir.Variable] = {}
    for path, leaf in paths_of(type_):
        part_type: kir.Type = leaf
        if isinstance(variable.type, kir.Array):
            inner = leaf if isinstance(leaf, kir.Array) else kir.Array(leaf, ())
            part_type = kir.Array(inner.element, variable.type.shape + inner.shape)
        name = "_".join((variable.name, *path))
        parts[path] = dataclasses.replace(variable, name=name, type=part_type, initial=None)
    return Split(variable, parts)


_SHUFFLES = frozenset({"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"})


def component(expr: kir.Expr, path: Path, leaf: kir.Type) -> kir.Expr:
    """The component `path` of an aggregate expression, as an expression of type `leaf`."""
    match expr:
        case kir.MakeVector(elements, kir.Array()) if path:
            row = row_type(leaf)
            return kir.MakeVector(tuple(component(e, path, row) for e in elements), leaf, expr.span)
        case kir.MakeVector(elements, type_):
            names = [name for name, _ in fields_of(type_)]
            inner = elements[names.index(path[0])]
            return component(inner, path[1:], leaf) if path[1:] else inner
        case kir.Select(condition, if_true, if_false):
            parts = (component(if_true, path, leaf), component(if_false, path, leaf))
            return kir.Select(condition, *parts, leaf, expr.span)
        case kir.Cast(operand, type_) if is_aggregate(operand.type) and len(paths_of(type_)) == 1:
            return component(operand, path, leaf)
        case kir.VarRef() | kir.Index() | kir.Member():
            return _member(expr, path, leaf)
        case kir.Call(name, (mask, value, *rest)) if name in _SHUFFLES:
            return kir.Call(name, (mask, component(value, path, leaf), *rest), leaf, expr.span)
    if not path:
        return expr
    raise Declined("TIL051", f"a value of type `{expr.type}` that is no variable", expr.span)


def row_type(type_: kir.Type) -> kir.Type:
    """Of an element of an array. Raises Declined for what is none."""
    if not isinstance(type_, kir.Array):
        raise Declined("TIL051", f"an index into `{type_}`", Span("", 0, 0, 0, 0))
    return kir.Array(type_.element, type_.shape[1:]) if len(type_.shape) > 1 else type_.element


def _member(expr: kir.Expr, path: Path, leaf: kir.Type) -> kir.Expr:
    for position, name in enumerate(path):
        of = expr.type.element if isinstance(expr.type, kir.Array) else expr.type
        inner = leaf if position == len(path) - 1 else dict(fields_of(of))[name]
        expr = kir.Member(expr, name, inner, expr.span)
    return expr
