"""Scores, maxima and weights that other threads of the block have computed, by shuffles or shared memory.

A maximum that came from another thread is the thread's own if the two are over the same scores in every
thread. That of the rounds before is taken for the own one too; `check_old` shows that it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from porter.analysis.attention_leaves import AttentionLeaves
from porter.analysis.product_shape import Family, NoShape, family
from porter.analysis.softmax_values import Difference, Maximum, Member, Part, Softmax, Weighted
from porter.analysis.stop import Stop
from porter.analysis.thread_polynomials import Numbers
from porter.analysis.thread_terms import (
    Mask,
    Product,
    Sum,
    Term,
    Value,
    blend,
    has_shape_of,
    is_same,
    map_numbers,
)
from porter.core.span import Span
from porter.cuda.kir import BOOL, Call


@dataclass
class AttentionThreads(AttentionLeaves):
    """`maxima` came from other threads; `old_of` are those whose maximum before the loop was taken."""

    maxima: list[Maximum] = field(default_factory=list)
    old_of: dict[bytes, Numbers] = field(default_factory=dict)
    _taken: dict[tuple[bytes, bytes], Softmax] = field(default_factory=dict)
    _members: dict[tuple[Member, bytes], Member] = field(default_factory=dict)

    def of_other_threads(self, which: Numbers, owner: Numbers, span: Span) -> Softmax:
        """For each thread the value of the leaf `which`, as thread `owner` has it. Raises Stop."""
        shape = (self.threads,)
        which, owner = np.broadcast_to(which, shape), np.broadcast_to(owner, shape)
        name = which.tobytes(), owner.tobytes()
        if name not in self._taken:
            self._taken[name] = self._taken_from(which, owner, span)
        return self._taken[name]

    def _taken_from(self, which: Numbers, owner: Numbers, span: Span) -> Softmax:
        found: Softmax | None = None
        for index in np.unique(which):
            moved = self._value_of(self.values[index], owner, span)
            found = moved if found is None else self._mixed(which == index, moved, found, span)
        assert found is not None
        return found

    def check_old(self, maximum: Maximum, span: Span) -> None:
        """Threads that took each other's old maximum go on with one maximum too. Raises Stop."""
        for source in self.old_of.values():
            moved = frozenset(self._member_of(m, source, span) for m in maximum.members)
            if not self.are_same(moved, maximum.members):
                raise Stop("a maximum of another thread that is over other scores", span)

    def are_same(self, a: frozenset[Member], b: frozenset[Member]) -> bool:
        """Whether the members are the same scores in every thread, in whatever order."""
        if a == b:
            return True
        if len(a) != len(b) or not a:
            return False
        try:
            first, second = (self._family(m) for m in (a, b))
        except NoShape:
            return False
        if not has_shape_of(first.term, second.term):
            return False
        pairs = list(zip(first.numbers, second.numbers, strict=True))
        monomials = [(i, m) for i, (p, q) in enumerate(pairs) for m in sorted({*p, *q})]
        none = np.zeros((len(a), self.threads), dtype=np.int64)
        grids = [
            np.stack([n[i][m][:, 0] if m in n[i] else none for i, m in monomials])
            for n in (first.numbers, second.numbers)
        ]
        return np.array_equal(_sorted(grids[0]), _sorted(grids[1]))

    def _family(self, members: frozenset[Member]) -> Family:
        """Each member's score and conditions as one term."""
        terms = []
        for member in members:
            conditions = [self.conditions[c] for c in sorted(member.conditions)]
            parts = (self.scores[member.score], *sorted(conditions, key=lambda c: str(c.head)))
            terms.append([Term(("and",), BOOL, parts)])
        return family(terms, self.threads)

    # --- values of other threads -------------------------------------------------------------------------

    def _value_of(self, value: Softmax, source: Numbers, span: Span) -> Softmax:
        if isinstance(value, Maximum):
            return self._maximum_of(value, source, span)
        if isinstance(value, Difference):
            raise Stop("a difference of scores that another thread has computed", span)
        over, under = (
            None if m is None else self._maximum_of(m, source, span) for m in (value.over, value.under)
        )
        return Weighted(tuple(self._part_of(p, source, span) for p in value.parts), over, under)

    def _part_of(self, part: Part, source: Numbers, span: Span) -> Part:
        if part.old is not None:
            raise Stop("a sum over the keys before that another thread has computed", span)
        member = None if part.member is None else self._member_of(part.member, source, span)
        return Part(member, None if part.factor is None else _moved(part.factor, source))

    def _member_of(self, member: Member, source: Numbers, span: Span) -> Member:
        name = member, source.tobytes()
        if name not in self._members:
            conditions = (_moved(self.conditions[c], source) for c in member.conditions)
            self._members[name] = Member(
                self.score_number(_moved(self.scores[member.score], source), span),
                frozenset(self.condition_number(c, span) for c in conditions),
            )
        return self._members[name]

    def _maximum_of(self, maximum: Maximum, source: Numbers, span: Span) -> Maximum:
        if maximum.base == ("old", ""):
            self.old_of[source.tobytes()] = source
        members = frozenset(self._member_of(m, source, span) for m in maximum.members)
        return self._known_maximum(Maximum(maximum.base, members))

    def _known_maximum(self, maximum: Maximum) -> Maximum:
        """The maximum that is the same in every thread, if there is one."""
        own = (v for v in reversed(self.values) if isinstance(v, Maximum))
        for other in (*own, *self.maxima):
            if other.base == maximum.base and self.are_same(other.members, maximum.members):
                return other
        self.maxima.append(maximum)
        return maximum

    def _mixed(self, mask: Mask, a: Softmax, b: Softmax, span: Span) -> Softmax:
        """`a` in the threads of `mask`, `b` in the others."""
        if a == b:
            return a
        if isinstance(a, Maximum) and isinstance(b, Maximum):
            return self._mixed_maximum(mask, a, b, span)
        if not isinstance(a, Weighted) or not isinstance(b, Weighted) or len(a.parts) != len(b.parts):
            raise Stop("values of several kinds that other threads have computed", span)
        limits: list[Maximum | None] = []
        for one, other in ((a.over, b.over), (a.under, b.under)):
            if one is None or other is None:
                if one is not other:
                    raise Stop("weights that are relative to several maxima", span)
                limits.append(None)
            else:
                limits.append(self._mixed_maximum(mask, one, other, span))
        parts = tuple(self._mixed_part(mask, p, q, span) for p, q in zip(a.parts, b.parts, strict=True))
        return Weighted(parts, limits[0], limits[1])

    def _mixed_maximum(self, mask: Mask, a: Maximum, b: Maximum, span: Span) -> Maximum:
        if a == b:
            return a
        if a.base != b.base or len(a.members) != len(b.members):
            raise Stop("maxima of several kinds that other threads have computed", span)
        lists = [sorted(m.members, key=lambda m: m.score) for m in (a, b)]
        members = (self._mixed_member(mask, m, n, span) for m, n in zip(*lists, strict=True))
        return self._known_maximum(Maximum(a.base, frozenset(members)))

    def _mixed_part(self, mask: Mask, a: Part, b: Part, span: Span) -> Part:
        if a.member is None or b.member is None or a.factor is not None or b.factor is not None:
            raise Stop("sums that other threads have computed", span)
        return Part(self._mixed_member(mask, a.member, b.member, span))

    def _mixed_member(self, mask: Mask, a: Member, b: Member, span: Span) -> Member:
        if len(a.conditions) != len(b.conditions):
            raise Stop("scores under unequal conditions that other threads have computed", span)
        conditions = []
        for one, other in zip(sorted(a.conditions), sorted(b.conditions), strict=True):
            term = self._blended(mask, self.conditions[one], self.conditions[other], span)
            conditions.append(self.condition_number(term, span))
        score = self._blended(mask, self.scores[a.score], self.scores[b.score], span)
        return Member(self.score_number(score, span), frozenset(conditions))

    def _blended(self, mask: Mask, a: Term, b: Term, span: Span) -> Term:
        mixed = blend(mask, a, b)
        if mixed is None:
            raise Stop("scores of several kinds that other threads have computed", span)
        return mixed

    # --- lanes -----------------------------------------------------------------------------------------

    def shuffled(self, expr: Call, values: list[Value], active: Mask) -> Value:
        """What another lane of the warp has; all its lanes have to be there, under the same conditions."""
        width, lane = (self.single(v) for v in (values[3], values[2]))
        size = width.numbers[0].constant if width.kind == "int" else None
        at = lane.numbers[0].constant if lane.kind == "int" else None
        if not isinstance(size, int) or at is None or 32 % size:
            raise Stop("a shuffle from a lane that is not known", expr.span)
        source = _source(expr.name, np.arange(self.threads), np.broadcast_to(at, (self.threads,)), size)
        if int(source.max()) >= self.threads or not bool(active[source][active].all()):
            raise Stop("a shuffle from a lane that may not take part", expr.span)
        for guard in self.in_force():
            if not is_same(guard, _moved(guard, source)):
                raise Stop("a shuffle among lanes that may not all take part", expr.span)
        value = values[1]
        if isinstance(value, Term):
            return _moved(value, source)
        products = tuple(
            Product(
                _moved(p.left, source), _moved(p.right, source), tuple(_moved(g, source) for g in p.guards)
            )
            for p in value.products
        )
        return Sum(_moved(value.base, source), products, value.type)


