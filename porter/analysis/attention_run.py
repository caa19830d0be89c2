"""Follows a kernel that computes attention through any one round of its loop over the keys.

As in `product_rounds.py`, the rounds are run from where the loop is entered, and then from the state before
any round. What a round does to the running maximum, to the sum of the weights and to the weighted sums has to
be what a softmax over more keys is: nothing but more scores, each with the same condition in all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from porter.analysis.attention_leaves import is_soft, number_of
from porter.analysis.attention_values import AttentionValues
from porter.analysis.block_places import Slot
from porter.analysis.block_run import Exits
from porter.analysis.expressions import statements
from porter.analysis.product_sums import plain
from porter.analysis.round_states import State, general_state
from porter.analysis.slot_types import slot_type
from porter.analysis.softmax_values import Maximum, Member, Part, Weighted
from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import Polynomial, number, same
from porter.analysis.thread_terms import (
    Mask,
    Sum,
    Term,
    constant_of,
    implies,
    is_nothing,
    is_uniform,
    polynomials,
    undefined,
)
from porter.core.span import Span
from porter.cuda.kir import INT32, Barrier, For, Storage, Variable, VarRef, While


@dataclass(frozen=True)
class Key:
    """One key of a round: its score, the conditions under which it counts, and its values by accumulator."""

    score: Term
    conditions: tuple[Term, ...]
    values: tuple[Term, ...]


@dataclass(frozen=True)
class CountedKeys:
    """A loop that all threads run alike, while `first - step * n > 0` for its round n."""

    first: Polynomial
    step: int
    stmt: For
    at_least: int = 0


@dataclass(frozen=True)
class KeyRounds:
    """The loop over keys; no `loop`: it runs for as long as the keys' conditions say.

    `keys` are those of one round, in terms of the atom `round`. `lowest` is what the maximum starts with.
    """

    keys: tuple[Key, ...]
    accumulators: tuple[Slot, ...]
    maximum: Slot
    total: Slot
    lowest: float
    round: int
    loop: CountedKeys | None
    stmt: For


@dataclass(frozen=True)
class _Roles:
    maximum: Slot
    sums: tuple[Slot, ...]


@dataclass
class AttentionRun(AttentionValues):
    """The execution of a kernel with one loop over keys, which `keys` describes in the end."""

    keys: KeyRounds | None = None

    def unknown_loop(self, stmt: For | While, active: Mask) -> None:
        if self.inside:
            self._bounded_loop(stmt, active)
            return
        if self.keys is not None:
            raise Stop("more than one loop over keys", stmt.span)
        if not bool(active.all()) or not isinstance(stmt, For):
            raise Stop("a loop of unknown length that is no `for` of all threads", stmt.span)
        self.inside, self.around = True, len(self.loops)
        self.keys = self._followed(stmt, active)
        self.inside = False

    def decided(self, condition: Term, branch: int) -> Term:
        del branch
        return condition

    # --- the loop over keys ----------------------------------------------------------------------------

    def _followed(self, stmt: For, active: Mask) -> KeyRounds:
        entry, stores, span = self._state(), len(self.stores), stmt.span
        first = self._keys_of_round(stmt, active)
        after = _without_sums(self._state())
        if len(self.stores) != stores:
            raise Stop("a store to global memory in a loop over keys", span)
        roles = self._roles(entry, after, span)
        counter = Variable("round", INT32, Storage.LOCAL, span)
        number_of = self.atom_of(VarRef(counter, INT32, span))
        general, _ = general_state(entry, after, number_of, self.owners)
        self._restore(general)
        self._keep_traces(after)
        self._start_sums(roles)
        self.facts = []
        later = self._keys_of_round(stmt, active, number_of)
        own = (roles.maximum, *roles.sums)
        self._check_next(_without(entry, own), _without(after, own), number_of, [], stmt)
        loop = self._loop_of(first, later, number_of, stmt)
        keys, accumulators = self._keys(roles, span)
        lowest = number_of_start(entry, roles.maximum, span)
        self._after_loop(general, number_of)
        self._end_sums(roles, accumulators)
        return KeyRounds(keys, accumulators, roles.maximum, self.total, lowest, number_of, loop, stmt)

    def _keys_of_round(self, stmt: For, active: Mask, number_of: int | None = None) -> Polynomial | None:
        """Runs a round that takes place; what has to be positive for it, if that is one for all threads."""
        condition = self.truth(stmt.condition, active)
        if is_uniform(condition) and (condition.kind == "positive" or constant_of(condition) == 1):
            end = self._end(stmt, active)
            self.run(stmt.body, active)
            self.run(stmt.step, active)
            return end
        if any(isinstance(s, Barrier) for s in statements(stmt.body)):
            raise Stop("a loop with barriers that only some threads run", stmt.span)
        if number_of is not None and not _ends_for_good(condition, number_of):
            raise Stop("a loop that does not count up in equal steps", stmt.condition.span)
        self.guards.append(condition)
        self.run(stmt.body, active)
        self.guards.pop()
        self.run(stmt.step, active)
        return None

    def _roles(self, entry: State, after: State, span: Span) -> _Roles:
        """Which variable is the running maximum, and which are sums relative to it."""
        maxima: dict[Slot, Maximum] = {}
        sums: dict[Slot, Weighted] = {}
        for slot, before in entry.slots.items():
            now = after.slots.get(slot)
            if not isinstance(now, Term) or not is_soft(now) or plain(before).kind == "undefined":
                continue
            value = self.softmax(now, span)
            if isinstance(value, Maximum):
                maxima[slot] = value
            elif isinstance(value, Weighted) and is_nothing(plain(before)):
                sums[slot] = value
            else:
                raise Stop(f"`{slot[0].name}` is no sum of weights from zero on", span)
        if len(maxima) != 1:
            raise Stop("no loop with one running maximum", span)
        ((maximum, value),) = maxima.items()
        if any(s.under != value for s in sums.values()):
            raise Stop("a sum of weights that is not relative to the running maximum", span)
        return _Roles(maximum, tuple(sums))

    def _start_sums(self, roles: _Roles) -> None:
        """The maximum and the sums before any one round."""
        before = Maximum(("old", ""))
        self.slots[roles.maximum] = self.leaf(before, slot_type(roles.maximum[0]))
        for index, slot in enumerate(roles.sums):
            value = Weighted((Part(old=index),), None, before)
            self.slots[slot] = self.leaf(value, slot_type(slot[0]))

    def _loop_of(
        self, first: Polynomial | None, later: Polynomial | None, number_of: int, stmt: For
    ) -> CountedKeys | None:
        if first is None or later is None:
            return None
        gap = (first - later).terms.get((number_of,), 0)
        counted = Polynomial({(number_of,): gap})
        if not isinstance(gap, int) or gap <= 0 or not same(first, later + counted):
            raise Stop("a loop that does not count up in equal steps", stmt.condition.span)
        return CountedKeys(first, gap, stmt)

    def _keys(self, roles: _Roles, span: Span) -> tuple[tuple[Key, ...], tuple[Slot, ...]]:
        """What the round adds to the sums."""
        maximum = self.softmax(plain(self.slots[roles.maximum]), span)
        if not isinstance(maximum, Maximum) or maximum.base != ("old", "") or not maximum.members:
            raise Stop("a running maximum that does not go on", span)
        weights: list[tuple[Part, ...]] = []
        for index, slot in enumerate(roles.sums):
            value = self.softmax(plain(self.slots[slot]), span)
            if not isinstance(value, Weighted) or value.under != maximum or value.over is not None:
                raise Stop(f"`{slot[0].name}` is not relative to the running maximum", span)
            if not value.parts or value.parts[0].old != index:
                raise Stop(f"`{slot[0].name}` does not go on from round to round", span)
            weights.append(value.parts[1:])
        self.check_old(maximum, span)
        members = [_members(parts, span) for parts in weights]
        if not all(self.are_same(frozenset(m), maximum.members) for m in members):
            raise Stop("scores that count in some sums only", span)
        totals = [i for i, parts in enumerate(weights) if all(p.factor is None for p in parts)]
        if len(totals) != 1:
            raise Stop("no sum of the weights alone", span)
        self.total = roles.sums[totals[0]]
        others = [i for i in range(len(weights)) if i != totals[0]]
        if not others or any(p.factor is None for i in others for p in weights[i]):
            raise Stop("no weighted sum", span)
        order = members[others[0]]
        if any(members[i] != order for i in others):
            raise Stop("scores that are added up in several orders", span)
        keys = tuple(
            Key(
                self.scores[member.score],
                tuple(self.conditions[c] for c in sorted(member.conditions)),
                tuple(_factor(weights[i][at]) for i in others),
            )
            for at, member in enumerate(order)
        )
        return keys, tuple(roles.sums[i] for i in others)

    def _end_sums(self, roles: _Roles, accumulators: tuple[Slot, ...]) -> None:
        """The sums after all rounds, as symbols."""
        for index, slot in enumerate(accumulators):
            type_ = slot_type(slot[0])
            self.slots[slot] = Term(("accumulator",), type_, (), (number(index), self.owners))
        for name, slot in (("maximum", roles.maximum), ("total", self.total)):
            self.slots[slot] = Term(("statistic", name), slot_type(slot[0]), (), (self.owners,))

    # --- loops in a round ------------------------------------------------------------------------------

    def _bounded_loop(self, stmt: For | While, active: Mask) -> None:
        """A loop that ends under a condition that is not known, and surely after some rounds."""
        if not isinstance(stmt, For):
            raise Stop("a loop whose end depends on data", stmt.span)
        nobody = np.zeros(self.threads, dtype=np.bool_)
        exits = Exits(nobody, nobody.copy(), depth=len(self.guards))
        self.loops.append(exits)
        for _ in range(self.most_rounds + 1):
            going = self._goes_on(stmt, exits, active)
            if not bool(going.any()):
                self.loops.pop()
                return
            self.run(stmt.body, going)
            exits.continued[:] = False
            exits.continue_guards.clear()
            self._advance(stmt, exits, active)
        raise Stop(f"more than {self.most_rounds} rounds of a loop", stmt.span)

    def _goes_on(self, stmt: For, exits: Exits, active: Mask) -> Mask:
        condition = self.truth(stmt.condition, active)
        known = constant_of(condition)
        if known is None:
            exits.break_guards = [g for g in exits.break_guards if not implies(condition, g)]
            exits.break_guards.append(condition)
            return active & ~exits.broken
        if not isinstance(known, int):
            raise Stop("a loop of some threads only", stmt.span)
        return active & ~exits.broken if known else np.zeros_like(active)


def number_of_start(entry: State, maximum: Slot, span: Span) -> float:
    """What the running maximum starts with."""
    start = number_of(plain(entry.slots[maximum]))
    if start is None:
        raise Stop(f"`{maximum[0].name}` starts with something else than a number", span)
    return start


def _without_sums(state: State) -> State:
    """Sums of products that a round leaves behind are of that round only."""
    slots = {
        slot: undefined(f"`{slot[0].name}`", value.type) if isinstance(value, Sum) else value
        for slot, value in state.slots.items()
    }
    return replace(state, slots=dict(slots))


def _without(state: State, own: tuple[Slot, ...]) -> State:
    return replace(state, slots={s: v for s, v in state.slots.items() if s not in own})


def _members(parts: tuple[Part, ...], span: Span) -> tuple[Member, ...]:
    found = tuple(p.member for p in parts if p.member is not None)
    if len(found) != len(parts) or len(set(found)) != len(found):
        raise Stop("a score that counts twice", span)
    return found


def _factor(part: Part) -> Term:
    assert part.factor is not None
    return part.factor


def _ends_for_good(condition: Term, number_of: int) -> bool:
    """Whether a condition that does not hold in a round holds in no later one."""
    if condition.kind in ("and", "or"):
        return all(_ends_for_good(part, number_of) for part in condition.parts)
    counted = [(m, c) for p in polynomials(condition) for m, c in p.terms.items() if number_of in m]
    if condition.kind != "positive":
        return not counted
    return all(m == (number_of,) and bool(np.all(np.asarray(c) <= 0)) for m, c in counted)
