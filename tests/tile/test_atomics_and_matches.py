"""Compare-and-swap under masks, counters that wrap, and what lanes of a warp have in common."""

import numpy as np
import pytest

from tests.tile.run_text import declined, run, translated

N = 150
GRID = (3, 1, 1)
HEAD = "const int i = blockIdx.x * blockDim.x + threadIdx.x;"
KEYS = ((np.arange(N) * 37) % 11).astype(np.int32)


@pytest.mark.parametrize("limit", [0, 1, 6, 1000])
def test_a_counter_that_wraps_upwards(limit):
    source = f"""__global__ void k(unsigned* counter, unsigned* seen, unsigned limit, int n) {{
        {HEAD} if (i < n) seen[i] = atomicInc(counter, limit); }}"""
    counter, seen = run(source, np.zeros(1, np.uint32), np.zeros(N, np.uint32), limit, N, grid=GRID)
    assert counter[0] == N % (limit + 1)
    assert np.array_equal(np.sort(seen), np.sort(np.arange(N) % (limit + 1)))


@pytest.mark.parametrize("start", [0, 3, 500])
def test_a_counter_that_wraps_downwards(start):
    source = (
        f"""__global__ void k(unsigned* counter, int n) {{ {HEAD} if (i < n) atomicDec(counter + 1, 9); }}"""
    )
    value = start
    for _ in range(N):
        value = 9 if value == 0 or value > 9 else value - 1
    got = run(source, np.array([5, start, 7], np.uint32), N, grid=GRID)[0]
    assert got.tolist() == [5, value, 7]


def test_the_last_block_takes_a_ticket():
    source = """__global__ void k(const int* x, int* sums, unsigned* tickets, int* total, int n) {
        __shared__ bool is_last;
        atomicAdd(&sums[blockIdx.x], x[blockIdx.x * blockDim.x + threadIdx.x]);
        __threadfence();
        if (threadIdx.x == 0) is_last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
        __syncthreads();
        if (is_last && threadIdx.x == 0) for (int j = 0; j < n; j++) *total += sums[j];
    }"""
    x = np.arange(192, dtype=np.int32)
    _, sums, tickets, total = run(
        source, x, np.zeros(3, np.int32), np.zeros(1, np.uint32), np.zeros(1, np.int32), 3, grid=GRID
    )
    assert np.array_equal(sums, x.reshape(3, 64).sum(axis=1))
    assert tickets[0] == 0
    assert total[0] == x.sum()


def test_a_swap_by_some_threads_leaves_the_rest_of_memory_alone():
    source = f"""__global__ void k(int* owner, const int* wanted, int* won, int n) {{
        {HEAD} if (i >= n || wanted[i] < 3) return;
        won[i] = atomicCAS(&owner[wanted[i]], -1, i) == -1; }}"""
    owner = np.array([0, 0, -1, -1, 9] + [-1] * 6, np.int32)
    got, _, won = run(source, owner, KEYS, np.zeros(N, np.int32), N, grid=GRID)
    assert got[:3].tolist() == [0, 0, -1]
    assert got[4] == 9
    for key in (3, *range(5, 11)):
        assert KEYS[got[key]] == key
        assert won[key == KEYS].sum() == 1
    assert won[KEYS < 3].sum() == 0


@pytest.mark.parametrize(
    ("bits", "type_", "dtype"), [(32, "int", np.float32), (64, "unsigned long long", np.float64)]
)
def test_a_loop_of_swaps_multiplies(bits, type_, dtype):
    real, to, back = (
        ("float", "__float_as_int", "__int_as_float")
        if bits == 32
        else ("double", "__double_as_longlong", "__longlong_as_double")
    )
    source = f"""__device__ void multiply({real}* p, {real} by) {{
        {type_}* word = ({type_}*)p;
        {type_} old = *word, assumed;
        do {{ assumed = old; old = atomicCAS(word, assumed, ({type_}){to}({back}(assumed) * by)); }}
        while (assumed != old);
    }}
    __global__ void k({real}* products, const int* keys, int n) {{
        {HEAD} if (i < n && keys[i] != 2) multiply(&products[keys[i]], keys[i] % 2 ? 2 : 0.5); }}"""
    expected = np.array(
        [2.0 ** ((k == KEYS).sum() * (1 if k % 2 else -1)) if k != 2 else 1 for k in range(11)]
    )
    assert np.array_equal(run(source, np.ones(11, dtype), KEYS, N, grid=GRID)[0], expected.astype(dtype))


