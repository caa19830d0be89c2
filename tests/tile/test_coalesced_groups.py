"""Groups of the threads that happen to be active, parts of them by label, and scans over tiles."""

import numpy as np
import pytest

from tests.tile.run_text import run

HEAD = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
N = 128
X = ((np.arange(N) * 2654435761) % 97).astype(np.int32)
GRID = (2, 1, 1)


def by_warp(active: np.ndarray) -> list[np.ndarray]:
    """The active threads of each warp, in the order of their lanes."""
    return [np.flatnonzero(active[w : w + 32]) + w for w in range(0, N, 32)]


def test_ranks_sizes_and_shuffles():
    source = (
        HEAD
        + """__global__ void k(const int* x, int* out) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (x[i] % 3 == 0) {
            cg::coalesced_group g = cg::coalesced_threads();
            int* row = out + 6 * i;
            row[0] = g.thread_rank();
            row[1] = g.size();
            row[2] = g.shfl(x[i], 1 % g.size());
            row[3] = g.shfl_down(x[i], 2);
            row[4] = g.shfl_up(x[i], 1);
            row[5] = g.ballot(x[i] > 40) + 2 * g.any(x[i] > 90) + g.all(x[i] < 95);
        }
    }"""
    )
    expected = np.full((N, 6), -1)
    for lanes in by_warp(X % 3 == 0):
        v, n = X[lanes], lanes.size
        ballot = sum(1 << k for k in range(n) if v[k] > 40)
        for k, i in enumerate(lanes):
            expected[i] = [
                k, n, v[1 % n], v[k + 2 if k + 2 < n else k], v[max(k - 1, 0)],
                ballot + 2 * (v > 90).any() + (v < 95).all(),
            ]  # fmt: skip
    got = run(source, X, np.full(6 * N, -1, np.int32), grid=GRID)[1]
    assert np.array_equal(got.reshape(N, 6), expected)


def test_one_atomic_for_the_threads_that_are_there():
    source = (
        HEAD
        + """__device__ int grow(int* counter) {
        auto g = cg::coalesced_threads();
        int first;
        if (g.thread_rank() == 0) first = atomicAdd(counter, g.size());
        return g.shfl(first, 0) + g.thread_rank();
    }
    __global__ void k(const int* x, int* kept, int* counter, int n) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n && x[i] > 50) kept[grow(counter)] = x[i];
    }"""
    )
    for n in (0, 1, 100, N):
        _, kept, counter = run(source, X, np.zeros(N, np.int32), np.zeros(1, np.int32), n, grid=GRID)
        wanted = X[:n][X[:n] > 50]
        assert counter[0] == wanted.size
        assert np.array_equal(np.sort(kept[: wanted.size]), np.sort(wanted))


def test_parts_by_label_and_by_predicate():
    source = (
        HEAD
        + """__global__ void k(const int* x, int* counts, int* out) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        auto g = cg::coalesced_threads();
        auto same = cg::labeled_partition(g, x[i] % 5);
        if (same.thread_rank() == 0) atomicAdd(&counts[x[i] % 5], same.size());
        auto half = cg::binary_partition(g, x[i] > 48);
        out[i] = half.size() * 100 + half.thread_rank();
    }"""
    )
    _, counts, out = run(source, X, np.zeros(5, np.int32), np.zeros(N, np.int32), grid=GRID)
    assert np.array_equal(counts, np.bincount(X % 5, minlength=5))
    expected = np.zeros(N)
    for chosen in (X > 48, X <= 48):
        for lanes in by_warp(chosen):
            expected[lanes] = lanes.size * 100 + np.arange(lanes.size)
    assert np.array_equal(out, expected)


@pytest.mark.parametrize("width", [8, 32])
def test_scans_over_a_tile(width):
    source = (
        HEAD
        + f"""#include <cooperative_groups/scan.h>
    __global__ void k(const int* x, int* sums, int* before, int* most) {{
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        auto tile = cg::tiled_partition<{width}>(cg::this_thread_block());
        sums[i] = cg::inclusive_scan(tile, x[i]);
        before[i] = cg::exclusive_scan(tile, x[i], cg::plus<int>());
        most[i] = cg::inclusive_scan(tile, x[i], cg::greater<int>());
    }}"""
    )
    rows = X.reshape(-1, width)
    zeros = np.zeros(N, np.int32)
    _, sums, before, most = run(source, X, zeros, zeros, zeros, grid=GRID)
    assert np.array_equal(sums, rows.cumsum(axis=1).ravel())
    assert np.array_equal(before, (rows.cumsum(axis=1) - rows).ravel())
    assert np.array_equal(most, np.maximum.accumulate(rows, axis=1).ravel())
