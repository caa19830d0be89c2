"""Staged tiles as direct loads, tile products as dots: what is raised, and what is not."""

from __future__ import annotations

import numpy as np
import pytest

from porter.analysis.expressions import own_expressions, statements
from porter.analysis.walk import walk
from porter.cuda.kir import FLOAT32, INT32, Barrier, Kernel, Stmt, Storage, VarRef
from porter.cuda.kir_printer import print_expression
from porter.tile.idioms import Dot, Raising
from porter.tile.raise_idioms import raise_idioms
from tests.tile.kir_build import (
    assign,
    barrier,
    block_index,
    call,
    const,
    declare,
    kernel,
    local,
    loop,
    parameter,
    pointer,
    select,
    shared,
    thread,
    when,
)
from tests.tile.kir_run import check_same
from tests.tile.run_text import run, translated

OUT = pointer("out")
IN = pointer("in", is_const=True)
N = parameter("n")
X, Y = thread("x"), thread("y")
LINE = (64, 1, 1)
SQUARE = (16, 16, 1)


def raised(body: tuple[Stmt, ...], block: tuple[int, int, int], **given: int) -> Raising:
    original = kernel((OUT, IN, N), *body)
    result = raise_idioms(original, block)
    if result.raised:
        for n in (given.pop("n"),) if "n" in given else (20, 64, 70):
            check_same(original, result.kernel, block, n=n, **given)
    return result


def shared_left(kernel_: Kernel) -> bool:
    return any(
        isinstance(e, VarRef) and e.variable.storage is Storage.SHARED
        for s in statements(kernel_.body)
        for expr in own_expressions(s)
        for e in walk(expr)
    )


def dots(result: Raising) -> list[Dot]:
    return [s for s in statements(result.kernel.body) if isinstance(s, Dot)]


def reasons(result: Raising) -> str:
    return "; ".join(no.reason for no in result.declined)


# --- one dimension -----------------------------------------------------------------------------------


def stencil(*, wait: bool = True, again: bool = False, in_place: bool = False) -> tuple[Stmt, ...]:
    """out[i] = in[i - 1] + in[i] + in[i + 1] through a window with a halo of one."""
    window, i = shared("window", 66), local("i", INT32)
    source = OUT if in_place else IN
    total, d = local("total"), local("d", INT32)
    return (
        declare(window),
        declare(i, block_index() * 64 + X),
        assign(window[X + 1], select(i < N, source[i], 0.0)),
        when(
            X < 1,
            assign(window[X], select(i - 1 >= 0, source[i - 1], 0.0)),
            assign(window[X + 65], select(i + 64 < N, source[i + 64], 0.0)),
        ),
        *((barrier(),) if wait else ()),
        *((assign(window[X + 1], 0.0),) if again else ()),
        when(
            i < N,
            declare(total, 0.0),
            loop(d, 0, d < 3, d + 1, assign(total, total + window[X + d])),
            assign(OUT[i], total),
        ),
    )


def test_stencil_with_halo():
    result = raised(stencil(), LINE)
    assert [line for line, _ in result.raised] == ["`window` -> direct loads"]
    assert not shared_left(result.kernel)
    assert not any(isinstance(s, Barrier) for s in statements(result.kernel.body))


def test_stencil_of_a_second_block():
    result = raised(stencil(), LINE, grid=2)
    assert result.raised


def test_reversal_within_the_block():
    tile = shared("tile", 64)
    body = (declare(tile), assign(tile[X], IN[X]), barrier(), assign(OUT[X], tile[const(63) - X]))
    assert not shared_left(raised(body, LINE).kernel)


def test_store_at_a_mirrored_place():
    tile = shared("tile", 64)
    body = (declare(tile), assign(tile[const(63) - X], IN[X]), barrier(), assign(OUT[X], tile[X]))
    assert not shared_left(raised(body, LINE).kernel)


def test_store_under_a_condition_on_data():
    tile = shared("tile", 64)
    guarded = when(X < N, assign(tile[X], IN[X]))
    read = when(const(63) - X < N, assign(OUT[X], tile[const(63) - X]))
    assert not shared_left(raised((declare(tile), guarded, barrier(), read), LINE).kernel)


def other_writer() -> tuple[Stmt, ...]:
    tile = shared("tile", 64)
    fill = (declare(tile), assign(tile[X], IN[X]), barrier())
    return (*fill, assign(OUT[X], tile[const(63) - X]), barrier(), assign(tile[X], 1.0))


def data_index() -> tuple[Stmt, ...]:
    tile, places = shared("tile", 64), pointer("places", INT32, is_const=True)
    return (declare(tile), assign(tile[places[X]], IN[X]), barrier(), assign(OUT[X], tile[X]))


def same_place_twice() -> tuple[Stmt, ...]:
    tile = shared("tile", 64)
    return (declare(tile), assign(tile[X >> 1], IN[X]), barrier(), assign(OUT[X], tile[X >> 1]))