def peers(values: np.ndarray, active: np.ndarray) -> np.ndarray:
    rows, on = values.reshape(-1, 32), active.reshape(-1, 32)
    same = (rows[:, :, None] == rows[:, None, :]) & on[:, None, :]
    return (same * (1 << np.arange(32, dtype=np.uint64))).sum(axis=2).astype(np.uint32).ravel()


@pytest.mark.parametrize("block", [32, 64, 96])
def test_lanes_with_the_same_value(block):
    source = f"""__global__ void k(const int* keys, unsigned* same, int n) {{
        {HEAD} if (i < n) same[i] = __match_any_sync(__activemask(), keys[i]); }}"""
    size = block * 2
    keys = ((np.arange(size) * 37) % 5).astype(np.int32)
    n = size - 9
    got = run(source, keys, np.zeros(size, np.uint32), n, grid=(2, 1, 1), block=(block, 1, 1))[1]
    expected = peers(keys, np.arange(size) < n)
    expected[n:] = 0
    assert np.array_equal(got, expected)


def test_whether_all_lanes_have_the_same_value():
    source = """__global__ void k(const long long* x, unsigned* out, int* all) {
        int same;
        out[threadIdx.x] = __match_all_sync(0xffffffff, x[threadIdx.x], &same);
        all[threadIdx.x] = same;
    }"""
    x = np.full(64, 1 << 40, np.int64)
    x[63] += 1
    _, out, same = run(source, x, np.zeros(64, np.uint32), np.zeros(64, np.int32), grid=(1, 1, 1))
    assert np.array_equal(out, np.repeat(np.array([0xFFFFFFFF, 0], np.uint32), 32))
    assert np.array_equal(same, np.repeat(np.array([1, 0], np.int32), 32))


def test_votes_among_the_lanes_of_a_mask_of_their_own():
    source = """__global__ void k(const int* keys, const int* x, unsigned* votes, int* flags) {
        const unsigned same = __match_any_sync(0xffffffff, keys[threadIdx.x]);
        votes[threadIdx.x] = __ballot_sync(same, x[threadIdx.x] > 0);
        flags[threadIdx.x] = 2 * __any_sync(same, x[threadIdx.x] > 3) + __all_sync(same, x[threadIdx.x] > -4);
    }"""
    keys, x = KEYS[:64] % 5, (KEYS[:64] - 5).astype(np.int32)
    same = peers(keys, np.ones(64, bool))
    bit = 1 << (np.arange(64) % 32).astype(np.uint64)

    def ballot(p):
        return np.repeat((p * bit).reshape(2, 32).sum(axis=1), 32).astype(np.uint32)

    _, _, votes, flags = run(source, keys, x, np.zeros(64, np.uint32), np.zeros(64, np.int32), grid=(1, 1, 1))
    assert np.array_equal(votes, ballot(x > 0) & same)
    assert np.array_equal(flags, 2 * ((ballot(x > 3) & same) != 0) + ((ballot(x <= -4) & same) == 0))


def test_a_reduction_among_lanes_with_different_masks_is_declined():
    source = """__global__ void k(const int* keys, int* out) {
        const unsigned same = __match_any_sync(0xffffffff, keys[threadIdx.x]);
        out[threadIdx.x] = __reduce_add_sync(same, threadIdx.x); }"""
    assert declined(source) == ["TIL052"]


