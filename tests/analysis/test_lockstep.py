"""The symbolic execution of a block: what it proves, and where it stops."""

from __future__ import annotations

import numpy as np
import pytest

from porter.analysis.expressions import definitions
from porter.analysis.lockstep import Lockstep, start
from porter.analysis.stop import Stop
from porter.analysis.terms import Fold, Undefined, combine, neutral, without
from porter.analysis.values import Known, Mixed, Own
from porter.cuda.kir import BOOL, FLOAT32, INT32, UINT32, Scalar, Stmt
from tests.tile.kir_build import (
    assign,
    barrier,
    call,
    const,
    declare,
    local,
    loop,
    parameter,
    pointer,
    select,
    shared,
    shuffle,
    thread,
    variable,
    when,
)

N_THREADS = 64
X, N = thread(), parameter("n")
IN = pointer("in", is_const=True)


def executed(*body: Stmt) -> Lockstep:
    everyone = np.ones(N_THREADS, dtype=np.bool_)
    execution = start((N_THREADS, 1, 1), definitions(body), everyone)
    execution.run(body, everyone)
    return execution


def stops(*body: Stmt) -> str:
    with pytest.raises(Stop) as stop:
        executed(*body)
    return stop.value.reason


def numbers(execution: Lockstep, of) -> list[object]:
    value = execution.locals[variable(of)]
    assert isinstance(value, Known)
    return value.numbers.tolist()


def test_index_arithmetic_is_computed():
    lane, warp = local("lane", INT32), local("warp", INT32)
    execution = executed(declare(lane, X & 31), declare(warp, X >> 5))
    assert numbers(execution, lane) == [t % 32 for t in range(N_THREADS)]
    assert numbers(execution, warp) == [t // 32 for t in range(N_THREADS)]


def test_division_and_remainder_truncate_as_in_c():
    a, b = local("a", INT32), local("b", INT32)
    execution = executed(declare(a, (X - 8) // 3), declare(b, (X - 8) % 3))
    assert numbers(execution, a)[:3] == [-2, -2, -2]
    assert numbers(execution, b)[:3] == [-2, -1, 0]


def test_unsigned_arithmetic_wraps():
    a = local("a", UINT32)
    assert numbers(executed(declare(a, X.to(UINT32) - 1)), a)[:2] == [0xFFFFFFFF, 0]


def test_loads_stay_symbolic():
    v = local("v")
    value = executed(declare(v, IN[X] * 2.0)).locals[variable(v)]
    assert isinstance(value, Own)


def test_loops_run_as_often_as_each_thread_says():
    total, i = local("total", INT32), local("i", INT32)
    execution = executed(declare(total, 0), loop(i, 0, i < (X & 3), i + 1, assign(total, total + i)))
    assert numbers(execution, total)[:4] == [0, 0, 1, 3]


def test_a_branch_on_data_becomes_a_choice():
    v = local("v")
    body = (declare(v, 0.0), when(X < N, assign(v, IN[X])))
    assert isinstance(executed(*body).locals[variable(v)], Own)


def test_a_shuffle_moves_leaves():
    v, w = local("v"), local("w")
    execution = executed(declare(v, IN[X]), declare(w, shuffle("up_", v, 1)))
    value = execution.locals[variable(w)]
    assert isinstance(value, Mixed)
    assert [execution.leaves.single(t) for t in value.terms[[0, 1, 33]]] == [(0, 0), (0, 0), (0, 32)]


def test_lanes_that_do_not_take_part_give_nothing():
    v, w = local("v"), local("w")
    body = (declare(v, IN[X]), declare(w, 0.0), when((X & 31) < 8, assign(w, shuffle("down_", v, 4))))
    value = executed(*body).locals[variable(w)]
    assert isinstance(value, Mixed)
    assert isinstance(value.terms[5], Undefined)
    assert isinstance(value.terms[3], Fold)


def test_shared_memory_holds_what_was_stored():
    cells, v = shared("cells", 64), local("v")
    body = (declare(cells), assign(cells[const(63) - X], IN[X]), barrier(), declare(v, cells[X]))
    execution = executed(*body)
    value = execution.locals[variable(v)]
    assert isinstance(value, Mixed)
    assert execution.leaves.single(value.terms[0]) == (0, 63)


def test_it_stops_at_a_race():
    cells, v = shared("cells", 64), local("v")
    assert "no barrier" in stops(assign(cells[X], IN[X]), declare(v, cells[const(63) - X]))


def test_one_warp_goes_in_lockstep():
    cells, v = shared("cells", 64), local("v")
    executed(when(X < 32, assign(cells[X], IN[X]), declare(v, cells[const(31) - X])))


def test_it_stops_where_it_cannot_follow():
    cells, i, v = shared("cells", 64), local("i", INT32), local("v")
    assert "not all threads" in stops(when(X < 3, barrier()))
    assert "outside" in stops(assign(cells[X + 1], 1.0))
    assert "not shared" in stops(assign(pointer("out")[X], 1.0))
    assert "depends on data" in stops(loop(i, 0, i < N, i + 1, declare(v, 1.0)))
    assert "depends on data" in stops(assign(cells[N], 1.0))
    assert "atomicAdd" in stops(declare(v, call("atomicAdd", IN, const(1.0, FLOAT32), type_=FLOAT32)))
    assert "different values" in stops(assign(cells[X >> 1], X.to(FLOAT32)))
    assert "iterations" in stops(loop(i, 0, i < 9000, i + 1, declare(v, 1.0)))
    assert "together" in stops(when(X < N, declare(v, shuffle("xor_", IN[X], 1))))


def test_a_value_known_by_thread_chooses():
    v = local("v")
    value = executed(declare(v, select(X < 2, IN[X], 1.0))).locals[variable(v)]
    assert isinstance(value, Own)


# --- terms -------------------------------------------------------------------------------------------


def test_each_leaf_once():
    a, b = Fold("", 0b01), Fold("", 0b10)
    both = combine("+", a, b, 0)
    assert both == Fold("+", 0b11)
    assert isinstance(combine("+", both, a, 0), Undefined)
    assert combine("max", Fold("max", 0b11), a, float("-inf")) == Fold("max", 0b11)


def test_operators_do_not_mix():
    assert isinstance(combine("+", Fold("max", 0b11), Fold("", 0b100), 0), Undefined)


def test_identities_vanish_and_other_constants_stay():
    assert combine("+", Fold("", 1), 0, 0) == Fold("", 1)
    assert combine("max", Fold("", 1), -3.0, float("-inf")) == Fold("max", 1, -3.0)
    assert isinstance(combine("+", Fold("+", 1, 2), 3, 0), Undefined)


def test_differences_take_a_part_out():
    assert without(Fold("+", 0b111), Fold("", 0b100)) == Fold("+", 0b011)
    assert without(Fold("", 0b1), Fold("", 0b1)) == 0
    assert isinstance(without(Fold("+", 0b011), Fold("", 0b100)), Undefined)


@pytest.mark.parametrize(
    ("op", "type_", "value"),
    [
        ("min", INT32, 2**31 - 1),
        ("max", INT32, -(2**31)),
        ("max", UINT32, 0),
        ("min", Scalar("uint", 8), 255),
        ("&", INT32, -1),
        ("&", BOOL, True),
        ("|", BOOL, False),
        ("max", FLOAT32, float("-inf")),
        ("*", FLOAT32, 1),
    ],
)
def test_neutral(op, type_, value):
    assert neutral(op, type_) == value
