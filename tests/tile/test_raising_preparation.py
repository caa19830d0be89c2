"""The passes around raising: inlining, shared pointers, changed parameters, idle barriers, dead staging."""

from __future__ import annotations

from porter.analysis.expressions import own_expressions, statements
from porter.analysis.walk import walk
from porter.cuda.kir import (
    FLOAT32,
    INT32,
    Assign,
    Barrier,
    CallFunction,
    Declare,
    Evaluate,
    Function,
    Kernel,
    Pointer,
    Return,
    Stmt,
    Storage,
    Variable,
    VarRef,
)
from porter.tile.drop_barriers import drop_barriers
from porter.tile.drop_staging import drop_staging
from porter.tile.idioms import GroupReduce
from porter.tile.inline_functions import inline_functions
from porter.tile.name_parameters import name_parameters
from porter.tile.raise_idioms import raise_idioms
from porter.tile.resolve_shared import resolve_shared
from tests.cuda.lowering import only_kernel
from tests.tile.kir_build import (
    E,
    address,
    assign,
    at,
    barrier,
    block_dim,
    block_index,
    const,
    declare,
    kernel,
    local,
    loop,
    parameter,
    pointer,
    shared,
    thread,
    variable,
    when,
)
from tests.tile.kir_run import check_same

OUT = pointer("out")
IN = pointer("in", is_const=True)
X = thread()
BLOCK = (64, 1, 1)


def mentions(program: Kernel, target: E) -> bool:
    wanted = variable(target)
    return any(
        isinstance(e, VarRef) and e.variable is wanted
        for s in statements(program.body)
        for expr in own_expressions(s)
        for e in walk(expr)
    )


def barriers(program: Kernel) -> int:
    return sum(1 for s in statements(program.body) if isinstance(s, Barrier))


def with_functions(program: Kernel, *functions: Function) -> Kernel:
    by_name = {f.name: f for f in functions}
    return Kernel(program.name, (), program.parameters, program.body, program.span, by_name)


# --- inlining ----------------------------------------------------------------------------------------


def neighbour(*, returns_early: bool = False) -> Function:
    """The value of the thread on the right, through shared memory."""
    given, cells = local("given"), shared("cells", 64)
    early: tuple[Stmt, ...] = (when(X > 60, Return(given.node, at())),) if returns_early else ()
    body = (
        declare(cells),
        *early,
        assign(cells[X], given),
        barrier(),
        Return(cells[(X + 1) & 63].node, at()),
    )
    return Function("neighbour", (variable(given),), FLOAT32, body, at())


def call_of(function: str, *arguments: E) -> CallFunction:
    return CallFunction(function, tuple(a.node for a in arguments), FLOAT32, at())


def calls_left(program: Kernel) -> int:
    everything = (e for s in statements(program.body) for x in own_expressions(s) for e in walk(x))
    return sum(1 for e in everything if isinstance(e, CallFunction))


def test_a_cooperating_function_is_inlined_with_its_own_variables():
    a, b = local("a"), local("b")
    body = (
        Declare(variable(a), call_of("neighbour", IN[X]), at()),
        barrier(),
        Declare(variable(b), call_of("neighbour", a), at()),
        assign(OUT[X], b),
    )
    program = with_functions(kernel((OUT, IN), *body), neighbour())
    result = inline_functions(program)
    assert calls_left(result.kernel) == 0
    declared = [s.variable for s in statements(result.kernel.body) if isinstance(s, Declare)]
    assert sum(1 for v in declared if v.storage is Storage.SHARED) == 1
    assert sum(1 for v in declared if v.name == "given") == 2
    check_same(program, result.kernel, BLOCK)


def test_a_return_from_the_middle_is_not_inlined():
    body = (Assign(OUT[X].node, call_of("neighbour", IN[X]), at()),)  # type: ignore[arg-type]
    result = inline_functions(with_functions(kernel((OUT, IN), *body), neighbour(returns_early=True)))
    assert calls_left(result.kernel) == 1
    assert "returns from its middle" in result.declined[0].reason


def test_a_pure_function_stays_a_call():
    given = local("given")
    square = Function("square", (variable(given),), FLOAT32, (Return((given * given).node, at()),), at())
    body = (Assign(OUT[X].node, call_of("square", IN[X]), at()),)  # type: ignore[arg-type]
    assert calls_left(inline_functions(with_functions(kernel((OUT, IN), *body), square)).kernel) == 1


def test_a_recursive_function_ends():
    given = local("given", INT32)
    again = CallFunction("count", (given.node,), INT32, at())
    body = (Evaluate(again, at()), barrier(), Return(None, at()))
    count = Function("count", (variable(given),), INT32, body, at())
    start = Evaluate(CallFunction("count", (X.node,), INT32, at()), at())
    result = inline_functions(with_functions(kernel((), start), count))
    assert calls_left(result.kernel) == 1


