"""Follows a loop of unknown length through any one of its rounds, by induction.

The rounds are run once from where the loop is entered; the state of round n is taken to go on as it changed
between them (`a[k0 + …]` with `k0` 8 further each time). That is then proved: from the state of round n the
body has to give the state of round n + 1. `period` rounds are taken together where tiles alternate.

What a variable sums up over the rounds stays a symbol (`accumulator`), with the products of one round.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce

from porter.analysis.block_places import Slot
from porter.analysis.block_run import BlockRun
from porter.analysis.product_sums import plain
from porter.analysis.round_states import State, general_state, in_terms_of, same_contents
from porter.analysis.slot_types import slot_type
from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import Polynomial, atom, number, same
from porter.analysis.thread_terms import (
    Mask,
    Product,
    Sum,
    Term,
    both,
    conjuncts,
    constant_of,
    is_same,
    is_uniform,
    polynomials,
    truth,
    undefined,
)
from porter.cuda.kir import (
    INT32,
    Binary,
    Break,
    Continue,
    For,
    Return,
    Storage,
    Variable,
    VarRef,
    While,
)

_PERIODS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Accumulator:
    """One local variable that sums products. `initial` is what it holds before the first round.

    `products` are those of `period` rounds, in terms of the atom `round`, the number of such groups of
    rounds before; `guards` hold wherever the variable exists.
    """

    slot: Slot
    initial: Term
    products: tuple[Product, ...]
    guards: tuple[Term, ...]


@dataclass(frozen=True)
class Rounds:
    """The loop: it goes on while `first - step * n > 0` for its round n; `at_least` rounds are made."""

    accumulators: tuple[Accumulator, ...]
    period: int
    round: int
    first: Polynomial
    step: int
    at_least: int
    stmt: For | While


@dataclass
class ProductRun(BlockRun):
    """The execution of a kernel with one loop of unknown length, which `rounds` describes in the end."""

    rounds: Rounds | None = None
    inside: bool = False
    around: int = 0  # the loops that the one of unknown length stands in
    another: bool | None = None  # whether the round at hand is taken to be followed by one
    supposed: list[Term] = field(default_factory=list)
    _asked: list[int] = field(default_factory=list)
    plain_branches: set[int] = field(default_factory=set)
    facts: list[Term] = field(default_factory=list)

    @property
    def owners(self) -> Polynomial:
        """The number of each thread."""
        return number(
            self.position["x"] + self.block[0] * (self.position["y"] + self.block[1] * self.position["z"])
        )

    def unknown_loop(self, stmt: For | While, active: Mask) -> None:
        if self.inside or self.rounds is not None:
            raise Stop("more than one loop of unknown length", stmt.span)
        if not bool(active.all()):
            raise Stop("a loop of unknown length that only some threads run", stmt.span)
        entry, kept = self._state(), dict(self.kept)
        reason: Stop | None = None
        for period in _PERIODS:
            self._restore(entry)
            self.kept = dict(kept)
            self.inside, self.around = True, len(self.loops)
            epoch = self.epoch
            try:
                self.rounds = self._induced(stmt, active, period, entry)
            except Stop as stop:
                reason = reason or stop
                self.epoch = epoch
                continue
            self.inside = False
            return
        assert reason is not None
        raise reason

    def _leave(self, stmt: Break | Continue | Return, active: Mask) -> None:
        if self.inside and (isinstance(stmt, Return) or len(self.loops) == self.around):
            raise Stop("a loop of unknown length that is left inside", stmt.span)
        super()._leave(stmt, active)

    # --- states --------------------------------------------------------------------------------------

    def _state(self) -> State:
        memory = {v: m.copy() for v, m in self.memory.items()}
        return State(dict(self.slots), dict(self.valid), memory)

    def _restore(self, state: State) -> None:
        self.slots, self.valid = dict(state.slots), dict(state.valid)
        self.memory = {v: m.copy() for v, m in state.memory.items()}

    # --- the proof -----------------------------------------------------------------------------------

    def _induced(self, stmt: For | While, active: Mask, period: int, entry: State) -> Rounds:
        self.facts, stores, kept = [], len(self.stores), len(self.kept)
        ends = self._some_rounds(stmt, active, period)
        after = self._state()
        if len(self.stores) != stores or len(self.kept) != kept:
            raise Stop("a store to global memory in a loop of unknown length", stmt.span)
        number_of = self.atom_of(VarRef(_round_variable(stmt), INT32, stmt.span))
        general, sums = general_state(entry, after, number_of, self.owners)
        self._restore(general)
        self._keep_traces(after)
        self.facts = []
        later = self._some_rounds(stmt, active, period)
        self._check_next(entry, after, number_of, sums, stmt)
        products = {slot: self._products(slot, sums, stmt) for slot in sums}
        step = self._step(ends, later, number_of, period, stmt)
        if self.supposed:
            self._check_last_rounds(stmt, active, period, general, products)
        self._after_loop(general, number_of)
        at_least = int(isinstance(stmt, While) and stmt.do_while)
        first = ends[0] + number(step) if at_least else ends[0]
        accumulators = tuple(
            Accumulator(slot, plain(entry.slots[slot]), products[slot], self.declared[slot[0]][0])
            for slot in sums
        )
        return Rounds(accumulators, period, number_of, first, step, at_least, stmt)

    def _some_rounds(self, stmt: For | While, active: Mask, period: int) -> list[Polynomial]:
        """Runs `period` rounds that are each followed by another; what has to be positive for each."""
        return (
            [self._round(stmt, active, another=True) for _ in range(period)]
            if _is_do(stmt)
            else [self._headed_round(stmt, active) for _ in range(period)]
        )

    def _headed_round(self, stmt: For | While, active: Mask) -> Polynomial:
        end = self._end(stmt, active)
        self._round(stmt, active, another=True)
        return end

    def _end(self, stmt: For | While, active: Mask) -> Polynomial:
        """The condition of the loop at this place, now taken to hold."""
        condition = self.truth(stmt.condition, active)
        if constant_of(condition) == 1:
            return self._known_end(stmt, active)
        if condition.kind != "positive" or not is_uniform(condition):
            raise Stop("a loop whose end is no comparison of sizes", stmt.condition.span)
        self.facts.append(condition)
        return condition.numbers[0]

    def _known_end(self, stmt: For | While, active: Mask) -> Polynomial:
        """`bound - counter` of a condition whose truth is known at this place."""
        match stmt.condition:
            case Binary(op="<" | "<=" as op, left=left, right=right):
                low, high = self.term(left, active), self.term(right, active)
            case Binary(op=">" | ">=" as op, left=left, right=right):
                low, high = self.term(right, active), self.term(left, active)
            case _:
                raise Stop("a loop whose end is no comparison of sizes", stmt.condition.span)
        if low.kind != "int" or high.kind != "int":
            raise Stop("a loop whose end depends on data", stmt.condition.span)
        return high.numbers[0] - low.numbers[0] + number(int(op.endswith("=")))

    def _round(self, stmt: For | While, active: Mask, *, another: bool) -> Polynomial:
        """One round, and what has to be positive for the next."""
        retries = len(self.plain_branches)
        while True:
            start, epoch, kept = self._state(), self.epoch, dict(self.kept)
            self.another, self.supposed = another, []
            self.run(stmt.body, active)
            if isinstance(stmt, For):
                self.run(stmt.step, active)
            self.another = None
            facts = list(self.facts)
            end = self._end(stmt, active)
            if not another or not _is_do(stmt):
                self.facts = facts
            if all(same(s.numbers[0], end) for s in self.supposed):
                return end
            retries += 1
            if retries > 8:
                raise Stop("conditions in a loop that are not followed", stmt.span)
            self._restore(start)
            self.epoch, self.facts, self.kept = epoch, facts, kept
            self.plain_branches |= {
                b for b, s in zip(self._asked, self.supposed, strict=True) if not same(s.numbers[0], end)
            }

    def decided(self, condition: Term, branch: int) -> Term:
        """Within the loop: what the loop's condition implies, and whether another round follows."""
        if not self.inside:
            return condition
        if condition.kind == "and":
            parts = [truth(True) if self._is_fact(part) else part for part in conjuncts(condition)]
            return reduce(both, parts)
        if condition.kind != "positive" or not is_uniform(condition):
            return condition
        if self._is_fact(condition):
            return truth(True)
        if self.another is None or branch in self.plain_branches:
            return condition
        if not self.supposed:
            self._asked = []
        self.supposed.append(condition)
        self._asked.append(branch)
        return truth(self.another)

    def _is_fact(self, condition: Term) -> bool:
        """Whether the loop's condition implies it."""
        if condition.kind != "positive":
            return False
        gaps = [(condition.numbers[0] - fact.numbers[0]).constant for fact in self.facts]
        return any(isinstance(gap, int) and gap >= 0 for gap in gaps)

    # --- checks --------------------------------------------------------------------------------------

    def _keep_traces(self, after: State) -> None:
        """Who touched which element last goes on from the rounds before: also they end without a barrier."""
        for variable, memory in after.memory.items():
            if variable in self.memory:
                traced = memory.copy()
                traced.contents, traced.holder = self.memory[variable].contents, self.memory[variable].holder
                self.memory[variable] = traced

    def _check_next(
        self,
        entry: State,
        after: State,
        number_of: int,
        sums: list[Slot],
        stmt: For | While,
    ) -> None:
        """The state after the rounds is the general one with the next number."""
        moved, _ = general_state(entry, after, number_of, self.owners, ahead=1)
        for slot, value in moved.slots.items():
            if slot in sums or plain(value).kind == "undefined":
                continue
            now = self.slots.get(slot)
            if now is None or not is_same(plain(now), plain(value)):
                raise Stop(f"`{slot[0].name}` does not go on from round to round as it begins", stmt.span)
        for variable, memory in moved.memory.items():
            if not same_contents(memory, self.memory[variable]):
                raise Stop(f"`{variable.name}` does not go on from round to round as it begins", stmt.span)

    def _products(self, slot: Slot, sums: list[Slot], stmt: For | While) -> tuple[Product, ...]:
        value = self.slots[slot]
        name = slot[0].name
        own = Term(("accumulator",), slot_type(slot[0]), (), (number(sums.index(slot)), self.owners))
        if isinstance(value, Term) and is_same(value, own):
            return ()
        if not isinstance(value, Sum) or not is_same(value.base, own):
            raise Stop(f"`{name}` is more than a sum of products", stmt.span)
        return value.products

    def _step(
        self, ends: list[Polynomial], later: list[Polynomial], number_of: int, period: int, stmt: For | While
    ) -> int:
        """How much nearer to its end a round brings the loop."""
        gap = (ends[0] - later[0]).terms.get((number_of,), 0)
        if not isinstance(gap, int) or gap <= 0 or gap % period:
            raise Stop("a loop that does not count up in equal steps", stmt.condition.span)
        step = gap // period
        counted = atom(number_of).scaled(-step * period)
        expected = [ends[0] - number(step * i) for i in range(period)]
        for end, first, general in zip(expected, ends, later, strict=True):
            if not same(end, first) or not same(end + counted, general):
                raise Stop("a loop that does not count up in equal steps", stmt.condition.span)
        return step

    def _check_last_rounds(
        self,
        stmt: For | While,
        active: Mask,
        period: int,
        general: State,
        products: dict[Slot, tuple[Product, ...]],
    ) -> None:
        """The last round adds what any other one does, wherever in the period it comes."""
        traced = self._state()
        for before in range(period):
            self._restore(general)
            self._keep_traces(traced)
            self.facts = []
            for _ in range(before):
                _ = (
                    self._round(stmt, active, another=True)
                    if _is_do(stmt)
                    else self._headed_round(stmt, active)
                )
            if not _is_do(stmt):
                self._end(stmt, active)
            self._last_round(stmt, active)
            for slot, expected in products.items():
                value = self.slots[slot]
                made = value.products if isinstance(value, Sum) else ()
                count = len(expected) * (before + 1) // period
                if len(made) != count or not all(map(_same_product, made, expected[:count])):
                    raise Stop("the last round adds something else", stmt.span)

    def _last_round(self, stmt: For | While, active: Mask) -> None:
        self.another, self.supposed = False, []
        self.run(stmt.body, active)
        self.another = None

    def _after_loop(self, general: State, number_of: int) -> None:
        """What is known after any number of rounds: what no round changes, and the sums."""
        traced = self.memory
        slots = {
            slot: value
            if not any(in_terms_of(p, number_of) for p in polynomials(plain(value)))
            else undefined(f"`{slot[0].name}` after the loop", plain(value).type)
            for slot, value in general.slots.items()
        }
        self._restore(replace(general, slots=slots))
        for variable, memory in traced.items():
            kept = memory.copy()
            kept.forget()
            self.memory[variable] = kept
        self.facts = []


def _is_do(stmt: For | While) -> bool:
    return isinstance(stmt, While) and stmt.do_while


def _round_variable(stmt: For | While) -> Variable:
    return Variable("round", INT32, Storage.LOCAL, stmt.span)


def _same_product(a: Product, b: Product) -> bool:
    return (
        is_same(a.left, b.left)
        and is_same(a.right, b.right)
        and len(a.guards) == len(b.guards)
        and all(map(is_same, a.guards, b.guards))
    )
