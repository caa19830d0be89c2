"""Local arrays: scalar variables where every index is a constant once loops are unrolled, memory otherwise.

Registers cannot be indexed by a value. An array that still is after unrolling becomes a scratch array with
one column for each thread.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from dataclasses import dataclass, field

from porter.analysis.walk import Node, assigned_variables, rewrite, walk
from porter.core.span import Span
from porter.cuda import kir
from porter.tile.api import Declined
from porter.tile.fresh_copies import fresh_copy
from porter.tile.simplify import simplified

_MAX_TRIPS = 64
_MAX_STATEMENTS = 4096


def replace_local_arrays(kernel: kir.Kernel, block: tuple[int, int, int]) -> kir.Kernel:
    """The kernel without local arrays."""
    arrays = _local_arrays(kernel.body)
    if not arrays:
        return kernel
    unroller = _Unroller(arrays)
    body = unroller.block(kernel.body)
    dynamic = _dynamically_indexed(body, arrays)
    elements = _Elements({a: _split(a) for a in arrays - dynamic})
    body = elements.block(body)
    if dynamic:
        body = _spill(body, dynamic, block)
    return dataclasses.replace(kernel, body=body)


def _local_arrays(body: tuple[kir.Stmt, ...]) -> set[kir.Variable]:
    return {
        node.variable
        for node in walk(body)
        if isinstance(node, kir.Declare)
        and isinstance(node.variable.type, kir.Array)
        and node.variable.storage is kir.Storage.LOCAL
    }


# --- unrolling -------------------------------------------------------------------------------------


@dataclass
class _Unroller:
    """Unrolls counted loops with constant bounds whose variable indexes a local array."""

    arrays: set[kir.Variable]
    made: int = 0

    def block(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        return tuple(new for statement in body for new in self.statement(statement))

    def statement(self, node: kir.Stmt) -> tuple[kir.Stmt, ...]:
        match node:
            case kir.For():
                trips = self.trips(node)
                if trips is not None:
                    return self.unrolled(node, trips)
                return (dataclasses.replace(node, body=self.block(node.body)),)
            case kir.While():
                return (dataclasses.replace(node, body=self.block(node.body)),)
            case kir.If(_, then, otherwise):
                return (dataclasses.replace(node, then=self.block(then), otherwise=self.block(otherwise)),)
            case _:
                return (node,)

    def trips(self, loop: kir.For) -> list[int] | None:
        if len(loop.init) != 1 or len(loop.step) != 1 or not isinstance(loop.init[0], kir.Declare):
            return None
        variable = loop.init[0].variable
        if variable in assigned_variables(loop.body) or not self.indexes(loop.body, variable):
            return None
        return constant_trips(loop, variable)

    def indexes(self, body: tuple[kir.Stmt, ...], variable: kir.Variable) -> bool:
        """Whether an index into a local array depends on the variable, perhaps through others."""
        dependent = {variable}
        for node in walk(body):
            if isinstance(node, kir.Declare) and node.value is not None and _mentions(node.value, dependent):
                dependent.add(node.variable)
        return any(
            isinstance(node, kir.Index) and _array_of(node) in self.arrays and _mentions(node, dependent)
            for node in walk(body)
        )

    def unrolled(self, loop: kir.For, trips: list[int]) -> tuple[kir.Stmt, ...]:
        declared = loop.init[0]
        assert isinstance(declared, kir.Declare)
        out: list[kir.Stmt] = []
        for value in trips:
            constant = kir.Const(value, declared.variable.type, loop.span)
            body = _substituted(fresh_copy(loop.body), {declared.variable: constant})
            out += self.block(body)
            self.made += sum(1 for _ in walk(body))
            if self.made > _MAX_STATEMENTS * 16:
                raise Declined("TIL056", "a local array whose loops are too long to unroll", loop.span)
        return tuple(out)


def constant_trips(loop: kir.For, variable: kir.Variable) -> list[int] | None:
    """The values of the loop variable, if they are few and known."""
    first = loop.init[0].value  # type: ignore[union-attr]
    values: list[int] = []
    current = _evaluate(first, {}) if first is not None else None
    while current is not None and len(values) <= _MAX_TRIPS:
        if not _evaluate(loop.condition, {variable: current}):
            return values if _evaluate(loop.condition, {variable: current}) is not None else None
        values.append(current)
        step = loop.step[0]
        assert isinstance(step, kir.Assign)
        current = _evaluate(step.value, {variable: current})
    return None


def _evaluate(expr: kir.Expr, values: dict[kir.Variable, int]) -> int | None:
    result = _substituted_expr(expr, {v: kir.Const(n, v.type, expr.span) for v, n in values.items()})
    return int(result.value) if isinstance(result, kir.Const) else None


def _substituted(body: tuple[kir.Stmt, ...], values: dict[kir.Variable, kir.Const]) -> tuple[kir.Stmt, ...]:
    return rewrite(body, lambda node: simplified(_constant(node, values)))


def _substituted_expr(expr: kir.Expr, values: dict[kir.Variable, kir.Const]) -> kir.Expr:
    return rewrite(expr, lambda node: simplified(_constant(node, values)))


def _constant(node: Node, values: dict[kir.Variable, kir.Const]) -> Node:
    return values.get(node.variable, node) if isinstance(node, kir.VarRef) else node


def _mentions(expr: Node, variables: set[kir.Variable]) -> bool:
    return any(isinstance(node, kir.VarRef) and node.variable in variables for node in walk(expr))


def _array_of(node: kir.Expr) -> kir.Variable | None:
    while isinstance(node, kir.Index):
        node = node.base
    return node.variable if isinstance(node, kir.VarRef) else None


# --- elements as variables -------------------------------------------------------------------------


def _dynamically_indexed(body: tuple[kir.Stmt, ...], arrays: set[kir.Variable]) -> set[kir.Variable]:
    """Arrays used in any way other than an element with constant indices."""
    whole = {n.variable: 0 for n in walk(body) if isinstance(n, kir.VarRef) and n.variable in arrays}
    uses = dict.fromkeys(whole, 0)
    for node in walk(body):
        if isinstance(node, kir.VarRef) and node.variable in arrays:
            whole[node.variable] += 1
        if isinstance(node, kir.Index) and _is_element(node, arrays):
            array = _array_of(node)
            assert array is not None
            uses[array] += 1
    return {array for array in whole if whole[array] != uses[array]}


def _is_element(node: kir.Index, arrays: set[kir.Variable]) -> bool:
    if _array_of(node) not in arrays or isinstance(node.type, kir.Array):
        return False
    indices = _indices(node)
    shape = _array_of(node).type.shape  # type: ignore[union-attr]
    return (
        all(isinstance(i, kir.Const) for i in indices)
        and len(indices) == len(shape)
        and all(0 <= int(i.value) < n for i, n in zip(indices, shape, strict=True))  # type: ignore[union-attr]
    )


def _indices(node: kir.Expr) -> list[kir.Expr]:
    found: list[kir.Expr] = []
    while isinstance(node, kir.Index):
        found.append(node.index)
        node = node.base
    return found[::-1]


def _split(array: kir.Variable) -> dict[tuple[int, ...], kir.Variable]:
    assert isinstance(array.type, kir.Array)
    places = itertools.product(*(range(n) for n in array.type.shape))
    element = array.type.element
    return {
        place: dataclasses.replace(
            array, name="_".join((array.name, *map(str, place))), type=element, initial=None
        )
        for place in places
    }


@dataclass
class _Elements:
    parts: dict[kir.Variable, dict[tuple[int, ...], kir.Variable]] = field(default_factory=dict)

    def block(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        out: list[kir.Stmt] = []
        for statement in rewrite(body, self.change):
            out += self.declared(statement)
        return tuple(out)

    def declared(self, node: kir.Stmt) -> tuple[kir.Stmt, ...]:
        if isinstance(node, kir.Declare) and node.variable in self.parts:
            return tuple(
                kir.Declare(
                    part,
                    _initial(node.variable, position, node.span),
                    node.span,
                    node.comments if not position else (),
                )
                for position, part in enumerate(self.parts[node.variable].values())
            )
        if isinstance(node, kir.If):
            return (
                dataclasses.replace(node, then=self.nested(node.then), otherwise=self.nested(node.otherwise)),
            )
        if isinstance(node, (kir.For, kir.While)):
            return (dataclasses.replace(node, body=self.nested(node.body)),)
        return (node,)

    def nested(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        return tuple(new for statement in body for new in self.declared(statement))

    def change(self, node: Node) -> Node:
        if isinstance(node, kir.Index) and _array_of(node) in self.parts:
            places = tuple(int(i.value) for i in _indices(node) if isinstance(i, kir.Const))
            part = self.parts[_array_of(node)].get(places)  # type: ignore[index]
            return kir.VarRef(part, part.type, node.span) if part is not None else node
        return node


def _initial(array: kir.Variable, position: int, span: Span) -> kir.Expr | None:
    if array.initial is None or not isinstance(array.type, kir.Array):
        return None
    value = array.initial[position] if position < len(array.initial) else 0
    return kir.Const(value, array.type.element, span)


# --- arrays in memory ------------------------------------------------------------------------------


def _spill(
    body: tuple[kir.Stmt, ...], arrays: set[kir.Variable], block: tuple[int, int, int]
) -> tuple[kir.Stmt, ...]:
    """Each array as a shared one with a column a thread."""
    threads = math.prod(block)
    columns: dict[kir.Variable, kir.Variable] = {}
    for array in arrays:
        if array.initial is not None:
            raise Declined(
                "TIL054", f"the initialised array `{array.name}` is indexed by a value", array.span
            )
        assert isinstance(array.type, kir.Array)
        shape = (*array.type.shape, threads)
        columns[array] = dataclasses.replace(
            array, type=kir.Array(array.type.element, shape), storage=kir.Storage.SHARED
        )

    def change(node: Node) -> Node:
        if isinstance(node, kir.AddressOf) and _array_of(node.lvalue) in arrays:
            raise Declined("TIL054", "the address of a local array is taken", node.span)
        if (
            not isinstance(node, kir.Index)
            or isinstance(node.type, kir.Array)
            or _array_of(node) not in arrays
        ):
            return node
        column = columns[_array_of(node)]  # type: ignore[index]
        result: kir.Expr = kir.VarRef(column, column.type, node.span)
        for index in (*_indices(node), _linear_thread(block, node.span)):
            assert isinstance(result.type, kir.Array)
            rest = result.type.shape[1:]
            type_ = kir.Array(result.type.element, rest) if rest else result.type.element
            result = kir.Index(result, index, type_, node.span)
        return result

    return tuple(
        statement
        for statement in rewrite(body, change)
        if not (isinstance(statement, kir.Declare) and statement.variable in arrays)
    )


def _linear_thread(block: tuple[int, int, int], span: Span) -> kir.Expr:
    """`threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)`."""
    result: kir.Expr = kir.Builtin("threadIdx", "x", kir.UINT32, span)
    stride = block[0]
    for axis, size in (("y", block[1]), ("z", block[2])):
        if size > 1:
            index = kir.Builtin("threadIdx", axis, kir.UINT32, span)
            scaled = kir.Binary("*", index, kir.Const(stride, kir.UINT32, span), kir.UINT32, span)
            result = kir.Binary("+", scaled, result, kir.UINT32, span)
        stride *= size
    return result