def changed_variable() -> tuple[Stmt, ...]:
    tile, scale = shared("tile", 64), local("scale", INT32)
    rounds = local("rounds", INT32)
    return (
        declare(tile),
        declare(scale, 1),
        loop(rounds, 0, rounds < N, rounds + 1, assign(scale, scale + 3)),
        assign(tile[X], IN[X + scale]),
        barrier(),
        assign(scale, 7),
        assign(OUT[X], tile[const(63) - X] + scale.to(FLOAT32)),
    )


def value_of_the_thread() -> tuple[Stmt, ...]:
    """The stored value depends on data the reader does not have: a load at an index from memory is fine, a
    variable changed under a condition on data is not."""
    tile, mine = shared("tile", 64), local("mine")
    return (
        declare(tile),
        declare(mine, 0.0),
        when(IN[X] > 0.0, assign(mine, 1.0)),
        assign(tile[X], mine),
        barrier(),
        assign(OUT[X], tile[const(63) - X]),
    )


def no_barrier_between_rounds() -> tuple[Stmt, ...]:
    tile, k, total = shared("tile", 64), local("k", INT32), local("total")
    return (
        declare(tile),
        declare(total, 0.0),
        loop(
            k,
            0,
            k < N,
            k + 1,
            assign(tile[X], IN[k * 64 + X]),
            barrier(),
            assign(total, total + tile[const(63) - X]),
        ),
        assign(OUT[X], total),
    )


LEFT_ALONE = {
    "no barrier": stencil(wait=False),
    "stored again after the barrier": stencil(again=True),
    "another writer": other_writer(),
    "index from memory": data_index(),
    "two threads, one element": same_place_twice(),
    "a variable changes in between": changed_variable(),
    "a value only its thread has": value_of_the_thread(),
    "no barrier between rounds": no_barrier_between_rounds(),
}


