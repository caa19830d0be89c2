"""Shuffles, votes and reductions of warps, by the port's rules: a group is 32 lanes unless a call says 64.

The source of a shuffle must be here under the same conditions as the reader, else what it gives is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from porter.analysis.effects import arithmetic
from porter.analysis.effects.expressions import evaluate
from porter.analysis.effects.state import State
from porter.analysis.effects.terms import Term
from porter.analysis.effects.values import Active, Value, here, of_thread
from porter.analysis.stop import Stop
from porter.cuda.kir import BOOL, Call, CallFunction, Expr, Scalar
from porter.cuda.warp import FULL_MASK, WARP_SIZE

WAVEFRONT_SIZE = 64
WAVEFRONT_VOTES = {
    "porter_ballot_wavefront": "__ballot_sync",
    "porter_any_wavefront": "__any_sync",
    "porter_all_wavefront": "__all_sync",
}
"""What widened code calls instead of CUDA's votes; each takes the predicate only."""

SHUFFLES = frozenset(("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"))
_REDUCTIONS = {
    "__reduce_add_sync": "+",
    "__reduce_min_sync": "min",
    "__reduce_max_sync": "max",
    "__reduce_and_sync": "&",
    "__reduce_or_sync": "|",
    "__reduce_xor_sync": "^",
}
_NO_LANE = "what is read from a lane that is not there, or not under the same conditions"
_VOTES = frozenset(("__ballot_sync", "__any_sync", "__all_sync"))
_BLOCK_VOTES = {"__syncthreads_and": "&", "__syncthreads_or": "|", "__syncthreads_count": "+"}
NAMES = SHUFFLES | frozenset(_REDUCTIONS) | _VOTES | frozenset(_BLOCK_VOTES) | {"__activemask"}


def is_collective(node: object) -> bool:
    if isinstance(node, CallFunction):
        return node.function in WAVEFRONT_VOTES
    return isinstance(node, Call) and (node.name in NAMES or node.name.startswith("__match"))


def collective(state: State, call: Call | CallFunction, active: Active) -> Value:
    """The result in the threads that are here. Raises Stop."""
    state.count(state.launch.threads, call.span)
    if isinstance(call, CallFunction):
        name = WAVEFRONT_VOTES[call.function]
        return _vote(state, name, call.arguments[0], WAVEFRONT_SIZE, active)
    if call.name in SHUFFLES:
        return _shuffle(state, call, active)
    if call.name == "__activemask":
        return _active_lanes(state, active)
    if call.name in _BLOCK_VOTES:
        return _block_vote(state, call, active)
    if call.name not in _VOTES and call.name not in _REDUCTIONS:
        raise Stop(f"a call of `{call.name}`", call.span)
    _check_mask(state, call.arguments[0], active)
    if call.name in _VOTES:
        return _vote(state, call.name, call.arguments[1], WARP_SIZE, active)
    value = evaluate(state, call.arguments[1], active)
    return _by_group(state, active, WARP_SIZE, call, _folded(state, _REDUCTIONS[call.name], call.type, value))


# --- shuffles ----------------------------------------------------------------------------------------


def _shuffle(state: State, call: Call, active: Active) -> Value:
    _, value_expr, lane_expr, width_expr = call.arguments
    value = evaluate(state, value_expr, active)
    lanes, widths = evaluate(state, lane_expr, active), evaluate(state, width_expr, active)
    out = [state.pool.undefined_value(_NO_LANE)] * state.launch.threads
    for t in here(active):
        width = state.pool.integer(of_thread(widths, t))
        if width is None or width not in (1, 2, 4, 8, 16, 32, 64):
            raise Stop("a shuffle whose width is not known", call.span)
        lane = state.pool.integer(of_thread(lanes, t))
        if lane is None:
            out[t] = _picked(state, value, of_thread(lanes, t), t, width, active)
            continue
        source = _source(call.name, t, lane, width)
        if source < state.launch.threads and active[source] == active[t]:
            out[t] = of_thread(value, source)
    return out


def _source(name: str, thread: int, lane: int, width: int) -> int:
    """The thread whose value `thread` reads."""
    segment = thread - thread % width
    own = thread % width
    match name:
        case "__shfl_down_sync":
            return thread + lane if own + lane < width else thread
        case "__shfl_up_sync":
            return thread - lane if own - lane >= 0 else thread
        case "__shfl_xor_sync":
            # Below its own segment a lane may read, within its warp.
            target = thread ^ lane
            return target if target < segment + width and lane < WAVEFRONT_SIZE else thread
        case _:
            return segment + lane % width