_MIXERS = np.random.default_rng(7).integers(1, 1 << 62, 4096, dtype=np.int64) * 2 + 1


def _sorted(grid: Numbers) -> Numbers:
    """`[numbers, members, threads]` with the members of each thread in the order of their numbers."""
    mixed = np.einsum("fmt,f->mt", grid, _MIXERS[: len(grid)])
    order = np.argsort(mixed, axis=0, kind="stable")
    return np.take_along_axis(grid, order[None], axis=1)


def _source(name: str, lane: np.ndarray, at: np.ndarray, size: int) -> np.ndarray:
    first, inside = lane - lane % size, lane % size
    found: dict[str, Callable[[], np.ndarray]] = {
        "__shfl_sync": lambda: at % size,
        "__shfl_xor_sync": lambda: inside ^ at,
        "__shfl_down_sync": lambda: np.where(inside + at < size, inside + at, inside),
        "__shfl_up_sync": lambda: np.where(inside >= at, inside - at, inside),
    }
    result = found[name]()
    return np.asarray(first + np.where(result < size, result, inside))


def _moved(term: Term, source: np.ndarray) -> Term:
    return map_numbers(term, lambda p: p.of_threads(source))


def moved_product(product_: Product, source: np.ndarray) -> Product:
    """What thread `source[i]` has, in thread `i`."""
    guards = tuple(_moved(g, source) for g in product_.guards)
    return Product(_moved(product_.left, source), _moved(product_.right, source), guards)