# --- pointers into shared memory ---------------------------------------------------------------------


def view_of(cells: E, offset: object, type_=FLOAT32) -> tuple[E, Declare]:
    from porter.cuda.kir import Cast

    view = local("view", Pointer(type_))
    start = address(cells[offset])
    return view, Declare(variable(view), Cast(start.node, Pointer(type_), at()), at())


def test_a_view_of_another_type_becomes_the_array():
    raw = shared("raw", 64, type_=INT32)
    view, alias = view_of(raw, 0)
    body = (declare(raw), alias, assign(view[X], IN[X]), barrier(), assign(OUT[X], view[(X + 1) & 63]))
    program = kernel((OUT, IN), *body)
    result = resolve_shared(program).kernel
    assert not mentions(result, raw)
    assert not mentions(result, view)
    arrays = [s.variable for s in statements(result.body) if isinstance(s, Declare)]
    assert [str(v.type) for v in arrays] == ["float32[64]"]
    check_same(program, result, BLOCK)


def test_an_offset_is_added():
    cells = shared("cells", 64)
    view, alias = view_of(cells, 32)
    body = (declare(cells), alias, when(X < 32, assign(view[X], IN[X]), assign(OUT[X], view[X])))
    program = kernel((OUT, IN), *body)
    result = resolve_shared(program).kernel
    assert not mentions(result, view)
    check_same(program, result, BLOCK)


def test_two_types_in_one_array_stay():
    raw = shared("raw", 64, type_=INT32)
    view, alias = view_of(raw, 0)
    body = (declare(raw), alias, assign(view[X], IN[X]), barrier(), assign(OUT[X], raw[X].to(FLOAT32)))
    assert resolve_shared(kernel((OUT, IN), *body)).kernel.body == body


def test_a_pointer_that_changes_stays():
    cells = shared("cells", 64)
    view, alias = view_of(cells, 0)
    body = (declare(cells), alias, assign(view, address(cells[1])), assign(view[X], IN[X]))
    assert resolve_shared(kernel((OUT, IN), *body)).kernel.body == body


# --- changed parameters ------------------------------------------------------------------------------


def test_a_changed_parameter_gets_a_local():
    rows = parameter("rows", Pointer(FLOAT32, True))
    body = (assign(rows, rows.op("+", block_index() * 64)), assign(OUT[X], rows[X]))
    program = kernel((OUT, rows), *body)
    result = name_parameters(program).kernel
    assert isinstance(result.body[0], Declare)
    check_same(program, result, BLOCK, grid=2)


def test_a_store_through_a_changed_parameter():
    body = (assign(OUT, OUT.op("+", 64)), when(X < 32, assign(OUT[X], IN[X])))
    program = kernel((OUT, IN), *body)
    check_same(program, name_parameters(program).kernel, BLOCK)


def test_a_parameter_that_changes_in_a_loop_stays():
    i, rows = local("i", INT32), parameter("rows", Pointer(FLOAT32, True))
    step = loop(i, 0, i < 3, i + 1, assign(OUT[X], rows[X]), assign(rows, rows.op("+", 64)))
    program = kernel((OUT, rows), step)
    assert name_parameters(program).kernel.body == program.body


# --- barriers and staging ----------------------------------------------------------------------------


def test_a_barrier_between_loads_goes():
    program = kernel((OUT, IN), assign(OUT[X], IN[X]), barrier(), assign(OUT[X + 64], IN[X + 1]))
    assert barriers(drop_barriers(kernel((OUT, IN), barrier(), assign(OUT[X], IN[X]))).kernel) == 0
    assert barriers(drop_barriers(program).kernel) == 1  # two stores to one buffer


def test_a_barrier_between_a_store_and_a_load_of_one_buffer_stays():
    body = (assign(OUT[X], IN[X]), barrier(), assign(OUT[X + 64], OUT[const(63) - X]))
    assert barriers(drop_barriers(kernel((OUT, IN), *body)).kernel) == 1


def test_buffers_that_may_be_one():
    other = pointer("other")
    body = (assign(OUT[X], 1.0), barrier(), declare(local("v"), other[X]))
    assert barriers(drop_barriers(kernel((OUT, other), *body)).kernel) == 1


def test_in_a_loop_everything_is_on_both_sides():
    i = local("i", INT32)
    other = pointer("other")
    inside = loop(i, 0, i < 3, i + 1, barrier(), declare(local("v"), other[X]), assign(OUT[X], 1.0))
    assert barriers(drop_barriers(kernel((OUT, other), inside)).kernel) == 1


