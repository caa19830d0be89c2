"""Which buffers of an elementwise kernel every thread accesses at its own index, and how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.analysis.elementwise import Elementwise
from porter.analysis.expressions import (
    own_expressions,
    statements,
    surely_evaluates,
    through_pointer,
    without_casts,
)
from porter.analysis.walk import changed_variable, walk
from porter.core.span import Span
from porter.cuda import kir
from porter.cuda.kir_walk import operands
from porter.hip.tune.body_text import leaves_early


@dataclass(frozen=True)
class ElementBuffer:
    """`places` are the accesses `x[i]`. `sure` says that every element within the bound is accessed,
    `elsewhere` that the buffer is also used otherwise. `load_after_store` says that a load of it can follow
    a store to another buffer in the same thread."""

    variable: kir.Variable
    places: tuple[Span, ...]
    loaded: bool
    stored: bool
    sure: bool
    surely_stored: bool
    elsewhere: bool
    load_after_store: bool

    @property
    def element(self) -> kir.Type:
        assert isinstance(self.variable.type, kir.Pointer)
        return self.variable.type.pointee


@dataclass(frozen=True)
class _Step:
    """A statement in program order; those of one loop share `order`."""

    statement: kir.Stmt
    order: int
    looped: bool

    def after(self, orders: list[int]) -> bool:
        """Whether it can run after one of the steps of these orders."""
        return any(self.order > other or (self.looped and self.order == other) for other in orders)


@dataclass(frozen=True)
class _Use:
    place: kir.Index
    stored: bool
    loaded: bool
    step: _Step


@dataclass(frozen=True)
class _Certain:
    """The buffers that every element loads and stores at its index, whatever the data."""

    loaded: frozenset[kir.Variable] = frozenset()
    stored: frozenset[kir.Variable] = frozenset()

    def __or__(self, other: _Certain) -> _Certain:
        return _Certain(self.loaded | other.loaded, self.stored | other.stored)

    def __and__(self, other: _Certain) -> _Certain:
        return _Certain(self.loaded & other.loaded, self.stored & other.stored)


def element_buffers(kernel: kir.Kernel, form: Elementwise) -> tuple[ElementBuffer, ...]:
    """Every pointer parameter that the kernel uses, in the order of the parameters."""
    steps = tuple(_steps(form.body))
    uses = [use for step in steps for use in _uses(step, form.index)]
    certain = _certain(form.body, form.index)
    pointers = [p for p in kernel.parameters if isinstance(p.type, kir.Pointer)]
    used = [p for p in pointers if _mentions(kernel.body, p)]
    return tuple(_buffer(p, steps, uses, certain, _mentions(kernel.body, p)) for p in used)


def _buffer(
    parameter: kir.Variable, steps: tuple[_Step, ...], uses: list[_Use], certain: _Certain, mentions: int
) -> ElementBuffer:
    own = [u for u in uses if _root(u.place) is parameter]
    other_stores = [u.step.order for u in uses if u.stored and _root(u.place) is not parameter]
    return ElementBuffer(
        parameter,
        tuple(dict.fromkeys(u.place.span for u in own)),
        loaded=any(u.loaded for u in own),
        stored=any(u.stored for u in own),
        sure=parameter in certain.loaded | certain.stored,
        surely_stored=parameter in certain.stored,
        elsewhere=mentions != len(own),
        load_after_store=any(
            step.after(other_stores) and _mentions(tuple(_loads(step.statement)), parameter) for step in steps
        ),
    )


def _mentions(root: tuple[object, ...], parameter: kir.Variable) -> int:
    return sum(isinstance(n, kir.VarRef) and n.variable is parameter for n in walk(root))


def _root(place: kir.Index) -> kir.Variable | None:
    return place.base.variable if isinstance(place.base, kir.VarRef) else None


def _steps(body: tuple[kir.Stmt, ...]) -> Iterator[_Step]:
    order = 0
    for statement in body:
        looped = any(isinstance(n, kir.For | kir.While) for n in walk(statement))
        for node in statements((statement,)):
            order += not looped
            yield _Step(node, order, looped)
        order += 1


def _certain(body: tuple[kir.Stmt, ...], index: kir.Variable) -> _Certain:
    """What holds of both sides of a branch holds; what is in a loop or behind a way out does not."""
    found = _Certain()
    for statement in body:
        step = _Step(statement, 0, looped=False)
        uses = [u for u in _uses(step, index) if not u.loaded or _is_sure(statement, u.place)]
        loaded = frozenset(v for u in uses if u.loaded and (v := _root(u.place)) is not None)
        stored = frozenset(v for u in uses if u.stored and (v := _root(u.place)) is not None)
        found |= _Certain(loaded, stored)
        if isinstance(statement, kir.If):
            found |= _certain(statement.then, index) & _certain(statement.otherwise, index)
        if leaves_early((statement,)):
            break
    return found


def _is_sure(statement: kir.Stmt, place: kir.Index) -> bool:
    """Whether the statement's own expressions evaluate `place` in any case."""
    return any(surely_evaluates(expr, place) for expr in _loads(statement)) or _stores_to(statement, place)


