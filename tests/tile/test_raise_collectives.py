"""Reductions, scans and broadcasts: what is raised, and the longer list of what is not."""

from __future__ import annotations

import pytest

from porter.analysis.expressions import statements
from porter.cuda.kir import (
    BOOL,
    FLOAT32,
    INT32,
    UINT32,
    Assign,
    Barrier,
    Call,
    CallFunction,
    Declare,
    Evaluate,
    Function,
    Kernel,
    Return,
    Stmt,
    Storage,
)
from porter.tile.idioms import GroupBroadcast, GroupReduce, GroupScan, Op, Raising
from porter.tile.raise_idioms import raise_idioms
from tests.tile.kir_build import (
    E,
    address,
    assign,
    at,
    ballot,
    barrier,
    block_dim,
    block_index,
    call,
    const,
    declare,
    evaluate,
    kernel,
    leave,
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
from tests.tile.kir_run import check_same

B256 = (256, 1, 1)
OUT = pointer("out")
IN = pointer("in", is_const=True)
TID = thread()
LANE = TID & 31
WARP = TID >> 5


def sum_of(a: E, b: E) -> E:
    return a + b


def max_of(a: E, b: E) -> E:
    return call("fmax" if a.node.type == FLOAT32 else "max", a, b)


def shuffle_loop(value: E, combine=sum_of, *, first=16, kind="down_", width=32, stop=0) -> Stmt:
    """`for (o = first; o > stop; o >>= 1) value = combine(value, __shfl_kind(value, o, width));`"""
    offset, other = local("o", INT32), local("other", value.node.type)
    return loop(
        offset,
        first,
        offset > stop,
        offset >> 1,
        declare(other, shuffle(kind, value, offset, width)),
        assign(value, combine(value, other)),
    )


def store_if(condition: E, target: E, value: E) -> Stmt:
    return when(condition, assign(target, value))


def raised(body: tuple[Stmt, ...], block=B256, *, is_defined: bool = True) -> Raising:
    """The result of the passes; what was raised must compute the same numbers as the original."""
    original = kernel((OUT, IN), *body)
    result = raise_idioms(original, block)
    if result.raised and is_defined:
        check_same(original, result.kernel, block)
    return result


def nodes(raising: Raising) -> list[object]:
    kinds = (GroupReduce, GroupScan, GroupBroadcast)
    return [s for s in statements(raising.kernel.body) if isinstance(s, kinds)]


def shapes(raising: Raising) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for node in nodes(raising):
        match node:
            case GroupReduce(op=op, group=group):
                found.append(("reduce", op, group))
            case GroupScan(op=op, group=group, inclusive=inclusive):
                found.append(("inclusive" if inclusive else "exclusive", op, group))
            case GroupBroadcast(group=group, lane=lane):
                found.append(("broadcast", lane, group))
    return found


def reasons(raising: Raising) -> str:
    return "; ".join(no.reason for no in raising.declined)


def has_shared(raising: Raising) -> bool:
    everything = statements(raising.kernel.body)
    return any(isinstance(s, Declare) and s.variable.storage is Storage.SHARED for s in everything)


def has_barrier(raising: Raising) -> bool:
    return any(isinstance(s, Barrier) for s in statements(raising.kernel.body))


# --- shuffles ----------------------------------------------------------------------------------------


def warp_sum(**options) -> tuple[Stmt, ...]:
    value = local("value")
    return (
        declare(value, IN[TID]),
        shuffle_loop(value, **options),
        store_if(LANE.eq(0), OUT[WARP], value),
    )


def test_shuffle_down_loop_is_a_sum_over_32_lanes():
    result = raised(warp_sum())
    assert shapes(result) == [("reduce", Op.SUM, 32)]
    (node,) = nodes(result)
    assert isinstance(node, GroupReduce)
    assert (node.valid, node.target.name, node.element) == (None, "value", FLOAT32)
    assert result.raised[0][0] == "`+` over 32 lanes"


def test_maximum_by_fmax():
    assert shapes(raised(warp_sum(combine=max_of))) == [("reduce", Op.MAX, 32)]


def test_a_width_makes_smaller_groups():
    value = local("value")
    body = (
        declare(value, IN[TID]),
        shuffle_loop(value, first=4, width=8),
        store_if((TID & 7).eq(0), OUT[TID >> 3], value),
    )
    assert shapes(raised(body)) == [("reduce", Op.SUM, 8)]


def test_butterfly_leaves_the_total_in_every_lane():
    value = local("value")
    body = (declare(value, IN[TID]), shuffle_loop(value, kind="xor_"), assign(OUT[TID], value))
    assert shapes(raised(body)) == [("reduce", Op.SUM, 32)]


@pytest.mark.parametrize(
    ("name", "combine"),
    [(Op.PRODUCT, lambda a, b: a * b), (Op.AND, lambda a, b: a & b), (Op.XOR, lambda a, b: a.op("^", b))],
)
def test_integer_operators(name, combine):
    values = pointer("values", INT32)
    value = local("value", INT32)
    body = (
        declare(value, values[TID]),
        shuffle_loop(value, combine, kind="xor_"),
        assign(values[TID], value),
    )
    assert shapes(raised(body)) == [("reduce", name, 32)]


def test_unrolled_shuffles():
    value = local("value")
    steps: list[Stmt] = []
    for offset in (16, 8, 4, 2, 1):
        other = local("other")
        steps += [declare(other, shuffle("down_", value, offset)), assign(value, value + other)]
    body = (declare(value, IN[TID]), *steps, store_if(LANE.eq(0), OUT[WARP], value))
    assert shapes(raised(body)) == [("reduce", Op.SUM, 32)]


def test_reduction_then_broadcast_of_lane_0():
    value = local("value")
    body = (
        declare(value, IN[TID]),
        shuffle_loop(value),
        assign(value, shuffle("", value, 0)),
        assign(OUT[TID], value),
    )
    assert shapes(raised(body)) == [("reduce", Op.SUM, 32)]


def test_broadcast_alone():
    value = local("value")
    body = (declare(value, IN[TID]), assign(value, shuffle("", value, 5)), assign(OUT[TID], value))
    assert shapes(raised(body)) == [("broadcast", 5, 32)]


def test_two_values_in_one_loop():
    a, b, offset = local("a"), local("b"), local("o", INT32)
    ta, tb = local("ta"), local("tb")
    body = (
        declare(a, IN[TID]),
        declare(b, IN[TID] * IN[TID]),
        loop(
            offset,
            16,
            offset > 0,
            offset >> 1,
            declare(ta, shuffle("xor_", a, offset)),
            assign(a, a + ta),
            declare(tb, shuffle("xor_", b, offset)),
            assign(b, max_of(b, tb)),
        ),
        assign(OUT[TID], a + b),
    )
    assert sorted(shapes(raised(body)), key=str) == [("reduce", Op.MAX, 32), ("reduce", Op.SUM, 32)]


def test_ternary_maximum_of_integers():
    values = pointer("values", INT32)
    value, other, offset = local("value", INT32), local("other", INT32), local("o", INT32)
    body = (
        declare(value, values[TID]),
        loop(
            offset,
            16,
            offset > 0,
            offset >> 1,
            declare(other, shuffle("xor_", value, offset)),
            assign(value, select(value > other, value, other)),
        ),
        assign(values[TID], value),
    )
    assert shapes(raised(body)) == [("reduce", Op.MAX, 32)]


def test_conditional_minimum_of_integers():
    values = pointer("values", INT32)
    value, other, offset = local("value", INT32), local("other", INT32), local("o", INT32)
    body = (
        declare(value, values[TID]),
        loop(
            offset,
            16,
            offset > 0,
            offset >> 1,
            declare(other, shuffle("xor_", value, offset)),
            when(other < value, assign(value, other)),
        ),
        assign(values[TID], value),
    )
    assert shapes(raised(body)) == [("reduce", Op.MIN, 32)]


def test_reduce_intrinsic():
    values = pointer("values", INT32)
    value = local("value", INT32)
    total = call("__reduce_add_sync", const(-1, UINT32), values[TID], type_=INT32)
    body = (declare(value, total), assign(values[TID], value))
    assert shapes(raised(body)) == [("reduce", Op.SUM, 32)]


def test_in_a_loop_over_rows_of_unknown_number():
    value, row, rows = local("value"), local("row", INT32), parameter("rows")
    body = (
        loop(
            row,
            block_index(),
            row < rows,
            row + 1,
            declare(value, IN[row * 32 + TID]),
            shuffle_loop(value),
            store_if(TID.eq(0), OUT[row], value),
        ),
    )
    assert shapes(raised(body, (32, 1, 1))) == [("reduce", Op.SUM, None)]


def test_after_other_warps_left():
    value = local("value")
    body = (when(TID >= 32, leave()), *warp_sum(), declare(value))
    assert shapes(raised(body)) == [("reduce", Op.SUM, 32)]


NOT_RAISED_SHUFFLES = {
    "starts too low": warp_sum(first=8),
    "stops too early": warp_sum(stop=1),
    "another lane looks at it": (
        *warp_sum()[:2],
        store_if(LANE.eq(1), OUT[WARP], warp_sum()[0].variable and local("x")),
    ),
    "up instead of down": warp_sum(kind="up_"),
    "width smaller than the distance": warp_sum(width=16),
}


@pytest.mark.parametrize("body", NOT_RAISED_SHUFFLES.values(), ids=NOT_RAISED_SHUFFLES)
def test_shuffles_left_alone(body):
    result = raised(body)
    assert ("reduce", Op.SUM, 32) not in shapes(result)


def test_every_lane_looks_at_a_shuffle_down_result():
    value = local("value")
    body = (declare(value, IN[TID]), shuffle_loop(value), assign(OUT[TID], value))
    result = raised(body)
    assert shapes(result) == []
    assert result.declined


def test_difference_is_no_reduction():
    assert shapes(raised(warp_sum(combine=lambda a, b: a - b))) == []


def test_two_operators_in_one_tree():
    value, offset, other = local("value"), local("o", INT32), local("other")
    body = (
        declare(value, IN[TID]),
        loop(
            offset,
            16,
            offset > 0,
            offset >> 1,
            declare(other, shuffle("down_", value, offset)),
            when(
                offset.eq(8),
                assign(value, max_of(value, other)),
                otherwise=(assign(value, value + other),),
            ),
        ),
        store_if(LANE.eq(0), OUT[WARP], value),
    )
    assert shapes(raised(body)) == []


def test_float_ternary_maximum_treats_nan_by_position():
    value, other, offset = local("value"), local("other"), local("o", INT32)
    body = (
        declare(value, IN[TID]),
        loop(
            offset,
            16,
            offset > 0,
            offset >> 1,
            declare(other, shuffle("xor_", value, offset)),
            assign(value, select(value > other, value, other)),
        ),
        assign(OUT[TID], value),
    )
    assert shapes(raised(body)) == []


def test_the_shuffled_lane_depends_on_data():
    values = pointer("values", INT32)
    value = local("value")
    body = (declare(value, IN[TID]), assign(value, shuffle("", value, values[TID])), assign(OUT[TID], value))
    assert shapes(raised(body)) == []


def test_the_loop_bound_is_a_parameter():
    value, first = local("value"), parameter("first")
    body = (declare(value, IN[TID]), shuffle_loop(value, first=first), store_if(LANE.eq(0), OUT[WARP], value))
    result = raised(body)
    assert shapes(result) == []
    assert "depends on data" in reasons(result)


def test_only_half_of_the_warp_takes_part():
    value = local("value")
    body = (
        declare(value, IN[TID]),
        when(LANE < 16, shuffle_loop(value), store_if(LANE.eq(0), OUT[WARP], value)),
    )
    assert shapes(raised(body)) == []


def test_a_load_stays_with_the_threads_that_made_it():
    """The other warps must not load: their addresses are outside the buffer."""
    value = local("value")
    body = (
        declare(value, 0.0),
        when(TID < 32, assign(value, IN[TID * 128]), shuffle_loop(value)),
        store_if(TID.eq(0), OUT[0], value),
    )
    assert shapes(raised(body)) == [("reduce", Op.SUM, 32)]


def test_staging_by_the_first_threads_keeps_their_loads():
    cache, value = shared("cache", 8), local("value")
    body = (
        declare(cache),
        when(TID < 8, assign(cache[TID], IN[TID * 500])),
        barrier(),
        declare(value, cache[0]),
        assign(OUT[TID], value),
    )
    result = raised(body)
    assert shapes(result) == [("broadcast", 0, None)]


def test_a_value_of_the_block_needs_no_broadcast():
    cache = shared("cache", 1)
    body = (
        declare(cache),
        when(TID.eq(0), assign(cache[0], IN[block_index() + 7])),
        barrier(),
        assign(OUT[TID], cache[0] + IN[TID]),
    )
    result = raised(body)
    assert shapes(result) == []
    assert result.raised[0][0] == "a value staged in shared memory -> the value"
    assert not has_shared(result)


def test_sixteen_lanes_reduce_sixteen():
    value = local("value")
    body = (
        declare(value, IN[TID]),
        when(LANE < 16, shuffle_loop(value, first=8), store_if(LANE.eq(0), OUT[WARP], value)),
    )
    result = raised(body)
    assert shapes(result) == [("reduce", Op.SUM, 16)]


def test_the_value_is_summed_twice():
    value, offset, other = local("value"), local("o", INT32), local("other")
    body = (
        declare(value, IN[TID]),
        loop(
            offset,
            16,
            offset > 0,
            offset >> 1,
            declare(other, shuffle("xor_", value, offset)),
            assign(value, value + other + other),
        ),
        assign(OUT[TID], value),
    )
    assert shapes(raised(body)) == []


# --- shared-memory trees -----------------------------------------------------------------------------


def tree(
    *,
    fill: E | None = None,
    first: object = None,
    after_fill: bool = True,
    after_step: bool = True,
    guard: E | None = None,
    distance: object = None,
    tail: tuple[Stmt, ...] | None = None,
    n_shared: int = 256,
    combine=sum_of,
) -> tuple[Stmt, ...]:
    cache, tid, stride = shared("cache", n_shared), local("tid", INT32), local("stride", INT32)
    step = assign(cache[tid], combine(cache[tid], cache[tid + (stride if distance is None else distance)]))
    body: list[Stmt] = [when(tid < stride if guard is None else guard, step)]
    if after_step:
        body.append(barrier())
    return (
        declare(tid, TID),
        declare(cache),
        assign(cache[tid], IN[tid] if fill is None else fill),
        *((barrier(),) if after_fill else ()),
        loop(stride, block_dim() // 2 if first is None else first, stride > 0, stride >> 1, *body),
        *((store_if(tid.eq(0), OUT[block_index()], cache[0]),) if tail is None else tail),
    )


@pytest.mark.parametrize("threads", [2, 32, 64, 256, 1024])
def test_tree_is_a_sum_over_the_block(threads):
    result = raised(tree(n_shared=0), (threads, 1, 1))
    assert shapes(result) == [("reduce", Op.SUM, None)]
    assert not has_shared(result)
    assert not has_barrier(result)


def test_tree_over_the_first_half_of_the_block():
    result = raised(tree(first=64))
    assert shapes(result) == [("reduce", Op.SUM, 128)]


def test_tree_in_a_two_dimensional_block():
    cache, number, stride = shared("cache", 256), local("number", INT32), local("stride", INT32)
    body = (
        declare(cache),
        declare(number, thread("y") * block_dim("x") + TID),
        assign(cache[number], IN[number]),
        barrier(),
        loop(
            stride,
            128,
            stride > 0,
            stride >> 1,
            when(number < stride, assign(cache[number], cache[number] + cache[number + stride])),
            barrier(),
        ),
        store_if(number.eq(0), OUT[block_index()], cache[0]),
    )
    assert shapes(raised(body, (16, 16, 1))) == [("reduce", Op.SUM, None)]


def test_tree_per_row_of_a_two_dimensional_block():
    cache, stride, x, y = shared("cache", 8, 32), local("stride", INT32), TID, thread("y")
    body = (
        declare(cache),
        assign(cache[y][x], IN[y * 32 + x]),
        barrier(),
        loop(
            stride,
            16,
            stride > 0,
            stride >> 1,
            when(x < stride, assign(cache[y][x], cache[y][x] + cache[y][x + stride])),
            barrier(),
        ),
        store_if(x.eq(0), OUT[y], cache[y][0]),
    )
    assert shapes(raised(body, (32, 8, 1))) == [("reduce", Op.SUM, 32)]


def interleaved(condition, index) -> tuple[Stmt, ...]:
    cache, s, k = shared("cache", 256), local("s", INT32), local("k", INT32)
    return (
        declare(cache),
        assign(cache[TID], IN[TID]),
        barrier(),
        loop(
            s,
            1,
            s < block_dim(),
            s * 2,
            declare(k, index(s)),
            when(condition(s, k), assign(cache[k], cache[k] + cache[k + s])),
            barrier(),
        ),
        store_if(TID.eq(0), OUT[block_index()], cache[0]),
    )


def test_interleaved_tree_by_remainder():
    body = interleaved(lambda s, _: (TID % (s * 2)).eq(0), lambda _: TID)
    assert shapes(raised(body)) == [("reduce", Op.SUM, None)]


def test_interleaved_tree_by_strided_index():
    body = interleaved(lambda _, k: k < block_dim(), lambda s: TID * 2 * s)
    assert shapes(raised(body)) == [("reduce", Op.SUM, None)]


def test_unrolled_last_warp():
    cache, view, stride = shared("cache", 256), pointer("view"), local("stride", INT32)
    view = local("view", OUT.node.type)
    tail = [assign(view[TID], view[TID] + view[TID + k]) for k in (32, 16, 8, 4, 2, 1)]
    body = (
        declare(cache),
        assign(cache[TID], IN[TID]),
        barrier(),
        loop(
            stride,
            128,
            stride > 32,
            stride >> 1,
            when(stride > TID, assign(cache[TID], cache[TID] + cache[TID + stride])),
            barrier(),
        ),
        when(TID < 32, declare(view, address(cache[0])), *tail),
        store_if(TID.eq(0), OUT[block_index()], cache[0]),
    )
    # only defined where the lanes of a warp go in lockstep, which the oracle's do not
    assert shapes(raised(body, is_defined=False)) == [("reduce", Op.SUM, None)]


def test_every_thread_reads_the_total():
    result = raised(tree(tail=()))
    assert shapes(result) == []
    cache = shared("cache", 256)
    total = local("row_sum")
    body = tree_into(cache)
    result = raised((*body, declare(total, cache[0]), barrier(), assign(OUT[TID], total)))
    assert shapes(result) == [("reduce", Op.SUM, None)]
    assert not has_shared(result)


def tree_into(cache: E, value: E | None = None, combine=sum_of) -> tuple[Stmt, ...]:
    stride = local("stride", INT32)
    return (
        *((declare(cache),) if value is None else ()),
        assign(cache[TID], IN[TID] if value is None else value),
        barrier(),
        loop(
            stride,
            128,
            stride > 0,
            stride >> 1,
            when(stride > TID, assign(cache[TID], combine(cache[TID], cache[TID + stride]))),
            barrier(),
        ),
    )


def test_one_array_used_for_two_reductions():
    cache, highest, total = shared("cache", 256), local("highest"), local("total")
    body = (
        *tree_into(cache, combine=max_of),
        declare(highest, cache[0]),
        barrier(),
        *tree_into(cache, IN[TID] - highest),
        declare(total, cache[0]),
        assign(OUT[TID], total),
    )
    result = raised(body)
    assert shapes(result) == [("reduce", Op.MAX, None), ("reduce", Op.SUM, None)]
    assert not has_shared(result)
    assert not has_barrier(result)


def test_barriers_stay_when_global_memory_may_need_them():
    cache = shared("cache", 256)
    buffer = pointer("buffer")
    body = (
        assign(buffer[TID], 1.0),
        *tree_into(cache),
        assign(OUT[TID], cache[0] + buffer[TID + 1]),
    )
    assert has_barrier(raised(body))


def test_wrong_identity_is_kept_as_a_constant():
    """-FLT_MAX is no identity of max: the max of all -inf would be lost."""
    value, offset, other = local("value"), local("o", INT32), local("other")
    body = (
        declare(value, IN[TID]),
        assign(value, call("fmax", value, const(-3.0, FLOAT32))),
        loop(
            offset,
            16,
            offset > 0,
            offset >> 1,
            declare(other, shuffle("xor_", value, offset)),
            assign(value, max_of(value, other)),
        ),
        assign(OUT[TID], value),
    )
    assert shapes(raised(body)) == [("reduce", Op.MAX, 32)]


NOT_RAISED_TREES = {
    "no barrier in the loop": tree(after_step=False),
    "no barrier after the fill": tree(after_fill=False),
    "guard too narrow": tree(guard=TID < 1),
    "fixed distance": tree(distance=1),
    "difference": tree(combine=lambda a, b: a - b),
    "barrier inside the guard": (
        *tree()[:4],
        when(TID < 128, barrier()),
        *tree()[4:],
    ),
}


@pytest.mark.parametrize("body", NOT_RAISED_TREES.values(), ids=NOT_RAISED_TREES)
def test_trees_left_alone(body):
    result = raised(body)
    assert shapes(result) == []
    assert has_shared(result)
    assert result.declined


def test_a_block_that_is_no_power_of_two():
    assert shapes(raised(tree(), (96, 1, 1))) == []


def test_another_reader_of_the_array():
    cache = shared("cache", 256)
    body = (*tree_into(cache), assign(OUT[TID], cache[0] + cache[TID]))
    result = raised(body)
    assert shapes(result) == []
    assert has_shared(result)


def test_a_reader_at_an_index_from_memory():
    cache = shared("cache", 256)
    places = pointer("places", INT32, is_const=True)
    body = (*tree_into(cache), assign(OUT[TID], cache[places[TID]]))
    result = raised(body)
    assert shapes(result) == []
    assert "depends on data" in reasons(result)


def test_the_arrays_address_escapes():
    cache = shared("cache", 256)
    body = (*tree_into(cache), evaluate(call("atomicAdd", address(cache[0]), const(1.0, FLOAT32))))
    result = raised(body)
    assert shapes(result) == []


def test_the_total_is_changed_before_it_is_read():
    cache = shared("cache", 256)
    body = (
        *tree_into(cache),
        when(parameter("flag").eq(1), assign(cache[0], 5.0)),
        barrier(),
        assign(OUT[TID], cache[0]),
    )
    result = raised(body)
    assert shapes(result) == []
    assert "changed in between" in reasons(result)


def test_the_total_is_overwritten_before_it_is_read():
    cache = shared("cache", 256)
    body = (*tree_into(cache), assign(cache[TID], 5.0), barrier(), assign(OUT[TID], cache[0]))
    assert shapes(raised(body)) == []


def test_the_total_is_read_without_a_barrier_by_other_warps():
    cache, stride = shared("cache", 256), local("stride", INT32)
    body = (
        declare(cache),
        assign(cache[TID], IN[TID]),
        barrier(),
        loop(
            stride,
            128,
            stride > 0,
            stride >> 1,
            barrier(),
            when(stride > TID, assign(cache[TID], cache[TID] + cache[TID + stride])),
        ),
        assign(OUT[TID], cache[0]),
    )
    result = raised(body)
    assert shapes(result) == []
    assert "no barrier" in reasons(result)


def test_a_shadowing_variable_is_another_variable():
    """An inner `value` of the same name is reduced; the outer one is what gets stored."""
    outer, inner = local("value"), local("value")
    body = (
        declare(outer, IN[TID]),
        when(LANE.eq(LANE), declare(inner, IN[TID]), shuffle_loop(inner)),
        store_if(LANE.eq(0), OUT[WARP], outer),
    )
    assert shapes(raised(body)) == []


# --- two levels --------------------------------------------------------------------------------------


def two_level(*, guard: E | None = None, broadcast: bool = False, sync: bool = True) -> tuple[Stmt, ...]:
    slots, value, result = shared("slots", 32), local("value"), local("result")
    first = select(block_dim() // 32 > TID if guard is None else guard, slots[LANE], 0.0)
    tail: tuple[Stmt, ...] = (store_if(TID.eq(0), OUT[block_index()], value),)
    if broadcast:
        tail = (
            when(TID.eq(0), assign(slots[0], value)),
            barrier(),
            declare(result, slots[0]),
            assign(OUT[TID], result),
        )
    return (
        declare(value, IN[TID]),
        declare(slots),
        shuffle_loop(value),
        when(LANE.eq(0), assign(slots[WARP], value)),
        *((barrier(),) if sync else ()),
        assign(value, first),
        when(WARP.eq(0), shuffle_loop(value)),
        *tail,
    )


@pytest.mark.parametrize("threads", [32, 64, 256, 1024])
def test_two_level_reduction(threads):
    result = raised(two_level(), (threads, 1, 1))
    assert shapes(result) == [("reduce", Op.SUM, None)]
    assert not has_shared(result)
    assert not has_barrier(result)


def test_two_level_reduction_with_broadcast():
    result = raised(two_level(broadcast=True))
    assert shapes(result) == [("reduce", Op.SUM, None)]
    assert not has_shared(result)


def test_two_level_without_the_barrier_keeps_the_second_level():
    result = raised(two_level(sync=False), is_defined=False)
    assert ("reduce", Op.SUM, None) not in shapes(result)
    assert has_shared(result)


def test_two_level_with_too_few_warps_read():
    result = raised(two_level(guard=TID < 4))
    assert ("reduce", Op.SUM, None) not in shapes(result)


def test_through_device_functions():
    value, given = local("value"), parameter("v", FLOAT32)
    warp = Function(
        "warp_sum", (variable(given),), FLOAT32, (shuffle_loop(given), Return(given.node, at())), at()
    )
    result_call = CallFunction("warp_sum", (value.node,), FLOAT32, at())
    body = (
        declare(value, IN[TID]),
        Assign(value.node, result_call, at()),  # type: ignore[arg-type]
        store_if(LANE.eq(0), OUT[WARP], value),
    )
    program = kernel((OUT, IN), *body)
    program = Kernel(program.name, (), program.parameters, program.body, program.span, {"warp_sum": warp})
    assert shapes(raise_idioms(program, B256)) == [("reduce", Op.SUM, 32)]


# --- scans -------------------------------------------------------------------------------------------


def warp_scan(value: E) -> Stmt:
    offset, other = local("o", INT32), local("other", value.node.type)
    return loop(
        offset,
        1,
        offset < 32,
        offset << 1,
        declare(other, shuffle("up_", value, offset)),
        when(offset <= LANE, assign(value, value + other)),
    )


def test_warp_scan_by_shuffle_up():
    value = local("value")
    body = (declare(value, IN[TID]), warp_scan(value), assign(OUT[TID], value))
    assert shapes(raised(body)) == [("inclusive", Op.SUM, 32)]


def test_exclusive_by_subtraction_of_integers():
    values, value, own = pointer("values", INT32), local("value", INT32), local("own", INT32)
    body = (
        declare(own, values[TID]),
        declare(value, own),
        warp_scan(value),
        assign(value, value - own),
        assign(values[TID], value),
    )
    assert shapes(raised(body)) == [("exclusive", Op.SUM, 32)]


def test_hillis_steele_in_shared_memory():
    cache, offset, held = shared("cache", 256), local("offset", INT32), local("held")
    body = (
        declare(cache),
        assign(cache[TID], IN[TID]),
        barrier(),
        loop(
            offset,
            1,
            offset < 256,
            offset << 1,
            declare(held, 0.0),
            when(offset <= TID, assign(held, cache[TID - offset])),
            barrier(),
            when(offset <= TID, assign(cache[TID], cache[TID] + held)),
            barrier(),
        ),
        assign(OUT[TID], cache[TID]),
    )
    result = raised(body)
    assert shapes(result) == [("inclusive", Op.SUM, None)]
    assert not has_shared(result)


def test_hillis_steele_without_the_barrier_between_read_and_write():
    cache, offset = shared("cache", 256), local("offset", INT32)
    body = (
        declare(cache),
        assign(cache[TID], IN[TID]),
        barrier(),
        loop(
            offset,
            1,
            offset < 256,
            offset << 1,
            when(offset <= TID, assign(cache[TID], cache[TID] + cache[TID - offset])),
            barrier(),
        ),
        assign(OUT[TID], cache[TID]),
    )
    assert shapes(raised(body)) == []


def two_level_scan() -> tuple[Stmt, ...]:
    sums, value, total = shared("sums", 32), local("value"), local("total")
    return (
        declare(sums),
        declare(value, IN[TID]),
        warp_scan(value),
        when(LANE.eq(31), assign(sums[WARP], value)),
        barrier(),
        when(
            WARP.eq(0),
            declare(total, select(LANE < 8, sums[LANE], 0.0)),
            warp_scan(total),
            when(LANE < 8, assign(sums[LANE], total)),
        ),
        barrier(),
        when(WARP > 0, assign(value, value + sums[WARP - 1])),
        assign(OUT[TID], value),
    )


def test_two_level_scan():
    result = raised(two_level_scan())
    assert shapes(result) == [("inclusive", Op.SUM, None)]
    assert not has_shared(result)
    assert not has_barrier(result)


def test_blelloch_with_two_elements_a_thread():
    n = 64
    temp, offset, d, swap = shared("temp", n), local("offset", INT32), local("d", INT32), local("swap")
    values = pointer("values", INT32)
    temp = shared("temp", n, type_=INT32)
    swap = local("swap", INT32)
    ai, bi = offset * (TID * 2 + 1) - 1, offset * (TID * 2 + 2) - 1
    body = (
        declare(temp),
        declare(offset, 1),
        assign(temp[TID * 2], values[TID * 2]),
        assign(temp[TID * 2 + 1], values[TID * 2 + 1]),
        loop(
            d,
            n >> 1,
            d > 0,
            d >> 1,
            barrier(),
            when(d > TID, assign(temp[bi], temp[bi] + temp[ai])),
            assign(offset, offset * 2),
        ),
        when(TID.eq(0), assign(temp[n - 1], 0)),
        loop(
            d,
            1,
            d < n,
            d * 2,
            assign(offset, offset >> 1),
            barrier(),
            when(
                d > TID,
                declare(swap, temp[ai]),
                assign(temp[ai], temp[bi]),
                assign(temp[bi], temp[bi] + swap),
            ),
        ),
        barrier(),
        assign(values[TID * 2], temp[TID * 2]),
        assign(values[TID * 2 + 1], temp[TID * 2 + 1]),
    )
    result = raised(body, (32, 1, 1))
    assert shapes(result) == [("exclusive", Op.SUM, None)]
    assert not has_shared(result)


# --- votes -------------------------------------------------------------------------------------------


def test_any_and_all():
    flag = local("flag", BOOL)
    vote = call("__any_sync", const(-1, UINT32), IN[TID] > 0.0, type_=BOOL)
    body = (declare(flag, vote), when(flag, assign(OUT[TID], 1.0)))
    assert shapes(raised(body)) == [("reduce", Op.OR, 32)]


def test_rank_by_ballot_is_an_exclusive_scan():
    mask, rank, values = local("mask", UINT32), local("rank", INT32), pointer("values", INT32)
    below = (const(1, UINT32) << LANE) - 1
    body = (
        declare(mask, ballot(IN[TID] > 0.0)),
        declare(rank, call("__popc", mask & below, type_=INT32)),
        assign(values[TID], rank),
    )
    assert shapes(raised(body)) == [("exclusive", Op.SUM, 32)]


def test_count_by_ballot():
    mask, count, values = local("mask", UINT32), local("count", INT32), pointer("values", INT32)
    body = (
        declare(mask, ballot(IN[TID] > 0.0)),
        declare(count, call("__popc", mask, type_=INT32)),
        store_if(LANE.eq(0), values[WARP], count),
    )
    assert shapes(raised(body)) == [("reduce", Op.SUM, 32)]


def test_an_effect_ends_the_fragment():
    value, previous = local("value"), local("previous")
    body = (
        declare(value, IN[TID]),
        shuffle_loop(value),
        when(LANE.eq(0), declare(previous, call("atomicAdd", OUT, value, type_=FLOAT32))),
    )
    assert shapes(raised(body)) == [("reduce", Op.SUM, 32)]
    assert not any(isinstance(s, Evaluate) for s in statements(raised(body).kernel.body))
    assert any(
        isinstance(s, Declare) and isinstance(s.value, Call) for s in statements(raised(body).kernel.body)
    )


def test_a_variable_that_gets_its_next_value_behind_the_fragment_stays_declared():
    value, running, first = local("value"), local("running"), local("first")
    body = (
        declare(value, IN[TID]),
        shuffle_loop(value, kind="xor_"),
        declare(running, IN[TID + 1]),
        declare(first, running),
        assign(running, value * first),
        assign(OUT[TID], running),
    )
    result = raised(body)
    assert shapes(result) == [("reduce", Op.SUM, 32)], reasons(result)
    declared = {s.variable.name for s in statements(result.kernel.body) if isinstance(s, Declare)}
    assert "running" in declared