def test_shared_memory_keeps_its_barriers():
    cells = shared("cells", 64)
    body = (declare(cells), assign(cells[X], IN[X]), barrier(), assign(OUT[X], cells[const(63) - X]))
    assert barriers(drop_barriers(kernel((OUT, IN), *body)).kernel) == 1


def test_dead_staging_goes_with_the_control_around_it():
    cells, i, unused = shared("cells", 64), local("i", INT32), local("unused")
    fill = loop(i, X, i < 64, i + block_dim(), when(i < 9, assign(cells[i], IN[i])))
    program = kernel((OUT, IN), declare(cells), declare(unused, IN[X]), fill, assign(OUT[X], IN[X]))
    assert [type(s) for s in drop_staging(program).kernel.body] == [Assign]


# --- fragments with branches on data -----------------------------------------------------------------


def tree(cells: E) -> Stmt:
    stride = local("stride", INT32)
    add = when(stride > X, assign(cells[X], cells[X] + cells[X + stride]))
    return loop(stride, 32, stride > 0, stride >> 1, add, barrier())


def test_a_fill_with_two_branches():
    cells, n = shared("cells", 64), parameter("n")
    fill = when(n > X, assign(cells[X], IN[X]), otherwise=(assign(cells[X], 0.0),))
    body = (declare(cells), fill, barrier(), tree(cells), when(X.eq(0), assign(OUT[0], cells[0])))
    program = kernel((OUT, IN, n), *body)
    result = raise_idioms(program, BLOCK)
    assert [s.group for s in statements(result.kernel.body) if isinstance(s, GroupReduce)] == [None]
    check_same(program, result.kernel, BLOCK, n=50)


def test_a_fill_with_one_branch_leaves_the_rest_undefined():
    cells, n = shared("cells", 64), parameter("n")
    fill = when(n > X, assign(cells[X], IN[X]))
    body = (declare(cells), fill, barrier(), tree(cells), when(X.eq(0), assign(OUT[0], cells[0])))
    assert raise_idioms(kernel((OUT, IN, n), *body), BLOCK).raised == ()


def test_a_load_after_a_barrier_of_what_was_stored_before_it():
    """What each thread reduces was written by its neighbour: not to be loaded before the barrier."""
    cells, value, scratch = shared("cells", 64), local("value"), pointer("scratch")
    body = (
        declare(cells),
        assign(scratch[X], IN[X]),
        assign(cells[X], 0.0),
        barrier(),
        assign(cells[X], scratch[const(63) - X]),
        barrier(),
        tree(cells),
        declare(value, cells[0]),
        assign(OUT[X], value),
    )
    program = kernel((OUT, IN, scratch), *body)
    result = raise_idioms(program, BLOCK)
    check_same(program, result.kernel, BLOCK)
    first = next(i for i, s in enumerate(result.kernel.body) if isinstance(s, GroupReduce | Barrier))
    assert isinstance(result.kernel.body[first], Barrier)


def test_two_names_of_dynamic_shared_memory():
    one, two = (Variable(n, shared("s", 0).node.type, Storage.DYNAMIC_SHARED, at()) for n in ("one", "two"))
    cells = E(VarRef(one, one.type, at()))
    body = (
        Declare(one, None, at()),
        Declare(two, None, at()),
        assign(cells[X], IN[X]),
        barrier(),
        tree(cells),
    )
    result = raise_idioms(kernel((OUT, IN), *body, assign(OUT[X], cells[0])), BLOCK)
    assert result.raised == ()
    assert "several names" in result.declined[0].reason


def test_what_a_function_that_is_called_reads_is_kept():
    source = """__shared__ float s[64];
        __device__ __noinline__ float other(int n) { return n > 2 ? s[n] : 0.0f; }
        __global__ void k(float* x, int n) {
            s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[0] = other(n); }"""
    program = only_kernel(source)
    assert drop_staging(program).kernel.body == program.body
    assert drop_barriers(program).kernel.body == program.body
    unread = drop_staging(only_kernel(source.replace("other(n)", "1.0f"))).kernel.body
    assert [type(s) for s in unread] == [Barrier, Assign]


def test_barriers_stay_where_only_functions_use_shared_memory():
    source = """__shared__ float s[64];
        __device__ __noinline__ void put(float v) { s[threadIdx.x] = v; }
        __device__ __noinline__ float get(int n) { return n > 2 ? s[n] : 0.0f; }
        __global__ void k(float* x, int n) { put(x[threadIdx.x]); __syncthreads(); x[0] = get(n); }"""
    assert barriers(drop_barriers(only_kernel(source)).kernel) == 1
