"""Local arrays in memory: a shared array each, with a column (a row where pointers need it) for a thread."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator

from porter.analysis.walk import Node, rewrite, walk
from porter.core.span import Span
from porter.cuda import kir

Block = tuple[int, int, int]


def spill(body: tuple[kir.Stmt, ...], arrays: set[kir.Variable], block: Block) -> tuple[kir.Stmt, ...]:
    """The body with every access of `arrays` to memory. No thread sees another one's.

    Columns lie side by side, so that neighbouring threads reach neighbouring places. A pointer to an element
    can only go on to the next one where the elements of a thread do: then a thread has a row.
    """
    homes = {array: _home(array, body, block) for array in arrays}

    def change(node: Node) -> Node:
        if not isinstance(node, kir.Index) or isinstance(node.type, kir.Array):
            return node
        home = homes.get(_root(node))  # type: ignore[arg-type]
        return home.element(_indices(node), node.span) if home is not None else node

    memories = sorted((home.memory for home in homes.values()), key=lambda memory: memory.span)
    out: list[kir.Stmt] = [kir.Declare(memory, None, memory.span) for memory in memories]
    for statement in rewrite(body, change):
        out += _declared(statement, homes)
    return tuple(out)


@dataclasses.dataclass(frozen=True)
class _Home:
    """The memory of one array; `by_row`: the thread's number is its first index, else its last."""

    memory: kir.Variable
    array: kir.Variable
    by_row: bool
    block: Block

    def element(self, indices: list[kir.Expr], span: Span) -> kir.Expr:
        thread = _linear_thread(self.block, span)
        result: kir.Expr = kir.VarRef(self.memory, self.memory.type, span)
        for index in [thread, *indices] if self.by_row else [*indices, thread]:
            assert isinstance(result.type, kir.Array)
            rest = result.type.shape[1:]
            type_ = kir.Array(result.type.element, rest) if rest else result.type.element
            result = kir.Index(result, index, type_, span)
        return result


def _home(array: kir.Variable, body: tuple[kir.Stmt, ...], block: Block) -> _Home:
    assert isinstance(array.type, kir.Array)
    threads = math.prod(block)
    by_row = any(isinstance(n, kir.AddressOf) and _root(n.lvalue) is array for n in walk(body))
    shape = (threads, *array.type.shape) if by_row else (*array.type.shape, threads)
    memory = dataclasses.replace(
        array, type=kir.Array(array.type.element, shape), storage=kir.Storage.SHARED, initial=None
    )
    return _Home(memory, array, by_row, block)


def _declared(node: kir.Stmt, homes: dict[kir.Variable, _Home]) -> Iterator[kir.Stmt]:
    """The memory is declared for the whole kernel; an initialiser becomes stores."""
    match node:
        case kir.Declare(variable) if variable in homes:
            yield from _initialised(homes[variable], node.span)
        case kir.If():
            then = tuple(s for inner in node.then for s in _declared(inner, homes))
            otherwise = tuple(s for inner in node.otherwise for s in _declared(inner, homes))
            yield dataclasses.replace(node, then=then, otherwise=otherwise)
        case kir.For() | kir.While():
            body = tuple(s for inner in node.body for s in _declared(inner, homes))
            yield dataclasses.replace(node, body=body)
        case _:
            yield node


def _initialised(home: _Home, span: Span) -> Iterator[kir.Stmt]:
    array = home.array
    if array.initial is None:
        return
    assert isinstance(array.type, kir.Array)
    places = itertools.product(*(range(n) for n in array.type.shape))
    for position, place in enumerate(places):
        value = array.initial[position] if position < len(array.initial) else 0
        target = home.element([kir.Const(n, kir.INT32, span) for n in place], span)
        assert isinstance(target, kir.Index)
        yield kir.Assign(target, kir.Const(value, array.type.element, span), span)


def _root(node: kir.Expr) -> kir.Variable | None:
    while isinstance(node, kir.Index):
        node = node.base
    return node.variable if isinstance(node, kir.VarRef) else None


def _indices(node: kir.Expr) -> list[kir.Expr]:
    found: list[kir.Expr] = []
    while isinstance(node, kir.Index):
        found.append(node.index)
        node = node.base
    return found[::-1]


def _linear_thread(block: Block, span: Span) -> kir.Expr:
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
