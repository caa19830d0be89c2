"""Divergent and uniform control: guards, branches, loops, exits. Each against plain Python per thread."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.tile.run_text import run, translated

N = 150
GRID = (3, 1, 1)
VALUES = ((np.arange(N) * 37) % 101 - 20).astype(np.int32)
HEAD = "const int i = blockIdx.x * blockDim.x + threadIdx.x;"


def checked(body: str, per_thread: Callable[[int, np.ndarray], int], start: int = -1) -> None:
    """`body` sees x, out, n and i; out[i] must be what `per_thread(i, x)` says (None: untouched)."""
    source = f"__global__ void k(const int* x, int* out, int n) {{ {HEAD} {body} }}"
    got = run(source, VALUES, np.full(N, start, np.int32), N, grid=GRID)[1]
    wanted = [per_thread(i, VALUES) for i in range(N)]
    expected = np.array([start if w is None else w for w in wanted], np.int32)
    assert np.array_equal(got, expected), (got[got != expected], expected[got != expected])


def test_an_early_return_is_the_mask():
    checked("if (i >= n) return; out[i] = x[i] + 1;", lambda i, x: x[i] + 1)


def test_two_early_returns():
    checked(
        "if (i >= n) return; const int v = x[i]; if (v < 0) { out[i] = -5; return; } out[i] = v * 2;",
        lambda i, x: -5 if x[i] < 0 else x[i] * 2,
    )


def test_a_return_in_a_nested_branch_skips_the_rest():
    checked(
        """if (i < n) { const int v = x[i]; if (v > 10) { if (v > 50) return; out[i] = 1; } out[i] += v; }""",
        lambda i, x: None if x[i] > 50 else (1 + x[i] if x[i] > 10 else -1 + x[i]),
    )


def test_if_else_chains():
    checked(
        """if (i >= n) return; int r; const int v = x[i];
        if (v < 0) r = 1; else if (v < 20) r = 2; else if (v < 40) { r = 3; r += v; } else r = 4;
        out[i] = r;""",
        lambda i, x: 1 if x[i] < 0 else 2 if x[i] < 20 else 3 + x[i] if x[i] < 40 else 4,
    )


def test_switch_with_fall_through():
    def expected(i, x):
        r, v = 0, int(x[i]) & 3
        if v == 0:
            r += 1
        if v in (0, 1):
            r += 10
        elif v == 2:
            r = 7
        else:
            r = 9
        return r

    checked(
        """if (i >= n) return; int r = 0;
        switch (x[i] & 3) { case 0: r += 1; case 1: r += 10; break; case 2: r = 7; break; default: r = 9; }
        out[i] = r;""",
        expected,
    )


def test_loads_behind_short_circuits_stay_in_bounds():
    checked(
        "if (i < n) { out[i] = (i > 0 && x[i - 1] > x[i]) || (i + 1 < n && x[i + 1] > x[i]) ? 1 : 0; }",
        lambda i, x: int((i > 0 and x[i - 1] > x[i]) or (i + 1 < N and x[i + 1] > x[i])),
    )


def test_a_loop_with_a_bound_per_thread():
    checked(
        "if (i >= n) return; int s = 0; for (int k = 0; k < i % 7; k++) s += k * x[(i + k) % n]; out[i] = s;",
        lambda i, x: sum(k * int(x[(i + k) % N]) for k in range(i % 7)),
    )


def test_a_loop_with_a_start_per_thread():
    checked(
        "if (i >= n) return; int s = 0; for (int k = i % 5; k < 9; k += 2) s = s * 3 + k; out[i] = s;",
        lambda i, x: _folded(range(i % 5, 9, 2)),
    )


def _folded(values) -> int:
    total = 0
    for value in values:
        total = total * 3 + value
    return total


def test_a_downward_loop():
    checked(
        "if (i >= n) return; int s = 0; for (int k = 6; k >= 0; k -= 2) s = s * 3 + k + i; out[i] = s;",
        lambda i, x: _folded(k + i for k in range(6, -1, -2)),
    )


def test_a_while_loop_that_ends_at_different_times():
    def steps(i, x):
        value, count = abs(int(x[i])) + 1, 0
        while value != 1 and count < 40:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            count += 1
        return count

    checked(
        """if (i >= n) return; int v = abs(x[i]) + 1, c = 0;
        while (v != 1 && c < 40) { if (v % 2 == 0) v /= 2; else v = 3 * v + 1; c++; }
        out[i] = c;""",
        steps,
    )


def test_do_while_runs_once_for_everyone():
    def expected(i, x):
        v = int(x[i])
        while True:
            v += 10
            if v >= 30:
                return v

    checked("if (i >= n) return; int v = x[i]; do { v += 10; } while (v < 30); out[i] = v;", expected)


def test_continue_goes_to_the_condition_of_a_do_loop_with_its_effect():
    def expected(i, x):
        total, k = 0, int(x[i]) % 11
        while True:
            if k % 3 != 1:
                total += k
                if k == 5:
                    total *= 2
                if k != 5:
                    total += 100
            k -= 1
            if k + 1 <= i % 4:
                return total * 100 + k

    checked(
        """if (i >= n) return; int s = 0, k = (x[i] % 11 + 11) % 11;
        do { if (k % 3 == 1) continue; s += k; if (k == 5) { s *= 2; continue; } s += 100; }
        while (k-- > i % 4);
        out[i] = s * 100 + k;""",
        expected,
    )


def test_break_and_continue_under_divergence():
    def expected(i, x):
        total = 0
        for k in range(12):
            if (i + k) % 4 == 1:
                continue
            if k * 5 > x[i]:
                break
            total += k
            if total > 30:
                total = -total
        return total * 100 + 1

    checked(
        """if (i >= n) return; int s = 0;
        for (int k = 0; k < 12; k++) {
            if ((i + k) % 4 == 1) continue;
            if (k * 5 > x[i]) break;
            s += k;
            if (s > 30) s = -s;
        }
        out[i] = s * 100 + 1;""",
        expected,
    )


def test_a_loop_variable_that_outlives_the_loop():
    checked(
        "if (i >= n) return; int k = 0; for (; k < 9; k++) { if (x[(i + k) % n] > 60) break; } out[i] = k;",
        lambda i, x: next((k for k in range(9) if x[(i + k) % N] > 60), 9),
    )


def test_return_inside_a_loop():
    checked(
        """if (i >= n) return;
        for (int k = 0; k < 6; k++) { if (x[(i + k) % n] < 0) { out[i] = k; return; } }
        out[i] = 99;""",
        lambda i, x: next((k for k in range(6) if x[(i + k) % N] < 0), 99),
    )


def test_nested_loops_with_a_break_of_the_inner_one():
    def expected(i, x):
        total = 0
        for a in range(i % 3 + 1):
            for b in range(5):
                if (a + b + i) % 5 == 4:
                    break
                total += a * 10 + b
        return total

    checked(
        """if (i >= n) return; int s = 0;
        for (int a = 0; a <= i % 3; a++) for (int b = 0; b < 5; b++) {
            if ((a + b + i) % 5 == 4) break; s += a * 10 + b; }
        out[i] = s;""",
        expected,
    )


@pytest.mark.parametrize("count", [0, 1, 5])
def test_uniform_control_with_exits(count):
    source = f"""__global__ void k(const int* x, int* out, int n) {{ {HEAD}
        int s = 0;
        for (int k = 0; k < 10; k++) {{ if (k == n) break; if (k % 2) continue; s += k + x[k]; }}
        if (n > 3) {{ s = -s; }} else if (blockIdx.x > 0) {{ return; }}
        out[i] = s; }}"""
    got = run(source, VALUES, np.full(128, -1, np.int32), count, grid=(2, 1, 1))[1]
    total = sum(k + int(VALUES[k]) for k in range(count) if k % 2 == 0)
    first = -total if count > 3 else total
    assert (got[:64] == first).all()
    assert (got[64:] == (first if count > 3 else -1)).all()


def test_a_grid_stride_loop_is_one_range():
    source = """__global__ void k(const int* x, int* out, int n) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
            out[i] = x[i] * 2; }"""
    assert np.array_equal(run(source, VALUES, np.zeros(N, np.int32), N, grid=(2, 1, 1))[1], VALUES * 2)
    text = translated(source).text
    assert "in tl.range(pid * BLOCK, n, BLOCK * tl.num_programs(0), loop_unroll_factor=8):" in text
    assert "while" not in text


def test_blocks_that_are_no_power_of_two_are_padded():
    source = f"__global__ void k(const int* x, int* out, int n) {{ {HEAD} if (i < n) out[i] = x[i] - 1; }}"
    got = run(source, VALUES, np.zeros(N + 40, np.int32), N, grid=(3, 1, 1), block=(48, 1, 1))[1]
    assert np.array_equal(got[:144], VALUES[:144] - 1)
    assert not got[144:].any()


def test_two_dimensional_blocks():
    source = """__global__ void k(const int* x, int* out, int rows, int cols) {
        int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
        if (r < rows && c < cols) out[c * rows + r] = x[r * cols + c]; }"""
    matrix = np.arange(13 * 21, dtype=np.int32)
    got = run(source, matrix, np.zeros_like(matrix), 13, 21, grid=(3, 4, 1), block=(8, 4, 1))[1]
    assert np.array_equal(got.reshape(21, 13), matrix.reshape(13, 21).T)


def test_three_dimensional_blocks():
    source = """__global__ void k(int* out) {
        int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        out[t] = threadIdx.z * 100 + threadIdx.y * 10 + threadIdx.x; }"""
    got = run(source, np.zeros(32, np.int32), grid=(1, 1, 1), block=(4, 4, 2))[0]
    z, y, x = np.meshgrid(range(2), range(4), range(4), indexing="ij")
    assert np.array_equal(got, (z * 100 + y * 10 + x).ravel())


def test_variables_of_a_branch_do_not_leak():
    checked(
        """if (i >= n) return; int a = 1;
        if (x[i] > 0) { int b = a + x[i]; a = b; } else { int b = a - 1; a = b * 3; }
        out[i] = a;""",
        lambda i, x: 1 + x[i] if x[i] > 0 else 0,
    )
