"""Whether two versions of a kernel do the same to memory, and where they do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from porter.analysis.effects.collectives import combined
from porter.analysis.effects.execution import SUMMED, effects_of
from porter.analysis.effects.state import BlockOf, Effect, State
from porter.analysis.effects.terms import Pool, Term
from porter.analysis.stop import Stop
from porter.core.span import Span
from porter.cuda.kir import INT32, Kernel, Scalar


@dataclass(frozen=True)
class Differs:
    """`in_other`: the place is in the second version's text."""

    reason: str
    span: Span
    in_other: bool


def compare_effects(
    kernel: Kernel, launch: BlockOf, other: Kernel, blocks: Iterable[BlockOf]
) -> Differs | None:
    """None where one block of `kernel` does what `blocks` of `other` do together, whatever the data."""
    pool = Pool()
    try:
        state = effects_of(pool, kernel, launch)
        own = _done(pool, (state,))
    except Stop as stop:
        return Differs(stop.reason, stop.span, in_other=False)
    try:
        states = [effects_of(pool, other, block) for block in blocks]
        theirs = _done(pool, states)
    except Stop as stop:
        return Differs(stop.reason, stop.span, in_other=True)
    return _more_shared(state, states, other) or _first_difference(own, theirs)


def _done(pool: Pool, states: Iterable[State]) -> dict[Effect, Span]:
    """Every effect with its place. Raises Stop where one is not defined."""
    done: dict[Effect, Span] = {}
    shares: dict[tuple[object, ...], dict[int, Effect]] = {}
    sums: dict[Effect, Counter[Term]] = {}
    spans: dict[Effect, Span] = {}
    for state in states:
        for effect, span in state.effects.stores.items():
            _check(pool, effect, span)
            kind, guard, what = effect
            done[effect] = span
            if kind == "lane's share":
                shares.setdefault((guard, what[0], what[1]), {})[int(str(what[2]))] = effect
        for effect, counts in state.effects.atomics.items():
            _check(pool, effect, state.effects.spans[effect])
            sums.setdefault(effect, Counter()).update(counts)
            spans.setdefault(effect, state.effects.spans[effect])
        for effect, counts in sums.items():
            if any(pool.undefined[t] for t in counts):
                raise Stop("an atomic of a value that is not defined", spans[effect])
    for (guard, loop, size), lanes in shares.items():
        if len(lanes) == int(str(size)):
            span = done[lanes[0]]
            for effect in lanes.values():
                del done[effect]
            done["all shares", guard, (loop,)] = span  # type: ignore[index]
    for effect, counts in sums.items():
        kind, guard, what = effect
        done[kind, guard, (*what, _total(states, kind, str(what[0]), counts))] = spans[effect]
    return done


def _total(states: Iterable[State], name: str, type_: str, counts: Counter[Term]) -> Term:
    state = next(iter(states))
    is_integer = type_.startswith(("int", "uint"))
    terms = [t for t, n in counts.items() for _ in range(n)]
    return combined(state, SUMMED[name], INT32 if is_integer else Scalar(type_, 0), terms)


def _check(pool: Pool, effect: Effect, span: Span) -> None:
    _, guard, what = effect
    terms = [t for t in what if isinstance(t, int)]
    if any(pool.undefined[t] for t in guard) or any(t < len(pool.undefined) and pool.undefined[t] for t in terms):
        raise Stop("a value that is not defined: of a lane that is not there, or that nobody wrote", span)


def _more_shared(state: State, states: Iterable[State], other: Kernel) -> Differs | None:
    """Dynamic shared memory has the size that the host gave it."""
    for array, used in state.shared.used_bytes.items():
        if state.array_bytes.get(array, 0) == 0 and any(s.shared.used_bytes.get(array, 0) > used for s in states):
            return Differs(f"`{array.partition('#')[0]}` would need more shared memory", other.span, in_other=True)
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
