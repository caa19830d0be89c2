"""Whether two versions of a kernel do the same to memory, and where they do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from porter.analysis.effects import conflicts
from porter.analysis.effects.collectives import combined
from porter.analysis.effects.execution import effects_of
from porter.analysis.effects.state import SUMMED, BlockOf, Effect, State
from porter.analysis.effects.terms import Pool, Term
from porter.analysis.effects.values import Guard
from porter.analysis.stop import Stop
from porter.core.span import Span
from porter.cuda.kir import Kernel, Scalar


@dataclass(frozen=True)
class Differs:
    """`in_other`: the place is in the second version's text."""

    reason: str
    span: Span
    in_other: bool


_DEFECTS = (AssertionError, LookupError, RecursionError, TypeError, ValueError)
"""A surprise in one kernel must not take the port along."""


def _defect(defect: Exception) -> str:
    return f"a defect of porter's analysis: {type(defect).__name__}: {defect}"


@dataclass(frozen=True)
class Reference:
    """What one block of a kernel does; other versions are compared with it in its own pool."""

    pool: Pool
    state: State
    done: dict[Effect, Span]


def reference_of(kernel: Kernel, launch: BlockOf) -> Reference | Differs:
    """What a block of the original does, or why that cannot be followed."""
    pool = Pool()
    try:
        state = effects_of(pool, kernel, launch)
        return Reference(pool, state, _done(pool, (state,)))
    except Stop as stop:
        return Differs(stop.reason, stop.span, in_other=False)
    except _DEFECTS as defect:
        return Differs(_defect(defect), kernel.span, in_other=False)


def difference(reference: Reference, other: Kernel, blocks: Iterable[BlockOf]) -> Differs | None:
    """None where `blocks` of `other` do together what the reference does, whatever the data."""
    try:
        states = [effects_of(reference.pool, other, block) for block in blocks]
        theirs = _done(reference.pool, states)
    except Stop as stop:
        return Differs(stop.reason, stop.span, in_other=True)
    except _DEFECTS as defect:
        return Differs(_defect(defect), other.span, in_other=True)
    differs = _more_shared(reference.state, states, other) or _first_difference(reference.done, theirs)
    return differs or _order_counts(reference, states, other)


def _order_counts(reference: Reference, states: Iterable[State], other: Kernel) -> Differs | None:
    try:
        own = reference.state.effects.touches
        conflicts.check(reference.pool, own, [s.effects.touches for s in states])
    except Stop as stop:
        return Differs(stop.reason, stop.span, in_other=True)
    except _DEFECTS as defect:
        return Differs(_defect(defect), other.span, in_other=True)
    return None


def _done(pool: Pool, states: Iterable[State]) -> dict[Effect, Span]:
    """Every effect with its place, the shares of lanes and what atomics add put together. Raises Stop."""
    done: dict[Effect, Span] = {}
    sums: dict[Effect, Counter[Term]] = {}
    times: Counter[Effect] = Counter()
    for state in states:
        done |= state.effects.stores
        times.update(state.effects.times)
        for effect, counts in state.effects.atomics.items():
            sums.setdefault(effect, Counter()).update(counts)
            done.setdefault(effect, state.effects.spans[effect])
    for effect, span in done.items():
        _, guard, what = effect
        terms = [*guard, *(t for t in what if isinstance(t, int)), *sums.get(effect, ())]
        lost = next((t for t in terms if pool.undefined[t]), None)
        if lost is not None:
            raise Stop(pool.why_undefined(lost), span)
    for effect, counts in sums.items():
        kind, guard, what = effect
        done[kind, guard, (*what, _total(states, kind, str(what[0]), counts))] = done.pop(effect)
    return _whole_loops(done, times)


def _whole_loops(done: dict[Effect, Span], times: Counter[Effect]) -> dict[Effect, Span]:
    """Where every lane of a group does its share of a loop as often, the loop instead of the shares."""
    groups: dict[tuple[Guard, object, object], list[Effect]] = {}
    for effect in done:
        kind, guard, what = effect
        if kind == "lane's share":
            loop, size, _, epoch = what
            groups.setdefault((guard, (loop, epoch), size), []).append(effect)
    for (guard, loop, size), lanes in groups.items():
        often = {times[effect] for effect in lanes}
        spans = [done.pop(effect) for effect in lanes]
        if len(lanes) == int(str(size)) and len(often) == 1:
            done["all shares", guard, (loop, f"{often.pop()} times")] = spans[0]
        else:
            for effect, span in zip(lanes, spans, strict=True):
                kind, _, what = effect
                done[kind, guard, (*what, f"{times[effect]} times")] = span
    return done


def _total(states: Iterable[State], name: str, type_: str, counts: Counter[Term]) -> Term:
    """What all atomics of one place come to."""
    state = next(iter(states))
    kind = type_.rstrip("0123456789")
    scalar = Scalar(kind, int(type_[len(kind) :])) if kind in ("int", "uint") else Scalar(type_, 0)
    terms = [t for t, n in counts.items() for _ in range(n)]
    return combined(state, SUMMED[name], scalar, terms)


def _more_shared(state: State, states: Iterable[State], other: Kernel) -> Differs | None:
    """Dynamic shared memory has the size that the host gave it."""
    for array, used in state.shared.used_bytes.items():
        if state.array_bytes.get(array, 0) == 0 and any(
            s.shared.used_bytes.get(array, 0) > used for s in states
        ):
            return Differs(
                f"`{array.partition('#')[0]}` would need more shared memory", other.span, in_other=True
            )
    return None


def _first_difference(own: dict[Effect, Span], theirs: dict[Effect, Span]) -> Differs | None:
    for effect, span in theirs.items():
        if effect not in own:
            return Differs(_what(effect), span, in_other=True)
    for effect, span in own.items():
        if effect not in theirs:
            return Differs(_what(effect), span, in_other=False)
    return None


def _what(effect: Effect) -> str:
    kind = effect[0]
    if kind == "store":
        return "what is stored here, or where, depends on the number of lanes in a warp"
    if kind.startswith("atomic"):
        return "what this atomic adds, or how often it runs, depends on the number of lanes in a warp"
    return "what this loop does depends on the number of lanes in a warp"
