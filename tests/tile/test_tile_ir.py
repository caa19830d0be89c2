"""Tile IR by itself: printing, barriers, the clean-up."""

import ast
import struct

import pytest

from porter.cuda.kir import BOOL, FLOAT32, FLOAT64, INT32, UINT32
from porter.tile import arithmetic as c
from porter.tile import ir
from porter.tile.clean_up import clean_up
from porter.tile.insert_barriers import BARRIER, insert_barriers
from porter.tile.layout import grouped_layout, plain_layout
from porter.tile.printer import print_block, print_expr, print_literal

X = frozenset({"x"})
INT, MASK, REAL = ir.TileType(INT32, X), ir.TileType(BOOL, X), ir.TileType(FLOAT32, X)


def name(text: str, type_: ir.TileType = INT) -> ir.Name:
    return ir.Name(text, type_)


def infix(op: str, left: ir.Expr, right: ir.Expr) -> ir.Infix:
    return ir.Infix(op, left, right, left.type)


A, B, C = name("a"), name("b"), name("c")


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (infix("*", infix("+", A, B), C), "(a + b) * c"),
        (infix("+", A, infix("*", B, C)), "a + b * c"),
        (infix("-", A, infix("-", B, C)), "a - (b - c)"),
        (infix("-", infix("-", A, B), C), "a - b - c"),
        (infix("+", A, infix("+", B, C)), "a + b + c"),
        (infix("&", infix("<", A, B), infix("<", B, C)), "(a < b) & (b < c)"),
        (infix("and", infix("<", A, B), infix("<", B, C)), "a < b and b < c"),
        (infix("==", infix("&", A, B), C), "a & b == c"),
        (infix("<", infix("<", A, B), C), "(a < b) < c"),
        (infix("<<", A, infix("+", B, C)), "a << b + c"),
        (ir.Prefix("~", infix("<", A, B), MASK), "~(a < b)"),
        (ir.Prefix("not", infix("<", A, B), MASK), "not a < b"),
        (ir.Prefix("-", infix("*", A, B), INT), "-(a * b)"),
        (ir.Convert(infix("+", A, B), REAL), "(a + b).to(tl.float32)"),
        (ir.Convert(ir.Name("n", ir.TileType(INT32), weak=True), REAL), "tl.cast(n, tl.float32)"),
        (ir.Convert(c.literal(0.1, FLOAT64), ir.TileType(FLOAT64)), "tl.full((), 0.1, tl.float64)"),
        (infix("*", A, c.literal(-2, INT32)), "a * -2"),
    ],
)
def test_expressions_keep_their_meaning(expr, text):
    assert print_expr(expr) == text
    ast.parse(text)


def test_float_sums_keep_their_order():
    a, b, d = (name(n, REAL) for n in "abd")
    assert print_expr(infix("+", a, infix("+", b, d))) == "a + (b + d)"


@pytest.mark.parametrize("value", [0.1, 1e-30, 3.4028234663852886e38, 0.044715, 1 / 3, 16777217.0])
def test_a_single_precision_literal_is_the_same_float32(value):
    single = struct.unpack("<f", struct.pack("<f", value))[0]
    shown = float(print_literal(single, single=True))
    assert struct.pack("<f", shown) == struct.pack("<f", single)
    assert abs(shown) <= 3.4028234663852886e38
    assert float(print_literal(value)) == value


def test_special_values():
    assert print_literal(float("-inf")) == '-float("inf")'
    assert print_literal(float("nan")) == 'float("nan")'
    assert print_literal(True) == "True"


def test_python_numbers_never_meet_in_a_division_that_could_floor():
    n = ir.Name("n", ir.TileType(INT32), weak=True)
    assert print_expr(c.binary("/", n, c.literal(2, INT32), INT32)) == "tl.cast(n, tl.int32) // 2"
    assert print_expr(c.binary("/", n, c.literal(2, INT32), INT32, nonnegative=True)) == "n // 2"
    assert print_expr(c.binary("/", A, c.literal(2, INT32), INT32)) == "a // 2"


def test_negation_of_float_comparisons_keeps_nan():
    x, y = name("x", REAL), name("y", REAL)
    assert print_expr(c.negate(c.compare("<", A, B))) == "a >= b"
    assert print_expr(c.negate(c.compare("<", x, y))) == "~(x < y)"


@pytest.mark.parametrize(
    ("value", "dtype", "wrapped"), [(2**31, INT32, -(2**31)), (-1, UINT32, 2**32 - 1), (5, INT32, 5)]
)
def test_literals_wrap(value, dtype, wrapped):
    assert c.wrap(value, dtype) == wrapped