@pytest.mark.parametrize("body", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_left_alone(body):
    result = raised(body, LINE)
    assert shared_left(result.kernel)
    assert not any("direct loads" in line for line, _ in result.raised)
    assert result.declined


def test_the_source_may_be_overwritten_in_between():
    tile = shared("tile", 64)
    body = (
        declare(tile),
        assign(tile[X], OUT[X]),
        barrier(),
        assign(OUT[X], 0.0),
        assign(OUT[X + 64], tile[const(63) - X]),
    )
    result = raised(body, LINE)
    assert shared_left(result.kernel)
    assert "may be overwritten" in reasons(result)


def test_an_in_place_stencil_keeps_its_window():
    assert shared_left(raised(stencil(in_place=True), LINE).kernel)


# --- two dimensions ----------------------------------------------------------------------------------


def transpose(*, pad: int = 1, swap: bool = True) -> tuple[Stmt, ...]:
    tile, j = shared("tile", 32, 32 + pad), local("j", INT32)
    x, y = local("x", INT32), local("y", INT32)
    element = tile[X][Y + j] if swap else tile[Y + j][X + 1]
    return (
        declare(tile),
        declare(x, block_index() * 32 + X),
        declare(y, Y),
        loop(
            j,
            0,
            j < 32,
            j + 8,
            when((x < N).both(y + j < N), assign(tile[Y + j][X], IN[(y + j) * N + x])),
        ),
        barrier(),
        assign(x, X),
        assign(y, block_index() * 32 + Y),
        loop(j, 0, j < 32, j + 8, when((x < N).both(y + j < N), assign(OUT[(y + j) * N + x], element))),
    )


@pytest.mark.parametrize("pad", [0, 1])
def test_transpose(pad):
    result = raised(transpose(pad=pad), (32, 8, 1), n=30)
    assert [line for line, _ in result.raised] == ["`tile` -> direct loads"]
    assert not shared_left(result.kernel)


def test_flat_index_split_by_division():
    """A block of 64 fills a patch of 10 x 10: thread numbers become rows and columns by / and %."""
    patch, e = shared("patch", 10, 10), local("e", INT32)
    body = (
        declare(patch),
        loop(e, X, e < 100, e + 64, assign(patch[e // 10][e % 10], IN[(e // 10) * N + e % 10])),
        barrier(),
        assign(OUT[X], patch[X >> 3][X & 7] + patch[(X >> 3) + 2][(X & 7) + 2]),
    )
    assert not shared_left(raised(body, LINE).kernel)


def gemm(*, left=None, combine=None, extent: int = 16, wait_at_end: bool = True) -> tuple[Stmt, ...]:
    a, b = pointer("a", is_const=True), pointer("b", is_const=True)
    a_tile, b_tile = shared("a_tile", 16, 16), shared("b_tile", 16, 16)
    acc, k0, k = local("acc"), local("k0", INT32), local("k", INT32)
    row, column = local("row", INT32), local("column", INT32)
    factors = (left or (lambda t, i: t[Y][i]))(a_tile, k), b_tile[k][X]
    update = (combine or (lambda t, p, q: t + p * q))(acc, *factors)
    return (
        declare(a_tile),
        declare(b_tile),
        declare(row, block_index("y") * 16 + Y),
        declare(column, block_index() * 16 + X),
        declare(acc, 0.0),
        loop(
            k0,
            0,
            k0 < N,
            k0 + 16,
            assign(a_tile[Y][X], select((row < N).both(k0 + X < N), a[row * N + k0 + X], 0.0)),
            assign(b_tile[Y][X], select((k0 + Y < N).both(column < N), b[(k0 + Y) * N + column], 0.0)),
            barrier(),
            loop(k, 0, k < extent, k + 1, assign(acc, update)),
            *((barrier(),) if wait_at_end else ()),
        ),
        when((row < N).both(column < N), assign(OUT[row * N + column], acc)),
    )


def test_tiled_matrix_multiply_is_a_dot():
    result = raised(gemm(), SQUARE, n=20)
    (dot,) = dots(result)
    assert (dot.extent, dot.element) == (16, FLOAT32)
    assert not shared_left(result.kernel)
    assert not any(isinstance(s, Barrier) for s in statements(result.kernel.body))


def test_by_fused_multiply_add():
    result = raised(gemm(combine=lambda t, p, q: call("fma", p, q, t)), SQUARE, n=10)
    assert len(dots(result)) == 1


def test_half_of_the_tile():
    assert [d.extent for d in dots(raised(gemm(extent=8), SQUARE, n=20))] == [8]


@pytest.mark.parametrize(
    "body",
    [
        gemm(left=lambda t, k: t[k][X]),
        gemm(left=lambda t, k: t[Y][X] + t[Y][k]),
        gemm(combine=lambda t, p, q: t + (p - q)),
        gemm(combine=lambda t, p, q: t * p * q),
        gemm(wait_at_end=False),
    ],
    ids=["two columns", "row depends on x", "difference", "product", "no barrier at the end"],
)
def test_no_dot(body):
    assert dots(raised(body, SQUARE, n=10)) == []


def test_one_dimensional_blocks_have_no_dot():
    assert dots(raised(gemm(), (256, 1, 1), n=20)) == []


def test_an_index_expression_reads_as_one_would_write_it():
    (dot,) = dots(raised(gemm(), SQUARE, n=10))
    assert print_expression(dot.right).endswith("b[(k + k0) * n + blockIdx.x * 16 + threadIdx.x] : 0.0f")


HALO = """
#define T 16
__global__ void k(const float* x, float* y, int w, int h) {
    __shared__ float s[T + 2][T + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int c = blockIdx.x * T + threadIdx.x, r = blockIdx.y * T + threadIdx.y;
    s[ty][tx] = r < h && c < w ? x[r * w + c] : 0.0f;
    if (threadIdx.x == 0) s[ty][0] = c > 0 && r < h ? x[r * w + c - 1] : LEFT;
    if (threadIdx.x == T - 1) s[ty][T + 1] = c + 1 < w && r < h ? x[r * w + c + 1] : 0.0f;
    if (threadIdx.y == 0) s[0][tx] = r > 0 && c < w ? x[(r - 1) * w + c] : 0.0f;
    if (threadIdx.y == T - 1) s[T + 1][tx] = r + 1 < h && c < w ? x[(r + 1) * w + c] : 0.0f;
    __syncthreads();
    if (r < h && c < w) y[r * w + c] = s[ty][tx] + 2 * s[ty - 1][tx] + 3 * s[ty + 1][tx]
        + 4 * s[ty][tx - 1] + 5 * s[ty][tx + 1];
}
"""


@pytest.mark.parametrize("left", [0.0, -1.5])
@pytest.mark.parametrize(("h", "w"), [(1, 1), (16, 16), (17, 33), (31, 5)])
def test_a_halo_of_two_dimensions_filled_by_the_threads_at_the_edges(h: int, w: int, left: float) -> None:
    source = HALO.replace("LEFT", f"{left}f")
    x = (np.arange(h * w, dtype=np.float32) % 23) - 7
    got = run(source, x, np.zeros(h * w, np.float32), w, h, grid=(3, 2, 1), block=(16, 16, 1))[1]
    p = np.pad(x.reshape(h, w), 1)
    p[:, 0] = left
    expected = p[1:-1, 1:-1] + 2 * p[:-2, 1:-1] + 3 * p[2:, 1:-1] + 4 * p[1:-1, :-2] + 5 * p[1:-1, 2:]
    assert np.array_equal(got.reshape(h, w), expected)
    assert "scratch" not in translated(source, (16, 16, 1)).text


def test_each_neighbour_of_a_halo_is_one_load() -> None:
    text = translated(HALO.replace("LEFT", "0.0f"), (16, 16, 1)).text
    assert text.count("tl.load(") == 5


@pytest.mark.parametrize(
    "change",
    [
        ("if (threadIdx.x == 0) s", "if (threadIdx.x <= 1) s"),  # two threads store one element
        ("s[T + 1][tx] =", "s[T][tx] ="),  # the tile's last row is stored twice
        ("if (threadIdx.x == T - 1)", "if (c == w - 1)"),  # which column that is depends on data
    ],
)
def test_halos_that_are_filled_otherwise_stay_in_scratch(change: tuple[str, str]) -> None:
    source = HALO.replace("LEFT", "0.0f").replace(*change)
    assert "scratch" in translated(source, (16, 16, 1)).text
