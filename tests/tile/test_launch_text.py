"""Grid expressions of host code as Python."""

import pytest

from porter.tile.launch_text import grid_rank, mentions, python_grid, python_integer

NAMES = {"n": "n", "rows": "rows", "threads": "block[0]", "h_in": "count"}


@pytest.mark.parametrize(
    ("text", "resolved", "expected"),
    [
        ("(n + 255) / 256", {}, ("triton.cdiv(n, 256)", "1", "1")),
        ("(n + threads - 1) / threads", {}, ("triton.cdiv(n, block[0])", "1", "1")),
        ("(n + 256 - 1) / 256", {}, ("triton.cdiv(n, 256)", "1", "1")),
        ("blocks", {"blocks": "(n + 127) / 128"}, ("triton.cdiv(n, 128)", "1", "1")),
        ("dim3((n + 15) / 16, rows)", {}, ("triton.cdiv(n, 16)", "rows", "1")),
        ("grid", {"grid": "dim3(rows, (n + 31) / 32, 2)"}, ("rows", "triton.cdiv(n, 32)", "2")),
        ("h_in * 2 + 1", {}, ("count * 2 + 1", "1", "1")),
        ("(int)(n / 4)", {}, ("n // 4", "1", "1")),
        ("static_cast<int>(n) % 3", {}, ("n % 3", "1", "1")),
        ("std::min(n, 96)", {}, ("min(n, 96)", "1", "1")),
        ("(n - 1) * 2", {}, ("(n - 1) * 2", "1", "1")),
        ("2 * half", {"half": "n + 1"}, ("2 * (n + 1)", "1", "1")),
        ("64u", {}, ("64", "1", "1")),
    ],
)
def test_what_the_arguments_say(text, resolved, expected):
    assert python_grid(text, NAMES, resolved) == expected


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("compute_grid(n)", {}),
        ("blocks", {}),
        ("props.multiProcessorCount", {}),
        ("n > 5 ? 1 : 2", {}),
        ("a", {"a": "b", "b": "a"}),
        ("sizeof(float)", {}),
        ("n / 2.0f", {}),
        ("", {}),
        ("n + ", {}),
    ],
)
def test_what_is_not_understood_is_none(text, resolved):
    assert python_grid(text, NAMES, resolved) is None
    assert python_integer(text, NAMES, resolved) is None


@pytest.mark.parametrize(
    ("text", "resolved", "rank"),
    [
        ("blocks", {"blocks": "n / 2"}, 1),
        ("dim3(a, b)", {}, 2),
        ("dim3(a, b, 1)", {}, 2),
        ("g", {"g": "dim3(a, f(b, c), d)"}, 3),
        ("make_grid()", {"make_grid": "x"}, 1),
    ],
)
def test_how_many_dimensions_a_grid_may_have(text, resolved, rank):
    assert grid_rank(text, resolved) == rank


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        ("triton.cdiv(n, 256)", True),
        ("triton.cdiv(9, block[0])", True),
        ("min(rows, 96)", True),
        ("9", False),
        ("triton.cdiv(1000, 64)", False),
        ("number", False),
        ("block[1]", False),
    ],
)
def test_whether_the_text_has_a_name_of_the_launcher(text, mentioned):
    assert mentions(text, NAMES.values()) is mentioned
