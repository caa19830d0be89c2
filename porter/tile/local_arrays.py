"""Local arrays: scalar variables where every index is a constant or the array is short, memory otherwise.

Registers cannot be indexed by a value. A short array that is, is a choice between its elements; a long one
becomes a scratch array with one column for each thread. Assumes that loops were unrolled where that gives
constants, and that aggregates were split: elements are scalars.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from porter.analysis.walk import Node, mapped_children, rewrite, walk
from porter.core.span import Span
from porter.cuda import kir
from porter.tile.api import Declined
from porter.tile.forward_copies import forward_copies
from porter.tile.simplify import simplified
from porter.tile.spill_arrays import spill

_MOST_CHOICES = 16
"""Elements of an array that is a choice between registers; a longer one is faster in memory."""

Place = tuple[int, ...]


def replace_local_arrays(kernel: kir.Kernel, block: tuple[int, int, int]) -> kir.Kernel:
    """The kernel without local arrays."""
    arrays = _local_arrays(kernel.body)
    if not arrays:
        return kernel
    body = _copied_by_element(kernel.body)
    spilled = {a for a in arrays if _needs_memory(a, body)}
    chosen = _dynamically_indexed(body, arrays) - spilled
    parts = {a: _split(a) for a in arrays - spilled}
    body = _Elements(parts, chosen).block(body)
    body = forward_copies(body, frozenset(part for split in parts.values() for part in split.values()))
    if spilled:
        body = spill(body, spilled, block)
    return dataclasses.replace(kernel, body=body)


def _local_arrays(body: tuple[kir.Stmt, ...]) -> set[kir.Variable]:
    return {
        node.variable
        for node in walk(body)
        if isinstance(node, kir.Declare)
        and isinstance(node.variable.type, kir.Array)
        and node.variable.storage is kir.Storage.LOCAL
    }


def array_of(node: kir.Expr) -> kir.Variable | None:
    """The array variable that `a`, `a[i]`, `a[i][j]` belong to; what an element points to does not."""
    while isinstance(node, kir.Index) and isinstance(node.base.type, kir.Array):
        node = node.base
    return node.variable if isinstance(node, kir.VarRef) else None


# --- whole arrays ------------------------------------------------------------------------------------


def _copied_by_element(body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
    """`a = b` for arrays (members of structs are) as `a[0] = b[0]; …`."""
    return tuple(new for statement in body for new in _by_element(statement))


def _by_element(node: kir.Stmt) -> Iterator[kir.Stmt]:
    match node:
        case kir.Declare(variable, value) if isinstance(variable.type, kir.Array) and value is not None:
            yield dataclasses.replace(node, value=None)
            target = kir.VarRef(variable, variable.type, node.span)
            yield from _element_copies(target, value, node.span)
        case kir.Assign(target, value) if isinstance(target.type, kir.Array):
            yield from _element_copies(target, value, node.span)
        case kir.If():
            then, otherwise = _copied_by_element(node.then), _copied_by_element(node.otherwise)
            yield dataclasses.replace(node, then=then, otherwise=otherwise)
        case kir.For() | kir.While():
            yield dataclasses.replace(node, body=_copied_by_element(node.body))
        case _:
            yield node


def _element_copies(target: kir.Expr, value: kir.Expr, span: Span) -> Iterator[kir.Stmt]:
    assert isinstance(target.type, kir.Array)
    for place in itertools.product(*(range(n) for n in target.type.shape)):
        left, right = _element(target, place, span), _element(value, place, span)
        assert isinstance(left, kir.Index)
        yield kir.Assign(left, right, span)


def _element(array: kir.Expr, place: Place, span: Span) -> kir.Expr:
    """Element `place` of an expression of an array type."""
    match array:
        case kir.Select(condition, if_true, if_false):
            sides = (_element(if_true, place, span), _element(if_false, place, span))
            return kir.Select(condition, *sides, sides[0].type, span)
        case kir.Const(type=kir.Array(element)) if (zero := zero_of(element, span)) is not None:
            return zero  # `T a[n] = {}` and `T()`
        case kir.MakeVector(elements):
            inner = elements[place[0]]
            return _element(inner, place[1:], span) if place[1:] else inner
    result = array
    for number in place:
        assert isinstance(result.type, kir.Array)
        rest = result.type.shape[1:]
        type_ = kir.Array(result.type.element, rest) if rest else result.type.element
        result = kir.Index(result, kir.Const(number, kir.INT32, span), type_, span)
    return simplified(result) if isinstance(array, kir.AddressOf) else result


# --- how an array is used ------------------------------------------------------------------------------


def _needs_memory(array: kir.Variable, body: tuple[kir.Stmt, ...]) -> bool:
    """Whether it is used in any way other than by element, or by value and too long to choose from."""
    assert isinstance(array.type, kir.Array)
    by_value = array in _dynamically_indexed(body, {array})
    return _used_whole(array, body) or (by_value and math.prod(array.type.shape) > _MOST_CHOICES)


def _used_whole(array: kir.Variable, body: tuple[kir.Stmt, ...]) -> bool:
    mentions = sum(isinstance(n, kir.VarRef) and n.variable is array for n in walk(body))
    elements = sum(
        isinstance(n, kir.Index) and not isinstance(n.type, kir.Array) and array_of(n) is array
        for n in walk(body)
    )
    addressed = any(isinstance(n, kir.AddressOf) and array_of(n.lvalue) is array for n in walk(body))
    return addressed or mentions != elements


def _dynamically_indexed(body: tuple[kir.Stmt, ...], arrays: set[kir.Variable]) -> set[kir.Variable]:
    """Arrays some element of which is not named by constants."""
    return {
        array
        for node in walk(body)
        if isinstance(node, kir.Index)
        and not isinstance(node.type, kir.Array)
        and (array := array_of(node)) is not None
        and array in arrays
        and not _is_constant_place(node, array)
    }


def _is_constant_place(node: kir.Index, array: kir.Variable) -> bool:
    assert isinstance(array.type, kir.Array)
    pairs = zip(indices_of(node), array.type.shape, strict=True)
    return all(isinstance(i, kir.Const) and 0 <= int(i.value) < n for i, n in pairs)


def indices_of(node: kir.Expr) -> list[kir.Expr]:
    """The indices of `a[i][j]`, outermost first."""
    found: list[kir.Expr] = []
    while isinstance(node, kir.Index):
        found.append(node.index)
        node = node.base
    return found[::-1]


# --- elements as variables -------------------------------------------------------------------------


def _split(array: kir.Variable) -> dict[Place, kir.Variable]:
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
    """`chosen` are the arrays that are indexed by values: their elements always have one."""

    parts: dict[kir.Variable, dict[Place, kir.Variable]] = field(default_factory=dict)
    chosen: set[kir.Variable] = field(default_factory=set)

    def block(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        return tuple(new for statement in body for new in self.statement(statement))

    def statement(self, node: kir.Stmt) -> tuple[kir.Stmt, ...]:
        match node:
            case kir.Declare(variable) if variable in self.parts:
                return self.declared(node)
            case kir.Assign(kir.Index() as target) if self.is_choice(target):
                return self.stored(node, target)
            case kir.If(condition):
                before, tested = self.with_named_indices(condition)
                changed = self.over_blocks(node, "then", "otherwise")
                return (*before, dataclasses.replace(changed, condition=tested))  # type: ignore[type-var]
            case kir.For():
                return (self.over_blocks(node, "init", "body", "step"),)
            case kir.While():
                return (self.over_blocks(node, "body"),)
            case kir.Declare(_, value) | kir.Assign(_, value) if value is not None:
                before, new = self.with_named_indices(value)
                return (*before, rewrite(dataclasses.replace(node, value=new), self.change))
            case _:
                return (rewrite(node, self.change),)

    def with_named_indices(self, value: kir.Expr) -> tuple[list[kir.Stmt], kir.Expr]:
        """`value` over elements; an index that a choice would compute again and again has a name."""
        out: list[kir.Stmt] = []

        def name_indices(node: kir.Expr) -> kir.Expr:
            """Of what is evaluated always: an index that reads memory stays behind its guard."""
            if isinstance(node, kir.Index) and self.is_choice(node):
                return self.over_named(node, out)
            if isinstance(node, kir.Select) or (isinstance(node, kir.Binary) and node.op in ("&&", "||")):
                return node
            return mapped_children(node, name_indices)

        return out, rewrite(name_indices(value), self.change)

    def over_named(self, node: kir.Index, out: list[kir.Stmt]) -> kir.Expr:
        base = self.over_named(node.base, out) if isinstance(node.base, kir.Index) else node.base
        index = node.index if _is_simple(node.index) else self.named("index", node.index, out)
        return dataclasses.replace(node, base=base, index=index)

    def over_blocks(self, node: kir.If | kir.For | kir.While, *names: str) -> kir.Stmt:
        blocks: dict[str, object] = {name: self.block(getattr(node, name)) for name in names}
        condition = rewrite(node.condition, self.change)
        return dataclasses.replace(node, condition=condition, **blocks)  # type: ignore[arg-type]

    def declared(self, node: kir.Declare) -> tuple[kir.Stmt, ...]:
        """One declaration an element; the whole array has no initialiser but constants."""
        array = node.variable
        return tuple(
            kir.Declare(part, self.initial(array, position, node.span), node.span, comments)
            for position, part in enumerate(self.parts[array].values())
            for comments in [node.comments if not position else ()]
        )

    def initial(self, array: kir.Variable, position: int, span: Span) -> kir.Expr | None:
        value = initial_element(array, position, span)
        if value is None and array in self.chosen:
            assert isinstance(array.type, kir.Array)
            return zero_of(array.type.element, span)
        return value

    def is_choice(self, node: kir.Index) -> bool:
        array = array_of(node) if not isinstance(node.type, kir.Array) else None
        return array is not None and array in self.chosen and not _is_constant_place(node, array)

    def stored(self, node: kir.Assign, target: kir.Index) -> tuple[kir.Stmt, ...]:
        """`a[i] = v` where `i` is a value: each element takes `v` where it is the one."""
        out: list[kir.Stmt] = []
        indices = [i if _is_simple(i) else self.named("index", i, out) for i in indices_of(target)]
        value = self.named("value", node.value, out)
        for part, condition in self.candidates(target, indices):
            old = kir.VarRef(part, part.type, node.span)
            new: kir.Expr = kir.Select(condition, value, old, part.type, node.span) if condition else value
            out.append(kir.Assign(old, new, node.span))
        return tuple(out)

    def named(self, wanted: str, value: kir.Expr, out: list[kir.Stmt]) -> kir.Expr:
        """The value, evaluated once."""
        value = rewrite(value, self.change)
        if isinstance(value, kir.Const):
            return value
        variable = kir.Variable(wanted, value.type, kir.Storage.LOCAL, value.span)
        out.append(kir.Declare(variable, value, value.span))
        return kir.VarRef(variable, value.type, value.span)

    def candidates(
        self, node: kir.Index, indices: list[kir.Expr]
    ) -> Iterator[tuple[kir.Variable, kir.Expr | None]]:
        """The elements that `node` may be, each with the condition under which it is."""
        array = array_of(node)
        assert array is not None
        for place, part in self.parts[array].items():
            pairs = list(zip(place, indices, strict=True))
            if any(isinstance(i, kir.Const) and i.value != n for n, i in pairs):
                continue
            condition: kir.Expr | None = None
            for number, index in pairs:
                if isinstance(index, kir.Const):
                    continue
                constant = kir.Const(number, index.type, node.span)
                test = kir.Binary("==", index, constant, kir.BOOL, node.span)
                condition = (
                    test if condition is None else kir.Binary("&&", condition, test, kir.BOOL, node.span)
                )
            yield part, condition

    def change(self, node: Node) -> Node:
        if not isinstance(node, kir.Index) or isinstance(node.type, kir.Array):
            return node
        array = array_of(node)
        if array not in self.parts or array is None:
            return node
        result: kir.Expr | None = None
        for part, condition in reversed(list(self.candidates(node, indices_of(node)))):
            value = kir.VarRef(part, part.type, node.span)
            if result is None or condition is None:
                result = value
            else:
                result = kir.Select(condition, value, result, node.type, node.span)
        if result is None:
            raise Declined("TIL054", f"an index outside of `{array.name}`", node.span)
        return result


def _is_simple(index: kir.Expr) -> bool:
    while isinstance(index, kir.Cast):
        index = index.operand
    return isinstance(index, (kir.Const, kir.VarRef, kir.Builtin))


def initial_element(array: kir.Variable, position: int, span: Span) -> kir.Expr | None:
    """What element `position` holds at first, in C's order; None where the array has no initialiser."""
    if array.initial is None or not isinstance(array.type, kir.Array):
        return None
    value = array.initial[position] if position < len(array.initial) else 0
    return kir.Const(value, array.type.element, span)


def zero_of(type_: kir.Type, span: Span) -> kir.Expr | None:
    if not isinstance(type_, kir.Scalar):
        return None
    value = {"bool": False, "float": 0.0, "bfloat": 0.0}.get(type_.kind, 0)
    return kir.Const(value, type_, span)
