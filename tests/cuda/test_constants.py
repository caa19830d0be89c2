"""Constant folding of integer expressions, and dim3."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porter.cuda.constants import dim3_of, fold, lookup_in

SCOPE = lookup_in({"N": "1 << 4", "BLOCK": "N * 2", "loop": "loop + 1", "shape": "dim3(8, N)", "f": "1.5f"})


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("256", 256),
        ("0x20", 32),
        ("010", 8),
        ("0b101", 5),
        ("1'024u", 1024),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("~0 & 0xff", 255),
        ("1 << 3 | 1", 9),
        ("3 > 2 ? 10 : 20", 10),
        ("3 > 2 && 0", 0),
        ("!0", 1),
        ("(int)5", 5),
        ("static_cast<unsigned int>(N)", 16),
        ("int(9)", 9),
        ("std::min(N, 20)", 16),
        ("max(N, 20)", 20),
        ("sizeof(float) * 4", 16),
        ("sizeof(unsigned char)", 1),
        ("sizeof(float*)", 8),
        ("BLOCK", 32),
        ("shape.x * shape.y * shape.z", 128),
    ],
)
def test_folds(expression: str, value: int) -> None:
    assert fold(expression, SCOPE) == value


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "n",
        "loop",
        "f(1)",
        "1 / 0",
        "1 % 0",
        "1.5",
        "f",
        "a.x",
        "p->x",
        "N[0]",
        "1 +",
        "(1",
        "sizeof(T)",
        '"4"',
        "min(1)",
        "1 << 99",
        "N::v",
        "x = 3",
    ],
)
def test_gives_up_on_what_is_not_constant(expression: str) -> None:
    assert fold(expression, SCOPE) is None


@given(st.integers(-1000, 1000), st.integers(1, 50), st.integers(0, 7))
def test_agrees_with_truncating_arithmetic(a: int, b: int, c: int) -> None:
    assert fold(f"({a}) / {b} * {b} + ({a}) % {b}", SCOPE) == a
    assert fold(f"({a}) << {c}", SCOPE) == a * 2**c


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("dim3(16, 8)", ("16", "8")),
        ("dim3{n, f(a, b), 1}", ("n", "f(a, b)", "1")),
        ("{4}", ("4",)),
        ("dim3(16) + 1", None),
        ("grid", None),
        ("16", None),
        ("(16)", None),
        ("dim3(1, 2, 3, 4)", None),
    ],
)
def test_parts_of_dim3(expression: str, parts: tuple[str, ...] | None) -> None:
    assert dim3_of(expression) == parts