def _picked(state: State, value: Value, lane: Term, thread: int, width: int, active: Active) -> Term:
    """The value of a lane that data chooses."""
    first = thread - thread % width
    group = range(first, min(first + width, state.launch.threads))
    if any(active[t] != active[thread] for t in group) or len(group) < width:
        return state.pool.undefined_value(_NO_LANE)
    values = tuple(of_thread(value, t) for t in group)
    return values[0] if len(set(values)) == 1 else state.pool.make("picked", (), (lane, *values))


# --- votes and reductions ----------------------------------------------------------------------------


def _check_mask(state: State, mask: Expr, active: Active) -> None:
    """The port takes the votes of every lane that is here; fewer are a mask's business."""
    values = {of_thread(evaluate(state, mask, active), t) for t in here(active)}
    numbers = {state.pool.integer(v) for v in values}
    if any(n is None or n & FULL_MASK != FULL_MASK for n in numbers):
        raise Stop("a vote of the lanes that a mask names", mask.span)


def _groups(state: State, active: Active, size: int, call: Expr) -> Iterator[list[int]]:
    """The threads of each group that are here. Raises Stop where data decides which are."""
    for first in range(0, state.launch.threads, size):
        group = [t for t in range(first, min(first + size, state.launch.threads)) if active[t] is not None]
        if len({active[t] for t in group}) > 1:
            raise Stop("lanes work together under conditions that differ by data", call.span)
        if group:
            yield group


def _by_group(
    state: State, active: Active, size: int, call: Expr, rule: Callable[[list[int]], Term]
) -> list[Term]:
    out = [state.pool.undefined_value()] * state.launch.threads
    for group in _groups(state, active, size, call):
        result = rule(group)
        for t in group:
            out[t] = result
    return out


def _vote(state: State, name: str, predicate: Expr, size: int, active: Active) -> Value:
    pool = state.pool
    value = evaluate(state, predicate, active)

    def condition(thread: int) -> Term:
        return arithmetic.cast(pool, of_thread(value, thread), predicate.type, BOOL)

    def ballot(group: list[int]) -> Term:
        first = group[0] - group[0] % size
        no = pool.number(0)
        votes = [condition(t) if t in group else no for t in range(first, first + size)]
        numbers = [pool.integer(v) for v in votes]
        if all(n is not None for n in numbers):
            return pool.number(sum((n or 0) << lane for lane, n in enumerate(numbers)))
        return pool.make("ballot", (), tuple(votes))

    def joined(group: list[int]) -> Term:
        return pool.fold("|" if name == "__any_sync" else "&", "bool", map(condition, group))

    return _by_group(state, active, size, predicate, ballot if name == "__ballot_sync" else joined)


def _folded(state: State, op: str, type_: object, value: Value) -> Callable[[list[int]], Term]:
    def fold(group: list[int]) -> Term:
        terms = [of_thread(value, t) for t in group]
        return combined(state, op, type_, terms)

    return fold


def combined(state: State, op: str, type_: object, terms: list[Term]) -> Term:
    """`op` over terms of a scalar type; sums of integers are linear forms."""
    if op == "+" and isinstance(type_, Scalar) and arithmetic.is_integer(type_):
        total: dict[Term, int] = {}
        constant = 0
        for term in terms:
            own, coefficients = state.pool.parts(term)
            constant += own
            for t, c in coefficients.items():
                total[t] = total.get(t, 0) + c
        return state.pool.linear(constant, total)
    return state.pool.fold(op, str(type_), terms)


def _active_lanes(state: State, active: Active) -> Value:
    """The mask of the group's lanes that are here, as far as that is known."""
    out = [state.pool.undefined_value()] * state.launch.threads
    for t in here(active):
        first = t - t % WARP_SIZE
        group = range(first, min(first + WARP_SIZE, state.launch.threads))
        if any(active[o] not in (None, active[t]) for o in group):
            continue  # data decides; a shuffle or vote that is given this mask takes no notice of it
        out[t] = state.pool.number(sum(1 << (o - first) for o in group if active[o] is not None))
    return out


def _block_vote(state: State, call: Call, active: Active) -> Value:
    """A barrier of the block that also counts. Raises Stop unless all threads are here together."""
    if len(set(active)) != 1:
        raise Stop("a barrier that not all threads reach together", call.span)
    value = evaluate(state, call.arguments[0], active)
    pool = state.pool
    votes = [arithmetic.cast(pool, of_thread(value, t), call.arguments[0].type, BOOL) for t in here(active)]
    state.epoch += 1
    op = _BLOCK_VOTES[call.name]
    return combined(state, op, call.type, votes) if op == "+" else pool.fold(op, "bool", votes)
