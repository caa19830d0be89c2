"""Replaces pointers into shared memory by the arrays they point to, so that every access names its array.

`extern __shared__ int raw[]; float* s = (float*)raw; s[i] = x;` becomes an array of floats and `raw[i] = x`.
Only for arrays of one dimension that are accessed as one type everywhere, through pointers that never change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from porter.analysis.expressions import (
    bodies,
    definitions,
    map_reads,
    own_expressions,
    statements,
    transform,
    variables,
    written,
)
from porter.analysis.walk import children
from porter.cuda.kir import (
    SHARED_STORAGE,
    AddressOf,
    Array,
    Assign,
    Binary,
    Cast,
    Const,
    Declare,
    Expr,
    Index,
    Kernel,
    Member,
    Pointer,
    Scalar,
    Stmt,
    Type,
    Variable,
    VarRef,
)
from porter.tile.idioms import Raising


@dataclass(frozen=True)
class _Place:
    """An address in a shared array: its element number (None: 0), in elements of `pointee`."""

    array: Variable
    offset: Expr | None
    pointee: Type


def resolve_shared(kernel: Kernel) -> Raising:
    """The kernel with the shared arrays that qualify accessed by name; others stay as they are."""
    resolver = _Resolver(definitions(kernel.body), _stable(kernel))
    for stmt in statements(kernel.body):
        if not (isinstance(stmt, Declare) and resolver.is_alias(stmt.variable)):
            for expr in own_expressions(stmt):
                resolver.visit(expr)
    chosen = resolver.chosen()
    if not chosen:
        return Raising(kernel)
    return Raising(replace(kernel, body=tuple(_rewritten(kernel.body, resolver, chosen))))


def _stable(kernel: Kernel) -> frozenset[Variable]:
    """Variables with one value throughout: parameters nobody changes, and locals with one definition."""
    changed = {v for s in statements(kernel.body) if (v := written(s)) is not None}
    return frozenset(p for p in kernel.parameters if p not in changed) | frozenset(definitions(kernel.body))


@dataclass
class _Resolver:
    defined: Mapping[Variable, Expr]
    stable: frozenset[Variable]
    accessed: dict[Variable, set[str]] = field(default_factory=dict)
    types: dict[Variable, Type] = field(default_factory=dict)
    through_pointer: set[Variable] = field(default_factory=set)
    unclear: set[Variable] = field(default_factory=set)

    def is_alias(self, variable: Variable) -> bool:
        """Is the variable a pointer into a shared array that never changes?"""
        defining = self.defined.get(variable)
        return (
            isinstance(variable.type, Pointer) and defining is not None and self.place(defining) is not None
        )

    def place(self, pointer: Expr) -> _Place | None:
        """The address that a pointer expression stands for."""
        match pointer:
            case VarRef(variable=variable) if isinstance(variable.type, Pointer):
                defining = self.defined.get(variable)
                return self.place(defining) if defining is not None else None
            case AddressOf(lvalue=Index(base=VarRef(variable=array), index=index)) if (
                array.storage in SHARED_STORAGE
            ):
                return _Place(array, index, _element(array))
            case AddressOf(lvalue=Index(base=base, index=index)) if isinstance(base.type, Pointer):
                return self._moved(self.place(base), index)
            case Cast(operand=operand) if isinstance(pointer.type, Pointer):
                return _as_type(self.place(operand), pointer.type.pointee)
            case Binary(op="+", left=left, right=right) if isinstance(pointer.type, Pointer):
                return self._moved(self.place(left), right)
            case _:
                return None

    def _moved(self, place: _Place | None, by: Expr) -> _Place | None:
        if place is None or not variables(by) <= self.stable:
            return None
        return replace(place, offset=_sum(place.offset, by))

    def element(self, expr: Expr) -> _Place | None:
        """The element that `p[i]` is, for a pointer `p` into a shared array."""
        if not isinstance(expr, Index) or not isinstance(expr.base.type, Pointer):
            return None
        place = self.place(expr.base)
        if place is None or str(place.pointee) != str(expr.type):
            return None
        return replace(place, offset=_sum(place.offset, expr.index))

    def visit(self, expr: Expr) -> None:
        """Notes how an expression uses shared arrays."""
        for node in _outermost(expr, self):
            place = self.element(node)
            if place is not None:
                self.accessed.setdefault(place.array, set()).add(str(place.pointee))
                self.types[place.array] = place.pointee
                self.through_pointer.add(place.array)
            elif isinstance(node, Index) and isinstance(node.base, VarRef):
                array = node.base.variable
                self.accessed.setdefault(array, set()).add(str(node.type))
                self.types[array] = node.type
            elif isinstance(node, VarRef):
                self.unclear |= self._arrays(node)

    def _arrays(self, reference: VarRef) -> set[Variable]:
        if reference.variable.storage in SHARED_STORAGE:
            return {reference.variable}
        place = self.place(reference)
        return {place.array} if place is not None else set()

    def chosen(self) -> dict[Variable, Variable]:
        """The new variable for every array that qualifies."""
        return {
            array: replace(array, type=Array(self.types[array], cast(Array, array.type).shape))
            for array in self.through_pointer - self.unclear
            if len(self.accessed[array]) == 1 and _is_plain(array, self.types[array])
        }


def _outermost(expr: Expr, resolver: _Resolver) -> Iterator[Expr]:
    """Element accesses of shared arrays, the indices inside them, and the references outside of them."""
    is_named = (
        isinstance(expr, Index)
        and isinstance(expr.base, VarRef)
        and expr.base.variable.storage in SHARED_STORAGE
        and not isinstance(expr.type, Array)
    )
    if is_named or resolver.element(expr) is not None:
        yield expr
        yield from _outermost(cast(Index, expr).index, resolver)
        return
    if isinstance(expr, VarRef):
        yield expr
        return
    for child in children(expr):
        yield from _outermost(child, resolver)


def _element(array: Variable) -> Type:
    return array.type.element if isinstance(array.type, Array) else array.type


def _is_plain(array: Variable, type_: Type) -> bool:
    """One dimension, and either of unknown length or of elements of the same size."""
    if not isinstance(array.type, Array) or len(array.type.shape) != 1:
        return False
    return array.type.shape == (0,) or _bits(array.type.element) == _bits(type_)


def _bits(type_: Type) -> int:
    return type_.bits if isinstance(type_, Scalar) else 0


def _as_type(place: _Place | None, pointee: Type) -> _Place | None:
    """A cast pointer: an offset in elements survives only where the sizes are equal."""
    if place is None or str(place.pointee) == str(pointee):
        return place
    is_start = place.offset is None or (isinstance(place.offset, Const) and place.offset.value == 0)
    if is_start:
        return replace(place, offset=None, pointee=pointee)
    same_size = _bits(place.pointee) == _bits(pointee) != 0
    return replace(place, pointee=pointee) if same_size else None


def _sum(offset: Expr | None, index: Expr) -> Expr:
    if offset is None or (isinstance(offset, Const) and offset.value == 0):
        return index
    if isinstance(index, Const) and index.value == 0:
        return offset
    if str(offset.type) != str(index.type):
        offset = Cast(offset, index.type, offset.span)
    return Binary("+", offset, index, index.type, index.span)


# --- rewriting ---------------------------------------------------------------------------------------


def _rewritten(
    block: tuple[Stmt, ...], resolver: _Resolver, chosen: dict[Variable, Variable]
) -> Iterator[Stmt]:
    def rule(expr: Expr) -> Expr | None:
        place = resolver.element(expr)
        is_named = isinstance(expr, Index) and isinstance(expr.base, VarRef)
        if place is None and is_named and cast(VarRef, cast(Index, expr).base).variable in chosen:
            place = _Place(cast(VarRef, cast(Index, expr).base).variable, cast(Index, expr).index, expr.type)
        if place is None or place.array not in chosen or place.offset is None:
            return None
        array = chosen[place.array]
        base = VarRef(array, array.type, expr.span)
        return Index(base, transform(place.offset, rule), expr.type, expr.span)

    for stmt in block:
        if isinstance(stmt, Declare):
            if _is_chosen_alias(stmt, resolver, chosen):
                continue
            if stmt.variable in chosen:
                yield replace(stmt, variable=chosen[stmt.variable])
                continue
        yield _statement(stmt, rule, resolver, chosen)


def _is_chosen_alias(stmt: Declare, resolver: _Resolver, chosen: Mapping[Variable, Variable]) -> bool:
    if not resolver.is_alias(stmt.variable) or stmt.value is None:
        return False
    place = resolver.place(stmt.value)
    return place is not None and place.array in chosen


def _statement(stmt: Stmt, rule: Any, resolver: _Resolver, chosen: dict[Variable, Variable]) -> Stmt:
    if bodies(stmt):
        names = [n for n in ("init", "then", "otherwise", "body", "step") if getattr(stmt, n, ())]
        nested = {n: tuple(_rewritten(getattr(stmt, n), resolver, chosen)) for n in names}
        bare = cast(Stmt, replace(cast(Any, stmt), **dict.fromkeys(names, ())))
        return cast(Stmt, replace(cast(Any, map_reads(bare, rule)), **nested))
    if isinstance(stmt, Assign) and isinstance(stmt.target, Index | Member):
        target = transform(stmt.target, rule)
        return replace(cast(Assign, map_reads(stmt, rule)), target=cast(Index, target))
    return map_reads(stmt, rule)