def _stores_to(statement: kir.Stmt, place: kir.Index) -> bool:
    return isinstance(statement, kir.Assign) and any(n is place for n in walk(statement.target))


def _uses(step: _Step, index: kir.Variable) -> Iterator[_Use]:
    """The accesses at the index; loads of a statement come before its store."""
    node = step.statement
    for expr in _loads(node):
        for place in _places(expr, index):
            yield _Use(place, stored=False, loaded=True, step=step)
    if isinstance(node, kir.Assign) and through_pointer(node.target):
        stored: kir.Expr = node.target
        while isinstance(stored, kir.Member):
            stored = stored.base
        if isinstance(stored, kir.Index) and is_at(stored, index):
            whole = isinstance(node.target, kir.Index)
            yield _Use(stored, stored=True, loaded=not whole, step=step)


def _loads(statement: kir.Stmt) -> Iterator[kir.Expr]:
    """The expressions of a statement, of a target the indices only."""
    for expr in own_expressions(statement):
        if isinstance(statement, kir.Assign) and expr is statement.target:
            place: kir.Expr = expr
            while isinstance(place, kir.Index | kir.Member):
                if isinstance(place, kir.Index):
                    yield place.index
                place = place.base
        else:
            yield expr


def _places(expr: kir.Expr, index: kir.Variable) -> Iterator[kir.Index]:
    """The accesses at the index within an expression."""
    if isinstance(expr, kir.Index) and is_at(expr, index):
        yield expr
        return
    for operand in operands(expr):
        yield from _places(operand, index)


def is_at(place: kir.Index, index: kir.Variable) -> bool:
    """`x[i]` of a parameter `x`."""
    base, at = place.base, without_casts(place.index)
    return (
        isinstance(base, kir.VarRef)
        and base.variable.storage is kir.Storage.PARAMETER
        and isinstance(at, kir.VarRef)
        and at.variable is index
    )


def _is_shared_by_all(target: kir.Expr) -> bool:
    variable = changed_variable(target)
    return variable is not None and variable.storage is kir.Storage.GLOBAL


def stores_elsewhere(form: Elementwise) -> Span | None:
    """The first store through a pointer that is not at the index, or to what all threads share, or a pointer
    given to a function."""
    for node in walk(form.body):
        if isinstance(node, kir.Assign) and _is_shared_by_all(node.target):
            return node.span
        if isinstance(node, kir.Assign) and through_pointer(node.target):
            place: kir.Expr = node.target
            while isinstance(place, kir.Member):
                place = place.base
            if not (isinstance(place, kir.Index) and is_at(place, form.index)):
                return node.span
        if isinstance(node, kir.CallFunction) and any(_has_pointer(a.type) for a in node.arguments):
            return node.span
    return None


def _has_pointer(type_: kir.Type) -> bool:
    match type_:
        case kir.Pointer():
            return True
        case kir.Struct(_, fields):
            return any(_has_pointer(field) for _, field in fields)
        case kir.Array(element, _):
            return _has_pointer(element)
        case _:
            return False


def loads_of_others(form: Elementwise) -> Span | None:
    """A load that may see what is stored before it, and is from no pointer parameter.

    Its buffer is not known, so no test can tell it from the one that is stored.
    """
    steps = tuple(_steps(form.body))
    stores = [use.step.order for step in steps for use in _uses(step, form.index) if use.stored]
    for step in steps:
        if form.loop is not None or step.after(stores):
            for expr in _loads(step.statement):
                if any(_is_of_other(node) for node in walk(expr)):
                    return expr.span
    return None


def _is_of_other(node: object) -> bool:
    if isinstance(node, kir.VarRef):
        return node.variable.storage is kir.Storage.GLOBAL
    if not isinstance(node, kir.Index) or not isinstance(node.base.type, kir.Pointer):
        return False
    base = node.base
    return not (isinstance(base, kir.VarRef) and base.variable.storage is kir.Storage.PARAMETER)
