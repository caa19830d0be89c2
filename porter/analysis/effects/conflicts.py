"""Accesses of global memory whose order counts: two that may touch one element, one of them a store.

Effects are compared as sets, so that who does a store, and in which order, must not matter. In the changed
version two accesses without a barrier between are let pass only if they touch different elements, if they are
one thread's in the order of the original, or if the original does both with nothing to order them: it has no
races, so it does not touch one element with both.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from porter.analysis.effects.shared_cells import Access
from porter.analysis.effects.terms import Pool, Term
from porter.analysis.effects.values import Guard
from porter.analysis.stop import Stop
from porter.core.span import Span
from porter.cuda.kir import Variable

MAX_PAIRS = 600_000

_Base = tuple[tuple[Term, int], ...]
_What = tuple[str, Guard, Term, Term]
"""The kind of access, its conditions, where it is and what it stores."""


@dataclass(frozen=True)
class Place:
    """What one thread does."""

    access: Access
    guard: Guard
    at: Term
    value: Term


@dataclass(frozen=True)
class Touch:
    """One execution of an access, in all threads; of a loop whose trips are not known there are no places."""

    kind: str
    buffer: Variable | None
    size_bytes: int
    epoch: int
    span: Span
    guards: frozenset[Guard]
    places: tuple[Place, ...] = ()
    loop: int = 0


@dataclass(frozen=True)
class _Done:
    """One thread's access, with the number of its execution and its block."""

    place: Place
    touch: Touch
    number: int
    block: int

    @property
    def what(self) -> _What:
        return self.touch.kind, self.place.guard, self.place.at, self.place.value

    def before(self, later: _Done) -> bool:
        return self.block == later.block and self.place.access.before(later.place.access)


def check(pool: Pool, original: Sequence[Touch], blocks: Sequence[Sequence[Touch]]) -> None:
    """Raises Stop where the order of the changed blocks' accesses may count."""
    stored = {t.buffer for touches in blocks for t in touches if t.kind != "load"}
    known: dict[_What, list[_Done]] = {}
    for done in _places(original, 0):
        known.setdefault(done.what, []).append(done)
    every = [(t, n, b) for b, touches in enumerate(blocks) for n, t in enumerate(touches)]
    concerned = [e for e in every if None in stored or e[0].buffer in stored or e[0].buffer is None]
    pairs = 0
    for (a, i, x), (b, j, y) in combinations_with_replacement(concerned, 2):
        if not _may_conflict(pool, a, b, same_block=x == y):
            continue
        if not a.places or not b.places:
            if not (a.loop and a.loop == b.loop):
                raise Stop("what is stored here may also be accessed elsewhere, by another lane", b.span)
            continue
        for one, other in _near(pool, _of(a, i, x), _of(b, j, y)):
            pairs += 1
            if pairs > MAX_PAIRS:
                raise Stop("too many stores to compare", b.span)
            _pair(known, one, other)


def _places(touches: Iterable[Touch], block: int) -> Iterator[_Done]:
    return (done for n, t in enumerate(touches) for done in _of(t, n, block))


def _of(touch: Touch, number: int, block: int) -> list[_Done]:
    return [_Done(p, touch, number, block) for p in touch.places]


def _near(pool: Pool, first: list[_Done], second: list[_Done]) -> Iterator[tuple[_Done, _Done]]:
    """The pairs that may touch one byte: places whose distance is no number, or too small."""
    ours, theirs = _by_base(pool, first), _by_base(pool, second)
    for own_base, own in ours.items():
        for base, others in theirs.items():
            if base != own_base:
                yield from product((d for _, d in own), (d for _, d in others))
                continue
            starts = [at for at, _ in others]
            for at, one in own:
                low = bisect_left(starts, at - second[0].touch.size_bytes + 1)
                high = bisect_left(starts, at + one.touch.size_bytes)
                yield from ((one, other) for _, other in others[low:high])


def _by_base(pool: Pool, places: list[_Done]) -> dict[_Base, list[tuple[int, _Done]]]:
    """Places by what is not known of their address, each with the bytes behind that, in order."""
    found: dict[_Base, list[tuple[int, _Done]]] = {}
    for done in places:
        constant, coefficients = pool.parts(done.place.at)
        found.setdefault(tuple(sorted(coefficients.items())), []).append((constant, done))
    return {base: sorted(own, key=lambda p: p[0]) for base, own in found.items()}


def _may_conflict(pool: Pool, a: Touch, b: Touch, *, same_block: bool) -> bool:
    if a.kind == b.kind != "store":
        return False  # loads, or atomics that commute
    if None not in (a.buffer, b.buffer) and a.buffer is not b.buffer:
        return False
    if not same_block:
        return True
    if a.epoch != b.epoch:
        return False
    common_a, common_b = (frozenset.intersection(*t.guards) for t in (a, b))
    return not any(pool.negated(c) in common_b for c in common_a)


def _pair(known: dict[_What, list[_Done]], a: _Done, b: _Done) -> None:
    if a.place is b.place and a.block == b.block:
        return
    same_thread = a.block == b.block and a.place.access.thread == b.place.access.thread
    if not same_thread and a.before(b):
        return
    if a.touch.kind == "store" and a.what == b.what:
        return
    for x in known.get(a.what, ()):
        for y in known.get(b.what, ()):
            is_own = x.place.access.thread == y.place.access.thread
            if same_thread and is_own and x.number < y.number:
                return
            unordered = not x.before(y) and not y.before(x)
            if unordered:
                return
    raise Stop("what is stored here may also be accessed elsewhere, by another lane", b.touch.span)
