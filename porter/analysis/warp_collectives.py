"""Shuffles, votes and warp reductions of the symbolic execution, by CUDA's rules at 32 lanes.

A value from a lane that is not active, or does not exist, is undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porter.analysis.stop import Stop
from porter.analysis.terms import Fold, Term, Undefined, Votes, combine, neutral
from porter.analysis.values import Known, Mask, Mixed, Value, expression, lanewise
from porter.cuda.kir import BOOL, Call, Cast, Scalar
from porter.cuda.warp import WARP_SIZE

if TYPE_CHECKING:
    from porter.analysis.block_evaluation import Evaluator

_WIDTHS = tuple(1 << power for power in range(WARP_SIZE.bit_length()))
_SHUFFLES = frozenset({"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"})
_REDUCTIONS = {
    "__reduce_add_sync": "+",
    "__reduce_min_sync": "min",
    "__reduce_max_sync": "max",
    "__reduce_and_sync": "&",
    "__reduce_or_sync": "|",
    "__reduce_xor_sync": "^",
}
_VOTES = {"__any_sync": "|", "__all_sync": "&"}
NAMES = _SHUFFLES | frozenset(_REDUCTIONS) | frozenset(_VOTES) | {"__ballot_sync"}
_GONE = Undefined("the value of a lane that does not take part")


def evaluate(on: Evaluator, call: Call, active: Mask) -> Value:
    """The result of a collective that the active threads execute together. Raises Stop."""
    if call.name in _SHUFFLES:
        return _shuffle(on, call, active)
    value = on.evaluate(call.arguments[1], active)
    if call.name in _REDUCTIONS:
        return _reduce(on, _REDUCTIONS[call.name], value, call, active)
    predicate = _as_bool(on, value, call)
    if call.name in _VOTES:
        return _reduce(on, _VOTES[call.name], predicate, call, active)
    return _ballot(on, predicate, call, active)


def _as_bool(on: Evaluator, value: Value, call: Call) -> Value:
    if isinstance(value, Known):
        return Known(value.numbers != 0, value.expr)
    predicate = call.arguments[1]
    while isinstance(predicate, Cast) and predicate.operand.type == BOOL:
        predicate = predicate.operand  # the conversion of a bool to the int that votes take
    if predicate.type == BOOL:
        return on.evaluate(predicate, np.ones(on.threads, dtype=np.bool_))
    return on.cast(value, Cast(predicate, BOOL, call.span), np.ones(on.threads, dtype=np.bool_))


def _source_lanes(on: Evaluator, call: Call, active: Mask) -> tuple[np.ndarray, np.ndarray]:
    """For each thread the thread it reads from, and whether that is within its segment."""
    lane_value, width_value = (on.evaluate(a, active) for a in call.arguments[2:4])
    if not isinstance(lane_value, Known) or not isinstance(width_value, Known):
        raise Stop("a shuffle whose lane or width depends on data", call.span)
    delta, width = lane_value.numbers.astype(np.int64), width_value.numbers.astype(np.int64)
    used = width[active]
    if not bool(np.isin(used, _WIDTHS).all()):
        raise Stop(f"a shuffle width that is no power of two up to {WARP_SIZE}", call.span)
    width = np.where(active, width, WARP_SIZE)
    thread = np.arange(on.threads)
    lane = thread % on.warp_size
    segment = lane - lane % width
    if call.name == "__shfl_down_sync":
        source, inside = lane + delta, lane + delta < segment + width
    elif call.name == "__shfl_up_sync":
        source, inside = lane - delta, lane - delta >= segment
    elif call.name == "__shfl_xor_sync":
        source = lane ^ delta
        inside = source < segment + width
    else:
        source, inside = segment + delta % width, np.ones(on.threads, dtype=np.bool_)
    return np.where(inside, thread - lane + source, thread), inside


def _shuffle(on: Evaluator, call: Call, active: Mask) -> Value:
    source, _ = _source_lanes(on, call, active)
    value = on.evaluate(call.arguments[1], active)
    exists = (source >= 0) & (source < on.threads)
    safe = np.where(exists, source, 0)
    alive = exists & active[safe]
    if isinstance(value, Known) and bool(alive[active].all()):
        return Known(value.numbers[safe])
    terms = on.leaves.terms(value)
    return lanewise(active, [alive, terms[safe]], lambda is_alive, term: term if is_alive else _GONE)


def _reduce(on: Evaluator, op: str, value: Value, call: Call, active: Mask) -> Value:
    type_ = call.arguments[1].type if call.name in _REDUCTIONS else BOOL
    if not isinstance(type_, Scalar):
        raise Stop("a warp reduction of something that is no scalar", call.span)
    terms = on.leaves.terms(value)
    out = np.empty(on.threads, dtype=object)
    out[:] = _GONE
    for first in range(0, on.threads, on.warp_size):
        lanes = [t for t in range(first, min(first + on.warp_size, on.threads)) if active[t]]
        total: Term = neutral(op, type_)
        for lane in lanes:
            total = combine(op, total, terms[lane], neutral(op, type_))
        out[lanes] = [total] * len(lanes)
    return Mixed(out)


def _ballot(on: Evaluator, predicate: Value, call: Call, active: Mask) -> Value:
    thread = np.arange(on.threads)
    if isinstance(predicate, Known):
        bits = np.where(predicate.numbers & active, 1 << (thread % on.warp_size), 0)
        masks = [int(bits[t - t % on.warp_size : t - t % on.warp_size + on.warp_size].sum()) for t in thread]
        return Known(np.asarray(masks, dtype=np.int64))
    expr = expression(predicate, BOOL, call.span)
    if expr is None:
        raise Stop("a ballot of a predicate that is combined from other lanes", call.span)
    site = on.leaves.site(expr)

    def mask_of(at: int) -> Term:
        first = at - at % on.warp_size
        lanes = sum(1 << t for t in range(first, min(first + on.warp_size, on.threads)) if active[t])
        return Votes(site, first, lanes)

    return lanewise(active, [thread], lambda t: mask_of(int(t)))


def population(on: Evaluator, votes: object) -> Term:
    """`__popc` of a (masked) ballot: the sum of its predicates as integers."""
    if not isinstance(votes, Votes):
        return Undefined("the population count of a combined value")
    if not votes.lanes:
        return 0
    counted = on.counted(votes.site)
    return Fold("+", votes.lanes << (counted * on.threads))