# --- barriers --------------------------------------------------------------------------------------


def load(target: str, buffer: str) -> ir.Let:
    return ir.Let(target, ir.Invoke("tl.load", (ir.Name(buffer, ir.TileType(INT32, X, buffer)),), INT))


def store(buffer: str) -> ir.Do:
    pointer = ir.Name(buffer, ir.TileType(INT32, X, buffer))
    return ir.Do(ir.Invoke("tl.store", (pointer, A), INT))


def with_barriers(*body: ir.Stmt) -> list[ir.Stmt]:
    return list(insert_barriers(ir.TileKernel("k", (), body), frozenset({"s"})).body)


def test_a_load_after_a_store_of_the_same_buffer_waits():
    assert with_barriers(store("p"), load("v", "p")) == [store("p"), BARRIER, load("v", "p")]
    assert with_barriers(store("p"), load("v", "q")) == [store("p"), load("v", "q")]
    assert with_barriers(store("p"), BARRIER, load("v", "p")).count(BARRIER) == 1


def test_in_scratch_every_conflict_waits():
    assert with_barriers(load("v", "s"), store("s")) == [load("v", "s"), BARRIER, store("s")]
    assert with_barriers(load("v", "p"), store("p")) == [load("v", "p"), store("p")]


def test_a_conflict_with_the_last_round_of_a_loop_waits():
    zero = c.literal(0, INT32)
    loop = ir.ForRange("i", zero, zero, zero, (load("v", "s"), store("s")))
    (changed,) = with_barriers(loop)
    assert isinstance(changed, ir.ForRange)
    assert list(changed.body) == [BARRIER, load("v", "s"), BARRIER, store("s")]


def test_pointers_to_unknown_buffers_conflict_with_all():
    assert BARRIER in with_barriers(store("?"), load("v", "p"))


# --- clean-up --------------------------------------------------------------------------------------


def cleaned(*body: ir.Stmt) -> str:
    return "\n".join(print_block(clean_up(ir.TileKernel("k", (), body)).body, 0))


def test_the_source_names_an_id():
    pid = ir.Invoke("tl.program_id", (ir.Text("0"),), ir.TileType(INT32))
    row = ir.Let("row", ir.Name("pid", ir.TileType(INT32)))
    assert cleaned(ir.Let("pid", pid), row, use("row")).splitlines()[0] == "row = tl.program_id(0)"


def use(*names: str) -> ir.Do:
    return ir.Do(ir.Invoke("tl.store", tuple(name(n) for n in names), INT))


def test_what_nobody_reads_goes_but_effects_stay():
    atomic = ir.Invoke("tl.atomic_add", (A, B), INT)
    assert cleaned(ir.Let("unused", A), ir.Let("old", atomic), use("b")) == "tl.atomic_add(a, b)\ntl.store(b)"


def test_a_masked_select_after_a_load_becomes_other():
    mask = name("mask", MASK)
    loaded = ir.Let("x", ir.Invoke("tl.load", (A,), REAL, (("mask", mask),)))
    chosen = ir.Let("y", c.select(mask, name("x", REAL), c.literal(0.0, FLOAT32), FLOAT32))
    assert cleaned(loaded, chosen, use("y")).splitlines()[0] == "y = tl.load(a, mask=mask, other=0.0)"


def test_a_select_by_another_mask_stays():
    loaded = ir.Let("x", ir.Invoke("tl.load", (A,), REAL, (("mask", name("mask", MASK)),)))
    chosen = ir.Let("y", c.select(name("m2", MASK), name("x", REAL), c.literal(0.0, FLOAT32), FLOAT32))
    assert "tl.where(m2, x, 0.0)" in cleaned(loaded, chosen, use("y"))


# --- layouts ---------------------------------------------------------------------------------------


def test_layouts():
    assert plain_layout((256, 1, 1)).shape(X) == "(BLOCK,)"
    two = plain_layout((16, 8, 1))
    assert [axis.name for axis in two.axes] == ["y", "x"]
    assert two.shape(X) == "(1, BLOCK_X)"
    grouped = grouped_layout((128, 1, 1), 32)
    assert grouped.shape(frozenset({"warp"})) == "(WARPS, 1)"
    assert grouped_layout((48, 1, 1), 32).padded_threads == 64
    assert plain_layout((1, 1, 1)).threads == 1
