"""Which buffers of an elementwise kernel every thread accesses at its own index, and how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.analysis.elementwise import Elementwise
from porter.analysis.expressions import own_expressions, statements, through_pointer
from porter.analysis.walk import walk
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
    """A statement in program order. Every element runs a `sure` one; steps of one loop share `order`."""

    statement: kir.Stmt
    order: int
    sure: bool
    looped: bool

    def after(self, orders: list[int]) -> bool:
        """Whether it can run after one of the steps of these orders."""
        return any(self.order > other or (self.looped and self.order == other) for other in orders)


@dataclass(frozen=True)
class _Use:
    place: kir.Index
    stored: bool
    loaded: bool
    sure: bool
    step: _Step


def element_buffers(kernel: kir.Kernel, form: Elementwise) -> tuple[ElementBuffer, ...]:
    """Every pointer parameter that the kernel uses, in the order of the parameters."""
    steps = tuple(_steps(form.body))
    uses = [use for step in steps for use in _uses(step, form.index)]
    pointers = [p for p in kernel.parameters if isinstance(p.type, kir.Pointer)]
    used = [p for p in pointers if _mentions(kernel.body, p)]
    return tuple(_buffer(p, steps, uses, _mentions(kernel.body, p)) for p in used)


def _buffer(
    parameter: kir.Variable, steps: tuple[_Step, ...], uses: list[_Use], mentions: int
) -> ElementBuffer:
    own = [u for u in uses if _root(u.place) is parameter]
    other_stores = [u.step.order for u in uses if u.stored and _root(u.place) is not parameter]
    return ElementBuffer(
        parameter,
        tuple(dict.fromkeys(u.place.span for u in own)),
        loaded=any(u.loaded for u in own),
        stored=any(u.stored for u in own),
        sure=any(u.sure for u in own),
        surely_stored=any(u.sure and u.stored for u in own),
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
    order, sure = 0, True
    for statement in body:
        looped = isinstance(statement, kir.For | kir.While)
        for node in statements((statement,)):
            order += not looped
            yield _Step(node, order, sure and node is statement, looped)
        order += 1
        sure = sure and not leaves_early((statement,))


def _uses(step: _Step, index: kir.Variable) -> Iterator[_Use]:
    """The accesses at the index; loads of a statement come before its store."""
    node = step.statement
    for expr in _loads(node):
        for place, certain in _places(expr, index, step.sure):
            yield _Use(place, stored=False, loaded=True, sure=certain, step=step)
    if isinstance(node, kir.Assign) and through_pointer(node.target):
        stored: kir.Expr = node.target
        while isinstance(stored, kir.Member):
            stored = stored.base
        if isinstance(stored, kir.Index) and is_at(stored, index):
            whole = isinstance(node.target, kir.Index)
            yield _Use(stored, stored=True, loaded=not whole, sure=step.sure, step=step)


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


def _places(expr: kir.Expr, index: kir.Variable, sure: bool) -> Iterator[tuple[kir.Index, bool]]:
    """The accesses at the index within an expression, and whether each is evaluated for certain."""
    if isinstance(expr, kir.Index) and is_at(expr, index):
        yield expr, sure
        return
    is_choice = isinstance(expr, kir.Select) or (isinstance(expr, kir.Binary) and expr.op in ("&&", "||"))
    for at, operand in enumerate(operands(expr)):
        yield from _places(operand, index, sure and not (is_choice and at))


def is_at(place: kir.Index, index: kir.Variable) -> bool:
    """`x[i]` of a parameter `x`."""
    base, at = place.base, place.index
    while isinstance(at, kir.Cast):
        at = at.operand
    return (
        isinstance(base, kir.VarRef)
        and base.variable.storage is kir.Storage.PARAMETER
        and isinstance(at, kir.VarRef)
        and at.variable is index
    )


def stores_elsewhere(form: Elementwise) -> Span | None:
    """The first store through a pointer that is not at the index, or a pointer given to a function."""
    for node in walk(form.body):
        if isinstance(node, kir.Assign) and through_pointer(node.target):
            place: kir.Expr = node.target
            while isinstance(place, kir.Member):
                place = place.base
            if not (isinstance(place, kir.Index) and is_at(place, form.index)):
                return node.span
        if isinstance(node, kir.CallFunction) and any(
            isinstance(a.type, kir.Pointer) for a in node.arguments
        ):
            return node.span
    return None
