"""Raises a whole kernel that computes a matrix product to a tile of one element a thread and `Dot`.

However the threads share the work (register tiles, vector loads, tiles that alternate, no tiles at all), the
block computes a tile of the product, element by element the sum over k of a factor of its row and a factor of
its column. That is shown by following the kernel through all threads of a block and one round of its loop
(`product_rounds.py`, `product_shape.py`), and the kernel is then written anew: the thread block becomes the
tile. Only the order of the additions changes.

Licences: every product of the loop has a factor of the row and one of the column; the conditions on a product
are those of one of its factors; each element of the tile is computed once, and stored by one thread; the
elements' places are linear in row and column; nothing else is stored; what the epilogue loads is either no
buffer that it stores to, or the very element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from porter.analysis.aliasing import may_be_one
from porter.analysis.block_run import GlobalStore
from porter.analysis.expressions import key, statements
from porter.analysis.product_rounds import ProductRun
from porter.analysis.product_shape import (
    Elements,
    Family,
    Fitted,
    Labels,
    Linear,
    NoShape,
    elements_of,
    family,
    fit_columns,
    fit_elements,
    fit_rows,
    labels_of,
)
from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import same
from porter.analysis.thread_terms import Term, conjuncts, constant_of, is_same, mentions
from porter.analysis.walk import walk
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
from porter.tile.free_tiles import free_tiles
from porter.tile.idioms import Dot, NoMatch, Raising
from porter.tile.inline_calls import inline_calls
from porter.tile.merge_dynamic_shared import merge_dynamic_shared
from porter.tile.product_expressions import (
    Axis,
    Expressions,
    block_indices,
    block_start,
    steps_agree,
    with_missing,
)
from porter.tile.product_loop import Bound, bound_of
from porter.tile.product_sizes import step_of

_FRAGMENT = "nvcuda::wmma::fragment<"
_LARGEST_TILE = 256 * 256


@dataclass(frozen=True)
class Products:
    """A kernel for another thread block: its tile, with a thread for each element."""

    raising: Raising
    block: tuple[int, int, int]


def raise_products(kernel: Kernel, block: tuple[int, int, int]) -> Products:
    """The kernel as a tile product, or as it was with the reason."""
    if not _may_be_product(kernel):
        return Products(Raising(kernel), block)
    run = ProductRun(block)
    inlined = merge_dynamic_shared(inline_calls(kernel))
    try:
        run.run(inlined.body, run.everyone)
        return _Product(inlined, run).raised()
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
class _Factor:
    """One side of the product: the conditions on it, then the factor, all over its axis and the step."""

    conditions: list[Fitted] = field(default_factory=list)
    value: Fitted | None = None

    @property
    def parts(self) -> list[Fitted]:
        assert self.value is not None
        return [*self.conditions, self.value]

    @property
    def own(self) -> tuple[Linear, ...]:
        """The numbers of the factor itself."""
        assert self.value is not None
        return self.value.numbers

    def without(self, axis: Axis, atoms: list[Expr]) -> _Factor:
        """Without conditions on the other axis, where a block has a single row or column of it."""
        if axis.alone is None:
            return self
        kept = [c for c in self.conditions if axis.alone not in block_indices(c.numbers, atoms)]
        return _Factor(kept, self.value)


@dataclass(frozen=True)
class _Effect:
    """A store of every element: where, what, under which conditions."""

    first: GlobalStore
    offset: Fitted
    value: Fitted
    conditions: tuple[Fitted, ...]


@dataclass
class _Product:
    kernel: Kernel
    run: ProductRun

    def raised(self) -> Products:
        rounds = self.run.rounds
        if rounds is None or not rounds.accumulators:
            raise NoShape("no loop that sums up products")
        self.rounds = rounds
        self.sums = rounds.accumulators
        self.steps = len(self.sums[0].products)
        if not self.steps or self.steps % rounds.period:
            raise NoShape("no loop that sums up products")
        self.per_round = self.steps // rounds.period
        if any(len(a.products) != self.steps for a in self.sums):
            raise NoShape("the accumulators sum up unequal numbers of products")
        self._check_known()
        sides = self._family("left"), self._family("right")
        labels = self._labels(*sides)
        effects = self._effects(labels)
        if _runs_along_rows(effects[0]):
            sides = sides[1], sides[0]
            labels = self._labels(*sides)
            effects = self._effects(labels)
        left, right = self._factors(sides, labels)
        if labels.row_count * labels.column_count > _LARGEST_TILE:
            raise NoShape("the block's tile is too large")
        return self._written(labels, left, right, effects)

    def _check_known(self) -> None:
        for a in self.sums:
            for p in a.products:
                for term in (p.left, p.right, *p.guards):
                    if mentions(term, "undefined"):
                        raise NoShape("a factor that is not known in every round")
                    if mentions(term, "accumulator") or mentions(term, "bundle"):
                        raise NoShape("a factor that is no value loaded from memory")

    def _family(self, side: str) -> Family:
        terms = [[getattr(p, side) for p in a.products] for a in self.sums]
        return family(terms, self.run.threads)

    def _labels(self, left: Family, right: Family) -> Labels:
        return labels_of(left, right, len(self.sums), self.steps, self.run.threads)

    # --- factors -------------------------------------------------------------------------------------

    def _factors(self, sides: tuple[Family, Family], labels: Labels) -> tuple[_Factor, _Factor]:
        left, right = _Factor(), _Factor()
        for condition in self._conditions():
            fits = [_fit_or_none(fit, condition, labels) for fit in (fit_rows, fit_columns)]
            if fits == [None, None]:
                raise NoShape("a condition on a product that is neither the row's nor the column's")
            for factor, fitted in zip((left, right), fits, strict=True):
                if fitted is not None:
                    factor.conditions.append(self._in_steps(fitted))
        left.value = self._in_steps(fit_rows(sides[0], labels))
        right.value = self._in_steps(fit_columns(sides[1], labels))
        return left, right

    def _conditions(self) -> list[Family]:
        """The conditions on the products, one family for each."""
        lists = [[_conjuncts((*a.guards, *p.guards)) for p in a.products] for a in self.sums]
        count = len(lists[0][0])
        if any(len(c) != count for row in lists for c in row):
            raise NoShape("the products stand under unequal conditions")
        return [family([[c[i] for c in row] for row in lists], self.run.threads) for i in range(count)]

    def _in_steps(self, fitted: Fitted) -> Fitted:
        numbers = tuple(with_missing(n, self.rounds.round) for n in fitted.numbers)
        per_group = self.per_round * self.rounds.period
        if not all(steps_agree(n, self.rounds.round, per_group, self.steps) for n in numbers):
            raise NoShape("the steps of a round do not go on in the next one")
        return replace(fitted, numbers=numbers)

    # --- the epilogue --------------------------------------------------------------------------------

    def _effects(self, labels: Labels) -> list[_Effect]:
        groups: dict[tuple[Variable, bool], list[GlobalStore]] = {}
        for store in self.run.stores:
            groups.setdefault((store.buffer, store.atomic), []).append(store)
        if not groups:
            raise NoShape("no element of the product is stored")
        self._check_order(list(groups.values()))
        return [self._effect(stores, labels) for stores in groups.values()]

    def _effect(self, stores: list[GlobalStore], labels: Labels) -> _Effect:
        elements = self._stored(stores, labels)
        if not elements.are_each_once():
            raise NoShape("not every element of the product is stored once")
        places = [[Term(("int",), INT32, (), (s.offset,))] for s in stores]
        values = [[_anonymous(s.value)] for s in stores]
        lists = [_conjuncts(_unknown(s.guards)) for s in stores]
        if any(len(c) != len(lists[0]) for c in lists):
            raise NoShape("the elements are stored under unequal conditions")
        conditions = [self._element([[c[i]] for c in lists], elements) for i in range(len(lists[0]))]
        place = self._element(places, elements)
        for count, slopes in (
            (labels.row_count, place.numbers[0].of_row),
            (labels.column_count, place.numbers[0].of_column),
        ):
            if count > 1 and not any(slopes.values()):
                raise NoShape("several elements are stored in one place")
        return _Effect(stores[0], place, self._element(values, elements), tuple(conditions))

    def _stored(self, stores: list[GlobalStore], labels: Labels) -> Elements:
        """Which element of the product each thread stores: perhaps what another one has computed."""
        shape = len(stores), self.run.threads
        rows, columns = np.zeros((2, *shape), dtype=np.int64)
        active = np.ones(shape, dtype=np.bool_)
        for at, store in enumerate(stores):
            used = _accumulators(store.value)
            if not used or not all(is_same(used[0], other) for other in used):
                raise NoShape("a store of something else than an element of the product")
            which, owner = (n.constant for n in used[0].numbers)
            assert which is not None
            rows[at], columns[at] = labels.rows[which, owner], labels.columns[which, owner]
            for guard in store.guards:
                known = constant_of(guard)
                if known is not None:
                    active[at] &= np.asarray(known) != 0
        return Elements(rows, columns, active, labels.row_count, labels.column_count)

    def _element(self, terms: list[list[Term]], elements: Elements) -> Fitted:
        fitted = fit_elements(family(terms, self.run.threads), elements)
        if any(self.rounds.round in m for n in fitted.numbers for m in n.base):
            raise NoShape("the epilogue depends on the last round")
        if mentions(fitted.term, "undefined"):
            raise NoShape("the epilogue uses a value that is not known")
        return fitted

    def _check_order(self, groups: Sequence[Sequence[GlobalStore]]) -> None:
        """Every element is loaded and stored on its own: what it loads, no other one stores."""
        stored = {s.buffer for group in groups for s in group}
        if len({str(b.type) for b in stored}) != len(groups):
            raise NoShape("an element is stored in several places that may overlap")
        for store in (s for group in groups for s in group):
            for load in _loads((store.value, *store.guards)):
                buffer = load.head[1]
                assert isinstance(buffer, Variable)
                if buffer is store.buffer and same(load.numbers[0], store.offset):
                    continue
                if any(may_be_one(s, buffer) for s in stored):
                    raise NoShape(f"what the epilogue loads from `{buffer.name}` may have been stored before")

    # --- the new kernel ------------------------------------------------------------------------------

    def _written(self, labels: Labels, left: _Factor, right: _Factor, effects: list[_Effect]) -> Products:
        span = self.rounds.stmt.span
        row = self._axis("row", labels.row_count, left, right, effects)
        column = self._axis("col", labels.column_count, right, left, effects)
        left, right = left.without(column, self.run.atoms), right.without(row, self.run.atoms)
        counter, step = self._new("k0", span), self._new("offs_k", span)
        accumulator = replace(self.sums[0].slot[0], type=self.sums[0].initial.type)
        accumulator = replace(accumulator, name=accumulator.name, initial=None)
        make = Expressions(
            self.run.atoms,
            self.rounds.round,
            self.per_round * self.rounds.period,
            row,
            column,
            (counter, step),
            accumulator,
        )
        element = accumulator.type
        if not isinstance(element, Scalar):
            raise NoShape("an accumulator that is no number")
        extent = step_of(tuple(_loaded_type(f.value) for f in (left, right)))
        bound = bound_of(self.run, self.rounds, self.per_round, [left.parts, right.parts], extent)
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
        if not _is_worth_it(kernel, block):
            raise NoShape("a block computes one row or one column only")
        return Products(Raising(kernel, ((line, span),)), block)

    def _initial(self, labels: Labels, make: Expressions, span: Span) -> Expr:
        """What an element starts with, loaded where its row or column is one of the matrix."""
        elements = elements_of(labels)
        initial = self._element([[a.initial] for a in self.sums], elements)
        value = make.expression(initial, span)
        if not _loads((initial.term,)):
            return value
        axes = _axes((initial,))
        lists = [_conjuncts(a.guards) for a in self.sums]
        fitted = [self._element([[c[i]] for c in lists], elements) for i in range(len(lists[0]))]
        return _under([make.expression(f, span) for f in fitted if _axes((f,)) <= axes], value)

    def _axis(
        self, name: str, count: int, factor: _Factor, other: _Factor, effects: Sequence[_Effect]
    ) -> Axis:
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

    def _factor(self, make: Expressions, factor: _Factor, end: Expr | None, span: Span) -> Expr:
        assert factor.value is not None
        value = make.expression(factor.value, span)
        conditions = [make.expression(c, span) for c in factor.conditions]
        if end is not None:
            conditions.append(Binary("<", make.steps(span), end, BOOL, span))
        return _under(conditions, value)

    def _coordinate(self, make: Expressions, axis: Axis, dimension: str) -> Declare:
        """`row = blockIdx.y * 64 + threadIdx.y`."""
        span = axis.variable.span
        thread = Cast(Builtin("threadIdx", dimension, UINT32, span), INT32, span)
        return Declare(axis.variable, make.started(axis, thread, span), span)

    def _store(self, make: Expressions, effect: _Effect) -> Stmt:
        store = effect.first
        span = store.span
        place = make.place(store.buffer, store.type, effect.offset.numbers[0], span)
        value = make.expression(effect.value, span)
        stmt: Stmt = Assign(place, value, span)
        if store.atomic:
            address = AddressOf(place, Pointer(store.type), span)
            stmt = Evaluate(Call("atomicAdd", (address, value), store.type, span), span)
        conditions = list(_distinct(make.expression(c, span) for c in effect.conditions))
        if not conditions:
            return stmt
        return If(_all(conditions), (stmt,), (), span)


def _is_worth_it(kernel: Kernel, block: tuple[int, int, int]) -> bool:
    """Whether the tiles have several rows and columns, if those of several blocks."""
    if min(block[:2]) > 1:
        return True
    tiles = free_tiles(kernel, block)
    return tiles is not None and all(axis.extent > 1 or axis.end is not None for axis in tiles.axes)


def _plus(counter: Variable, by: Expr) -> Expr:
    return Binary("+", VarRef(counter, INT32, by.span), by, INT32, by.span)


def _under(conditions: Sequence[Expr], value: Expr) -> Expr:
    """`value` where all conditions hold, else 0; below the conversions of the value, so that it is a load."""
    conditions = list(_distinct(conditions))
    if not conditions:
        return value
    if isinstance(value, Cast):
        return replace(value, operand=_under(conditions, value.operand))
    if isinstance(value, Select) and isinstance(value.if_false, Const) and not value.if_false.value:
        return replace(value, condition=_all(list(_distinct([*conditions, *_parts(value.condition)]))))
    assert isinstance(value.type, Scalar)
    zero: int | float = 0 if value.type.kind in ("int", "uint") else 0.0
    return Select(_all(conditions), value, Const(zero, value.type, value.span), value.type, value.span)


def _declared(variable: Variable, value: Expr, span: Span) -> tuple[Stmt, ...]:
    """The variable with its value; an array that may be missing is only looked at where it is there."""
    if not isinstance(value, Select):
        return (Declare(variable, value, span),)
    parts = _parts(value.condition)
    present = [p for p in parts if _is_presence(p)]
    if not present:
        return (Declare(variable, value, span),)
    others = [p for p in parts if not _is_presence(p)]
    inner = replace(value, condition=_all(others)) if others else value.if_true
    stored = Assign(VarRef(variable, value.type, span), inner, span)
    return (Declare(variable, value.if_false, span), If(_all(present), (stored,), (), span))


def _is_presence(condition: Expr) -> bool:
    return (
        isinstance(condition, Binary)
        and condition.op in ("==", "!=")
        and isinstance(condition.left.type, Pointer)
    )


def _parts(condition: Expr) -> list[Expr]:
    if isinstance(condition, Binary) and condition.op == "&&":
        return [*_parts(condition.left), *_parts(condition.right)]
    return [condition]


def _all(conditions: Sequence[Expr]) -> Expr:
    result = conditions[0]
    for condition in conditions[1:]:
        result = Binary("&&", result, condition, BOOL, condition.span)
    return result


def _distinct(conditions: Iterable[Expr]) -> Iterator[Expr]:
    return iter({key(c): c for c in conditions}.values())


def _conjuncts(guards: Sequence[Term]) -> list[Term]:
    """The conditions of all guards without those that another one implies or that always hold."""
    found: list[Term] = []
    for guard in (c for g in guards for c in conjuncts(g)):
        known = constant_of(guard)
        if (isinstance(known, int) and known) or any(_implies(other, guard) for other in found):
            continue
        found = [other for other in found if not _implies(guard, other)]
        found.append(guard)
    return found


def _implies(a: Term, b: Term) -> bool:
    """Whether `b` holds in every thread in which `a` does."""
    if a.kind == b.kind == "positive":
        gap = (b.numbers[0] - a.numbers[0]).constant
        return gap is not None and bool(np.all(np.asarray(gap) >= 0))
    return is_same(a, b)


def _fit_or_none(fit: Callable[[Family, Labels], Fitted], condition: Family, labels: Labels) -> Fitted | None:
    try:
        return fit(condition, labels)
    except NoShape:
        return None


def _accumulators(term: Term) -> list[Term]:
    if term.kind == "accumulator":
        return [term]
    return [a for part in term.parts for a in _accumulators(part)]


def _unknown(guards: Sequence[Term]) -> list[Term]:
    """Without those that pick threads."""
    return [g for g in guards if constant_of(g) is None]


def _anonymous(term: Term) -> Term:
    """The same for whichever accumulator."""
    if term.kind == "accumulator":
        return replace(term, numbers=())
    return replace(term, parts=tuple(_anonymous(p) for p in term.parts)) if term.parts else term


def _loads(terms: Sequence[Term]) -> list[Term]:
    return [t for term in terms for t in ([term] if term.kind == "load" else _loads(term.parts))]


def _runs_along_rows(effect: _Effect) -> bool:
    """Whether neighbours in memory are in one column: then the other factor is better called the row's."""
    offset = effect.offset.numbers[0]
    return abs(offset.of_row.get((), 0)) == 1 and abs(offset.of_column.get((), 0)) != 1


def _linears(given: Sequence[object]) -> Iterator[Linear]:
    """Of the conditions first: they name a coordinate as the source does."""
    for item in given:
        for part in item if isinstance(item, list) else ():
            if isinstance(part, _Effect):
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
    loads = _loads((fitted.term,))
    return loads[0].type if loads else FLOAT32
