"""Accesses of local variables through pointers of another type, as accesses of their components.

`*(float4*)v` for `float v[4]` is four elements, `((float*)&vec)[i]` a choice between components, and
`*(int4*)halves` words that are put together from bits. A local variable lies in registers: it is a row of
scalar components with known places, and nothing but its own components can be reached through its address.
Assumes that pointer variables were followed, and that indices are constants where loops give them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field

from porter.analysis.sizes import field_offset_bytes, size_bytes
from porter.analysis.walk import Node, rewrite, walk
from porter.core.span import Span
from porter.cuda import kir
from porter.tile.components import fields_of, is_aggregate
from porter.tile.register_bits import assembled, written_parts
from porter.tile.simplify import simplified
from porter.tile.word_parts import part_at, with_part

_MOST_CHOICES = 16


@dataclass(frozen=True)
class Leaf:
    """A scalar component: how it is named, and the byte it starts at."""

    place: kir.Lvalue
    type: kir.Scalar
    start: int


@dataclass(frozen=True)
class _Address:
    """A byte of a local variable: a constant, and terms of an index times a number of bytes."""

    variable: kir.Variable
    start: int
    terms: tuple[tuple[kir.Expr, int], ...]

    def moved(self, index: kir.Expr, step: int) -> _Address:
        if isinstance(index, kir.Const):
            return dataclasses.replace(self, start=self.start + int(index.value) * step)
        return dataclasses.replace(self, terms=(*self.terms, (index, step)))


def resolve_register_views(kernel: kir.Kernel) -> kir.Kernel:
    """The kernel with what is reached through the address of a local variable named by its components."""
    if not any(_is_view(node) for node in walk(kernel.body)):
        return kernel
    resolver = _Resolver()
    body = resolver.block(kernel.body)
    return dataclasses.replace(kernel, body=_with_values(body, resolver.partly))


def _is_view(node: Node) -> bool:
    return isinstance(node, (kir.Index, kir.Member)) and _through_pointer(node) and _locate(node) is not None


def _through_pointer(node: kir.Expr) -> bool:
    while isinstance(node, (kir.Index, kir.Member)):
        if isinstance(node.base.type, kir.Pointer):
            return True
        node = node.base
    return False


# --- addresses -----------------------------------------------------------------------------------------


def _locate(lvalue: kir.Expr) -> _Address | None:
    """Where an lvalue lies in a local variable; None for memory."""
    match lvalue:
        case kir.VarRef(variable) if variable.storage is kir.Storage.LOCAL:
            return None if isinstance(variable.type, kir.Pointer) else _Address(variable, 0, ())
        case kir.Member(base, name):
            inside = _locate(base)
            if inside is None or not isinstance(base.type, (kir.Struct, kir.Vector)):
                return None
            return dataclasses.replace(inside, start=inside.start + field_offset_bytes(base.type, name))
        case kir.Index(base, index):
            start = _pointed(base) if isinstance(base.type, kir.Pointer) else _locate(base)
            return start.moved(index, size_bytes(lvalue.type)) if start is not None else None
        case _:
            return None


def _pointed(pointer: kir.Expr) -> _Address | None:
    match pointer:
        case kir.AddressOf(lvalue):
            return _locate(lvalue)
        case kir.Cast(operand) if isinstance(operand.type, kir.Pointer):
            return _pointed(operand)
        case kir.Binary("+", left, right) if isinstance(pointer.type, kir.Pointer):
            start = _pointed(left)
            return start.moved(right, size_bytes(pointer.type.pointee)) if start is not None else None
        case _:
            return None


def leaves_of(place: kir.Expr, start: int = 0) -> Iterator[Leaf]:
    """The scalar components of an lvalue in the order of their addresses."""
    type_ = place.type
    if isinstance(type_, kir.Array):
        inner = kir.Array(type_.element, type_.shape[1:]) if len(type_.shape) > 1 else type_.element
        for number in range(type_.shape[0]):
            index = kir.Const(number, kir.INT32, place.span)
            element = kir.Index(place, index, inner, place.span)
            yield from leaves_of(element, start + number * size_bytes(inner))
    elif isinstance(type_, (kir.Struct, kir.Vector)):
        for name, inner in fields_of(type_):
            offset = field_offset_bytes(type_, name)
            yield from leaves_of(kir.Member(place, name, inner, place.span), start + offset)
    elif isinstance(type_, kir.Scalar):
        assert isinstance(place, (kir.VarRef, kir.Index, kir.Member))
        yield Leaf(place, type_, start)


# --- reading -------------------------------------------------------------------------------------------


def read(address: _Address, type_: kir.Type, span: Span) -> kir.Expr | None:
    """The value of `type_` at `address`; None where the components do not give it."""
    if is_aggregate(type_):
        parts = []
        for name, inner in fields_of(type_):
            assert isinstance(type_, (kir.Struct, kir.Vector))
            at = dataclasses.replace(address, start=address.start + field_offset_bytes(type_, name))
            parts.append(read(at, inner, span))
        return kir.MakeVector(tuple(parts), type_, span) if None not in parts else None  # type: ignore[arg-type]
    if not isinstance(type_, kir.Scalar):
        return None
    leaves = list(leaves_of(kir.VarRef(address.variable, address.variable.type, span)))
    if not address.terms:
        return assembled([(leaf.place, leaf.start) for leaf in leaves], address.start, type_, span)
    candidates = _candidates(address, type_, leaves, span)
    if candidates is None:
        number = _number(address, size_bytes(type_), span)
        words = [(leaf.place, leaf.start) for leaf in leaves]
        few = len(leaves) <= _MOST_CHOICES
        return part_at(words, number, type_, span) if number is not None and few else None
    result: kir.Expr | None = None
    for condition, leaf in reversed(candidates):
        value = assembled([(leaf.place, leaf.start)], leaf.start, type_, span)
        if value is None:
            return None
        result = value if result is None else kir.Select(condition, value, result, type_, span)
    return result


def _candidates(
    address: _Address, type_: kir.Scalar, leaves: list[Leaf], span: Span
) -> list[tuple[kir.Expr, Leaf]] | None:
    """The components that the address may be, each with its condition; all have the size of `type_`."""
    size = size_bytes(type_)
    regular = all(size_bytes(leaf.type) == size and leaf.start % size == 0 for leaf in leaves)
    number = _number(address, size, span)
    if not regular or number is None or len(leaves) > _MOST_CHOICES:
        return None
    return [
        (
            kir.Binary("==", number, kir.Const(leaf.start // size, kir.INT64, span), kir.BOOL, span),
            leaf,
        )
        for leaf in leaves
    ]


def _number(address: _Address, size: int, span: Span) -> kir.Expr | None:
    """Which element of `size` bytes the address is, from the start of the variable; None: between two."""
    if address.start % size or any(step % size for _, step in address.terms):
        return None
    number: kir.Expr = kir.Const(address.start // size, kir.INT64, span)
    for index, step in address.terms:
        scale = kir.Const(step // size, kir.INT64, span)
        wide = simplified(kir.Cast(index, kir.INT64, span))
        scaled = simplified(kir.Binary("*", wide, scale, kir.INT64, span))
        number = simplified(kir.Binary("+", number, scaled, kir.INT64, span))
    return number


# --- statements ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Resolver:
    """`partly` collects the variables that a store changes some bits of: they need a value before."""

    partly: set[kir.Variable] = field(default_factory=set)

    def block(self, body: tuple[kir.Stmt, ...]) -> tuple[kir.Stmt, ...]:
        return tuple(new for statement in body for new in self.statement(statement))

    def statement(self, node: kir.Stmt) -> tuple[kir.Stmt, ...]:
        match node:
            case kir.Assign(target, value) if _is_view(target):
                stored = self.stored(target, rewrite(value, _change), node.span)
                return stored if stored is not None else (_reads(node),)
            case kir.If():
                then, otherwise = self.block(node.then), self.block(node.otherwise)
                condition = rewrite(node.condition, _change)
                return (dataclasses.replace(node, condition=condition, then=then, otherwise=otherwise),)
            case kir.For():
                init, body, step = self.block(node.init), self.block(node.body), self.block(node.step)
                condition = rewrite(node.condition, _change)
                return (dataclasses.replace(node, init=init, condition=condition, body=body, step=step),)
            case kir.While():
                condition = rewrite(node.condition, _change)
                return (dataclasses.replace(node, condition=condition, body=self.block(node.body)),)
            case _:
                return (_reads(node),)

    def stored(self, target: kir.Expr, value: kir.Expr, span: Span) -> tuple[kir.Stmt, ...] | None:
        """The components that a store changes, each with its new value."""
        address = _locate(target)
        assert address is not None
        out: list[kir.Stmt] = []
        if not isinstance(value, kir.Const):
            kept = kir.Variable("stored", target.type, kir.Storage.LOCAL, span)
            out.append(kir.Declare(kept, value, span))
            value = kir.VarRef(kept, target.type, span)
        return tuple(out) if self.store(address, value, out, span) else None

    def store(self, address: _Address, value: kir.Expr, out: list[kir.Stmt], span: Span) -> bool:
        type_ = value.type
        if isinstance(type_, (kir.Struct, kir.Vector)):
            return all(
                self.store(
                    dataclasses.replace(address, start=address.start + field_offset_bytes(type_, name)),
                    kir.Member(value, name, inner, span),
                    out,
                    span,
                )
                for name, inner in fields_of(type_)
            )
        if not isinstance(type_, kir.Scalar):
            return False
        leaves = list(leaves_of(kir.VarRef(address.variable, address.variable.type, span)))
        if not address.terms:
            parts = written_parts([(leaf.place, leaf.start) for leaf in leaves], address.start, value, span)
            if parts is None:
                return False
            out += [kir.Assign(place, new, span) for place, new in parts]
            if any(size_bytes(place.type) > size_bytes(type_) for place, _ in parts):
                self.partly.add(address.variable)
            return True
        return self.store_chosen(address, value, leaves, out)

    def store_chosen(
        self, address: _Address, value: kir.Expr, leaves: list[Leaf], out: list[kir.Stmt]
    ) -> bool:
        """The component that the address is takes the value, the others keep theirs."""
        span = value.span
        assert isinstance(value.type, kir.Scalar)
        candidates = _candidates(address, value.type, leaves, span)
        number = _number(address, size_bytes(value.type), span)
        if candidates is None and number is not None and len(leaves) <= _MOST_CHOICES:
            changed = with_part([(leaf.place, leaf.start) for leaf in leaves], number, value, span)
            out += [kir.Assign(place, new, span) for place, new in changed or ()]
            self.partly.add(address.variable)
            return changed is not None
        for condition, leaf in candidates or ():
            parts = written_parts([(leaf.place, leaf.start)], leaf.start, value, span)
            if parts is None:
                return False
            new = kir.Select(condition, parts[0][1], leaf.place, leaf.type, span)
            out.append(kir.Assign(leaf.place, new, span))
        self.partly.add(address.variable)
        return candidates is not None


def _with_values(body: tuple[kir.Stmt, ...], partly: set[kir.Variable]) -> tuple[kir.Stmt, ...]:
    """Zeros for what is declared without a value and then changed in part: C leaves the rest undefined."""
    out: list[kir.Stmt] = []
    for node in body:
        if isinstance(node, kir.If):
            then, otherwise = _with_values(node.then, partly), _with_values(node.otherwise, partly)
            out.append(dataclasses.replace(node, then=then, otherwise=otherwise))
        elif isinstance(node, (kir.For, kir.While)):
            out.append(dataclasses.replace(node, body=_with_values(node.body, partly)))
        else:
            out.append(node)
        if isinstance(node, kir.Declare) and node.value is None and node.variable in partly:
            for leaf in leaves_of(kir.VarRef(node.variable, node.variable.type, node.span)):
                out.append(kir.Assign(leaf.place, _zero(leaf.type, node.span), node.span))
    return tuple(out)


def _zero(type_: kir.Scalar, span: Span) -> kir.Const:
    return kir.Const({"bool": False, "float": 0.0, "bfloat": 0.0}.get(type_.kind, 0), type_, span)


def _reads(node: kir.Stmt) -> kir.Stmt:
    """The statement with its reads replaced; where it stores to, or an address it takes, is no read."""
    if isinstance(node, kir.Assign):
        return dataclasses.replace(node, value=rewrite(node.value, _change))
    return rewrite(node, _change)


def _change(node: Node) -> Node:
    if isinstance(node, (kir.Index, kir.Member)) and _is_view(node):
        address = _locate(node)
        assert address is not None
        value = read(address, node.type, node.span)
        return value if value is not None else node
    return simplified(node)