@pytest.mark.parametrize("width", [4, 8, 32])
def test_shuffles_of_a_width_that_is_an_argument(width):
    source = """__global__ void k(const int* x, int* out, int width) {
        const int v = x[threadIdx.x];
        int* row = out + 4 * threadIdx.x;
        row[0] = __shfl_sync(0xffffffff, v, 5, width);
        row[1] = __shfl_up_sync(0xffffffff, v, 3, width);
        row[2] = __shfl_down_sync(0xffffffff, v, 2, width);
        row[3] = __shfl_xor_sync(0xffffffff, v, 2, width);
    }"""
    x = (np.arange(64, dtype=np.int32) * 7919) % 1000
    lane = np.arange(64)
    start = lane // width * width
    expected = np.stack(
        [
            x[start + 5 % width],
            x[np.where(lane - 3 < start, lane, lane - 3)],
            x[np.where(lane + 2 >= start + width, lane, lane + 2)],
            x[lane ^ 2],
        ],
        axis=1,
    )
    got = run(source, x, np.zeros(256, np.int32), width, grid=(1, 1, 1))[1]
    assert np.array_equal(got.reshape(64, 4), expected)


ONE_PLACE = """__global__ void k(const int* x, int* t, float* s, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 3) {
        atomicAdd(t, 1); atomicSub(t + 1, x[i]); atomicMax(t + 2, x[i]); atomicMin(t + 3, -x[i]);
        atomicAnd(t + 4, x[i]); atomicOr(t + 5, x[i]); atomicXor(t + 6, x[i]); atomicAdd(s, 0.5f * x[i]);
    }
    if (threadIdx.x == 5) atomicAdd(t + 7, 1);
    LAST
}"""


@pytest.mark.parametrize("n", [0, 1, 63, 190])
@pytest.mark.parametrize("block", [(64, 1, 1), (96, 1, 1), (32, 2, 1)])
def test_atomics_of_many_threads_on_one_place(n: int, block: tuple[int, int, int]) -> None:
    x = ((np.arange(200) * 37) % 29).astype(np.int32)
    start = np.array([0, 0, -1, 1, 31, 0, 0, 0], np.int32)
    source = ONE_PLACE.replace("LAST", "")
    _, t, s = run(source, x, start, np.ones(1, np.float32), n, grid=(3, 1, 1), block=block)
    # Lines of a two-dimensional block have one number twice.
    numbers = [b * block[0] + i for b in range(3) for _ in range(block[1]) for i in range(block[0])]
    v = [int(x[i]) for i in numbers if i < n and x[i] > 3]
    low = np.bitwise_and.reduce([31, *v])
    assert t[:4].tolist() == [len(v), -sum(v), max([-1, *v]), min([1, *(-u for u in v)])]
    assert t[4:7].tolist() == [low, np.bitwise_or.reduce([0, *v]), np.bitwise_xor.reduce([0, *v])]
    assert t[7] == 3 * block[1]
    assert s[0] == 1 + 0.5 * sum(v)


def test_atomics_on_one_place_are_one_of_the_program() -> None:
    text = translated(ONE_PLACE.replace("LAST", "")).text
    assert "tl.atomic_add(t_ptr, tl.sum(mask.to(tl.int32), axis=0), mask=any_active)" in text
    assert "tl.atomic_max(t_ptr + 2, tl.max(" in text


def test_atomics_whose_old_value_is_used_are_one_a_thread() -> None:
    source = ONE_PLACE.replace("LAST", "if (i < n) t[8 + atomicAdd(t + 7, 1)] = i;")
    n = 100
    t = run(
        source, np.zeros(200, np.int32), np.zeros(120, np.int32), np.zeros(1, np.float32), n, grid=(2, 1, 1)
    )[1]
    assert t[7] == n + 2
    assert len(set(t[8 : 8 + n + 2].tolist()) - {0}) == n - 1
