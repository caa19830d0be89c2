"""Raises a whole kernel that computes a matrix product to a tile of one element a thread and `Dot`.

However the threads share the work (register tiles, vector loads, tiles that alternate, no tiles at all), the
block computes a tile of the product, element by element the sum over k of a factor of its row and a factor of
its column. That is shown by following the kernel through all threads of a block and one round of its loop
(`product_rounds.py`, `product_shape.py`), and the kernel is then written anew: the thread block becomes the
tile. Only the order of the additions changes.

`find_product.py` has the licences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from porter.analysis.expressions import key, root, statements, through_pointer, variables
from porter.analysis.product_rounds import ProductRun
from porter.analysis.product_shape import (
    Fitted,
    Labels,
    Linear,
    NoShape,
    elements_of,
)
from porter.analysis.reaching import changed_in
from porter.analysis.stop import Stop
from porter.analysis.walk import walk
from porter.core.diagnostic import Diagnostic
from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    FLOAT32,
    INT32,
    UINT32,
    AddressOf,
    Assign,
    Binary,
    Builtin,
    Call,
    CallFunction,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    For,
    If,
    Index,
    Kernel,
    Pointer,
    Scalar,
    Select,
    Stmt,
    Storage,
    Type,
    Variable,
    VarRef,
    While,
)
from porter.tile.conditions import all_of, distinct, parts_of, under
from porter.tile.find_product import (
    Effect,
    Factor,
    FoundProduct,
    element_of_tile,
    find_product,
    loads_in,
    needed,
)
from porter.tile.free_tiles import free_tiles
from porter.tile.idioms import Dot, NoMatch, Raising
from porter.tile.inline_calls import inline_calls
from porter.tile.merge_dynamic_shared import merge_dynamic_shared
from porter.tile.product_expressions import (
    Axis,
    Expressions,
    block_indices,
    block_start,
)
from porter.tile.product_loop import Bound, bound_of
from porter.tile.product_sizes import step_of
from porter.tile.product_steps import over_steps, reads_any

_FRAGMENT = "nvcuda::wmma::fragment<"


@dataclass(frozen=True)
class Products:
    """A kernel for another thread block: its tile, with a thread for each element.

    Or the kernel as it was, with `notes` on what else it is.
    """

    raising: Raising
    block: tuple[int, int, int]
    notes: tuple[Diagnostic, ...] = ()


def raise_products(kernel: Kernel, block: tuple[int, int, int]) -> Products:
    """The kernel as a tile product, or as it was with the reason."""
    if not _may_be_product(kernel):
        return Products(Raising(kernel), block)
    inlined = merge_dynamic_shared(inline_calls(kernel))
    run = ProductRun(block, added_to=_added_to(inlined))
    try:
        run.run(inlined.body, run.everyone)
        run.store_kept()
        return _Writer(inlined, run, find_product(run)).written()
    except Stop as stop:
        return Products(Raising(kernel, (), (NoMatch(stop.reason, stop.span),)), block)
    except NoShape as reason:
        return Products(Raising(kernel, (), (NoMatch(str(reason), kernel.span),)), block)


def fragments_in(kernel: Kernel) -> Variable | None:
    """A tensor-core fragment that a kernel declares, if any: outside of a product it is long plain code."""
    bodies = (kernel.body, *(f.body for f in kernel.functions.values()))
    for stmt in (s for body in bodies for s in statements(body)):
        if isinstance(stmt, Declare) and str(stmt.variable.type).startswith(_FRAGMENT):
            return stmt.variable
    return None


def _may_be_product(kernel: Kernel) -> bool:
    """A quick look: a loop, and in one a product that is added to something."""
    loops = [s for s in statements(kernel.body) if isinstance(s, For | While)]
    return any(_adds_product(s) for loop in loops for s in statements(loop.body))


def _added_to(kernel: Kernel) -> frozenset[Variable]:
    """The buffers of which a loop adds to one place in every round: `c[i] += a[k] * b[k]`.

    The place is then a variable of the loop, even if the factors may be in the same memory: several threads
    load each of them, so that the original would be a race if another one stored it.
    """
    found: set[Variable] = set()
    for loop in (s for s in statements(kernel.body) if isinstance(s, For | While)):
        changed = changed_in((loop,))
        for stmt in statements(loop.body):
            if not isinstance(stmt, Assign) or not through_pointer(stmt.target):
                continue
            place, own = key(stmt.target), root(stmt.target)
            is_sum = isinstance(stmt.value, Binary) and stmt.value.op == "+"
            loads_it = any(key(e) == place for e in walk(stmt.value) if isinstance(e, Index))
            if is_sum and loads_it and isinstance(own, VarRef) and not variables(stmt.target) & changed:
                found.add(own.variable)
    return frozenset(v for v in found if v.storage is Storage.PARAMETER)


def _adds_product(stmt: Stmt) -> bool:
    return (
        isinstance(stmt, Assign)
        and isinstance(stmt.target.type, Scalar)
        and any(
            (isinstance(e, Binary) and e.op == "*") or (isinstance(e, Call | CallFunction))
            for e in walk(stmt.value)
        )
    )


@dataclass
class _Writer:
    """The kernel of a product, written anew."""

    kernel: Kernel
    run: ProductRun
    found: FoundProduct

    def __post_init__(self) -> None:
        assert self.run.rounds is not None
        self.rounds = self.run.rounds
        self.sums = self.rounds.accumulators

    def written(self) -> Products:
        left, right = self.found.left, self.found.right
        effects, labels = self.found.effects, self.found.labels
        span = self.rounds.stmt.span
        row = self._axis("row", labels.row_count, left, right, effects)
        column = self._axis("col", labels.column_count, right, left, effects)
        left = left.without(column, self.run.atoms, effects)
        right = right.without(row, self.run.atoms, effects)
        counter, step = self._new("k0", span), self._new("offs_k", span)
        accumulator = replace(self.sums[0].slot[0], type=self.sums[0].initial.type)
        accumulator = replace(accumulator, name=accumulator.name, initial=None)
        make = Expressions(
            self._atoms(counter, step, span),
            self.rounds.round,
            self.found.per_round * self.rounds.period,
            row,
            column,
            (counter, step),
            {("accumulator",): accumulator},
        )
        element = accumulator.type
        if not isinstance(element, Scalar) or element.bits < 32:
            raise NoShape("sums of less than 32 bits")
        extent = step_of(tuple(_loaded_type(f.value) for f in (left, right)))
        bound = bound_of(self.run, self.rounds, self.found.per_round, [left.parts, right.parts], extent)
        end, before = self._named_end(bound, span)
        factors = [self._factor(make, f, None if bound.guarded else end, span) for f in (left, right)]
        dot = Dot(accumulator, factors[0], factors[1], step, extent, element, span)
        start = Const(0, INT32, span)
        loop = For(
            (Declare(counter, start, span),),
            Binary("<", VarRef(counter, INT32, span), end, BOOL, span),
            (Assign(VarRef(counter, INT32, span), _plus(counter, Const(extent, INT32, span)), span),),
            (dot,),
            span,
        )
        axes = [self._coordinate(make, axis, name) for axis, name in ((row, "y"), (column, "x"))]
        first = _declared(accumulator, self._initial(labels, make, span), span)
        stores = [self._store(make, effect) for effect in effects]
        kernel = replace(self.kernel, body=(*axes, *first, *before, loop, *stores))
        shape = f"{labels.row_count} x {labels.column_count}"
        line = f"products of {len(self.sums)} accumulators a thread -> dot of a {shape} tile"
        block = (labels.column_count, labels.row_count, 1)
        in_loop = {self._round_variable, counter, step}
        outside = (*axes, *first, *before, end, *stores)
        if any(reads_any(part, in_loop) for part in outside) or reads_any(loop, {self._round_variable}):
            raise NoShape("a factor depends on the step in another way than linearly")
        if not _is_worth_it(kernel, block):
            raise NoShape("a block computes one row or one column only")
        return Products(Raising(kernel, ((line, span),)), block)

    @property
    def _round_variable(self) -> Variable:
        number = self.run.atoms[self.rounds.round]
        assert isinstance(number, VarRef)
        return number.variable

    def _atoms(self, counter: Variable, step: Variable, span: Span) -> list[Expr]:
        if self.found.per_round * self.rounds.period != 1:
            return self.run.atoms
        return over_steps(self.run.atoms, self._round_variable, _plus(counter, VarRef(step, INT32, span)))

    def _initial(self, labels: Labels, make: Expressions, span: Span) -> Expr:
        """What an element starts with, loaded where its row or column is one of the matrix."""
        elements = elements_of(labels)
        initial = element_of_tile(self.run, [[a.initial] for a in self.sums], elements)
        value = make.expression(initial, span)
        if not loads_in((initial.term,)):
            return value
        axes = _axes((initial,))
        lists = [needed(a.guards) for a in self.sums]
        fitted = [element_of_tile(self.run, [[c[i]] for c in lists], elements) for i in range(len(lists[0]))]
        return under([make.expression(f, span) for f in fitted if _axes((f,)) <= axes], value)

    def _axis(self, name: str, count: int, factor: Factor, other: Factor, effects: Sequence[Effect]) -> Axis:
        variable, atoms = self._new(name, self.rounds.stmt.span), self.run.atoms
        if count == 1:
            alone = block_indices(factor.own, atoms) - block_indices(other.own, atoms)
            if len(alone) == 1:
                (number,) = alone
                return Axis(variable, {(number,): 1}, number)
            return Axis(variable, {})
        given = [factor.parts, effects]
        slopes = "of_row" if name == "row" else "of_column"
        starts = []
        for linear in _linears(given):
            start = block_start(linear, getattr(linear, slopes), self.run.atoms)
            if start is not None:
                starts.append(start)
        fitting = [s for s in starts if list(s.values()) == [count]]
        return Axis(variable, (fitting or starts or [{}])[0])

    def _new(self, name: str, span: Span) -> Variable:
        return Variable(name, INT32, Storage.LOCAL, span)

    def _named_end(self, bound: Bound, span: Span) -> tuple[Expr, tuple[Stmt, ...]]:
        """The end of the loop: as it is if it is short, else a variable."""
        if isinstance(bound.end, Const) or (isinstance(bound.end, VarRef) and bound.end.type == INT32):
            return bound.end, ()
        variable = self._new("k_end", span)
        value = bound.end if bound.end.type == INT32 else Cast(bound.end, INT32, span)
        return VarRef(variable, INT32, span), (Declare(variable, value, span),)

    def _factor(self, make: Expressions, factor: Factor, end: Expr | None, span: Span) -> Expr:
        assert factor.value is not None
        value = make.expression(factor.value, span)
        conditions = [make.expression(c, span) for c in factor.conditions]
        if end is not None:
            conditions.append(Binary("<", make.steps(span), end, BOOL, span))
        return under(conditions, value)

    def _coordinate(self, make: Expressions, axis: Axis, dimension: str) -> Declare:
        """`row = blockIdx.y * 64 + threadIdx.y`."""
        span = axis.variable.span
        thread = Cast(Builtin("threadIdx", dimension, UINT32, span), INT32, span)
        return Declare(axis.variable, make.started(axis, thread, span), span)

    def _store(self, make: Expressions, effect: Effect) -> Stmt:
        store = effect.first
        span = store.span
        place = make.place(store.buffer, store.type, effect.offset.numbers[0], span)
        value = make.expression(effect.value, span)
        stmt: Stmt = Assign(place, value, span)
        if store.atomic:
            address = AddressOf(place, Pointer(store.type), span)
            stmt = Evaluate(Call("atomicAdd", (address, value), store.type, span), span)
        conditions = list(distinct(make.expression(c, span) for c in effect.conditions))
        if not conditions:
            return stmt
        return If(all_of(conditions), (stmt,), (), span)


def _is_worth_it(kernel: Kernel, block: tuple[int, int, int]) -> bool:
    """Whether the tiles have several rows and columns, if those of several blocks."""
    if min(block[:2]) > 1:
        return True
    tiles = free_tiles(kernel, block)
    return tiles is not None and all(axis.extent > 1 or axis.end is not None for axis in tiles.axes)


def _plus(counter: Variable, by: Expr) -> Expr:
    return Binary("+", VarRef(counter, INT32, by.span), by, INT32, by.span)


def _declared(variable: Variable, value: Expr, span: Span) -> tuple[Stmt, ...]:
    """The variable with its value; an array that may be missing is only looked at where it is there."""
    if not isinstance(value, Select):
        return (Declare(variable, value, span),)
    parts = parts_of(value.condition)
    present = [p for p in parts if _is_presence(p)]
    if not present:
        return (Declare(variable, value, span),)
    others = [p for p in parts if not _is_presence(p)]
    inner = replace(value, condition=all_of(others)) if others else value.if_true
    stored = Assign(VarRef(variable, value.type, span), inner, span)
    return (Declare(variable, value.if_false, span), If(all_of(present), (stored,), (), span))


def _is_presence(condition: Expr) -> bool:
    return (
        isinstance(condition, Binary)
        and condition.op in ("==", "!=")
        and isinstance(condition.left.type, Pointer)
    )


def _linears(given: Sequence[object]) -> Iterator[Linear]:
    """Of the conditions first: they name a coordinate as the source does."""
    for item in given:
        for part in item if isinstance(item, list) else ():
            if isinstance(part, Effect):
                for fitted in (*part.conditions, part.offset):
                    yield from fitted.numbers
            elif isinstance(part, Fitted):
                yield from part.numbers


def _axes(fitted: Sequence[Fitted]) -> set[str]:
    """The coordinates that the numbers depend on."""
    numbers = [n for f in fitted for n in f.numbers]
    rows = {"row"} if any(c for n in numbers for c in n.of_row.values()) else set()
    return rows | ({"column"} if any(c for n in numbers for c in n.of_column.values()) else set())


def _loaded_type(fitted: Fitted | None) -> Type:
    """The type of what a factor loads, below its conversions."""
    assert fitted is not None
    loads = loads_in((fitted.term,))
    return loads[0].type if loads else FLOAT32
