"""Loops that are counted and loops that are unrolled: their text, and the same results in any form."""

import numpy as np
import pytest

from tests.tile.run_text import run, translated
from tests.tile.test_control_flow import GRID, HEAD, VALUES, N, checked


def text_of(body: str) -> str:
    return translated(f"__global__ void k(const int* x, int* out, int n) {{ {HEAD} {body} }}").text


def test_a_while_loop_with_its_own_step_is_a_range():
    body = "if (i < n) { int s = 0; int k = 0; while (k < x[i]) { s += k; k += 3; } out[i] = s; }"
    stride = "int j = i; while (j < n) { out[j] = x[j] + 1; j += blockDim.x * gridDim.x; }"
    checked(stride, lambda i, x: x[i] + 1)
    checked(body, lambda i, x: sum(range(0, x[i], 3)))
    assert "while" not in text_of(stride)
    assert "while" not in text_of(body)


@pytest.mark.parametrize(
    ("loop", "rounds"),
    [
        ("int k = 0; while (k < 7) { if (k == 3) { k = 5; } s += k; k += 1; }", [0, 1, 2, 5, 6]),
        ("int k = 0; while (k < 7) { s += k; k += 2; } s += 100 * k;", [0, 2, 4, 6, 800]),
        ("int k = 0; while (k < 9) { k += 1; if (k % 2) continue; s += k; }", [2, 4, 6, 8]),
        (
            "int k = 0; while (k < 9) { if (k == 4) { k += 3; continue; } s += k; k += 1; }",
            [0, 1, 2, 3, 7, 8],
        ),
        ("int k = 0; int m = k; k = 2; while (k < 6) { s += k + m; k += 1; }", [2, 3, 4, 5]),
        ("int m = 5; int k = m; m = 7; while (k < m) { s += k; k += 1; }", [5, 6]),
        ("int k = 1; for (; k < 30; k *= 3) s += k;", [1, 3, 9, 27]),
        ("for (int k = 9; k > 0; k /= 2) s += k;", [9, 4, 2, 1]),
        ("for (unsigned k = 1; k != 64; k <<= 1) s += k;", [1, 2, 4, 8, 16, 32]),
        ("for (int k = 64; k >= 1; k >>= 1) { if (k == 4) break; s += k; }", [64, 32, 16, 8]),
        ("for (int k = 64; k >= 1; k >>= 1) { if (k == 4) continue; s += k; }", [64, 32, 16, 8, 2, 1]),
        ("for (int k = -5; k <= 5; ++k) s += k / 2 * 100 + k % 3;", list(range(-5, 6))),
        ("for (int k = 4; k >= 0; k -= 2) for (int j = -1; j < 2; ++j) s += k * j + j;", []),
    ],
)
def test_counters_have_their_values_in_c(loop, rounds):
    def expected(i, x):
        if "k / 2" in loop:
            return x[i] + sum(int(k / 2) * 100 + k - int(k / 3) * 3 for k in rounds)
        return x[i] + sum(rounds)

    checked(f"if (i < n) {{ int s = x[i]; {loop} out[i] = s; }}", expected)


def test_short_loops_of_a_known_length_are_unrolled_whole():
    body = """if (i < n) { int s = 0;
        for (int d = -2; d <= 2; ++d) { int a = i + d; if (a >= 0 && a < n) s += x[a] * d; }
        out[i] = s; }"""
    checked(body, lambda i, x: sum(int(x[i + d]) * d for d in range(-2, 3) if 0 <= i + d < N))
    assert "in tl.static_range(-2, 3):" in text_of(body)


def test_halving_loops_are_counted_and_unrolled():
    body = """int v = i < n ? x[i] : 0; int w = v;
        for (int d = 16; d > 0; d /= 2) w = 3 * w + __shfl_down_sync(~0u, w, d);
        if (i < n) out[i] = w;"""

    def expected(i, x):
        lanes = [int(x[k]) if k < N else 0 for k in range(i // 32 * 32, i // 32 * 32 + 32)]
        for d in (16, 8, 4, 2, 1):
            lanes = [3 * v + lanes[k + d if k + d < 32 else k] for k, v in enumerate(lanes)]
        return lanes[i % 32]

    checked(body, expected)
    text = text_of(body)
    assert "in tl.static_range(0, 5):" in text
    assert "while" not in text


def test_loads_of_long_loops_are_several_at_a_time():
    body = "if (i < n) { int s = 0; for (int k = 0; k < n; ++k) s += x[k]; out[i] = s + i; }"
    checked(body, lambda i, x: int(x.sum()) + i)
    assert "loop_unroll_factor=8" in text_of(body)
    quiet = "if (i < n) { int s = 0; for (int k = 0; k < n; ++k) s ^= k * i; out[i] = s; }"
    assert "loop_unroll_factor" not in text_of(quiet)


def test_loops_that_are_long_or_deep_stay_loops():
    long = "if (i < n) { int s = 0; for (int k = 0; k < 17; ++k) s += k * i; out[i] = s; }"
    deep = """if (i < n) { int s = 0; for (int a = 0; a < 9; ++a) for (int b = 0; b < 9; ++b) s += a * b;
        out[i] = s + i; }"""
    checked(long, lambda i, x: 136 * i)
    checked(deep, lambda i, x: 36 * 36 + i)
    assert "for k in range(0, 17):" in text_of(long)
    assert "for b in range(0, 9):" in text_of(deep)


def test_a_counter_used_by_two_loops_keeps_its_value_between_them():
    source = """__global__ void k(const int* x, int* out, int n) { if (blockIdx.x || threadIdx.x) return;
        int k = 0; while (k < n && k < 5) { out[k] = x[k]; k += 1; }
        while (k < n) { out[k] = -x[k]; k += 2; } }"""
    got = run(source, VALUES, np.zeros(N, np.int32), N, grid=GRID)[1]
    wanted = np.zeros(N, np.int32)
    wanted[:5] = VALUES[:5]
    wanted[5::2] = -VALUES[5::2]
    assert np.array_equal(got, wanted)
