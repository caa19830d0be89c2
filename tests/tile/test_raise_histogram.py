"""Shared histograms as bins, counts of ballots as scans: what is raised, and what is not."""

from __future__ import annotations

import pytest

from porter.analysis.expressions import statements
from porter.cuda.kir import INT32, UINT32, Call, CallFunction, Declare, Function, Kernel, Return, Stmt
from porter.tile.idioms import CountBins, DeclareBins, ForEachBin, GroupReduce, GroupScan, Raising
from porter.tile.raise_idioms import raise_idioms
from tests.tile.kir_build import (
    E,
    address,
    assign,
    at,
    ballot,
    barrier,
    block_dim,
    call,
    const,
    declare,
    evaluate,
    kernel,
    local,
    loop,
    parameter,
    pointer,
    shared,
    shuffle,
    thread,
    variable,
    when,
)
from tests.tile.kir_run import check_same

DATA = pointer("data", INT32, is_const=True)
BINS = pointer("bins", UINT32)
N = parameter("n")
X = thread()
BLOCK = (64, 1, 1)
BINNED = (DeclareBins, CountBins, ForEachBin)


def raised(program: Kernel) -> Raising:
    result = raise_idioms(program, BLOCK)
    if result.raised:
        check_same(program, result.kernel, BLOCK, n=200)
    return result


def histogram(
    *,
    n_bins: int = 16,
    zero: object = 0,
    add: object = 1,
    first_barrier: bool = True,
    second_barrier: bool = True,
    zero_step: int = 64,
    visit: Stmt | None = None,
    extra: tuple[Stmt, ...] = (),
    counts: E | None = None,
) -> Raising:
    counts = counts or shared("counts", n_bins, type_=UINT32)
    b, i = local("b", INT32), local("i", INT32)
    add_one = evaluate(call("atomicAdd", address(counts[DATA[i]]), const(add, UINT32), type_=UINT32))
    flush = evaluate(call("atomicAdd", address(BINS[b]), counts[b], type_=UINT32))
    body = (
        declare(counts),
        loop(b, X, b < n_bins, b + zero_step, assign(counts[b], zero)),
        *((barrier(),) if first_barrier else ()),
        loop(i, X, i < N, i + block_dim(), add_one, *extra),
        *((barrier(),) if second_barrier else ()),
        visit or loop(b, X, b < n_bins, b + 64, when(counts[b].op("!=", 0), flush)),
    )
    return raised(kernel((DATA, BINS, N), *body))


def is_raised(result: Raising) -> bool:
    return [type(s) for s in statements(result.kernel.body) if isinstance(s, BINNED)] == list(BINNED)


@pytest.mark.parametrize("n_bins", [16, 64, 256])
def test_histogram(n_bins):
    result = histogram(n_bins=n_bins)
    assert is_raised(result)
    assert result.declined == ()


def test_one_thread_a_bin():
    counts = shared("counts", 16, type_=UINT32)
    visit = when(X < 16, assign(BINS[X], BINS[X] + counts[X]))
    assert is_raised(histogram(counts=counts, visit=visit))


COUNTS = shared("counts", 16, type_=UINT32)
COUNTS_64 = shared("counts", 64, type_=UINT32)
B = local("b", INT32)
NOT_RAISED = {
    "bins start at one": {"zero": 1},
    "adds two": {"add": 2},
    "adds a value": {"add": 0},
    "no barrier before": {"first_barrier": False},
    "no barrier after": {"second_barrier": False},
    "not every bin is cleared": {"n_bins": 256, "zero_step": 300},
    "no power of two": {"n_bins": 48},
    "a bin is visited twice": {"counts": COUNTS, "visit": assign(BINS[X], COUNTS[X & 15])},
    "a bin is left out": {"counts": COUNTS, "visit": when(X < 15, assign(BINS[X], COUNTS[X]))},
    "the visit knows its thread": {
        "counts": COUNTS,
        "visit": loop(B, X, B < 16, B + 64, assign(BINS[B], COUNTS[B] + DATA[X].to(UINT32))),
    },
    "two bins at once": {
        "counts": COUNTS_64,
        "n_bins": 64,
        "visit": assign(BINS[X], COUNTS_64[X] + COUNTS_64[const(63) - X]),
    },
    "read while it is counted": {"counts": COUNTS, "extra": (assign(BINS[X], COUNTS[0]),)},
}


@pytest.mark.parametrize("options", NOT_RAISED.values(), ids=NOT_RAISED)
def test_left_alone(options):
    result = histogram(**options)
    assert not any(isinstance(s, BINNED) for s in statements(result.kernel.body))
    assert result.declined


# --- ballots -----------------------------------------------------------------------------------------


def compaction(rank: E, *, mask: E, tail: tuple[Stmt, ...] = (), functions=None) -> Raising:
    """Every warp reserves room with one atomic, each kept lane writes at its rank."""
    base, place = local("base", INT32), pointer("place", INT32)
    out = pointer("out", INT32)
    lane = X & 31
    keep, kept = DATA[X] > 7, call("__popc", mask, type_=INT32)
    body = (
        declare(mask, ballot(keep)),
        declare(base, 0),
        when(lane.eq(0), assign(base, call("atomicAdd", address(place[0]), kept, type_=INT32))),
        assign(base, shuffle_from_first(base)),
        when(keep, assign(out[base + rank], DATA[X])),
        *tail,
    )
    program = kernel((DATA, out, place), *body)
    return raised(Kernel(program.name, (), program.parameters, program.body, program.span, functions or {}))


def shuffle_from_first(value: E) -> E:
    return shuffle("", value, 0)


def below(mask: E) -> E:
    return mask & ((const(1, UINT32) << (X & 31)) - 1)


def test_compaction_by_rank():
    mask = local("kept", UINT32)
    result = compaction(call("__popc", below(mask), type_=INT32), mask=mask)
    kinds = [type(s) for s in statements(result.kernel.body) if isinstance(s, GroupReduce | GroupScan)]
    assert sorted(k.__name__ for k in kinds) == ["GroupReduce", "GroupScan"]
    assert not any(isinstance(s, Declare) and s.variable.name == "kept" for s in result.kernel.body)


def test_rank_in_a_device_function():
    mask, given = local("kept", UINT32), parameter("mask", UINT32)
    counted = call("__popc", below(given), type_=INT32)
    rank = Function("rank", (variable(given),), INT32, (Return(counted.node, at()),), at())
    use = E(CallFunction("rank", (mask.node,), INT32, at()))
    result = compaction(use, mask=mask, functions={"rank": rank})
    assert any(isinstance(s, GroupScan) and not s.inclusive for s in statements(result.kernel.body))


def test_a_ballot_that_is_also_stored_stays():
    mask, words = local("kept", UINT32), pointer("words", UINT32)
    result = compaction(
        call("__popc", below(mask), type_=INT32), mask=mask, tail=(assign(words[X >> 5], mask),)
    )
    ballots = [s for s in result.kernel.body if isinstance(s, Declare) and isinstance(s.value, Call)]
    assert [s.value.name for s in ballots if isinstance(s.value, Call)] == ["__ballot_sync"]


def test_lanes_that_are_no_prefix():
    mask, out = local("mask", UINT32), pointer("out", INT32)
    odd = call("__popc", mask & 0xAAAAAAAA, type_=INT32)
    body = (declare(mask, ballot(DATA[X] > 7)), assign(out[X], odd))
    result = raised(kernel((DATA, out), *body))
    assert result.raised == ()
    assert result.declined
