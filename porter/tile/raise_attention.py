"""Raises a whole kernel that computes attention to a tile of rows, a loop over tiles of keys, and `Attend`.

However the threads share the rows, the columns and the keys, the block computes rows of softmax(q k) v with
a running maximum. That is shown by following the kernel through all threads of a block and one round of its
loop over the keys (`attention_run.py`); the kernel is then written anew: a thread for each row and column.
Only the order of additions changes, and where the maximum is taken anew.

`find_attention.py` has the licences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from porter.analysis.attention_run import AttentionRun, KeyRounds
from porter.analysis.expressions import statements
from porter.analysis.product_shape import Fitted, NoShape
from porter.analysis.slot_types import slot_type
from porter.analysis.stop import Stop
from porter.analysis.thread_terms import Term
from porter.analysis.walk import walk
from porter.core.span import Span
from porter.cuda.kir import (
    BOOL,
    FLOAT32,
    INT32,
    UINT32,
    Assign,
    Binary,
    Builtin,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Kernel,
    Stmt,
    Storage,
    Variable,
    VarRef,
    While,
)
from porter.tile.conditions import all_of, distinct, under, without
from porter.tile.find_attention import FoundAttention, RowEffect, find_attention
from porter.tile.find_product import loads_in
from porter.tile.idioms import Attend, NoMatch, Raising
from porter.tile.inline_calls import inline_calls
from porter.tile.kept_attention import kept_attention
from porter.tile.key_bounds import Bounds, KeyEnd, least
from porter.tile.merge_dynamic_shared import merge_dynamic_shared
from porter.tile.product_expressions import Axis, Expressions, block_start
from porter.tile.product_sizes import keys_of
from porter.tile.product_steps import over_steps, reads_any
from porter.tile.raise_products import Products

_LEAST_COLUMNS = 16
"""That `tl.dot` sums over."""


def raise_attention(kernel: Kernel, block: tuple[int, int, int]) -> Products:
    """The kernel as attention of a tile of rows, or as it was with the reason."""
    if not may_be_attention(kernel):
        return Products(Raising(kernel), block)
    inlined = merge_dynamic_shared(inline_calls(kernel))
    run = AttentionRun(block)
    try:
        run.run(inlined.body, run.everyone)
        found = find_attention(run)
        assert run.keys is not None
        return _Writer(inlined, run, run.keys, found).written()
    except Stop as stop:
        reason = NoMatch(stop.reason, stop.span)
    except NoShape as no_shape:
        reason = NoMatch(str(no_shape), kernel.span)
    return Products(Raising(kernel, (), (reason,)), block, kept_attention(inlined, (reason,)))


def may_be_attention(kernel: Kernel) -> bool:
    """A quick look: in a loop an exponential, a maximum, and something divided or stored by them."""
    bodies = (kernel.body, *(f.body for f in kernel.functions.values()))
    loops = [s for body in bodies for s in statements(body) if isinstance(s, For | While)]
    return any(_has_exponential(loop) for loop in loops) and any(_adds_product(loop) for loop in loops)


def _has_exponential(loop: For | While) -> bool:
    names = {e.name for s in statements(loop.body) for e in walk(s) if isinstance(e, Call)}
    return any(name.startswith(("exp", "__exp")) for name in names)


def _adds_product(loop: For | While) -> bool:
    return any(isinstance(e, Binary) and e.op == "*" for s in statements(loop.body) for e in walk(s))


@dataclass
class _Writer:
    """The kernel of an attention, written anew."""

    kernel: Kernel
    run: AttentionRun
    rounds: KeyRounds
    found: FoundAttention

    def written(self) -> Products:
        found, span = self.found, self.rounds.stmt.span
        labels = found.labels
        if labels.column_count < _LEAST_COLUMNS:
            raise NoShape(f"rows of less than {_LEAST_COLUMNS} columns")
        self.row = self._axis(labels.row_count)
        self.column = Axis(_integer("col", span), {})
        counter, step = _integer("start_n", span), _integer("offs_n", span)
        self.accumulator, self.maximum, self.total = self._sums()
        self.dot = Variable("score", FLOAT32, Storage.LOCAL, span)
        self.make = Expressions(
            self._atoms(counter, step, span),
            self.rounds.round,
            self.found.per_round,
            self.row,
            self.column,
            (counter, step),
            {
                ("accumulator",): self.accumulator,
                ("dot",): self.dot,
                ("statistic", "maximum"): self.maximum,
                ("statistic", "total"): self.total,
            },
        )
        bounds = Bounds(self.run, self.rounds, self.found, self.make, self.row, labels.row_count)
        end = bounds.end()
        before, last = self._named_end(end, span)
        query = self._query(span)
        attend = self._attend(query.variable, end, last, step, span)
        loop = For(
            (Declare(counter, Const(0, INT32, span), span),),
            Binary("<", VarRef(counter, INT32, span), last, BOOL, span),
            (Assign(VarRef(counter, INT32, span), _plus(counter, attend.extent, span), span),),
            (attend,),
            span,
        )
        axes = tuple(_coordinate(self.make, a, d) for a, d in ((self.row, "y"), (self.column, "x")))
        start = tuple(
            Declare(v, Const(value, FLOAT32, span), span)
            for v, value in ((self.maximum, self.rounds.lowest), (self.total, 0.0), (self.accumulator, 0.0))
        )
        stores = tuple(self._store(effect) for effect in found.effects)
        outside = (*axes, query, *before, *stores)
        inner = {counter, step, self._round_variable}
        if any(reads_any(part, inner) for part in outside) or reads_any(loop, {self._round_variable}):
            raise NoShape("what is computed depends on the key in another way than linearly")
        kernel = replace(self.kernel, body=(*axes, query, *start, *before, loop, *stores))
        line = f"running softmax of scores -> attention of {labels.row_count} rows x {labels.column_count}"
        return Products(Raising(kernel, ((line, span),)), (labels.column_count, labels.row_count, 1))

    # --- names -------------------------------------------------------------------------------------------

    def _axis(self, count: int) -> Axis:
        """The rows: the block's number in the grid comes from where the results are stored."""
        variable = _integer("row", self.rounds.stmt.span)
        for fitted in self._placed():
            for linear in fitted.numbers:
                start = block_start(linear, linear.of_row, self.run.atoms)
                if start is not None and list(start.values()) == [count]:
                    return Axis(variable, start)
        return Axis(variable, {})

    def _placed(self) -> Sequence[Fitted]:
        """Of the conditions first: they name a coordinate as the source does."""
        effects = self.found.effects
        conditions = [c for e in effects for c in e.conditions]
        return (*conditions, *(e.offset for e in effects), self.found.query)

    def _sums(self) -> tuple[Variable, Variable, Variable]:
        types = {slot_type(v) for v, _ in (*self.rounds.accumulators, self.rounds.maximum, self.rounds.total)}
        if types != {FLOAT32}:
            raise NoShape("sums that are not float32")
        slots = (self.rounds.accumulators[0], self.rounds.maximum, self.rounds.total)
        return tuple(replace(v, type=FLOAT32, initial=None) for v, _ in slots)  # type: ignore[return-value]

    @property
    def _round_variable(self) -> Variable:
        number = self.run.atoms[self.rounds.round]
        assert isinstance(number, VarRef)
        return number.variable

    def _atoms(self, counter: Variable, step: Variable, span: Span) -> list[Expr]:
        if self.found.per_round != 1:
            return self.run.atoms
        key = Binary("+", VarRef(counter, INT32, span), VarRef(step, INT32, span), INT32, span)
        return over_steps(self.run.atoms, self._round_variable, key)

    # --- parts -------------------------------------------------------------------------------------------

    def _named_end(self, end: KeyEnd, span: Span) -> tuple[tuple[Stmt, ...], Expr]:
        value = least(end.values, span)
        if isinstance(value, Const | VarRef) and value.type == INT32:
            return (), value
        variable = _integer("n_end", span)
        value = value if value.type == INT32 else Cast(value, INT32, span)
        return (Declare(variable, value, span),), VarRef(variable, INT32, span)

    def _query(self, span: Span) -> Declare:
        """The rows' queries, loaded where there is a row."""
        fitted = self.found.query
        loaded = loads_in((fitted.term,))
        rows = [self.make.expression(c, span) for c in self.found.row_conditions()] if loaded else []
        value = under(rows, self.make.expression(fitted, span))
        names = {load.head[1].name for load in loaded if isinstance(load.head[1], Variable)}
        name = f"{names.pop()}_tile" if len(names) == 1 else "query"
        return Declare(Variable(name, value.type, Storage.LOCAL, span), value, span)

    def _attend(self, query: Variable, end: KeyEnd, last: Expr, step: Variable, span: Span) -> Attend:
        make, found = self.make, self.found
        inside = Binary("<", make.steps(span), last, BOOL, span)
        known = [Binary("<", make.steps(span), e, BOOL, span) for e in end.values]
        keys, values = (
            under([inside], without(known, make.expression(f, span))) for f in (found.key, found.value)
        )
        exists = [make.expression(c, span) for c in found.conditions]
        if not end.is_implied:
            exists.append(inside)
        loaded = [load.type for f in (found.key, found.value) for load in loads_in((f.term,))]
        scale = self.run.scale
        return Attend(
            self.accumulator,
            self.maximum,
            self.total,
            VarRef(query, query.type, span),
            keys,
            values,
            make.expression(found.score, span),
            all_of(list(distinct(exists))) if exists else None,
            None if scale is None else self._uniform(scale),
            self.dot,
            step,
            keys_of(tuple(loaded)),
            end.may_be_empty and self.rounds.lowest == float("-inf"),
            FLOAT32,
            span,
        )

    def _uniform(self, scale: Term) -> Expr:
        if scale.kind not in ("const", "uniform"):
            raise NoShape("a scale that is no number of the kernel")
        assert scale.expr is not None
        return scale.expr

    def _store(self, effect: RowEffect) -> Stmt:
        make, span = self.make, effect.first.span
        place = make.place(effect.first.buffer, effect.first.type, effect.offset.numbers[0], span)
        stmt = Assign(place, make.expression(effect.value, span), span)
        conditions = list(distinct(make.expression(c, span) for c in effect.conditions))
        if effect.is_of_row:
            thread = VarRef(self.column.variable, INT32, span)
            conditions.append(Binary("==", thread, Const(0, INT32, span), BOOL, span))
        return If(all_of(conditions), (stmt,), (), span) if conditions else stmt


def _integer(name: str, span: Span) -> Variable:
    return Variable(name, INT32, Storage.LOCAL, span)


def _plus(counter: Variable, by: int, span: Span) -> Expr:
    return Binary("+", VarRef(counter, INT32, span), Const(by, INT32, span), INT32, span)


def _coordinate(make: Expressions, axis: Axis, dimension: str) -> Declare:
    """`row = blockIdx.x * 32 + threadIdx.y`."""
    span = axis.variable.span
    thread = Cast(Builtin("threadIdx", dimension, UINT32, span), INT32, span)
    return Declare(axis.variable, make.started(axis, thread, span), span)
