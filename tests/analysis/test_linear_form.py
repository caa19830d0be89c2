"""The normal form of index arithmetic: equal for equal values, and written as one would."""

from __future__ import annotations

import pytest

from porter.analysis.expressions import key
from porter.analysis.linear_form import Normaliser
from porter.cuda.kir import INT32, INT64, UINT32
from porter.cuda.kir_printer import print_expression
from tests.tile.kir_build import E, block_dim, block_index, const, local, parameter, thread

BLOCK = (128, 2, 1)
X, N = thread(), parameter("n")
A, B = local("a", INT32), local("b", INT32)


def normal(expr: E) -> str:
    return print_expression(Normaliser(BLOCK).normal(expr.node))


def same(left: E, right: E) -> bool:
    normaliser = Normaliser(BLOCK)
    return key(normaliser.normal(left.node)) == key(normaliser.normal(right.node))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (A + B, B + A),
        ((A + B) * 2, A * 2 + B * 2),
        (A + 3 - A, const(3)),
        (A << 3, A * 8),
        ((A + 1) * N, A * N + N),
        (block_index() * block_dim() + X, X + block_index() * 128),
        ((A.to(UINT32) + 1).to(INT32), A + 1),
        ((A + 4) // 2, (const(4) + A) // 2),
    ],
)
def test_equal(left, right):
    assert same(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (A + B, A - B),
        (A // 2 * 2, A),
        ((A + 1).to(INT64), A.to(INT64) + 1),
        (A % 4, A & 3),
        (A * A, A * 2),
    ],
)
def test_different(left, right):
    assert not same(left, right)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (X + block_index() * 128 + 0, "blockIdx.x * 128 + threadIdx.x"),
        ((A + B) * N + X, "(a + b) * n + threadIdx.x"),
        (A - 1, "a - 1"),
        (const(0) - A, "-a"),
        (A - A, "0"),
        (const(2) - 5, "-3"),
    ],
)
def test_text(expr, text):
    assert normal(expr) == text
